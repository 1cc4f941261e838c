// A port that a router keeps open, and routers that are slow, restart, refuse and lie.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "server/transport/reach/port_mapping.hpp"

namespace tictactoe::transport::port_mapping_tests {
namespace {

using boost::asio::ip::make_address;
using boost::asio::ip::udp;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::IsEmpty;
using testing::SizeIs;

std::string number(std::uint64_t value, int bytes) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    text += static_cast<char>(value >> shift & 0xff);
  }
  return text;
}

std::uint32_t number_at(const std::string& bytes, std::size_t at, int count) {
  std::uint32_t value = 0;
  for (int i = 0; i < count; ++i) {
    value = value << 8 | static_cast<std::uint8_t>(bytes.at(at + static_cast<std::size_t>(i)));
  }
  return value;
}

const std::string mapped_prefix = std::string(10, '\0') + "\xff\xff";

/// A router in virtual time.
struct Router {
  bool speaks_pcp = true;
  bool speaks_nat_pmp = false;
  bool answers = true;
  int result = 0;
  std::uint32_t lifetime = 3600;
  std::uint32_t external = 0xcb007107;  // 203.0.113.7
  std::uint16_t taken_port = 0;
  seconds started{-1000};  // its epoch counts from here
  int requests = 0;
  std::uint16_t open_port = 0;  // 0: none

  std::string header(int version, int code, int size) const {
    return std::string{static_cast<char>(version), static_cast<char>(0x80 | code)} +
           number(static_cast<std::uint64_t>(result), size);
  }
  std::uint16_t map(std::uint16_t suggested, std::uint32_t wanted_lifetime) {
    if (wanted_lifetime == 0) return open_port = 0;
    if (result != 0) return 0;
    open_port = suggested == 0 ? 40'000 : suggested;
    if (open_port == taken_port) ++open_port;
    return open_port;
  }
  std::string answer(const std::string& request, seconds now) {
    ++requests;
    if (!answers) return {};
    const auto epoch = number(static_cast<std::uint64_t>((now - started).count()), 4);
    if (request[0] == 2 && speaks_pcp) {
      const bool is_map = request[1] == 1;
      const std::uint32_t asked = number_at(request, 4, 4);
      std::string bytes = header(2, request[1], 2) + number(asked == 0 ? 0 : lifetime, 4) + epoch +
                          std::string(12, '\0');
      if (!is_map) return bytes;
      const auto suggested = static_cast<std::uint16_t>(number_at(request, 42, 2));
      return bytes + request.substr(24, 18) + number(map(suggested, asked), 2) + mapped_prefix +
             number(external, 4);
    }
    if (!speaks_nat_pmp) return {};
    if (request[0] != 0) return std::string("\0\x81\0\1", 4) + epoch;
    std::string bytes = header(0, request[1], 2) + epoch;
    if (request[1] == 0) return bytes + number(external, 4);
    const std::uint32_t asked = number_at(request, 8, 4);
    const auto suggested = static_cast<std::uint16_t>(number_at(request, 6, 2));
    const std::uint16_t port = map(suggested, asked);
    return bytes + request.substr(4, 2) + number(port, 2) + number(asked == 0 ? 0 : lifetime, 4);
  }
};

class PortMappingTest : public testing::Test {
 protected:
  PortMapping::Wanted wanted() const {
    return {gateway, make_address("192.168.1.10"), 7654, 7654, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}};
  }
  /// Time passes, and the router answers at once.
  void pass(milliseconds time) {
    const auto end = now + time;
    while (true) {
      deliver();
      if (mapping.deadline() > end || mapping.has_ended()) break;
      now = std::max(now, mapping.deadline());
      mapping.handle_timeout(now);
    }
    now = end;
  }
  void deliver() {
    for (std::string request = mapping.next_datagram(); !request.empty();
         request = mapping.next_datagram()) {
      last_request = request;
      const std::string answer = router.answer(request, seconds_of_router());
      if (!answer.empty()) mapping.handle_datagram(answer, gateway, now);
    }
  }
  seconds seconds_of_router() const { return std::chrono::floor<seconds>(now.time_since_epoch()); }
  std::uint16_t port() const { return mapping.mapping() ? mapping.mapping()->external_port : 0; }
  std::string last_step() const {
    return mapping.steps().empty() ? "" : mapping.steps().back().answer;
  }

  const udp::endpoint gateway{make_address("192.168.1.1"), port_control_port};
  Router router;
  PortMapping::Time now{seconds(5000)};
  PortMapping mapping{wanted(), now};
  std::string last_request;
};

