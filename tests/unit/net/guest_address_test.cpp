#include "server/net/guest_address.hpp"

#include <gmock/gmock.h>

namespace tictactoe::net::guest_address_tests {
namespace {

using boost::asio::ip::make_address;
using boost::asio::ip::tcp;
using ::testing::Optional;

tcp::endpoint at(const char* address, std::uint16_t port = 7654) {
  return {make_address(address), port};
}

TEST(GuestEndpoint, is_that_on_which_the_server_listens) {
  EXPECT_THAT(guest_endpoint({at("192.0.2.7")}), Optional(at("192.0.2.7")));
}

TEST(GuestEndpoint, is_none_if_only_this_machine_reaches_the_server) {
  EXPECT_EQ(guest_endpoint({at("127.0.0.1")}), std::nullopt);
  EXPECT_EQ(guest_endpoint({at("::1")}), std::nullopt);
  EXPECT_EQ(guest_endpoint({}), std::nullopt);
}

TEST(GuestEndpoint, is_the_first_that_others_reach_with_its_own_port) {
  EXPECT_THAT(guest_endpoint({at("127.0.0.1", 1), at("192.0.2.7", 2), at("192.0.2.8", 3)}),
              Optional(at("192.0.2.7", 2)));
}

TEST(GuestAddress, is_encrypted_unless_the_owner_allows_clear_text) {
  EXPECT_EQ(guest_address(at("192.0.2.7"), "", true), "https://192.0.2.7:7654");
  EXPECT_EQ(guest_address(at("2001:db8::7"), "", true), "https://[2001:db8::7]:7654");
  EXPECT_EQ(guest_address(at("192.0.2.7"), "games.example", true), "https://games.example:7654");
  EXPECT_EQ(guest_address(at("192.0.2.7"), "", false), "http://192.0.2.7:7654");
}

TEST(JoinAddress, is_that_of_the_page) {
  EXPECT_THAT(join_address("", "192.0.2.7:7654", "https://192.0.2.9:1", false),
              Optional(std::string("http://192.0.2.7:7654/")));
  EXPECT_THAT(join_address("", "den.local", "https://192.0.2.9:1", true),
              Optional(std::string("https://den.local/")));
  EXPECT_THAT(join_address("https", "den.local", "", false),
              Optional(std::string("https://den.local/")));
}

TEST(JoinAddress, leads_into_a_room) {
  EXPECT_THAT(join_address("room=the%20den", "192.0.2.7:1", "", false),
              Optional(std::string("http://192.0.2.7:1/#/join/the%20den")));
  EXPECT_THAT(join_address("https&room=den", "192.0.2.7", "", false),
              Optional(std::string("https://192.0.2.7/#/join/den")));
}

TEST(JoinAddress, replaces_names_of_this_machine_by_what_guests_need) {
  for (const char* host : {"localhost:7654", "127.0.0.1:7654", "127.1.2.3:7654", "[::1]:7654"}) {
    EXPECT_THAT(join_address("", host, "https://192.0.2.7:7655", false),
                Optional(std::string("https://192.0.2.7:7655/")))
        << host;
  }
  EXPECT_THAT(join_address("", "localhost", "", false), Optional(std::string("http://localhost/")));
}

TEST(JoinAddress, takes_no_other_queries) {
  for (const char* query : {"room=", "room", "room=a b", "room=<b>", "room=\"", "next=1", "&", "=",
                            "room=a&b", "room=a#b", "room=a/b"}) {
    EXPECT_EQ(join_address(query, "192.0.2.7", "", false), std::nullopt) << query;
  }
  EXPECT_EQ(join_address("room=" + std::string(longest_query, 'x'), "192.0.2.7", "", false),
            std::nullopt);
}

}  // namespace
}  // namespace tictactoe::net::guest_address_tests
