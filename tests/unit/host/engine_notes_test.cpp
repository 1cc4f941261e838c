// What a room is told about an engine: that it can't play, or is late.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::engine_notes_tests {
namespace {

class EngineNotes : public testing::Test {
 protected:
  static server::Config config() {
    server::Config config;
    config.engines = {"embryo", "rapfi"};
    return config;
  }
  HostDriver driver{config()};
  server::ConnectionId alice = driver.enter("alice");
};

TEST_F(EngineNotes, are_tried_out_when_they_are_added) {
  driver.thinks = false;
  driver.ask(alice, create_request("den", rules::Rules{15, 15, 5}));
  driver.ask(alice, add_ai_request(v1::MARK_O, "rapfi"));
  ASSERT_EQ(driver.thoughts.size(), 1u);
  EXPECT_EQ(driver.thoughts[0].purpose, server::Think::Purpose::trial);
  EXPECT_EQ(driver.thoughts[0].level.engine, "rapfi");
  driver.take(alice);
  driver.host().thought(driver.thoughts[0].id, ai::Choice{{}, false, "It refused."}, driver.now());
  driver.collect();
  const auto updates = driver.take_updates(alice);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_EQ(updates[0].engine_note().text(), "It refused.");
  EXPECT_EQ(updates[0].engine_note().seat(), v1::MARK_O);
  // An AI of ours needs no trial.
  driver.ask(alice, remove_ai_request(v1::MARK_O));
  driver.ask(alice, add_ai_request(v1::MARK_O, "3"));
  EXPECT_EQ(driver.thoughts.size(), 1u);
}

TEST_F(EngineNotes, whose_trial_ends_well_or_late_are_not_told_of) {
  driver.thinks = false;
  driver.ask(alice, create_request("den", rules::Rules{15, 15, 5}));
  driver.ask(alice, add_ai_request(v1::MARK_O, "rapfi"));
  driver.take(alice);
  driver.host().thought(driver.thoughts[0].id, ai::Choice{}, driver.now());
  driver.collect();
  EXPECT_TRUE(driver.take_updates(alice).empty());
  // Another one, which has been replaced before it has loaded.
  driver.ask(alice, remove_ai_request(v1::MARK_O));
  driver.ask(alice, add_ai_request(v1::MARK_O, "embryo"));
  driver.ask(alice, remove_ai_request(v1::MARK_O));
  driver.take(alice);
  ASSERT_EQ(driver.thoughts.size(), 2u);
  driver.host().thought(driver.thoughts[1].id, ai::Choice{{}, false, "It refused."}, driver.now());
  driver.collect();
  EXPECT_TRUE(driver.take_updates(alice).empty());
}

TEST_F(EngineNotes, that_are_late_are_told_of_once) {
  driver.thinks = false;
  driver.ask(alice, create_request("den", rules::Rules{15, 15, 5}));
  driver.ask(alice, add_ai_request(v1::MARK_O, "rapfi"));
  for (const std::uint32_t row : {7u, 8u}) {
    driver.ask(alice, move_request(row, 7));
    driver.pass(std::chrono::seconds(1));
    driver.take(alice);
    driver.pass(config().engine_late - std::chrono::seconds(1));
    EXPECT_TRUE(driver.take_updates(alice).empty());
    driver.pass(std::chrono::seconds(5));
    const auto updates = driver.take_updates(alice);
    ASSERT_EQ(updates.size(), 1u);
    EXPECT_EQ(updates[0].engine_note().text(),
              "The engine rapfi is late: it is still loading, or the machine is busy.");
    driver.host().thought(driver.thoughts.back().id, ai::Choice{{static_cast<int>(row), 8}},
                          driver.now());
    driver.collect();
  }
}

}  // namespace
}  // namespace tictactoe::test::engine_notes_tests
