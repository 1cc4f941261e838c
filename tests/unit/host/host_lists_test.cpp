// Lists of players and rooms, and watching the lobby.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/host_driver.hpp"
#include "tests/support/processor_time.hpp"

namespace tictactoe::test::host_lists_tests {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;

// Lists of rooms ----------------------------------------------------------------------------------

server::Config crowded() {
  server::Config config = HostDriver::patient();
  config.limits.requests_per_second = 0;
  config.limits.connections_per_address = 0;
  config.limits.pending_connections = config.limits.connections;
  return config;
}

v1::ClientMessage unlisted(v1::ClientMessage create) {
  create.mutable_create_room()->mutable_options()->set_unlisted(true);
  return create;
}

/// Has a new player create each of these rooms.
void create(HostDriver& driver, int count, const v1::ClientMessage& like) {
  for (int i = 0; i < count; ++i) {
    v1::ClientMessage request = like;
    request.mutable_create_room()->set_name("room " + std::to_string(i));
    ASSERT_TRUE(driver.ask(driver.enter("owner"), request).has_snapshot());
  }
}

/// Fails if the request takes much longer among many rooms of that kind than among few.
void expect_the_same_cost(const v1::ClientMessage& request, const v1::ClientMessage& others) {
  constexpr int few = 4;
  constexpr int many = 4'000;
  constexpr double max = 5;
  std::array<double, 2> seconds{};
  for (const int count : {few, many}) {
    HostDriver driver(crowded());
    create(driver, count, others);
    ASSERT_TRUE(driver.ask(driver.enter("owner"), create_request("zoo")).has_snapshot());
    seconds[count == many ? 1 : 0] = seconds_of([&, ann = driver.enter("ann")] {
      driver.ask(ann, request);
      driver.take(ann);
    });
  }
  EXPECT_LT(seconds[1], max * seconds[0]);
}

TEST(RoomLists, of_open_rooms_cost_the_same_among_many_rooms_with_a_password) {
  expect_the_same_cost(list_request("", true), create_request("", "password"));
}

TEST(RoomLists, cost_the_same_among_many_unlisted_rooms) {
  expect_the_same_cost(list_request(), unlisted(create_request("")));
}

TEST(RoomLists, of_the_lobby_cost_the_same_among_many_unlisted_rooms) {
  expect_the_same_cost(watch_lobby_request(), unlisted(create_request("")));
}

TEST(RoomLists, of_the_lobby_cost_what_single_pages_cost) {
  server::Config config = crowded();
  config.limits.requests_per_second = 1;
  config.limits.request_burst = 100;
  config.limits.rooms_per_list = 3;
  HostDriver driver(config);
  create(driver, 20, create_request(""));
  const auto ann = driver.enter("ann");
  const auto bob = driver.enter("bob");
  const auto carol = driver.enter("carol");
  for (const auto id : {ann, bob}) driver.ask(id, watch_lobby_request());
  driver.ask(carol, watch_lobby_request(true));  // costs as much
  driver.pass(std::chrono::seconds(2));
  EXPECT_TRUE(driver.inbox(bob).back().lobby_update().complete());
  // Six more pages, each made for one of the two.
  const int both = driver.tokens(ann) + driver.tokens(bob);
  EXPECT_EQ(both, 2 * driver.tokens(carol) - 6 * 4);
}

/// All pages of a list.
std::vector<v1::RoomInfo> rooms(HostDriver& driver, server::ConnectionId who, bool open_only) {
  std::vector<v1::RoomInfo> all;
  std::string after;
  for (bool more = true; more;) {
    const v1::RoomList list = driver.ask(who, list_request(after, open_only)).room_list();
    EXPECT_LE(list.rooms_size(), 3);
    EXPECT_TRUE(list.rooms_size() == 3 || !list.more());
    for (const v1::RoomInfo& room : list.rooms()) {
      EXPECT_GT(room.name(), after);
      after = room.name();
      all.push_back(room);
    }
    more = list.more();
  }
  return all;
}

/// What v1::ListRooms says of open rooms, as far as a client can know it.
bool is_open(const v1::RoomInfo& room) {
  if (room.needs_password()) return false;
  const auto kinds = {room.x().kind(), room.o().kind()};
  if (std::ranges::count(kinds, v1::Occupant::KIND_OPEN) > 0) return true;
  const bool between_games = room.ply() == 0 || room.phase() == v1::PHASE_FINISHED;
  return between_games && room.options().open_ai_seats() &&
         std::ranges::count(kinds, v1::Occupant::KIND_AI) > 0;
}

v1::ClientMessage random_request(std::mt19937_64& random) {
  const std::string room(1, static_cast<char>('a' + random() % 12));
  const auto seat = static_cast<v1::Mark>(random() % 3);
  switch (random() % 9) {
    case 0:
    case 1: {
      v1::ClientMessage request = create_request(room, random() % 4 == 0 ? "pw" : "");
      request.mutable_create_room()->mutable_options()->set_open_ai_seats(random() % 2 == 0);
      request.mutable_create_room()->mutable_options()->set_unlisted(random() % 4 == 0);
      return request;
    }
    case 2:
      return join_request(room, seat, "pw");
    case 3:
      return watch_request(room, "pw");
    case 4:
      return leave_request();
    case 5:
      return add_ai_request(seat, "random");
    case 6:
      return remove_ai_request(seat);
    default:
      return move_request(static_cast<std::uint32_t>(random() % 3),
                          static_cast<std::uint32_t>(random() % 3));
  }
}

TEST(RoomLists, of_open_rooms_have_those_of_the_whole_list_that_are_open) {
  server::Config config = crowded();
  config.limits.rooms_per_list = 3;
  config.limits.default_grace = std::chrono::milliseconds(0);
  std::size_t open_rooms = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    HostDriver driver(config, seed);
    const auto reader = driver.enter("reader");
    std::vector<server::ConnectionId> people;
    for (int i = 0; i < 9; ++i) people.push_back(driver.enter("p" + std::to_string(i)));
    for (int step = 0; step < 200; ++step) {
      auto& who = people[random() % people.size()];
      if (random() % 20 == 0) {
        const std::string token = driver.token(who);
        driver.disconnect(who);
        if (random() % 2 == 0) driver.pass(std::chrono::seconds(1));
        who = driver.come_back(token);
      } else {
        driver.ask(who, random_request(random));
      }
      driver.pass(std::chrono::milliseconds(random() % 500));
      std::vector<std::string> expected;
      for (const v1::RoomInfo& room : rooms(driver, reader, false)) {
        if (is_open(room)) expected.push_back(room.ShortDebugString());
      }
      std::vector<std::string> listed;
      for (const v1::RoomInfo& room : rooms(driver, reader, true)) {
        listed.push_back(room.ShortDebugString());
      }
      open_rooms += listed.size();
      ASSERT_EQ(listed, expected) << "seed " << seed << ", step " << step;
    }
  }
  EXPECT_GT(open_rooms, 1'000u) << "the test has rooms to list";
}

// Watching the lobby ------------------------------------------------------------------------------

/// The list of rooms as a client knows it.
class LobbyMirror {
 public:
  void take(const v1::LobbyUpdate& update) {
    if (update.reset()) rooms_.clear();
    for (const std::string& name : update.closed()) rooms_.erase(name);
    for (const v1::RoomInfo& room : update.rooms()) rooms_[room.name()] = room;
    complete_ = update.complete();
    players_ = update.players();
  }
  const std::map<std::string, v1::RoomInfo>& rooms() const { return rooms_; }
  bool is_complete() const { return complete_; }
  std::uint32_t players() const { return players_; }

