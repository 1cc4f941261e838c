// Names of players and rooms: which are refused, and which count as the same.
#include <gmock/gmock.h>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_names_tests {
namespace {

using testing::HasSubstr;
using v1::Error;

std::string welcomed_as(HostDriver& driver, const std::string& name) {
  return driver.ask(driver.connect(), hello_request(name)).welcome().player_name();
}

TEST(HostNames, of_players_are_refused_with_the_reason) {
  HostDriver driver;
  const auto peer = driver.connect();
  for (const auto& [name, reason] : std::vector<std::pair<std::string, std::string>>{
           {"al\u00A0ice", "U+00A0"},
           {"al\u3000ice", "U+3000"},
           {"alice\u200D", "U+200D"},
           {"alice\uFFA0", "U+FFA0"},
           {"\u0430lice", "several scripts"},
           {"AI (suggester)", "parentheses"},
           {"alice (you)", "parentheses"},
       }) {
    const v1::Error error = driver.ask(peer, hello_request(name)).error();
    EXPECT_EQ(error.code(), Error::CODE_INVALID_NAME) << name;
    EXPECT_THAT(error.message(), HasSubstr(reason)) << name;
    EXPECT_TRUE(driver.is_open(peer));
  }
  // The connection can still say hello with another name.
  EXPECT_EQ(driver.ask(peer, hello_request("\u3000alice\u00A0")).welcome().player_name(), "alice");
}

TEST(HostNames, that_look_like_one_in_use_get_a_number) {
  HostDriver driver;
  EXPECT_EQ(welcomed_as(driver, "alice"), "alice");
  EXPECT_EQ(welcomed_as(driver, "alice\u00A0"), "alice-2");
  EXPECT_EQ(welcomed_as(driver, "Alice"), "Alice-3");
  EXPECT_EQ(welcomed_as(driver, "aIice"), "aIice-4");
  EXPECT_EQ(welcomed_as(driver, "Hopa"), "Hopa");
  EXPECT_EQ(welcomed_as(driver, "\u041D\u043E\u0440\u0430"), "\u041D\u043E\u0440\u0430-2");
}

TEST(HostNames, are_not_cut_within_an_emoji) {
  HostDriver driver;
  // 24 code points, the last three of which are one emoji.
  const std::string name = std::string(21, 'a') + "\U0001F469\u200D\U0001F680";
  EXPECT_EQ(welcomed_as(driver, name), name);
  EXPECT_EQ(welcomed_as(driver, name), std::string(21, 'a') + "\U0001F469-2");
}

TEST(HostNames, of_rooms_may_not_look_alike) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  const auto bob = driver.enter("bob");
  ASSERT_TRUE(driver.ask(alice, create_request("the den (quiet)")).has_snapshot());
  for (const char* name : {"the den (quiet)", "The Den (quiet)", "the  den (quiet)"}) {
    EXPECT_EQ(driver.ask(bob, create_request(name)).error().code(), Error::CODE_ROOM_EXISTS)
        << name;
  }
  EXPECT_EQ(driver.ask(bob, create_request("the\u00A0den")).error().code(),
            Error::CODE_INVALID_NAME);
  // It is entered by its own name alone, which may be typed with blanks around it.
  EXPECT_EQ(driver.ask(bob, join_request("The Den (quiet)")).error().code(),
            Error::CODE_ROOM_NOT_FOUND);
  EXPECT_TRUE(driver.ask(bob, join_request("\u3000the den (quiet) ")).has_snapshot());
}

TEST(HostNames, of_a_room_are_free_when_it_closes) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  ASSERT_TRUE(driver.ask(alice, create_request("den")).has_snapshot());
  ASSERT_TRUE(driver.ask(alice, leave_request()).has_left());
  EXPECT_EQ(driver.ask(alice, create_request("Den")).snapshot().name(), "Den");
}

TEST(HostNames, in_a_journal_are_kept_as_they_are) {
  journal::v1::Saved saved;
  const auto add = [&](std::uint64_t id, const std::string& name) {
    journal::v1::Player& player = *saved.add_players();
    player.set_id(id);
    player.set_name(name);
    player.set_token_hash(std::string(32, static_cast<char>('a' + id)));
  };
  add(1, "alice");
  add(2, "Alice");
  add(3, "\u0430lice");
  add(4, "AI (suggester)");
  add(5, "al\u00A0ice");
  HostDriver driver;
  EXPECT_TRUE(driver.host().restore(saved, driver.now()).refused.empty());
  EXPECT_EQ(driver.host().players(), 5u);
  EXPECT_EQ(welcomed_as(driver, "ALICE"), "ALICE-2");
}

}  // namespace
}  // namespace tictactoe::test::host_names_tests
