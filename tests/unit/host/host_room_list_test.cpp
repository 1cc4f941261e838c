// Lists of rooms: what is in them, and that they cost the same however many other rooms there are.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <random>

#include "tests/support/host_driver.hpp"
#include "tests/support/processor_time.hpp"

namespace tictactoe::test::host_room_list_tests {
namespace {

core::Config crowded() {
  core::Config config = HostDriver::patient();
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
  constexpr double most = 5;
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
  EXPECT_LT(seconds[1], most * seconds[0]);
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
  core::Config config = crowded();
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
std::vector<v1::RoomInfo> rooms(HostDriver& driver, core::ConnectionId who, bool open_only) {
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
  core::Config config = crowded();
  config.limits.rooms_per_list = 3;
  config.limits.default_grace = std::chrono::milliseconds(0);
  std::size_t open_rooms = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    HostDriver driver(config, seed);
    const auto reader = driver.enter("reader");
    std::vector<core::ConnectionId> people;
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

}  // namespace
}  // namespace tictactoe::test::host_room_list_tests
