// Which levels an AI can have in a room.
#include <gmock/gmock.h>

#include "server/core/ai_levels.hpp"
#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_ai_levels_tests {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using v1::Error;

std::string level_after(const v1::ServerMessage& answer) {
  return answer.update().seat_changed().occupant().ai_level();
}

TEST(AiLevels, perfect_is_offered_where_it_cannot_lose) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  driver.ask(alice, create_request("den", rules::Rules::square(5)));
  EXPECT_EQ(level_after(driver.ask(alice, add_ai_request(v1::MARK_O, "perfect"))), "perfect");
  driver.ask(alice, remove_ai_request(v1::MARK_O));
  EXPECT_EQ(level_after(driver.ask(alice, add_ai_request(v1::MARK_O, "unbeatable"))), "perfect");
}

TEST(AiLevels, perfect_is_refused_elsewhere_with_the_reason) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  driver.ask(alice, create_request("den", rules::Rules{15, 15, 5}));
  const Error error = driver.ask(alice, add_ai_request(v1::MARK_O, "perfect")).error();
  EXPECT_EQ(error.code(), Error::CODE_NOT_ALLOWED);
  EXPECT_THAT(error.message(), AllOf(HasSubstr("No proof is known"), HasSubstr("strong")));
  EXPECT_EQ(level_after(driver.ask(alice, add_ai_request(v1::MARK_O, "unbeatable"))), "strong");
}

TEST(AiLevels, perfect_is_refused_in_a_game_that_others_have_begun) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  const auto bob = driver.enter("bob");
  driver.ask(alice, create_request("den"));
  driver.ask(bob, join_request("den"));
  driver.ask(alice, move_request(0, 0));
  driver.ask(bob, move_request(0, 1));
  EXPECT_THAT(driver.ask(bob, add_ai_request(v1::MARK_O, "perfect")).error().message(),
              HasSubstr("Others have begun this game"));
  EXPECT_EQ(level_after(driver.ask(bob, add_ai_request(v1::MARK_O, "unbeatable"))), "strong");
  // In the next game the AI begins with the others.
  driver.ask(alice, resign_request());
  driver.ask(alice, remove_ai_request(v1::MARK_O));
  EXPECT_EQ(level_after(driver.ask(alice, add_ai_request(v1::MARK_O, "perfect"))), "perfect");
}

TEST(AiLevels, an_unknown_one_is_refused_with_the_known_ones) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  driver.ask(alice, create_request("den"));
  const Error error = driver.ask(alice, add_ai_request(v1::MARK_O, "genius")).error();
  EXPECT_EQ(error.code(), Error::CODE_UNKNOWN_AI_LEVEL);
  EXPECT_THAT(error.message(), HasSubstr("suggester, random, strong, perfect"));
}

/// Engines are further levels of some games.
class EngineLevels : public testing::Test {
 protected:
  static core::Config config() {
    core::Config config;
    config.engines = {"embryo", "rapfi"};
    return config;
  }
  HostDriver driver{config()};
  core::ConnectionId alice = driver.enter("alice");
};

TEST_F(EngineLevels, are_told_in_the_welcome) {
  EXPECT_THAT(driver.ask(driver.connect(), hello_request("bob")).welcome().limits().ai_levels(),
              ElementsAre("suggester", "random", "strong", "perfect", "embryo", "rapfi"));
}

TEST_F(EngineLevels, are_offered_for_five_in_a_row_on_square_boards) {
  int number = 0;
  for (const rules::Rules rules :
       {rules::Rules{15, 15, 5}, rules::Rules{100, 100, 5, false}, rules::Rules::square(5)}) {
    driver.ask(alice, leave_request());
    driver.ask(alice, create_request("den" + std::to_string(++number), rules));
    EXPECT_EQ(level_after(driver.ask(alice, add_ai_request(v1::MARK_O, "embryo"))), "embryo");
  }
  for (const rules::Rules rules : {rules::Rules{15, 15, 6}, rules::Rules{15, 16, 5},
                                   rules::Rules{101, 101, 5}, rules::Rules::square(3)}) {
    driver.ask(alice, leave_request());
    driver.ask(alice, create_request("den" + std::to_string(++number), rules));
    const Error error = driver.ask(alice, add_ai_request(v1::MARK_O, "embryo")).error();
    EXPECT_EQ(error.code(), Error::CODE_NOT_ALLOWED);
    EXPECT_THAT(error.message(), HasSubstr("The engine embryo plays five in a row"));
  }
}

TEST_F(EngineLevels, think_as_engines_and_tell_their_faults) {
  driver.thinks = false;
  driver.ask(alice, create_request("den", rules::Rules{15, 15, 5}));
  EXPECT_EQ(driver.ask(alice, add_ai_request(v1::MARK_O, "rapfi"))
                .update()
                .seat_changed()
                .occupant()
                .name(),
            "AI (rapfi)");
  driver.ask(alice, move_request(7, 7));
  driver.take(alice);
  driver.pass(std::chrono::seconds(1));
  ASSERT_EQ(driver.thoughts.size(), 1u);
  EXPECT_EQ(driver.thoughts[0].level.engine, "rapfi");
  EXPECT_EQ(driver.thoughts[0].level.level, ai::Level::strong);
  driver.host().thought(driver.thoughts[0].id,
                        {core::ThoughtResult::Kind::choice, {{8, 8}, false, "It failed."}},
                        driver.now());
  driver.collect();
  const auto updates = driver.take_updates(alice);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_EQ(updates[0].move_played().engine_fault(), "It failed.");
}

/// Without its server's processes a strong player stands in for an engine.
TEST_F(EngineLevels, play_to_the_end_of_a_game) {
  driver.ask(alice, create_request("den", rules::Rules::square(5)));
  driver.ask(alice, add_ai_request(v1::MARK_O, "embryo"));
  driver.ask(alice, add_ai_request(v1::MARK_X, "rapfi"));
  driver.take(alice);
  bool ended = false;
  for (int i = 0; i < 30 && !ended; ++i) {
    driver.pass(std::chrono::seconds(1));
    for (const v1::RoomUpdate& update : driver.take_updates(alice)) {
      ended = ended || update.move_played().has_outcome();
    }
  }
  EXPECT_TRUE(ended);
}

TEST(EngineNames, are_short_words_that_are_no_levels) {
  for (const char* const good : {"embryo", "Rapfi-2.1", "a", "1234567890123456"}) {
    EXPECT_EQ(core::engine_name_problem(good), std::nullopt) << good;
  }
  for (const char* const bad :
       {"", "12345678901234567", "a b", "strong", "unbeatable", "perfect", "a)", "\u00e9"}) {
    EXPECT_NE(core::engine_name_problem(bad), std::nullopt) << bad;
  }
}

TEST(EngineNames, of_a_journal_need_not_be_known) {
  EXPECT_EQ(core::parse_saved_ai_level("unbeatable"), core::AiLevel(ai::Level::strong));
  EXPECT_EQ(core::parse_saved_ai_level("perfect"), core::AiLevel(ai::Level::perfect));
  EXPECT_EQ(core::parse_saved_ai_level("gone"), core::AiLevel(std::string("gone")));
  EXPECT_EQ(core::parse_saved_ai_level("a b"), std::nullopt);
}

}  // namespace
}  // namespace tictactoe::test::host_ai_levels_tests
