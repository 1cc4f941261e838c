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

TEST(GuestLink, names_the_room_and_the_key) {
  EXPECT_EQ(guest_link("https://192.0.2.7:1", "", "SHA256:k+/"),
            "https://192.0.2.7:1/#/?key=SHA256:k+/");
  EXPECT_EQ(guest_link("https://192.0.2.7:1", "the%20den", "SHA256:k"),
            "https://192.0.2.7:1/#/join/the%20den?key=SHA256:k");
  EXPECT_EQ(guest_link("http://192.0.2.7:1", "den", "SHA256:k"), "http://192.0.2.7:1/#/join/den");
  EXPECT_EQ(guest_link("https://192.0.2.7:1", "", ""), "https://192.0.2.7:1/");
}

Invitations invitations(std::vector<std::string> here, std::vector<std::string> outside = {}) {
  return {std::move(here), std::move(outside), "KEY"};
}

TEST(JoinLinks, is_that_of_the_page) {
  const Invitations other = invitations({"https://192.0.2.9:1"});
  EXPECT_THAT(*join_links("", "192.0.2.7:7654", other, false),
              ElementsAre("http://192.0.2.7:7654/"));
  EXPECT_THAT(*join_links("", "den.local", other, true),
              ElementsAre("https://den.local/#/?key=KEY"));
}

TEST(JoinLinks, have_no_key_if_a_proxy_has_another_one) {
  EXPECT_THAT(*join_links("https", "den.local", invitations({}), false),
              ElementsAre("https://den.local/"));
}

TEST(JoinLinks, lead_into_a_room) {
  EXPECT_THAT(*join_links("room=the%20den", "192.0.2.7:1", invitations({}), false),
              ElementsAre("http://192.0.2.7:1/#/join/the%20den"));
  EXPECT_THAT(*join_links("https&room=den", "192.0.2.7", invitations({}), true),
              ElementsAre("https://192.0.2.7/#/join/den?key=KEY"));
  EXPECT_EQ(join_links("", "192.0.2.7:0", invitations({}), false), std::nullopt);
}

TEST(JoinLinks, replace_names_of_this_machine_by_what_guests_need) {
  for (const char* host : {"localhost:7654", "127.0.0.1:7654", "127.1.2.3:7654", "[::1]:7654"}) {
    EXPECT_THAT(*join_links("", host, invitations({"https://192.0.2.7:7655"}), false),
                ElementsAre("https://192.0.2.7:7655/#/?key=KEY"))
        << host;
  }
  EXPECT_THAT(*join_links("", "localhost", invitations({}), false),
              ElementsAre("http://localhost/"));
}

TEST(JoinLinks, are_all_that_guests_may_need) {
  EXPECT_THAT(
      *join_links("room=den", "localhost",
                  invitations({"https://192.0.2.7:1", "http://10.0.0.1:1"}), false),
      ElementsAre("https://192.0.2.7:1/#/join/den?key=KEY", "http://10.0.0.1:1/#/join/den"));
}

TEST(JoinLinks, for_other_networks_are_those_of_the_router) {
  const Invitations both = invitations({"https://192.0.2.7:1"}, {"https://203.0.113.7:2"});
  for (const char* host : {"localhost:1", "192.0.2.7:1"}) {
    EXPECT_THAT(*join_links("outside&room=den", host, both, true),
                ElementsAre("https://203.0.113.7:2/#/join/den?key=KEY"));
  }
  EXPECT_THAT(*join_links("outside", "localhost", invitations({"https://192.0.2.7:1"}), false),
              IsEmpty());
}

TEST(JoinLinks, for_other_networks_have_no_key_if_a_proxy_has_another_one) {
  Invitations both = invitations({"https://192.0.2.7:1"}, {"https://games.example:443"});
  both.outside_has_key = false;
  EXPECT_THAT(*join_links("outside&room=den", "localhost", both, true),
              ElementsAre("https://games.example:443/#/join/den"));
  EXPECT_THAT(*join_links("room=den", "localhost", both, true),
              ElementsAre("https://192.0.2.7:1/#/join/den?key=KEY"));
}

TEST(JoinLinks, take_no_other_queries) {
  for (const char* query : {"room=", "room", "room=a b", "room=<b>", "room=\"", "next=1", "&", "=",
                            "room=a&b", "room=a#b", "room=a/b"}) {
    EXPECT_EQ(join_links(query, "192.0.2.7", invitations({}), false), std::nullopt) << query;
  }
  EXPECT_EQ(
      join_links("room=" + std::string(max_query_bytes, 'x'), "192.0.2.7", invitations({}), false),
      std::nullopt);
}

}  // namespace
}  // namespace tictactoe::transport::guest_address_tests
