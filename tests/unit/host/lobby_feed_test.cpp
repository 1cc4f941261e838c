// Watching the lobby: pages, then changes, never too often, and never out of step.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "tests/support/lobby_watching.hpp"

namespace tictactoe::test::lobby_feed_tests {
namespace {

using std::chrono::milliseconds;

TEST_F(LobbyFeedTest, an_empty_lobby_is_complete_at_once) {
  const v1::LobbyUpdate first = watch(driver.enter("ann"));
  EXPECT_TRUE(first.reset());
  EXPECT_TRUE(first.complete());
  EXPECT_EQ(first.rooms_size(), 0);
  EXPECT_EQ(first.players(), 1u);
  EXPECT_FALSE(driver.host().next_deadline());
}

TEST_F(LobbyFeedTest, pages_follow_at_the_configured_pace) {
  for (int i = 0; i < 8; ++i) create("room " + std::to_string(i));
  const auto ann = driver.enter("ann");
  const v1::LobbyUpdate first = watch(ann);
  EXPECT_EQ(first.rooms_size(), 3);
  EXPECT_FALSE(first.complete());
  driver.pass(interval - milliseconds(1));
  EXPECT_TRUE(news(ann).empty());
  driver.pass(milliseconds(1));
  const auto second = news(ann);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0].rooms_size(), 3);
  EXPECT_FALSE(second[0].reset());
  EXPECT_FALSE(second[0].complete());
  driver.pass(interval);
  const auto third = news(ann);
  ASSERT_EQ(third.size(), 1u);
  EXPECT_EQ(third[0].rooms_size(), 2);
  EXPECT_TRUE(third[0].complete());
  driver.pass(interval * 10);
  EXPECT_TRUE(news(ann).empty());
  EXPECT_FALSE(driver.host().next_deadline());
}

TEST_F(LobbyFeedTest, changes_of_one_room_come_together) {
  const auto owner = create("den");
  const auto ann = driver.enter("ann");
  watch(ann);
  const auto bob = driver.enter("bob");
  driver.ask(bob, join_request("den"));
  driver.ask(owner, move_request(0, 0));
  driver.ask(bob, move_request(1, 1));
  driver.pass(interval);
  const auto updates = news(ann);
  ASSERT_EQ(updates.size(), 1u);
  ASSERT_EQ(updates[0].rooms_size(), 1);
  EXPECT_EQ(updates[0].rooms(0).ply(), 2u);
  EXPECT_EQ(updates[0].rooms(0).phase(), v1::PHASE_PLAYING);
  EXPECT_EQ(updates[0].players(), 3u);
  EXPECT_TRUE(updates[0].complete());
}

TEST_F(LobbyFeedTest, a_closed_room_is_named_and_can_open_again) {
  const auto owner = create("den");
  const auto ann = driver.enter("ann");
  LobbyMirror mirror;
  mirror.take(watch(ann));
  driver.ask(owner, leave_request());
  driver.pass(interval);
  auto updates = news(ann);
  ASSERT_EQ(updates.size(), 1u);
  ASSERT_EQ(updates[0].closed_size(), 1);
  EXPECT_EQ(updates[0].closed(0), "den");
  driver.ask(owner, create_request("den"));
  driver.ask(owner, leave_request());
  driver.ask(owner, create_request("den"));
  driver.pass(interval);
  for (const auto& update : news(ann)) mirror.take(update);
  EXPECT_TRUE(mirror.rooms().contains("den"));
}

TEST_F(LobbyFeedTest, it_ends_on_request_and_with_the_connection) {
  const auto owner = create("den");
  const auto ann = driver.enter("ann");
  const auto bob = driver.enter("bob");
  watch(ann);
  watch(bob);
  EXPECT_TRUE(driver.ask(ann, watch_lobby_request(true)).lobby_update().stopped());
  driver.take(ann);
  driver.disconnect(bob);
  driver.ask(owner, add_ai_request(v1::MARK_NONE));
  driver.pass(interval);
  EXPECT_TRUE(news(ann).empty());
}

