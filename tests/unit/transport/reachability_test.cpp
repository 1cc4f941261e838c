// What the owner of a server is told about the way from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/transport/reach/reachability.hpp"
#include "server/transport/reach/upnp.hpp"

namespace tictactoe::transport::reachability_tests {
namespace {

using boost::asio::ip::make_address;
using boost::asio::ip::tcp;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class ReachabilityTest : public testing::Test {
 protected:
  ReachabilityTest() {
    reach.port = 7654;
    reach.is_settled = true;
    reach.gateway = make_address("192.168.1.1");
    reach.client = make_address("192.168.1.10");
  }
  void open(const char* address, std::uint16_t port = 7654) {
    reach.openings.push_back({"PCP", {make_address(address), port}, {}});
  }
  Reachability reach;
};

TEST_F(ReachabilityTest, an_opening_with_a_public_address_is_all_that_is_needed) {
  open("203.0.113.7", 40'000);
  EXPECT_THAT(reachable_at(reach), ElementsAre(tcp::endpoint(make_address("203.0.113.7"), 40'000)));
  EXPECT_EQ(what_is_wrong(reach), "");
}

TEST_F(ReachabilityTest, a_shared_or_private_address_is_said_and_ipv6_is_offered) {
  open("100.64.3.7");
  EXPECT_THAT(reachable_at(reach), IsEmpty());
  EXPECT_THAT(what_is_wrong(reach), HasSubstr("is shared by several customers of the provider"));
  EXPECT_THAT(what_helps(reach), Contains(HasSubstr("WireGuard or Tailscale")));
  EXPECT_THAT(what_helps(reach), Contains(HasSubstr("A rented machine: ")));
  EXPECT_THAT(what_helps(reach), Not(Contains(HasSubstr("forward TCP port"))));
  open("2001:db8::10");
  EXPECT_THAT(reachable_at(reach), ElementsAre(tcp::endpoint(make_address("2001:db8::10"), 7654)));
  EXPECT_THAT(what_helps(reach)[0], StartsWith("Guests with IPv6"));
  reach.openings.clear();
  open("192.168.178.20");
  EXPECT_THAT(what_is_wrong(reach), HasSubstr("another router between"));
}

TEST_F(ReachabilityTest, a_router_that_opens_nothing_is_named_with_what_to_do_there) {
  reach.own_ipv6 = make_address("2001:db8::10");
  EXPECT_EQ(
      what_is_wrong(reach),
      "The router at 192.168.1.1 does not open a port for this machine by PCP, NAT-PMP or UPnP.");
  EXPECT_THAT(what_helps(reach), Contains(HasSubstr("forward TCP port 7654 to 192.168.1.10")));
  EXPECT_THAT(what_helps(reach)[0], HasSubstr("let TCP port 7654 through to 2001:db8::10"));
  reach.steps.push_back({"PCP to 192.168.1.1", "refused: the router has no more ports", false});
  EXPECT_THAT(what_is_wrong(reach), HasSubstr("no more ports"));
  reach.steps[0].has_no_address = true;
  EXPECT_THAT(what_is_wrong(reach), HasSubstr("has no public address"));
}

TEST_F(ReachabilityTest, a_machine_with_a_public_address_needs_no_router) {
  reach.client = make_address("203.0.113.9");
  EXPECT_THAT(reachable_at(reach), ElementsAre(tcp::endpoint(make_address("203.0.113.9"), 7654)));
  EXPECT_EQ(what_is_wrong(reach), "");
  reach.gateway.reset();
  reach.client.reset();
  EXPECT_THAT(what_is_wrong(reach), HasSubstr("no IPv4 router"));
}

class UpnpLine : public testing::Test {
 protected:
  UpnpRequest request{boost::asio::ip::make_address_v4("192.168.1.1"),
                      boost::asio::ip::make_address_v4("192.168.1.10"),
                      7654,
                      7654,
                      std::chrono::seconds(3600),
                      {}};
  std::string fault(std::string_view line) {
    const auto answer = read_upnp_line(line, request);
    return answer ? "" : answer.error();
  }
};

TEST_F(UpnpLine, says_what_is_open) {
  const auto answer =
      read_upnp_line("open 203.0.113.7 7655 3600 http://192.168.1.1:5000/ctl urn:x:1", request);
  ASSERT_TRUE(answer) << answer.error();
  EXPECT_EQ(answer->external.to_string(), "203.0.113.7");
  EXPECT_EQ(answer->external_port, 7655);
  EXPECT_EQ(answer->service.url, "http://192.168.1.1:5000/ctl");
  request.service = answer->service;
  EXPECT_THAT(upnp_arguments(request),
              ElementsAre("192.168.1.1", "192.168.1.10", "7654", "7654", "3600",
                          "http://192.168.1.1:5000/ctl", "urn:x:1"));
}

TEST_F(UpnpLine, that_fits_no_request_is_a_failure) {
  for (const char* line :
       {"", "open", "closed", "open 203.0.113.7 7655 3600 http://192.168.1.1/ctl",
        "open 203.0.113.7 0 3600 http://192.168.1.1/ctl u",
        "open 203.0.113.7 70000 3600 http://192.168.1.1/ctl u",
        "open 203.0.113.7 7655 -1 http://192.168.1.1/ctl u",
        "open 203.0.113.7 7655 3600 http://192.168.1.2/ctl u",
        "open 203.0.113.7 7655 3600 http://127.0.0.1:7654/ u",
        "open x 7655 3600 http://192.168.1.1/ u", "open 127.0.0.1 7655 3600 http://192.168.1.1/ u",
        "open 203.0.113.7 7655 3600 http://192.168.1.1/ u more"}) {
    EXPECT_NE(fault(line), "") << line;
  }
  EXPECT_EQ(fault("failed \x1b[2Jred\n"), "?[2Jred?");
  EXPECT_EQ(fault("failed " + std::string(500, 'x')).size(), 100);
  EXPECT_NE(fault(std::string(5000, 'x')), "");
}

TEST_F(UpnpLine, leads_to_the_router_only) {
  for (const char* url : {"http://192.168.1.1/", "http://192.168.1.1:1/x", "http://192.168.1.1"}) {
    EXPECT_TRUE(leads_to(url, "192.168.1.1")) << url;
  }
  for (const char* url :
       {"https://192.168.1.1/", "http://192.168.1.10/", "http://192.168.1.1.evil/",
        "http://192.168.1.1@evil/", "http://192.168.1.1:/", "http://192.168.1.1:80@evil/",
        "http://192.168.1.1:999999/", "file:///etc/passwd", "http://evil/192.168.1.1",
        "http://192.168.1.1/a b", ""}) {
    EXPECT_FALSE(leads_to(url, "192.168.1.1")) << url;
  }
}

}  // namespace
}  // namespace tictactoe::transport::reachability_tests
