// Which queries are answered, and the length and number of the answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/wire/discovery.hpp"
#include "server/transport/lan/answerer.hpp"

namespace tictactoe::transport::discovery_answerer_tests {
namespace {

using boost::asio::ip::make_address;
using boost::asio::ip::udp;
using std::chrono::milliseconds;
using std::chrono::seconds;

class AnswererTest : public testing::Test {
 protected:
  static v1::DiscoveryQuery query(std::size_t size = wire::max_discovery_bytes) {
    v1::DiscoveryQuery query;
    query.set_magic(wire::discovery_query_magic);
    query.set_version(wire::discovery_version);
    query.set_nonce(77);
    while (query.ByteSizeLong() < size) query.mutable_padding()->push_back('p');
    return query;
  }
  std::string answer(const std::string& bytes, const std::string& address = "10.0.0.5",
                     std::uint16_t port = 40'000) {
    return answerer.answer(bytes, udp::endpoint(make_address(address), port), 7000, now);
  }
  v1::DiscoveryAnswer parsed(const std::string& bytes) {
    v1::DiscoveryAnswer message;
    EXPECT_FALSE(bytes.empty());
    EXPECT_TRUE(message.ParseFromString(bytes));
    return message;
  }
  /// How many of so many queries from there are answered.
  int answered(int queries, const std::string& address) {
    int count = 0;
    for (int i = 0; i < queries; ++i) count += answer(full, address).empty() ? 0 : 1;
    return count;
  }

  const std::string full = query().SerializeAsString();
  server::DiscoveryLimits limits;
  server::Time now{seconds(1000)};
  int rooms = 2;
  int described = 0;
  Answerer answerer{99, [this](v1::ServerInfo& info, int max) {
                      ++described;
                      info.set_name("den");
                      info.set_open_rooms(static_cast<std::uint32_t>(rooms));
                      for (int i = 0; i < std::min(rooms, max); ++i) {
                        info.add_listed()->set_name(std::to_string(i) + std::string(95, 'r'));
                      }
                    }};
};

TEST_F(AnswererTest, tells_what_there_is_and_repeats_the_nonce) {
  const v1::DiscoveryAnswer message = parsed(answer(full));
  EXPECT_EQ(message.magic(), wire::discovery_answer_magic);
  EXPECT_EQ(message.version(), wire::discovery_version);
  EXPECT_EQ(message.nonce(), 77u);
  EXPECT_EQ(message.server_id(), 99u);
  EXPECT_EQ(message.server().name(), "den");
  EXPECT_EQ(message.server().port(), 7000u);
  EXPECT_EQ(message.server().listed_size(), 2);
}

TEST_F(AnswererTest, is_never_longer_than_the_query) {
  rooms = 1000;
  int empty = 0;
  int last = 0;
  for (std::size_t size = 20; size <= wire::max_discovery_bytes; size += 7) {
    now += seconds(1);
    const std::string asked = query(size).SerializeAsString();
    const std::string bytes = answer(asked);
    ASSERT_LE(bytes.size(), asked.size());
    if (bytes.empty()) {
      ++empty;
      EXPECT_EQ(last, 0) << "a longer query gets no answer";
      continue;
    }
    const v1::DiscoveryAnswer message = parsed(bytes);
    EXPECT_GE(message.server().listed_size(), last);
    last = message.server().listed_size();
    EXPECT_EQ(message.server().open_rooms(), 1000u) << "the rest is counted";
  }
  EXPECT_GT(empty, 0);
  EXPECT_GT(last, 8);
}

TEST_F(AnswererTest, ignores_whatever_is_no_query) {
  EXPECT_EQ(answer(""), "");
  EXPECT_EQ(answer(std::string(1200, '\0')), "");
  EXPECT_EQ(answer(full + std::string(1, '\0')), "");
  EXPECT_EQ(answer(full.substr(0, full.size() - 1)), "");
  for (std::size_t i = 0; i < 7; ++i) {  // magic and version
    std::string other = full;
    other[i] = static_cast<char>(other[i] ^ 1);
    EXPECT_EQ(answer(other), "") << i;
  }
  v1::DiscoveryQuery longer = query();
  longer.mutable_padding()->push_back('p');
  EXPECT_EQ(answer(longer.SerializeAsString()), "");
  EXPECT_EQ(described, 0) << "costs no more than being parsed";
}

TEST_F(AnswererTest, ignores_an_answer_so_that_servers_never_talk_to_each_other) {
  v1::DiscoveryQuery asked = query();
  asked.set_magic(wire::discovery_answer_magic);
  EXPECT_EQ(answer(asked.SerializeAsString()), "");
  EXPECT_EQ(answer(answer(full)), "");
}

TEST_F(AnswererTest, ignores_sources_where_no_client_is) {
  for (const char* address : {"0.0.0.0", "::", "255.255.255.255", "224.0.0.1", "239.255.76.54",
                              "ff02::1", "ff12::7654"}) {
    EXPECT_EQ(answer(full, address), "") << address;
  }
  for (const std::uint16_t port : std::initializer_list<std::uint16_t>{0, 7, 19, 53, 123, 1023}) {
    EXPECT_EQ(answer(full, "10.0.0.5", port), "") << port;
  }
  EXPECT_EQ(described, 0);
  EXPECT_NE(answer(full, "10.0.0.5", 1024), "");
  EXPECT_NE(answer(full, "fe80::5"), "");
}

TEST_F(AnswererTest, limits_what_one_address_gets) {
  const int burst = static_cast<int>(limits.per_source_burst);
  EXPECT_EQ(answered(100, "10.0.0.5"), burst);
  EXPECT_EQ(described, burst) << "what is not answered costs nothing";
  EXPECT_EQ(answered(100, "10.0.0.6"), burst) << "others are not made to pay";
  now += seconds(1);
  EXPECT_EQ(answered(100, "10.0.0.5"), static_cast<int>(limits.per_source_per_second));
  now += std::chrono::hours(1);
  EXPECT_EQ(answered(100, "10.0.0.5"), burst) << "no more than a burst";
}

TEST_F(AnswererTest, limits_what_all_get_whatever_addresses_are_named) {
  int count = 0;
  constexpr int duration = 20;
  for (int tick = 0; tick < duration * 10; ++tick, now += milliseconds(100)) {
    for (int i = 0; i < 500; ++i) {
      const auto address =
          boost::asio::ip::address_v4(static_cast<std::uint32_t>(0x0a000000 + tick * 500 + i));
      count += answer(full, address.to_string()).empty() ? 0 : 1;
    }
    ASSERT_LE(answerer.sources(), std::size_t{4} * limits.burst) << "memory grows";
  }
  const auto max = limits.burst + limits.per_second * duration;
  EXPECT_LE(count, static_cast<int>(max));
  EXPECT_GT(count, static_cast<int>(max * 9 / 10));
}

TEST_F(AnswererTest, port_and_scope_do_not_make_another_address) {
  int count = 0;
  for (std::uint16_t port = 2000; port < 2100; ++port) {
    auto address = boost::asio::ip::make_address_v6("fe80::1");
    address.scope_id(port % 3);
    count += answerer.answer(full, udp::endpoint(address, port), 7000, now).empty() ? 0 : 1;
  }
  EXPECT_EQ(count, static_cast<int>(limits.per_source_burst));
}

}  // namespace
}  // namespace tictactoe::transport::discovery_answerer_tests
