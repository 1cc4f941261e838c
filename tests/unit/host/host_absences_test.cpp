// Rooms that are held for players who are away: for how long, and how many.
#include <gtest/gtest.h>

#include "tests/support/host_driver.hpp"
#include "tests/support/ledger.hpp"

namespace tictactoe::test::host_absences_tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using v1::Error;

v1::ClientMessage create_held(const std::string& name) {
  v1::ClientMessage request = create_request(name);
  request.mutable_create_room()->mutable_options()->set_away(v1::AWAY_HOLD);
  return request;
}

/// Somebody new from there, and the token.
struct Guest {
  Guest(HostDriver& driver, core::Origin origin) : id(driver.connect(origin)) {
    token = driver.ask(id, hello_request("guest")).welcome().token();
  }
  core::ConnectionId id;
  std::string token;
};

/// Leaves a game against an AI behind.
Guest leave_behind(HostDriver& driver, const std::string& room, core::Origin origin = {1, 1}) {
  Guest guest(driver, origin);
  EXPECT_TRUE(driver.ask(guest.id, create_held(room)).has_snapshot());
  driver.ask(guest.id, add_ai_request(v1::MARK_O));
  EXPECT_TRUE(driver.ask(guest.id, move_request(0, 0)).has_update());
  driver.disconnect(guest.id);
  return guest;
}

/// A game between two people, both of whom are away. Returns the first.
Guest leave_two_behind(HostDriver& driver, const std::string& room, core::Origin origin = {1, 1}) {
  Guest first(driver, origin);
  Guest second(driver, origin);
  EXPECT_TRUE(driver.ask(first.id, create_held(room)).has_snapshot());
  EXPECT_TRUE(driver.ask(second.id, join_request(room)).has_snapshot());
  EXPECT_TRUE(driver.ask(first.id, move_request(0, 0)).has_update());
  driver.disconnect(first.id);
  driver.disconnect(second.id);
  return first;
}

journal::v1::Saved saved(const HostDriver& driver) {
  return Ledger(driver.records).saved();
}

/// Another host, from what was recorded by the one before, at the same time.
std::unique_ptr<HostDriver> restart(const HostDriver& driver, const journal::v1::Saved& saved,
                                    const core::Config& with = HostDriver::recording()) {
  auto next = std::make_unique<HostDriver>(with, 2);
  next->pass(std::chrono::duration_cast<milliseconds>(driver.now() - next->now()));
  EXPECT_TRUE(next->host().restore(saved, next->now()).refused.empty());
  next->collect();
  return next;
}

// How long ----------------------------------------------------------------------------------------

TEST(Absences, from_a_game_against_an_ai_last_ten_minutes) {
  HostDriver driver(HostDriver::recording());
  leave_behind(driver, "den");
  driver.pass(minutes(10) - milliseconds(1));
  EXPECT_EQ(driver.host().rooms(), 1u);
  driver.pass(milliseconds(1));
  EXPECT_EQ(driver.host().rooms(), 0u);
}

TEST(Absences, become_as_short_when_the_opponent_hands_the_seat_to_an_ai_or_leaves) {
  for (const bool leaves : {false, true}) {
    HostDriver driver(HostDriver::recording());
    const Guest first(driver, {1, 1});
    const Guest second(driver, {1, 1});
    driver.ask(first.id, create_held("den"));
    driver.ask(second.id, join_request("den"));
    driver.ask(first.id, move_request(0, 0));
    driver.disconnect(first.id);
    driver.ask(second.id, leaves ? leave_request() : add_ai_request(v1::MARK_O));
    driver.disconnect(second.id);
    driver.pass(leaves ? HostDriver::recording().limits.default_grace : milliseconds(minutes(10)));
    EXPECT_EQ(driver.host().rooms(), 0u);
  }
}

TEST(Absences, are_not_prolonged_by_a_restart) {
  HostDriver driver(HostDriver::recording());
  leave_behind(driver, "den");
  driver.pass(minutes(6));
  auto next = restart(driver, saved(driver));
  next->pass(minutes(4) - milliseconds(1));
  EXPECT_EQ(next->host().rooms(), 1u);
  next->pass(milliseconds(1));
  EXPECT_EQ(next->host().rooms(), 0u);
}

TEST(Absences, end_after_a_restart_no_earlier_than_players_can_come_back) {
  HostDriver driver(HostDriver::recording());
  const Guest guest = leave_behind(driver, "den");
  driver.pass(minutes(10) - seconds(1));
  auto next = restart(driver, saved(driver));
  next->pass(HostDriver::recording().limits.restart_grace - milliseconds(1));
  EXPECT_EQ(next->host().rooms(), 1u);
  next->come_back(guest.token);
  next->pass(minutes(30));
  EXPECT_EQ(next->host().rooms(), 1u);
}

