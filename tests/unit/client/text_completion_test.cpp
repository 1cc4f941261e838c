#include "client/text/completion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/console_harness.hpp"

namespace tictactoe::client {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const KnownWords known = {
    {"den", "Duel", "the den", "d\"q"}, {"suggester", "strong"}, {"bob", "Bo B", "eve"}, {"eve"}};

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
  EXPECT_THAT(words("ai "), ElementsAre("x ", "o ", "suggester ", "strong "));
  EXPECT_THAT(words("ai o st"), ElementsAre("strong "));
  EXPECT_THAT(words("create den away "), ElementsAre("forfeit ", "hold ", "ai "));
  EXPECT_THAT(words("create den un"), ElementsAre("unlisted "));
  EXPECT_THAT(words("say d"), IsEmpty());
}

TEST(Completion, of_players) {
  EXPECT_THAT(words("invite b"), ElementsAre("bob ", "\"Bo B\" "));
  EXPECT_THAT(words("mute "), ElementsAre("bob ", "\"Bo B\" ", "eve "));
  EXPECT_THAT(words("unmute "), ElementsAre("eve "));
  EXPECT_THAT(words("invite bob "), IsEmpty());
}

TEST(KnownWords, are_the_players_of_lists_room_and_chat_but_not_the_own_name) {
  testing::Harness harness(false);
  harness.enter(testing::snapshot("chat { from: 'fay' text: 'hi' }"));
  harness.typed("players");
  harness.answer(harness.only_request(),
                 "player_list { players { name: 'alice' } players { name: 'dan' } }");
  harness.typed("members");
  harness.answer(harness.only_request(), "member_list { x { } watchers: 'eve' }");
  EXPECT_THAT(known_words(harness.conversation.session()).players,
              ElementsAre("bob", "dan", "eve", "fay"));
}

TEST(KnownWords, are_the_names_that_a_server_lists) {
  testing::Harness harness(false);
  EXPECT_THAT(known_words(harness.conversation.session()).levels, IsEmpty());
  harness.answer(harness.only_request(),
                 "welcome { protocol_version: 1 limits { ai_levels: 'suggester' } }");
  harness.typed("rooms");
  harness.answer(harness.only_request(), "room_list { rooms { name: 'b\"ox' } }");
  const KnownWords words = known_words(harness.conversation.session());
  EXPECT_THAT(words.levels, ElementsAre("suggester"));
  EXPECT_THAT(words.rooms, ElementsAre("b\"ox"));
}

TEST(KnownWords, have_nothing_that_acts_on_a_terminal_and_no_name_that_is_too_long) {
  testing::Harness harness(false);
  harness.answer(harness.only_request(),
                 "welcome { protocol_version: 1 limits { ai_levels: '\\033c' ai_levels: 'good' "
                 "ai_levels: '' } }");
  harness.typed("rooms");
  harness.answer(harness.only_request(),
                 "room_list { rooms { name: '\\033]52;c;eA==\\007' } rooms { name: 'den' } "
                 "rooms { name: '\xE2\x80\xAE' } rooms { name: '" +
                     std::string(5000, 'a') + "' } }");
  const KnownWords words = known_words(harness.conversation.session());
  EXPECT_THAT(words.levels, ElementsAre("good"));
  EXPECT_THAT(words.rooms, ElementsAre("den"));
}

}  // namespace
}  // namespace tictactoe::client
