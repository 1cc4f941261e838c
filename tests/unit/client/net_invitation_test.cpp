// What people paste to say which server they mean.
#include "client/net/invitation.hpp"

#include <gtest/gtest.h>

namespace tictactoe::client::net_invitation_tests {
namespace {

constexpr const char* invitation_key = "SHA256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

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
    {"tictactoe den --command 'join \"the den\"'", "den", 7654, false, "the den"},
    // A watcher is not given a seat.
    {"tictactoe den --command 'watch \"the den\"'", "den", 7654},
    {std::string("192.0.2.7 ") + invitation_key, "192.0.2.7", 7654, true},
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
  for (const char* text : {"", "https://", "tictactoe --server-key SHA256:abc",
                           "tictactoe den --server-key SHA256:abc", "tictactoe a!b --guest",
                           "https://den:99999/", "./run join "}) {
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

}  // namespace
}  // namespace tictactoe::client::net_invitation_tests