TEST(Absences, in_a_game_begin_with_the_restart_for_the_time_of_the_room) {
  HostDriver driver(HostDriver::recording());
  const auto alice = driver.enter("alice");
  v1::ClientMessage request = create_request("den");
  request.mutable_create_room()->mutable_options()->set_grace_ms(600'000);
  ASSERT_TRUE(driver.ask(alice, request).has_snapshot());
  const auto bob = driver.enter("bob");
  ASSERT_TRUE(driver.ask(bob, join_request("den")).has_snapshot());
  ASSERT_TRUE(driver.ask(alice, move_request(0, 0)).has_update());
  const std::string token = driver.token(bob);
  driver.disconnect(alice);
  driver.disconnect(bob);
  // It was stopped overnight.
  driver.pass(seconds(1));
  const journal::v1::Saved before = saved(driver);
  driver.pass(minutes(9));
  auto next = restart(driver, before);
  next->pass(minutes(10) - seconds(1));
  const auto again = next->come_back(token, "den");
  EXPECT_EQ(next->inbox(again).back().snapshot().your_seat(), v1::MARK_O);
  EXPECT_EQ(next->inbox(again).back().snapshot().phase(), v1::PHASE_PLAYING);
}

TEST(Absences, in_a_journal_of_an_older_version_begin_with_the_restart) {
  HostDriver driver(HostDriver::recording());
  leave_behind(driver, "den");
  driver.pass(minutes(6));
  journal::v1::Saved old = saved(driver);
  for (journal::v1::SavedRoom& room : *old.mutable_rooms()) {
    room.mutable_room()->clear_origin();
    room.mutable_room()->mutable_x()->clear_origin();
    room.mutable_room()->mutable_x()->clear_away_until_ms();
  }
  auto next = restart(driver, old);
  next->pass(minutes(10) - milliseconds(1));
  EXPECT_EQ(next->host().rooms(), 1u);
  next->pass(milliseconds(1));
  EXPECT_EQ(next->host().rooms(), 0u);
}

TEST(Absences, use_the_unix_time_in_the_journal) {
  HostDriver driver(HostDriver::recording());
  leave_behind(driver, "den");
  driver.pass(minutes(6));
  // The machine was started again: its steady clock begins elsewhere.
  core::Config moved = HostDriver::recording();
  moved.unix_time_of_zero = std::chrono::hours(-100);
  HostDriver next(moved, 2);
  next.pass(std::chrono::duration_cast<milliseconds>(driver.now() - next.now()) +
            std::chrono::hours(100));
  EXPECT_TRUE(next.host().restore(saved(driver), next.now()).refused.empty());
  next.collect();
  next.pass(minutes(4) - milliseconds(1));
  EXPECT_EQ(next.host().rooms(), 1u);
  next.pass(milliseconds(1));
  EXPECT_EQ(next.host().rooms(), 0u);
}

// How many ----------------------------------------------------------------------------------------

core::Config two_absences() {
  core::Config few = HostDriver::recording();
  few.limits.absences_per_address = 2;
  few.limits.network_factor = 2;
  return few;
}

TEST(Absences, of_one_address_have_a_limit_and_the_longest_ends_first) {
  HostDriver driver(two_absences());
  const Guest watcher(driver, {9, 9});
  leave_behind(driver, "first");
  ASSERT_TRUE(driver.ask(watcher.id, watch_request("first")).has_snapshot());
  leave_behind(driver, "second");
  driver.take(watcher.id);
  leave_behind(driver, "third");
  const auto updates = driver.take_updates(watcher.id);
  ASSERT_EQ(updates.size(), 2u);
  EXPECT_EQ(updates[0].game_ended().outcome().reason(), v1::Outcome::REASON_FORFEIT);
  EXPECT_EQ(updates[1].seat_changed().occupant().kind(), v1::Occupant::KIND_OPEN);
  driver.ask(watcher.id, leave_request());
  EXPECT_EQ(driver.host().rooms(), 2u);
}

TEST(Absences, of_an_address_do_not_end_for_those_of_another_in_its_network) {
  HostDriver driver(two_absences());
  const Guest victim = leave_behind(driver, "victim", {1, 0});
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t address = 2 + static_cast<std::uint64_t>(i % 3);
    leave_behind(driver, "room " + std::to_string(i), {address, 0});
  }
  EXPECT_EQ(driver.host().rooms(), 4u);
  const auto back = driver.come_back(victim.token);
  EXPECT_EQ(driver.ask(back, snapshot_request()).snapshot().name(), "victim");
}

core::Config eight_absences() {
  core::Config few = HostDriver::recording();
  few.limits.absences_per_address = 8;
  few.limits.network_factor = 2;
  return few;
}

bool has_seat(HostDriver& driver, const Guest& guest) {
  const auto back = driver.come_back(guest.token);
  return driver.ask(back, snapshot_request()).has_snapshot();
}

