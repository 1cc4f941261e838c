// Names of engines.
#include <gtest/gtest.h>

#include "server/game/ai_levels.hpp"

namespace tictactoe::test::engine_names_tests {
namespace {

TEST(EngineNames, are_short_words_that_are_no_levels) {
  for (const char* const good : {"embryo", "Rapfi-2.1", "a", "1234567890123456"}) {
    EXPECT_EQ(server::engine_name_problem(good), std::nullopt) << good;
  }
  for (const char* const bad :
       {"", "12345678901234567", "a b", "strong", "3", "perfect", "a)", "\u00e9"}) {
    EXPECT_NE(server::engine_name_problem(bad), std::nullopt) << bad;
  }
}

TEST(EngineNames, of_a_journal_need_not_be_known) {
  EXPECT_EQ(server::parse_saved_ai_level("perfect"), server::AiLevel(ai::Level::perfect));
  EXPECT_EQ(server::parse_saved_ai_level("gone"), server::AiLevel(std::string("gone")));
  EXPECT_EQ(server::parse_saved_ai_level("a b"), std::nullopt);
}

}  // namespace
}  // namespace tictactoe::test::engine_names_tests