TEST_F(LobbyFeedTest, a_peer_that_is_not_read_gets_the_latest_when_it_is) {
  const auto owner = create("den");
  const auto ann = driver.enter("ann");
  watch(ann);
  driver.host().reading_paused(ann, true, driver.now());
  const auto bob = driver.enter("bob");
  driver.ask(bob, join_request("den"));
  for (std::uint32_t i = 0; i < 4; ++i) {
    driver.ask(i % 2 == 0 ? owner : bob, move_request(i / 2, i % 2));
    driver.pass(interval);
  }
  EXPECT_TRUE(news(ann).empty());
  driver.host().reading_paused(ann, false, driver.now());
  driver.pass(interval);
  const auto updates = news(ann);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_EQ(updates[0].rooms(0).ply(), 4u);
}

TEST_F(LobbyFeedTest, a_watcher_that_is_too_far_behind_starts_again) {
  const auto ann = driver.enter("ann");
  LobbyMirror mirror;
  mirror.take(watch(ann));
  driver.host().reading_paused(ann, true, driver.now());
  const auto owner = driver.enter("owner");
  for (int i = 0; i < 50; ++i) {
    driver.ask(owner, create_request("room " + std::to_string(i)));
    driver.ask(owner, leave_request());
  }
  driver.ask(owner, create_request("last"));
  driver.host().reading_paused(ann, false, driver.now());
  driver.pass(interval);
  const auto updates = news(ann);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_TRUE(updates[0].reset());
  EXPECT_TRUE(updates[0].complete());
  ASSERT_EQ(updates[0].rooms_size(), 1);
  EXPECT_EQ(updates[0].rooms(0).name(), "last");
}

// More watchers than one slice has.
class CrowdedLobbyTest : public LobbyFeedTest {
 protected:
  static core::Config wide() {
    core::Config wide = config();
    wide.limits.connections = wide.limits.pending_connections = 2'000;
    return wide;
  }
  void fill(int count) {
    for (int i = 0; i < count; ++i) {
      watchers.push_back(other.enter("watcher"));
      other.ask(watchers.back(), watch_lobby_request());
    }
    other.pass(interval * 2);
    for (const auto id : watchers) other.take(id);
  }

  HostDriver other{wide()};
  const core::ConnectionId owner = other.enter("owner");
  std::vector<core::ConnectionId> watchers;
};

TEST_F(CrowdedLobbyTest, many_watchers_are_updated_in_slices) {
  fill(600);
  other.ask(owner, create_request("den"));
  const core::Time due = other.host().next_deadline().value();
  std::size_t told = 0;
  int slices = 0;
  while (other.host().next_deadline() && *other.host().next_deadline() <= due) {
    other.host().deadline_reached(due);
    std::size_t in_slice = 0;
    for (const core::Effect& effect : other.host().effects().list()) {
      if (std::holds_alternative<core::Send>(effect)) ++in_slice;
    }
    EXPECT_LE(in_slice, 256u);
    told += in_slice;
    ++slices;
    other.collect();
  }
  EXPECT_EQ(told, 600u);
  EXPECT_GE(slices, 3);
}

// The first slice of watchers is up to date when more happens before the last slice.
TEST_F(CrowdedLobbyTest, a_change_between_two_slices_reaches_everybody) {
  fill(300);
  other.ask(owner, create_request("den"));
  other.host().deadline_reached(other.host().next_deadline().value());
  other.collect();
  for (const auto id : watchers) other.take(id);
  other.ask(owner, move_request(0, 0));
  other.ask(owner, leave_request());
  other.pass(interval * 3);
  for (const auto id : watchers) {
    const auto messages = other.take(id);
    ASSERT_FALSE(messages.empty());
    EXPECT_EQ(messages.back().lobby_update().closed_size(), 1);
    EXPECT_TRUE(messages.back().lobby_update().complete());
  }
  EXPECT_FALSE(other.host().next_deadline());
}

