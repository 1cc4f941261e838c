// How others reach the server of this client: addresses, and invitations.
#include <gmock/gmock.h>

#include <boost/asio/write.hpp>

#include "client/net/invitation.hpp"
#include "client/net/others_address.hpp"
#include "client/net/outside_links.hpp"

namespace tictactoe::client::net_others_address_tests {
namespace {

using boost::asio::ip::make_address;
using boost::asio::ip::tcp;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Addresses = std::vector<std::string>;

constexpr const char* invitation_key = "SHA256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

TEST(OthersAddresses, of_another_machine_are_the_one_that_was_typed) {
  EXPECT_THAT(addresses_for_others({"192.0.2.7", default_port, {}}), ElementsAre("192.0.2.7"));
  EXPECT_THAT(addresses_for_others({"den.example", 7000, {}}), ElementsAre("den.example:7000"));
  EXPECT_THAT(addresses_for_others({"2001:db8::1", 7000, {}}), ElementsAre("[2001:db8::1]:7000"));
}

TEST(OthersAddresses, of_this_machine_do_not_only_work_here) {
  for (const char* host : {"localhost", "127.0.0.1", "::1"}) {
    for (const std::string& address : addresses_for_others({host, 7000, {}})) {
      EXPECT_FALSE(address.starts_with("localhost") || address.starts_with("127.")) << address;
      EXPECT_TRUE(address.ends_with(":7000")) << address;
    }
  }
}

TEST(OthersAddresses, are_probed_and_only_a_listening_server_answers) {
  boost::asio::io_context context;
  tcp::acceptor server(context, {make_address("127.0.0.1"), 0});
  const std::uint16_t port = server.local_endpoint().port();
  std::vector<bool> answers;
  const auto note = [&](bool listens) { answers.push_back(listens); };
  const auto here = probe(context, {make_address("127.0.0.1"), port}, note);
  context.run();
  context.restart();
  const auto elsewhere = probe(context, {make_address("127.0.0.2"), port}, note);
  context.run();
  EXPECT_THAT(answers, ElementsAre(true, false)) << "the server listens at the first address";
}

// What is found, or nothing if nothing is told.
Addresses found(boost::asio::io_context& context, const Address& server) {
  Addresses all;
  const auto search = find_addresses_for_others(
      context, server, [&](const Addresses& addresses) { all = addresses; });
  context.restart();
  context.run();
  return all;
}

TEST(OthersAddresses, of_a_server_that_listens_to_this_machine_alone_are_none) {
  boost::asio::io_context context;
  tcp::acceptor server(context, {make_address("127.0.0.1"), 0});
  EXPECT_THAT(found(context, {"127.0.0.1", server.local_endpoint().port(), {}}), IsEmpty());
}

TEST(OthersAddresses, of_a_server_that_others_reach_are_all_of_this_machine) {
  boost::asio::io_context context;
  tcp::acceptor server(context, {make_address("0.0.0.0"), 0});
  const Address here{"127.0.0.1", server.local_endpoint().port(), {}};
  EXPECT_EQ(found(context, here), addresses_for_others(here));
  EXPECT_THAT(found(context, {"192.0.2.7", default_port, {}}), ElementsAre("192.0.2.7"))
      << "the address that was typed is not tried again";
}

TEST(OthersAddresses, are_not_told_after_the_search_was_given_up) {
  boost::asio::io_context context;
  for (const char* host : {"192.0.2.7", "127.0.0.1"}) {
    auto search = find_addresses_for_others(context, {host, default_port, {}},
                                            [](const Addresses&) { FAIL(); });
    search.reset();
    context.run();
    context.restart();
  }
}

TEST(OthersAddresses, may_be_searched_again_when_they_are_told) {
  boost::asio::io_context context;
  tcp::acceptor server(context, {make_address("0.0.0.0"), 0});
  const Address here{"127.0.0.1", server.local_endpoint().port(), {}};
  std::shared_ptr<void> search;
  search = find_addresses_for_others(context, here, [&](const Addresses&) { search.reset(); });
  context.run();
  EXPECT_EQ(search, nullptr);
}

TEST(OutsideLinks, have_the_key_of_the_server_or_none) {
  const auto key = tls::fingerprint_from_text(invitation_key);
  const std::string with_key = std::string("/#/?key=") + invitation_key;
  const std::string other_key = "/#/?key=" + tls::to_text({});
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n";
  const auto links = [&](const std::string& response) { return read_outside_links(response, key); };
  const std::string first = "https://203.0.113.7:7655" + with_key;
  const std::string second = "https://[2001:db8::1]:7654" + with_key;
  EXPECT_THAT(links(head + first + "\n" + second + "\n"), ElementsAre(first, second));
  EXPECT_THAT(links(head + "https://203.0.113.7:7655" + other_key), IsEmpty());
  // The server is behind a proxy that ends TLS.
  const std::string by_proxy = "https://play.example.com/";
  EXPECT_THAT(links(head + by_proxy + "\n"), ElementsAre(by_proxy));
  EXPECT_THAT(read_outside_links(head + by_proxy + "\n" + first, {}), ElementsAre(by_proxy))
      << "reached without TLS";
  EXPECT_THAT(links(head + "http://203.0.113.7:7655" + with_key), IsEmpty());
  EXPECT_THAT(links(head + "https://a\033[2Jb:7655" + with_key), IsEmpty());
  EXPECT_THAT(links(head + "https://203.0.113.7:7655/#/\033[2J"), IsEmpty());
  EXPECT_THAT(links("HTTP/1.1 404 Not Found\r\n\r\n" + first), IsEmpty());
  EXPECT_THAT(links("HTTP/1.1 200 OK\r\n" + first), IsEmpty());
  EXPECT_THAT(links(head), IsEmpty());
  EXPECT_THAT(links(""), IsEmpty());
  std::string many = head;
  for (int i = 0; i < 100; ++i) many += first + "\n";
  EXPECT_EQ(links(many).size(), max_outside_links);
}

TEST(OutsideLinks, of_a_server_that_hangs_up_or_sends_no_end_are_none) {
  for (const bool endless : {false, true}) {
    boost::asio::io_context context;
    tcp::acceptor acceptor(context, {make_address("127.0.0.1"), 0});
    tcp::socket peer(context);
    const std::string bytes(2 * max_outside_answer_bytes, 'x');
    acceptor.async_accept(peer, [&](const boost::system::error_code&) {
      if (!endless) return peer.close();
      boost::asio::async_write(peer, boost::asio::buffer(bytes),
                               [](const boost::system::error_code&, std::size_t) {});
    });
    int told = 0;
    const auto request =
        find_outside_links(context, {"127.0.0.1", acceptor.local_endpoint().port(), {}},
                           no_protection(), [&](const Addresses& links) {
                             ++told;
                             EXPECT_THAT(links, IsEmpty());
                           });
    context.run();
    EXPECT_EQ(told, 1);
  }
}

// What people paste to say which server they mean -------------------------------------------------

struct InvitationCase {
  std::string text;
  std::string host;
  std::uint16_t port;
  bool key = false;
  std::string room = {};
};

const std::vector<InvitationCase> invitation_cases{
    {"192.0.2.7", "192.0.2.7", 7654},
    {"[2001:db8::1]:80", "2001:db8::1", 80},
    {"https://192.0.2.7:7654/", "192.0.2.7", 7654},
    {"https://192.0.2.7:7655", "192.0.2.7", 7655},
    {"http://den.example/", "den.example", 80},
    {"https://den.example/#/", "den.example", 443},
    {"https://[2001:db8::1]:7654/", "2001:db8::1", 7654},
    {"https://[2001:db8::1]/", "2001:db8::1", 443},
    {"https://192.0.2.7:7654/#/join/the%20den%2F%C3%A9", "192.0.2.7", 7654, false, "the den/é"},
    {std::string("tictactoe 192.0.2.7:7655 --server-key ") + invitation_key, "192.0.2.7", 7655,
     true},
    {std::string("others join with tictactoe 192.0.2.7 --server-key ") + invitation_key,
     "192.0.2.7", 7654, true},
    {std::string("  ./run join 192.0.2.7 --server-key=") + invitation_key + "\n", "192.0.2.7", 7654,
     true},
    {"$ build/release/bin/tictactoe --server 192.0.2.7:1 --name ann", "192.0.2.7", 1},
    {"tictactoe --name ann den", "den", 7654},
    {"tictactoe --command play den", "den", 7654},
    {"tictactoe --server-password-file club.txt den", "den", 7654},
    {"tictactoe --account-password-file=me.txt \"den:1\"", "den", 1},
    {"tictactoe den --command 'join \"the den\"'", "den", 7654, false, "the den"},
    // A watcher is not given a seat.
    {"tictactoe den --command 'watch \"the den\"'", "den", 7654},
    {std::string("192.0.2.7 ") + invitation_key, "192.0.2.7", 7654, true},
    {"192.0.2.7:7655/", "192.0.2.7", 7655},
    {"den.example/#/join/den", "den.example", 7654, false, "den"},
    {"Guests play in a browser or on a phone at https://192.0.2.7:7655/", "192.0.2.7", 7655},
    {"https://192.0.2.7:1/#/?key=SHA256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", "192.0.2.7",
     1, true},
    {"Guests anywhere play at "
     "https://[2001:db8::1]:1/#/join/"
     "the%20den?key=SHA256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
     "2001:db8::1", 1, true, "the den"},
    {"tictactoe 'https://den:1/#/join/a?key=SHA256%3AAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'",
     "den", 1, true, "a"},
    {"join https://den:1/#/join/a?key=SHA256:AAECAwQFBgcICQ\noLDA0ODxAREhMUFRYXGBkaGxwdHh8", "den",
     1, true, "a"},
    {"join https://den:1/#/join/den\n?key=SHA256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
     "den", 1, true, "den"},
    {"join https://den:1/#/join/the%20d\nen?key=SHA256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
     "den", 1, true, "the den"},
    // A terminal has wrapped the line.
    {"./run join 192.0.2.7 --server-key SHA256:AAECAwQFBgcICQoLDA0ODxAR\nEhMUFRYXGBkaGxwdHh8",
     "192.0.2.7", 7654, true},
    {"tictactoe 192.0.2.7 --server-key SHA2\n56:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
     "192.0.2.7", 7654, true},
};

TEST(Invitation, has_host_port_key_and_room) {
  for (const InvitationCase& wanted : invitation_cases) {
    const Invited read = read_invitation(wanted.text);
    EXPECT_EQ(read.fault, "") << wanted.text;
    EXPECT_EQ(read.address.host, wanted.host) << wanted.text;
    EXPECT_EQ(read.address.port, wanted.port) << wanted.text;
    EXPECT_EQ(read.key.has_value(), wanted.key) << wanted.text;
    EXPECT_EQ(read.room, wanted.room) << wanted.text;
    // What is kept and shown is an address.
    EXPECT_EQ(parse_address(read.address.text).address.host_and_port(),
              read.address.host_and_port());
  }
}

TEST(Invitation, that_is_none_is_refused) {
  // Without its key, the client would trust whatever server answers first.
  const std::string damaged = std::string("tictactoe den --server-key ") + (invitation_key + 1);
  for (const std::string& text : std::vector<std::string>{
           "", "https://", "tictactoe --server-key SHA256:abc", damaged,
           "tictactoe den --server-key", "tictactoe den --server-key SHA256:abc",
           "tictactoe a!b --guest", "https://den:99999/", "./run join ",
           "https://den/#/?key=SHA256:abc", "https://den/#/join/a?key="}) {
    EXPECT_NE(read_invitation(text).fault, "") << text;
  }
}

TEST(Invitation, that_is_made_can_be_read) {
  const auto key = tls::fingerprint_from_text(invitation_key);
  ASSERT_TRUE(key);
  for (const char* address : {"192.0.2.7", "192.0.2.7:7655", "2001:db8::1", "[2001:db8::1]:99"}) {
    const Invitation invitation = invitation_to({address}, key);
    ASSERT_EQ(invitation.ways.size(), 1U);
    const Invitation::Way& made = invitation.ways.front();
    const std::string wanted = parse_address(address).address.host_and_port();
    EXPECT_EQ(read_invitation(made.command).address.host_and_port(), wanted);
    EXPECT_EQ(read_invitation(made.command).key, key);
    const Invited by_link = read_invitation(room_link(made.link, "die Höhle / 1"));
    EXPECT_EQ(by_link.address.host_and_port(), wanted);
    EXPECT_EQ(by_link.key, key);
    EXPECT_EQ(read_invitation(made.link).key, key);
    EXPECT_EQ(read_invitation(made.link).room, "");
    EXPECT_EQ(by_link.room, "die Höhle / 1");
  }
  EXPECT_EQ(invitation_to({"192.0.2.7"}, {}).ways.front().link, "http://192.0.2.7:7654/");
  EXPECT_TRUE(invitation_to({}, key).ways.empty());
}

TEST(Invitation, has_a_way_to_each_address) {
  const Invitation made = invitation_to({"192.0.2.7", "198.51.100.7:99"}, {});
  EXPECT_EQ(made.in_short, "tictactoe 192.0.2.7 or 198.51.100.7:99");
  ASSERT_EQ(made.ways.size(), 2U);
  EXPECT_EQ(made.ways[1].command_in_short, "tictactoe 198.51.100.7:99");
  EXPECT_EQ(made.ways[1].link, "http://198.51.100.7:99/");
  EXPECT_EQ(read_invitation(made.in_short).address.host, "192.0.2.7") << "pasted as it is";
}

TEST(Invitation, has_the_ways_from_anywhere_that_the_server_names) {
  const auto key = tls::fingerprint_from_text(invitation_key);
  const auto link_of = [](const std::string& place) {
    return "https://" + place + "/#/?key=" + invitation_key;
  };
  const Invitation made = invitation_to({"203.0.113.7", "192.0.2.7:99"}, key,
                                        {link_of("203.0.113.7:7654"), link_of("[2001:db8::1]:7654"),
                                         "https://a!b/", link_of("192.0.2.7:9")});
  std::vector<std::string> commands;
  std::vector<bool> are_from_anywhere;
  for (const Invitation::Way& way : made.ways) {
    commands.push_back(way.command_in_short);
    are_from_anywhere.push_back(way.is_from_anywhere);
  }
  EXPECT_THAT(commands, ElementsAre("tictactoe 203.0.113.7", "tictactoe 192.0.2.7:99",
                                    "tictactoe [2001:db8::1]:7654", "tictactoe 192.0.2.7:9"));
  EXPECT_THAT(are_from_anywhere, ElementsAre(true, false, true, true));
  EXPECT_EQ(made.in_short,
            "tictactoe 203.0.113.7 or 192.0.2.7:99 or, from anywhere, [2001:db8::1]:7654 or "
            "192.0.2.7:9");
  EXPECT_EQ(read_invitation(made.in_short).address.host, "203.0.113.7") << "pasted as it is";
  EXPECT_EQ(made.ways[2].link, link_of("[2001:db8::1]:7654"));
  EXPECT_EQ(read_invitation(made.ways[2].command).key, key);
}

TEST(Invitation, has_the_link_of_a_proxy_as_the_server_gives_it) {
  const auto key = tls::fingerprint_from_text(invitation_key);
  const std::string link = "https://play.example.com/";
  const Invitation inside = invitation_to({"192.0.2.7"}, key, {link});
  ASSERT_EQ(inside.ways.size(), 2U);
  EXPECT_EQ(inside.ways[1].link, link);
  EXPECT_EQ(inside.ways[1].command, "tictactoe play.example.com:443");
  // The person has come by that address, and knows the key there.
  const Invitation outside = invitation_to({"play.example.com:443"}, key, {link});
  ASSERT_EQ(outside.ways.size(), 1U);
  EXPECT_TRUE(outside.ways[0].is_from_anywhere);
  EXPECT_EQ(outside.ways[0].link, link);
  EXPECT_EQ(read_invitation(outside.ways[0].command).key, key);
}

}  // namespace
}  // namespace tictactoe::client::net_others_address_tests