TEST_F(PortMappingTest, a_request_is_what_rfc_6887_says) {
  const std::string request = mapping.next_datagram();
  EXPECT_EQ(request, std::string("\x02\x01\0\0\0\0\x0e\x10", 8) + mapped_prefix +
                         "\xc0\xa8\x01\x0a" + std::string("\1\2\3\4\5\6\7\x8\x9\xa\xb\0", 12) +
                         std::string("\x06\0\0\0\x1d\xe6\x1d\xe6", 8) + mapped_prefix +
                         std::string(4, '\0'));
  EXPECT_THAT(request, SizeIs(60));
}

TEST_F(PortMappingTest, opens_with_one_datagram) {
  EXPECT_TRUE(mapping.is_asking());
  pass(milliseconds(0));
  ASSERT_EQ(port(), 7654);
  EXPECT_EQ(mapping.mapping()->external, make_address("203.0.113.7"));
  EXPECT_EQ(router.requests, 1);
  EXPECT_FALSE(mapping.is_asking());
  EXPECT_EQ(mapping.steps().at(0).what, "PCP to 192.168.1.1");
  EXPECT_EQ(last_step(), "203.0.113.7:7654");
}

TEST_F(PortMappingTest, repeats_what_is_lost_and_stays_quiet_after_silence) {
  router.answers = false;
  pass(seconds(3));
  EXPECT_FALSE(mapping.is_asking());
  EXPECT_TRUE(mapping.is_slow());
  EXPECT_THAT(mapping.steps(), SizeIs(2));
  EXPECT_EQ(last_step(), "no answer");
  const int asked = router.requests;
  EXPECT_EQ(asked, 3 + 2 * 3);
  pass(seconds(20));
  EXPECT_EQ(router.requests, asked);
  router.answers = true;
  pass(PortMapping::retry_period);
  EXPECT_EQ(port(), 7654);
}

TEST_F(PortMappingTest, uses_nat_pmp_if_the_router_speaks_only_that) {
  router.speaks_pcp = false;
  router.speaks_nat_pmp = true;
  pass(milliseconds(0));
  ASSERT_EQ(port(), 7654);
  EXPECT_EQ(mapping.mapping()->external, make_address("203.0.113.7"));
  EXPECT_EQ(router.requests, 3);
}

TEST_F(PortMappingTest, renews_at_half_of_the_lifetime) {
  router.lifetime = 600;
  pass(milliseconds(0));
  const auto until = mapping.mapping()->until;
  pass(seconds(299));
  EXPECT_EQ(mapping.mapping()->until, until);
  pass(seconds(2));
  EXPECT_EQ(mapping.mapping()->until, until + seconds(300));
}

TEST_F(PortMappingTest, lasts_at_most_an_hour_and_never_asks_all_the_time) {
  router.lifetime = 0xffffffff;
  pass(milliseconds(0));
  EXPECT_EQ(mapping.mapping()->until, now + seconds(3600));
  router.lifetime = 1;
  pass(seconds(1800));
  const int before = router.requests;
  pass(seconds(60));
  EXPECT_LE(router.requests - before, 8);
}

TEST_F(PortMappingTest, is_made_again_after_a_restart_of_the_router) {
  for (const bool pcp : {true, false}) {
    router = Router{};
    router.speaks_pcp = pcp;
    router.speaks_nat_pmp = !pcp;
    mapping = PortMapping(wanted(), now);
    pass(seconds(100));
    router.open_port = 0;
    router.answers = false;
    router.started = seconds_of_router() + seconds(5);
    pass(seconds(10));
    EXPECT_EQ(port(), 7654) << "the mapping is not given up at once";
    router.answers = true;
    pass(seconds(50));
    EXPECT_EQ(router.open_port, 7654);
  }
}