TEST(Absences, up_to_a_quarter_of_an_address_do_not_end_for_many_other_addresses) {
  HostDriver driver(eight_absences());
  const Guest first = leave_behind(driver, "first", {1, 0});
  const Guest second = leave_behind(driver, "second", {1, 0});
  for (std::uint64_t address = 2; address < 60; ++address) {
    leave_behind(driver, "room " + std::to_string(address), {address, 0});
  }
  EXPECT_EQ(driver.host().rooms(), 16u);
  EXPECT_TRUE(has_seat(driver, first));
  EXPECT_TRUE(has_seat(driver, second));
}

TEST(Absences, of_few_addresses_do_not_keep_others_of_the_network_from_theirs) {
  HostDriver driver(eight_absences());
  for (int i = 0; i < 16; ++i) {
    leave_behind(driver, "room " + std::to_string(i), {static_cast<std::uint64_t>(i % 2), 0});
  }
  const Guest first = leave_behind(driver, "first", {2, 0});
  const Guest second = leave_behind(driver, "second", {3, 0});
  EXPECT_EQ(driver.host().rooms(), 16u);
  EXPECT_TRUE(has_seat(driver, first));
  EXPECT_TRUE(has_seat(driver, second));
}

TEST(Absences, of_a_full_network_are_refused_to_the_address_that_adds_one) {
  HostDriver driver(eight_absences());
  std::vector<Guest> guests;
  for (std::uint64_t address = 1; address <= 8; ++address) {
    for (const char* room : {"a", "b"}) {
      guests.push_back(leave_behind(driver, room + std::to_string(address), {address, 0}));
    }
  }
  const Guest last = leave_behind(driver, "last", {1, 0});
  EXPECT_FALSE(has_seat(driver, last));
  for (const Guest& guest : guests) EXPECT_TRUE(has_seat(driver, guest));
}

TEST(Absences, of_others_do_not_end) {
  HostDriver driver(two_absences());
  leave_two_behind(driver, "theirs", {1, 1});
  for (int i = 0; i < 10; ++i) leave_behind(driver, "mine " + std::to_string(i), {2, 2});
  EXPECT_EQ(driver.host().rooms(), 3u);
}

TEST(Absences, that_are_over_do_not_count) {
  HostDriver driver(two_absences());
  for (int i = 0; i < 6; ++i) {
    const Guest guest = leave_behind(driver, "room " + std::to_string(i));
    if (i < 4) driver.come_back(guest.token);
  }
  EXPECT_EQ(driver.host().rooms(), 6u);
}

TEST(Absences, count_after_a_restart) {
  HostDriver driver(two_absences());
  leave_two_behind(driver, "first");
  auto next = restart(driver, saved(driver), two_absences());
  EXPECT_EQ(next->host().rooms(), 1u);
  leave_behind(*next, "second");
  leave_behind(*next, "third");
  EXPECT_EQ(next->host().rooms(), 2u) << "both seats of the first are open";
}

// Rooms -------------------------------------------------------------------------------------------

core::Config two_rooms() {
  core::Config few = HostDriver::recording();
  few.limits.rooms_per_address = 2;
  return few;
}

TEST(RoomsOfAnAddress, have_a_limit) {
  HostDriver driver(two_rooms());
  for (int i = 0; i < 2; ++i) {
    const Guest guest(driver, {1, 1});
    ASSERT_TRUE(driver.ask(guest.id, create_request("room " + std::to_string(i))).has_snapshot());
  }
  const Guest third(driver, {1, 1});
  EXPECT_EQ(driver.ask(third.id, create_request("third")).error().code(),
            Error::CODE_TOO_MANY_ROOMS);
  EXPECT_EQ(driver.host().rooms(), 2u);
  const Guest other(driver, {2, 2});
  EXPECT_TRUE(driver.ask(other.id, create_request("third")).has_snapshot())
      << "the name is not taken";
}

TEST(RoomsOfAnAddress, that_are_closed_do_not_count) {
  HostDriver driver(two_rooms());
  const Guest guest(driver, {1, 1});
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(driver.ask(guest.id, create_request("den")).has_snapshot());
    driver.ask(guest.id, leave_request());
  }
}

TEST(RoomsOfAnAddress, count_after_a_restart) {
  HostDriver driver(two_rooms());
  leave_behind(driver, "first");
  leave_behind(driver, "second");
  auto next = restart(driver, saved(driver), two_rooms());
  const Guest guest(*next, {1, 1});
  EXPECT_EQ(next->ask(guest.id, create_request("third")).error().code(),
            Error::CODE_TOO_MANY_ROOMS);
  next->pass(minutes(11));
  EXPECT_TRUE(next->ask(guest.id, create_request("third")).has_snapshot());
}

}  // namespace
}  // namespace tictactoe::test::host_absences_tests
