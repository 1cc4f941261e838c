#include "server/net/guest_address.hpp"

#include <gmock/gmock.h>

namespace tictactoe::net {
namespace {

using boost::asio::ip::make_address;
using boost::asio::ip::tcp;
using ::testing::Optional;

std::string host_of(const char* address) {
  return guest_host({tcp::endpoint(make_address(address), 7654)});
}

TEST(GuestHost, is_the_address_on_which_the_server_listens) {
  EXPECT_EQ(host_of("192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(host_of("2001:db8::7"), "[2001:db8::7]");
}

TEST(GuestHost, is_none_if_only_this_machine_reaches_the_server) {
  EXPECT_EQ(host_of("127.0.0.1"), "");
  EXPECT_EQ(host_of("::1"), "");
  EXPECT_EQ(guest_host({}), "");
}

TEST(GuestHost, is_the_first_that_others_reach) {
  EXPECT_EQ(guest_host({tcp::endpoint(make_address("127.0.0.1"), 1),
                        tcp::endpoint(make_address("192.0.2.7"), 1)}),
            "192.0.2.7");
}

TEST(JoinAddress, is_that_of_the_page) {
  EXPECT_THAT(join_address("", "192.0.2.7:7654", "192.0.2.9", false),
              Optional(std::string("http://192.0.2.7:7654/")));
  EXPECT_THAT(join_address("", "den.local", "192.0.2.9", true),
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
    EXPECT_THAT(join_address("", host, "192.0.2.7", false),
                Optional(std::string("http://192.0.2.7:7654/")))
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
}  // namespace tictactoe::net