TEST_F(PortMappingTest, is_made_again_within_a_minute_however_young_the_router_was) {
  for (const bool pcp : {true, false}) {
    for (seconds age{0}; age <= seconds(60); ++age) {
      router = Router{};
      router.speaks_pcp = pcp;
      router.speaks_nat_pmp = !pcp;
      router.started = seconds_of_router();
      mapping = PortMapping(wanted(), now);
      pass(age);
      router.open_port = 0;
      router.started = seconds_of_router();
      pass(seconds(59));
      EXPECT_EQ(router.open_port, 7654) << "restarted at the age of " << age.count() << " s";
    }
  }
}

TEST_F(PortMappingTest, is_made_again_after_a_long_silence) {
  router.started = seconds_of_router();
  pass(seconds(30));
  router.open_port = 0;
  router.started = seconds_of_router();
  router.answers = false;
  pass(seconds(600));
  router.answers = true;
  pass(seconds(59));
  EXPECT_EQ(router.open_port, 7654);
}

TEST_F(PortMappingTest, only_the_epoch_of_a_router_that_has_run_for_a_while_is_asked_for) {
  pass(PortMapping::check_period);
  EXPECT_EQ(last_request.at(1), 0) << "ANNOUNCE";
}

TEST_F(PortMappingTest, another_port_is_taken_if_the_router_gives_one) {
  router.taken_port = 7654;
  pass(milliseconds(0));
  EXPECT_EQ(port(), 7655);
  pass(seconds(1900));
  EXPECT_EQ(port(), 7655) << "renewed with the port that it has";
}

