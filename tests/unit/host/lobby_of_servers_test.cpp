// Watching a lobby that several servers share.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/lobby_watching.hpp"

namespace tictactoe::test::lobby_of_servers_tests {
namespace {

class LobbyOfServersTest : public LobbyFeedTest {
 protected:
  static core::RoomElsewhere room(const std::string& name, std::uint32_t watchers = 0) {
    auto info = std::make_shared<v1::RoomInfo>();
    info->set_name(name);
    info->set_watchers(watchers);
    return {name, 7, std::move(info)};
  }
  static core::RoomElsewhere gone(const std::string& name) { return {name, 7, nullptr}; }
  void follow(std::vector<core::RoomElsewhere> rooms) {
    driver.host().follow({{}, std::move(rooms), {}}, driver.now());
    driver.collect();
  }
  /// All that is there.
  void catch_up(core::ConnectionId id, LobbyMirror& mirror) {
    do {
      driver.pass(interval);
      for (const v1::LobbyUpdate& update : news(id)) mirror.take(update);
    } while (!mirror.is_complete());
  }
  static std::vector<std::string> names(const LobbyMirror& mirror) {
    std::vector<std::string> names;
    for (const auto& [name, info] : mirror.rooms()) names.push_back(name);
    return names;
  }
};

TEST_F(LobbyOfServersTest, all_of_them_are_on_the_pages_and_change) {
  create("b");
  create("g");
  follow({room("a"), room("c"), room("d"), room("e"), room("f")});
  const auto ann = driver.enter("ann");
  LobbyMirror mirror;
  const v1::LobbyUpdate first = watch(ann);
  EXPECT_EQ(first.rooms_size(), 3);
  mirror.take(first);
  catch_up(ann, mirror);
  EXPECT_EQ(names(mirror), (std::vector<std::string>{"a", "b", "c", "d", "e", "f", "g"}));
  follow({gone("c"), room("a", 5), room("h")});
  follow({room("a", 6)});
  catch_up(ann, mirror);
  EXPECT_EQ(names(mirror), (std::vector<std::string>{"a", "b", "d", "e", "f", "g", "h"}));
  EXPECT_EQ(mirror.rooms().at("a").watchers(), 6u);
  EXPECT_FALSE(driver.host().next_deadline());
}

TEST_F(LobbyOfServersTest, counts_the_players_of_all) {
  const auto ann = driver.enter("ann");
  EXPECT_EQ(watch(ann).players(), 1u);
  driver.host().follow({{}, {}, 41}, driver.now());
  driver.collect();
  driver.pass(interval);
  const auto updates = news(ann);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_EQ(updates[0].players(), 42u);
  driver.host().follow({{}, {}, 41}, driver.now());
  driver.collect();
  driver.pass(interval);
  EXPECT_TRUE(news(ann).empty());
}

// The news of the other server and what happens here come in any order.
TEST_F(LobbyOfServersTest, a_room_that_comes_here_or_leaves_is_never_missing_afterwards) {
  const auto ann = driver.enter("ann");
  LobbyMirror mirror;
  follow({room("den")});
  mirror.take(watch(ann));
  catch_up(ann, mirror);
  const auto owner = create("den");
  catch_up(ann, mirror);
  follow({gone("den")});
  for (const v1::LobbyUpdate& update : news(ann)) mirror.take(update);
  driver.pass(interval);
  for (const v1::LobbyUpdate& update : news(ann)) mirror.take(update);
  EXPECT_EQ(names(mirror), (std::vector<std::string>{"den"}));
  follow({room("den")});
  driver.ask(owner, leave_request());
  catch_up(ann, mirror);
  EXPECT_EQ(names(mirror), (std::vector<std::string>{"den"}));
  follow({gone("den"), gone("den"), gone("never there")});
  catch_up(ann, mirror);
  EXPECT_TRUE(names(mirror).empty());
}

TEST_F(LobbyOfServersTest, a_mirror_is_never_wrong_after_any_changes) {
  std::mt19937_64 random(5);
  const auto ann = driver.enter("ann");
  LobbyMirror mirror;
  mirror.take(watch(ann));
  std::map<std::string, std::uint32_t> expected;
  for (int i = 0; i < 2000; ++i) {
    const std::string name(1, static_cast<char>('a' + random() % 26));
    if (random() % 3 == 0) {
      follow({gone(name)});
      expected.erase(name);
    } else {
      expected[name] = static_cast<std::uint32_t>(random() % 9);
      follow({room(name, expected[name])});
    }
    if (random() % 4 == 0) driver.pass(interval);
    for (const v1::LobbyUpdate& update : news(ann)) mirror.take(update);
  }
  catch_up(ann, mirror);
  std::map<std::string, std::uint32_t> seen;
  for (const auto& [room_name, info] : mirror.rooms()) seen[room_name] = info.watchers();
  EXPECT_EQ(seen, expected);
}

}  // namespace
}  // namespace tictactoe::test::lobby_of_servers_tests
