// How others join the server of this client, and the invitations that people paste.
#include <gmock/gmock.h>

#include <boost/asio/write.hpp>

#include "client/net/guests_way.hpp"

namespace tictactoe::client::net_guests_way_tests {
namespace {

using boost::asio::ip::make_address;
using boost::asio::ip::tcp;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr const char* invitation_key = "SHA256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

// A server that answers with `responses`, or hangs up if there are none.
class Answering {
 public:
  explicit Answering(std::string responses) : responses_(std::move(responses)) {
    acceptor_.async_accept(peer_, [this](const boost::system::error_code&) {
      boost::asio::async_write(
          peer_, boost::asio::buffer(responses_),
          [this](const boost::system::error_code&, std::size_t) { peer_.close(); });
    });
  }

  /// Asks this server, under the name `host`.
  Invitation found(const std::string& host = "127.0.0.1") {
    std::optional<Invitation> found;
    const Address server{host, acceptor_.local_endpoint().port(), {}};
    const auto search =
        find_invitation(context, server, no_protection(), {}, [&](const Invitation& what) {
          EXPECT_FALSE(found) << "told twice";
          found = what;
        });
    context.run();
    return found.value_or(Invitation());
  }

  boost::asio::io_context context;

 private:
  tcp::acceptor acceptor_{context, {make_address("127.0.0.1"), 0}};
  tcp::socket peer_{context};
  std::string responses_;
};

std::string response(const std::string& body, const std::string& status = "200 OK") {
  return "HTTP/1.1 " + status + "\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\nContent-Type: text/plain\r\n\r\n" + body;
}

TEST(GuestsWay, to_a_server_on_this_machine_is_what_the_server_says) {
  Answering server(response("http://192.0.2.7:7654/\nhttp://[2001:db8::1]:99/\n") +
                   response("https://play.example.com/\n"));
  EXPECT_EQ(server.found().in_short,
            "tictactoe 192.0.2.7 or [2001:db8::1]:99 or, from anywhere, play.example.com:443");
}

TEST(GuestsWay, to_a_server_elsewhere_is_the_address_that_was_typed) {
  Answering server(response("http://192.0.2.7:7654/\n") + response(""));
  // Linux connects to this machine, but it is no address of it.
  EXPECT_THAT(server.found("0.0.0.0").in_short, StartsWith("tictactoe 0.0.0.0:"));
}

TEST(GuestsWay, of_a_server_that_hangs_up_or_sends_no_end_is_unknown) {
  for (const std::string& responses : {std::string(), std::string(2 * max_join_answer_bytes, 'x'),
                                       response("http://192.0.2.7:7654/\n", "404 Not Found"),
                                       response("http://localhost:7654/\n")}) {
    EXPECT_TRUE(Answering(responses).found().ways.empty());
  }
}

TEST(GuestsWay, is_not_told_after_the_search_was_given_up) {
  boost::asio::io_context context;
  find_invitation(context, {"127.0.0.1", default_port, {}}, no_protection(), {},
                  [](const Invitation&) { FAIL(); })
      .reset();
  context.run();
}

TEST(OutsideLinks, have_the_key_of_the_server_or_none) {
  const auto key = tls::fingerprint_from_text(invitation_key);
  const std::string with_key = std::string("/#/?key=") + invitation_key;
  const std::string other_key = "/#/?key=" + tls::to_text({});
  const auto links = [&](const std::string& lines) { return outside_links_in(lines, key); };
  const std::string first = "https://203.0.113.7:7655" + with_key;
  const std::string second = "https://[2001:db8::1]:7654" + with_key;
  EXPECT_THAT(links(first + "\n" + second + "\n"), ElementsAre(first, second));
  EXPECT_THAT(links("https://203.0.113.7:7655" + other_key), IsEmpty());
  // The server is behind a proxy that ends TLS.
  const std::string by_proxy = "https://play.example.com/";
  EXPECT_THAT(links(by_proxy + "\n"), ElementsAre(by_proxy));
  EXPECT_THAT(outside_links_in(by_proxy + "\n" + first, {}), ElementsAre(by_proxy))
      << "reached without TLS";
  EXPECT_THAT(links("http://203.0.113.7:7655" + with_key), IsEmpty());
  EXPECT_THAT(links("https://a\033[2Jb:7655" + with_key), IsEmpty());
  EXPECT_THAT(links("https://203.0.113.7:7655/#/\033[2J"), IsEmpty());
  EXPECT_THAT(links(""), IsEmpty());
  std::string many;
  for (int i = 0; i < 100; ++i) many += first + "\n";
  EXPECT_EQ(links(many).size(), max_outside_links);
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
    {"$ build/release/bin/tictactoe 192.0.2.7:1 --name ann", "192.0.2.7", 1},
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
           "", "https://", "tictactoe --server-key SHA256:abc", "tictactoe --name ann den", damaged,
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
}  // namespace tictactoe::client::net_guests_way_tests