// So many rooms close while the pages are on their way that the log forgets some.
TEST_F(LobbyFeedTest, a_watcher_that_falls_behind_between_two_pages_starts_again) {
  std::vector<core::ConnectionId> owners;
  for (int i = 0; i < 5; ++i) owners.push_back(create("room " + std::to_string(i)));
  const auto ann = driver.enter("ann");
  LobbyMirror mirror;
  mirror.take(watch(ann));
  EXPECT_FALSE(mirror.is_complete());
  driver.host().reading_paused(ann, true, driver.now());
  driver.ask(owners[0], leave_request());
  for (int i = 0; i < 50; ++i) {
    driver.ask(owners[0], create_request("short " + std::to_string(i)));
    driver.ask(owners[0], leave_request());
  }
  driver.host().reading_paused(ann, false, driver.now());
  driver.pass(interval * 30);
  for (const v1::LobbyUpdate& update : news(ann)) mirror.take(update);
  EXPECT_TRUE(mirror.is_complete());
  EXPECT_EQ(mirror.rooms().size(), 4u);
  EXPECT_FALSE(mirror.rooms().contains("room 0"));
}

// A long random life of a lobby: in the end, and whenever a message says that it is complete, every
// watcher knows just what ListRooms tells.
TEST_F(LobbyFeedTest, a_complete_client_knows_what_there_is) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    std::mt19937_64 random(seed);
    HostDriver other(config(), seed);
    std::vector<core::ConnectionId> people;
    for (int i = 0; i < 8; ++i) people.push_back(other.enter("p" + std::to_string(i)));
    std::map<std::size_t, LobbyMirror> mirrors;
    const auto listed = [&] {
      std::map<std::string, v1::RoomInfo> rooms;
      std::string after;
      for (bool more = true; more;) {
        const v1::RoomList list = other.ask(people[7], list_request(after)).room_list();
        for (const v1::RoomInfo& room : list.rooms()) rooms[after = room.name()] = room;
        more = list.more();
      }
      return rooms;
    };
    const auto compare = [&](const LobbyMirror& mirror) {
      const auto rooms = listed();
      ASSERT_EQ(mirror.rooms().size(), rooms.size()) << seed;
      for (const auto& [name, room] : rooms) {
        ASSERT_EQ(mirror.rooms().at(name).ShortDebugString(), room.ShortDebugString()) << seed;
      }
    };
    const auto listen = [&] {
      for (std::size_t i = 0; i < people.size(); ++i) {
        bool told = false;
        for (const v1::ServerMessage& message : other.take(people[i])) {
          if (!message.has_lobby_update() || message.lobby_update().stopped()) continue;
          mirrors[i].take(message.lobby_update());
          told = true;
        }
        if (told && mirrors[i].is_complete()) compare(mirrors[i]);
      }
    };
    for (int step = 0; step < 300; ++step) {
      const std::size_t who = random() % 7;
      const std::string room(1, static_cast<char>('a' + random() % 12));
      switch (random() % 8) {
        case 0:
          other.ask(people[who], watch_lobby_request());
          break;
        case 1:
        case 2:
          other.ask(people[who], create_request(room));
          break;
        case 3:
          other.ask(people[who], join_request(room));
          break;
        case 4:
          other.ask(people[who], leave_request());
          break;
        case 5:
          other.ask(people[who], move_request(static_cast<std::uint32_t>(random() % 3),
                                              static_cast<std::uint32_t>(random() % 3)));
          break;
        default:
          other.pass(milliseconds(random() % 300));
          break;
      }
      listen();
    }
    for (int i = 0; i < 20; ++i) {
      other.pass(interval);
      listen();
    }
    for (const auto& [who, mirror] : mirrors) {
      EXPECT_TRUE(mirror.is_complete());
      EXPECT_EQ(mirror.players(), 8u);
      compare(mirror);
    }
  }
}

}  // namespace
}  // namespace tictactoe::test::lobby_feed_tests
