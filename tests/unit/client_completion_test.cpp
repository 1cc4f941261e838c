#include "client/text/completion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tictactoe::client {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const KnownWords known = {{"den", "Duel", "the den", "d\"q"}, {"suggester", "unbeatable"}};

std::vector<std::string> words(std::string_view before) {
  return complete(before, known).words;
}

TEST(Completion, of_commands) {
  EXPECT_THAT(words("re"), ElementsAre("resign ", "rematch ", "replay "));
  EXPECT_THAT(words("  WAT"), ElementsAre("watch "));
  EXPECT_THAT(words(""), Contains("play "));
  EXPECT_THAT(words("dance"), IsEmpty());
}

TEST(Completion, of_rooms) {
  EXPECT_THAT(words("join d"), ElementsAre("den ", "Duel ", "\"d\\\"q\" "));
  EXPECT_THAT(words("watch th"), ElementsAre("\"the den\" "));
  EXPECT_THAT(words("watch \"the d"), ElementsAre("\"the den\" "));
  EXPECT_EQ(complete("watch \"the d", known).begin, 6U);
  EXPECT_THAT(words("join den "), ElementsAre("x ", "o ", "password "));
  EXPECT_THAT(words("join \"the den\" p"), ElementsAre("password "));
  EXPECT_THAT(words("join den password "), IsEmpty());
}

TEST(Completion, of_levels_and_keywords) {
  EXPECT_THAT(words("ai "), ElementsAre("x ", "o ", "suggester ", "unbeatable "));
  EXPECT_THAT(words("ai o un"), ElementsAre("unbeatable "));
  EXPECT_THAT(words("create den away "), ElementsAre("forfeit ", "hold ", "ai "));
  EXPECT_THAT(words("create den un"), ElementsAre("unlisted "));
  EXPECT_THAT(words("say d"), IsEmpty());
}

}  // namespace
}  // namespace tictactoe::client