 private:
  std::map<std::string, v1::RoomInfo> rooms_;
  bool complete_ = false;
  std::uint32_t players_ = 0;
};

class LobbyFeedTest : public testing::Test {
 protected:
  static server::Config config() {
    server::Config config = HostDriver::patient();
    config.limits.requests_per_second = 0;
    config.limits.rooms_per_list = 3;
    config.limits.rooms = 20;
    config.limits.rooms_per_player = 20;
    config.limits.connections_per_address = 0;
    config.limits.default_grace = std::chrono::milliseconds(0);
    return config;
  }

  server::ConnectionId create(const std::string& room, const std::string& password = {}) {
    const auto id = driver.enter("owner of " + room);
    EXPECT_TRUE(driver.ask(id, create_request(room, password)).has_snapshot());
    return id;
  }
  v1::LobbyUpdate watch(server::ConnectionId id) {
    const v1::ServerMessage answer = driver.ask(id, watch_lobby_request());
    EXPECT_TRUE(answer.has_lobby_update());
    driver.take(id);
    return answer.lobby_update();
  }
  std::vector<v1::LobbyUpdate> news(server::ConnectionId id) {
    std::vector<v1::LobbyUpdate> updates;
    for (const v1::ServerMessage& message : driver.take(id)) {
      if (message.has_lobby_update()) updates.push_back(message.lobby_update());
    }
    return updates;
  }