TEST_F(PortMappingTest, any_port_is_asked_for_if_the_wanted_one_is_refused) {
  router.result = 11;
  deliver();
  EXPECT_EQ(number_at(last_request, 42, 2), 0U);
  router.result = 0;
  mapping = PortMapping(wanted(), now);
  const std::string request = mapping.next_datagram();
  router.result = 11;
  const std::string refusal = router.answer(request, seconds_of_router());
  router.result = 0;
  mapping.handle_datagram(refusal, gateway, now);
  pass(milliseconds(0));
  EXPECT_EQ(port(), 40'000);
}

TEST_F(PortMappingTest, a_refusal_is_said_and_asked_again_later) {
  router.result = 2;
  pass(milliseconds(0));
  EXPECT_EQ(port(), 0);
  EXPECT_THAT(last_step(), testing::HasSubstr("does not allow"));
  pass(seconds(1700));
  EXPECT_EQ(router.requests, 1) << "for as long as the router says, but at most half an hour";
  router.result = 0;
  pass(seconds(200));
  EXPECT_EQ(port(), 7654);
}

TEST_F(PortMappingTest, is_removed_at_the_end) {
  for (const bool pcp : {true, false}) {
    router = Router{};
    router.speaks_pcp = pcp;
    router.speaks_nat_pmp = !pcp;
    mapping = PortMapping(wanted(), now);
    pass(seconds(1));
    mapping.remove(now);
    EXPECT_FALSE(mapping.has_ended());
    pass(milliseconds(0));
    EXPECT_TRUE(mapping.has_ended());
    EXPECT_EQ(router.open_port, 0);
    EXPECT_FALSE(mapping.mapping());
  }
}

TEST_F(PortMappingTest, a_silent_router_holds_up_the_end_for_600_ms) {
  pass(seconds(1));
  router.answers = false;
  mapping.remove(now);
  pass(milliseconds(599));
  EXPECT_FALSE(mapping.has_ended());
  pass(milliseconds(1));
  EXPECT_TRUE(mapping.has_ended());
}

TEST_F(PortMappingTest, a_request_without_an_answer_is_taken_back_at_the_end) {
  router.answers = false;
  pass(milliseconds(100));
  router.answers = true;
  router.open_port = 7654;
  mapping.remove(now);
  pass(milliseconds(0));
  EXPECT_EQ(router.open_port, 0);
  PortMapping idle(wanted(), now);
  router.answers = false;
  mapping = idle;
  pass(seconds(5));
  mapping.remove(now);
  EXPECT_TRUE(mapping.has_ended()) << "nothing to take back";
}

TEST_F(PortMappingTest, ipv6_has_pcp_only_and_its_own_address) {
  PortMapping::Wanted six = wanted();
  six.client = make_address("2001:db8::10");
  mapping = PortMapping(six, now);
  const std::string request = mapping.next_datagram();
  EXPECT_EQ(request.substr(8, 2), "\x20\x01");
  EXPECT_EQ(request.substr(44), std::string(16, '\0'));
  mapping.handle_datagram(router.answer(request, seconds_of_router()), gateway, now);
  EXPECT_EQ(port(), 0) << "an IPv4 address for an IPv6 host";
  router.answers = false;
  pass(seconds(10));
  EXPECT_THAT(mapping.steps(), SizeIs(1));
}

// --- Routers that lie.

TEST_F(PortMappingTest, only_the_gateway_is_listened_to) {
  const std::string request = mapping.next_datagram();
  const std::string answer = router.answer(request, seconds_of_router());
  mapping.handle_datagram(answer, {make_address("192.168.1.2"), port_control_port}, now);
  mapping.handle_datagram(answer, {gateway.address(), 5350}, now);
  EXPECT_EQ(port(), 0);
  mapping.handle_datagram(answer, gateway, now);
  EXPECT_EQ(port(), 7654);
}

TEST_F(PortMappingTest, an_answer_with_any_other_byte_of_the_request_is_ignored) {
  const std::string request = mapping.next_datagram();
  const std::string answer = router.answer(request, seconds_of_router());
  // Version, opcode, nonce, protocol and internal port.
  for (const std::size_t at : {0U, 1U, 24U, 30U, 35U, 36U, 40U, 41U}) {
    std::string forged = answer;
    forged[at] = static_cast<char>(forged[at] ^ 0x40);
    mapping.handle_datagram(forged, gateway, now);
    EXPECT_EQ(port(), 0) << at;
  }
}

TEST_F(PortMappingTest, truncated_and_oversized_answers_are_ignored) {
  const std::string request = mapping.next_datagram();
  const std::string answer = router.answer(request, seconds_of_router());
  for (std::size_t size = 0; size < answer.size(); ++size) {
    mapping.handle_datagram(answer.substr(0, size), gateway, now);
    ASSERT_EQ(port(), 0) << size;
  }
  mapping.handle_datagram(answer + std::string(1100 - 56, 'x'), gateway, now);
  EXPECT_EQ(port(), 0);
  mapping.handle_datagram(answer + "options!", gateway, now);
  EXPECT_EQ(port(), 7654) << "options are allowed";
}

TEST_F(PortMappingTest, a_replayed_answer_does_nothing) {
  const std::string request = mapping.next_datagram();
  const std::string answer = router.answer(request, seconds_of_router());
  mapping.handle_datagram(answer, gateway, now);
  now += seconds(1);
  for (int i = 0; i < 1000; ++i) mapping.handle_datagram(answer, gateway, now);
  EXPECT_THAT(mapping.next_datagram(), IsEmpty());
  EXPECT_EQ(mapping.mapping()->until, now - seconds(1) + seconds(3600));
}

TEST_F(PortMappingTest, nobody_can_have_it_speak_nat_pmp_once_the_router_has_spoken_pcp) {
  pass(milliseconds(0));
  pass(seconds(1801));
  now = std::max(now, mapping.deadline());
  mapping.handle_timeout(now);
  mapping.handle_datagram(std::string("\0\x81\0\1\0\0\0\0", 8), gateway, now);
  EXPECT_EQ(mapping.next_datagram().at(0), 2);
}

TEST_F(PortMappingTest, an_address_that_is_none_opens_nothing) {
  for (const std::uint32_t address : {0U, 0x7f000001U, 0xe0000001U}) {
    router.external = address;
    mapping = PortMapping(wanted(), now);
    pass(milliseconds(0));
    EXPECT_EQ(port(), 0);
    EXPECT_EQ(last_step(), "the router has no public address");
  }
}

TEST_F(PortMappingTest, a_router_that_restarts_in_every_answer_causes_a_few_datagrams_a_minute) {
  pass(milliseconds(0));
  const int before = router.requests;
  for (int i = 0; i < 600; ++i) {
    router.started = seconds_of_router();
    pass(milliseconds(100));
  }
  EXPECT_LE(router.requests - before, 8);
}

}  // namespace
}  // namespace tictactoe::transport::port_mapping_tests
