#include "server/transport/web/guest_address.hpp"

#include <gmock/gmock.h>

namespace tictactoe::transport::guest_address_tests {
namespace {

using boost::asio::ip::make_address;
using boost::asio::ip::tcp;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

tcp::endpoint at(const char* address, std::uint16_t port = 7654) {
  return {make_address(address), port};
}

const std::vector<std::string> own{"192.0.2.1", "198.51.100.1"};

TEST(GuestEndpoints, are_those_on_which_the_server_listens) {
  EXPECT_THAT(guest_endpoints({at("192.0.2.7")}, own), ElementsAre(at("192.0.2.7")));
}

TEST(GuestEndpoints, are_all_own_addresses_of_a_server_that_listens_everywhere) {
  for (const char* const everywhere : {"0.0.0.0", "::"}) {
    EXPECT_THAT(guest_endpoints({at("127.0.0.1", 1), at(everywhere, 2)}, own),
                ElementsAre(at("192.0.2.1", 2), at("198.51.100.1", 2)));
    EXPECT_THAT(guest_endpoints({at(everywhere)}, {}), IsEmpty());
  }
}

TEST(GuestEndpoints, have_ipv6_addresses_only_if_the_server_listens_there) {
  const std::vector<std::string> ipv6{"2001:db8::7"};
  EXPECT_THAT(guest_endpoints({at("::")}, ipv6), ElementsAre(at("2001:db8::7")));
  EXPECT_THAT(guest_endpoints({at("0.0.0.0")}, ipv6), IsEmpty());
  EXPECT_THAT(guest_endpoints({at("0.0.0.0"), at("::", 1)}, ipv6),
              ElementsAre(at("2001:db8::7", 1)));
}

TEST(GuestEndpoints, are_none_if_only_this_machine_reaches_the_server) {
  EXPECT_THAT(guest_endpoints({at("127.0.0.1")}, own), IsEmpty());
  EXPECT_THAT(guest_endpoints({at("::1")}, own), IsEmpty());
  EXPECT_THAT(guest_endpoints({}, own), IsEmpty());
}

TEST(GuestEndpoints, are_the_first_that_others_reach_with_its_own_port) {
  EXPECT_THAT(guest_endpoints({at("127.0.0.1", 1), at("192.0.2.7", 2), at("192.0.2.8", 3)}, own),
              ElementsAre(at("192.0.2.7", 2)));
}

TEST(GuestAddress, is_encrypted_unless_the_owner_allows_clear_text) {
  EXPECT_EQ(guest_address(at("192.0.2.7"), "", true), "https://192.0.2.7:7654");
  EXPECT_EQ(guest_address(at("2001:db8::7"), "", true), "https://[2001:db8::7]:7654");
  EXPECT_EQ(guest_address(at("192.0.2.7"), "games.example", true), "https://games.example:7654");
  EXPECT_EQ(guest_address(at("192.0.2.7"), "", false), "http://192.0.2.7:7654");
}

TEST(JoinAddresses, is_that_of_the_page) {
  EXPECT_THAT(join_addresses("", "192.0.2.7:7654", {"https://192.0.2.9:1"}, false),
              ElementsAre("http://192.0.2.7:7654/"));
  EXPECT_THAT(join_addresses("", "den.local", {"https://192.0.2.9:1"}, true),
              ElementsAre("https://den.local/"));
  EXPECT_THAT(join_addresses("https", "den.local", {}, false), ElementsAre("https://den.local/"));
}

TEST(JoinAddresses, leads_into_a_room) {
  EXPECT_THAT(join_addresses("room=the%20den", "192.0.2.7:1", {}, false),
              ElementsAre("http://192.0.2.7:1/#/join/the%20den"));
  EXPECT_THAT(join_addresses("https&room=den", "192.0.2.7", {}, false),
              ElementsAre("https://192.0.2.7/#/join/den"));
}

TEST(JoinAddresses, replaces_names_of_this_machine_by_what_guests_need) {
  for (const char* host : {"localhost:7654", "127.0.0.1:7654", "127.1.2.3:7654", "[::1]:7654"}) {
    EXPECT_THAT(join_addresses("", host, {"https://192.0.2.7:7655"}, false),
                ElementsAre("https://192.0.2.7:7655/"))
        << host;
  }
  EXPECT_THAT(join_addresses("", "localhost", {}, false), ElementsAre("http://localhost/"));
}

TEST(JoinAddresses, are_all_that_guests_may_need) {
  EXPECT_THAT(
      join_addresses("room=den", "localhost", {"https://192.0.2.7:1", "https://10.0.0.1:1"}, false),
      ElementsAre("https://192.0.2.7:1/#/join/den", "https://10.0.0.1:1/#/join/den"));
}

TEST(JoinAddresses, takes_no_other_queries) {
  for (const char* query : {"room=", "room", "room=a b", "room=<b>", "room=\"", "next=1", "&", "=",
                            "room=a&b", "room=a#b", "room=a/b"}) {
    EXPECT_THAT(join_addresses(query, "192.0.2.7", {}, false), IsEmpty()) << query;
  }
  EXPECT_THAT(join_addresses("room=" + std::string(max_query_bytes, 'x'), "192.0.2.7", {}, false),
              IsEmpty());
}

}  // namespace
}  // namespace tictactoe::transport::guest_address_tests