  HostDriver driver{config()};
  const std::chrono::milliseconds interval = config().limits.lobby_update;
};

TEST_F(LobbyFeedTest, boards_come_to_those_who_ask_for_them) {
  const auto owner = create("den");
  const auto guest = driver.enter("guest");
  const auto plain = driver.enter("plain");
  const auto ann = driver.enter("ann");
  watch(plain);
  v1::ClientMessage request = watch_lobby_request();
  request.mutable_watch_lobby()->set_boards(true);
  EXPECT_EQ(driver.ask(ann, request).lobby_update().rooms(0).marks(), "");
  driver.take(ann);
  driver.ask(guest, join_request("den"));
  driver.pass(interval);
  EXPECT_EQ(news(ann)[0].rooms(0).marks(), "") << "the board is empty";
  driver.ask(owner, move_request(0, 1));
  driver.ask(guest, move_request(2, 2));
  driver.pass(interval);
  EXPECT_EQ(news(ann)[0].rooms(0).marks(), (std::string{1 << 2, 0, 2}));
  for (const v1::LobbyUpdate& update : news(plain)) {
    for (const v1::RoomInfo& room : update.rooms()) EXPECT_EQ(room.marks(), "");
  }
  // Also on a page, and in the next game, in which O begins.
  driver.ask(owner, resign_request());
  driver.ask(owner, rematch_request());
  driver.ask(guest, rematch_request());
  driver.ask(guest, move_request(0, 0));
  EXPECT_EQ(driver.ask(ann, request).lobby_update().rooms(0).marks(), (std::string{2, 0, 0}));
}

TEST_F(LobbyFeedTest, boards_of_private_rooms_and_large_boards_are_not_shown) {
  const auto begin = [&](v1::ClientMessage create, const std::string& name) {
    const auto owner = driver.enter("owner of " + name);
    EXPECT_TRUE(driver.ask(owner, create).has_snapshot());
    EXPECT_TRUE(driver.ask(owner, add_ai_request(v1::MARK_NONE)).has_update());
    EXPECT_TRUE(driver.ask(owner, move_request(0, 0)).has_update());
  };
  begin(create_request("secret", "swordfish"), "secret");
  begin(create_request("large", rules::Rules{15, 16, 5}), "large");
  begin(create_request("full", rules::Rules{15, 15, 5}), "full");
  v1::ClientMessage request = watch_lobby_request();
  request.mutable_watch_lobby()->set_boards(true);
  std::map<std::string, std::size_t> bytes;
  const auto answer = driver.ask(driver.enter("ann"), request);
  for (const auto& room : answer.lobby_update().rooms()) {
    bytes[room.name()] = room.marks().size();
  }
  EXPECT_EQ(bytes, (std::map<std::string, std::size_t>{{"full", 57}, {"large", 0}, {"secret", 0}}));
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
  static server::Config wide() {
    server::Config wide = config();
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
  const server::ConnectionId owner = other.enter("owner");
  std::vector<server::ConnectionId> watchers;
};

TEST_F(CrowdedLobbyTest, many_watchers_are_updated_in_slices) {
  fill(600);
  other.ask(owner, create_request("den"));
  const server::Time due = other.host().next_deadline().value();
  std::size_t told = 0;
  int slices = 0;
  while (other.host().next_deadline() && *other.host().next_deadline() <= due) {
    other.host().deadline_reached(due);
    std::size_t in_slice = 0;
    for (const server::Effect& effect : other.host().effects().list()) {
      if (std::holds_alternative<server::Send>(effect)) ++in_slice;
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
  std::vector<server::ConnectionId> owners;
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
    std::vector<server::ConnectionId> people;
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

// Watching a lobby that several servers share -----------------------------------------------------

class LobbyOfServersTest : public LobbyFeedTest {
 protected:
  static server::RoomElsewhere room(const std::string& name, std::uint32_t watchers = 0) {
    auto info = std::make_shared<v1::RoomInfo>();
    info->set_name(name);
    info->set_watchers(watchers);
    return {name, 7, std::move(info)};
  }
  static server::RoomElsewhere gone(const std::string& name) { return {name, 7, nullptr}; }
  void follow(std::vector<server::RoomElsewhere> rooms) {
    driver.host().apply({{}, std::move(rooms), {}, 1, {}}, driver.now());
    driver.collect();
  }
  /// All that is there.
  void catch_up(server::ConnectionId id, LobbyMirror& mirror) {
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
  driver.host().apply({{}, {}, 41, 1, {}}, driver.now());
  driver.collect();
  driver.pass(interval);
  const auto updates = news(ann);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_EQ(updates[0].players(), 42u);
  driver.host().apply({{}, {}, 41, 1, {}}, driver.now());
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
}  // namespace tictactoe::test::host_lists_tests
