// Events for the owner's log, of which nobody can cause too many.
#include "server/base/event_log.hpp"

#include <gtest/gtest.h>

namespace tictactoe::server::event_log_tests {
namespace {

using std::chrono::seconds;

constexpr Time start{std::chrono::hours(1)};
constexpr int part = EventLog::burst / EventLog::part;

class Events : public testing::Test {
 protected:
  Events() { log_.enable(true); }
  void note(std::uint64_t network, Time now = start) {
    log_.note("it happened", {network, network}, now, [](LogEvent& event) { event.add("k", "v"); });
  }
  EventLog log_;
};

TEST_F(Events, of_one_network_leave_place_for_those_of_others) {
  for (int i = 0; i < 10'000; ++i) note(1);
  EXPECT_EQ(log_.events().size(), std::size_t{part});
  note(2);
  ASSERT_EQ(log_.events().size(), std::size_t{part} + 2);
  EXPECT_EQ(log_.events()[part].what, "events left out");
  EXPECT_EQ(log_.events()[part].details[0].second, std::to_string(10'000 - part));
  log_.clear();
  for (int i = 0; i < 100; ++i) note(1, start + seconds(1));
  EXPECT_EQ(log_.events().size(), std::size_t{EventLog::per_second / EventLog::part});
}

TEST_F(Events, of_all_networks_together_have_a_limit) {
  for (std::uint64_t network = 0; network < 10'000; ++network) note(network << 8);
  EXPECT_LE(log_.events().size(), std::size_t{EventLog::burst});
  EXPECT_GE(log_.events().size(), std::size_t{EventLog::burst} / 2);
}

TEST_F(Events, are_not_even_described_while_the_log_is_off) {
  log_.enable(false);
  log_.note("it happened", {}, start, [](LogEvent&) { FAIL(); });
  EXPECT_TRUE(log_.events().empty());
}

TEST_F(Events, pass_through_a_text_and_back) {
  LogEvent event{"it happened", {}};
  event.add("a", "").add("b", "x\x1fy").add("c", "z z");
  const std::string payload = to_payload(event);
  EXPECT_EQ(split_payload(payload),
            (std::vector<std::string_view>{"it happened", "a", "", "b", "x?y", "c", "z z"}));
  EXPECT_EQ(split_payload("plain"), (std::vector<std::string_view>{"plain"}));
}

}  // namespace
}  // namespace tictactoe::server::event_log_tests
