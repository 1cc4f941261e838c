// After the server was gone: what it has recorded is there again.
#include <gtest/gtest.h>

#include "tests/support/host_driver.hpp"
#include "tests/support/ledger.hpp"
#include "tests/support/records.hpp"
#include "tests/support/two_players.hpp"

namespace tictactoe::test::host_restart_tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using v1::Error;

journal::v1::Saved saved(const HostDriver& driver) {
  return Ledger(driver.records).saved();
}

/// Another host, from what was recorded by the one before, at the same time.
std::unique_ptr<HostDriver> restart(const HostDriver& driver, const journal::v1::Saved& saved,
                                    const server::Config& with = HostDriver::recording()) {
  auto next = std::make_unique<HostDriver>(with, 2);
  next->pass(std::chrono::duration_cast<milliseconds>(driver.now() - next->now()));
  EXPECT_TRUE(next->host().restore(saved, next->now()).refused.empty());
  next->collect();
  return next;
}

class RestartTest : public TwoPlayersTest {
 protected:
  void begin(std::uint32_t grace_ms = 1000) {
    v1::ClientMessage create = create_request("den");
    create.mutable_create_room()->mutable_options()->set_grace_ms(grace_ms);
    driver.ask(alice, create);
    driver.ask(bob, join_request("den"));
    driver.ask(alice, move_request(0, 0));
    driver.take(alice);
    driver.take(bob);
  }
  /// Whether somebody of that name gets it, or finds it taken by a player who is known.
  static bool is_free(HostDriver& driver, const std::string& name) {
    const auto id = driver.connect();
    return driver.ask(id, hello_request(name)).welcome().player_name() == name;
  }
  static server::Config for_two() {
    server::Config config = HostDriver::recording();
    config.limits.players = 2;
    return config;
  }
  std::unique_ptr<HostDriver> restart(const server::Config& with = HostDriver::recording()) {
    return host_restart_tests::restart(driver, saved(driver), with);
  }
};

// Found by the simulation: who left in a stall lost time although it stood still.
TEST_F(RestartTest, a_stall_prolongs_the_time_in_which_absent_players_lose_none) {
  v1::ClientMessage create = create_request("den");
  create.mutable_create_room()->mutable_options()->mutable_time()->set_game_ms(60'000);
  create.mutable_create_room()->mutable_options()->set_grace_ms(600'000);
  driver.ask(alice, create);
  driver.ask(bob, join_request("den"));
  driver.ask(alice, move_request(0, 0));
  const auto next = restart();
  const auto ann = next->come_back(driver.token(alice), "den", 0);
  const auto ben = next->come_back(driver.token(bob), "den", 0);
  const auto left = [&] { return next->ask(ann, snapshot_request()).snapshot().clocks().o_ms(); };
  const auto record_as = [&](server::JournalHealth health) {
    next->host().set_journal_health(health, next->now());
    next->collect();
  };
  record_as(server::JournalHealth::stalled);
  next->pass(seconds(130));
  next->disconnect(ben);
  record_as(server::JournalHealth::good);
  const auto before = left();
  next->pass(seconds(50));
  EXPECT_EQ(left(), before);
  next->pass(seconds(80));
  EXPECT_LT(left(), before) << "the time to come back has ended";
}

TEST_F(RestartTest, everything_is_as_it_was) {
  v1::ClientMessage request = create_request("den", rules::Rules{5, 6, 4, false});
  request.mutable_create_room()->set_password("pw");
  ASSERT_TRUE(driver.ask(alice, request).has_snapshot());
  driver.ask(bob, join_request("den", v1::MARK_O, "pw"));
  driver.ask(alice, move_request(0, 0));
  driver.ask(bob, move_request(1, 1));
  driver.ask(bob, chat_request("hi"));
  driver.ask(alice, draw_request());
  v1::RoomSnapshot before = room_of(alice);
  const auto next = restart();
  const auto again = next->come_back(driver.token(alice), "den", before.revision());
  EXPECT_TRUE(next->inbox(again).back().has_snapshot()) << "no update is left to be sent";
  v1::RoomSnapshot after = next->ask(again, snapshot_request()).snapshot();
  EXPECT_GT(after.revision(), before.revision() + 1000);
  EXPECT_TRUE(after.o().away()) << "bob is not back yet";
  next->come_back(driver.token(bob), "den", before.revision());
  after = next->ask(again, snapshot_request()).snapshot();
  before.clear_revision();
  after.clear_revision();
  EXPECT_EQ(after.ShortDebugString(), before.ShortDebugString());
  const auto carol = next->enter("carol");
  EXPECT_EQ(next->ask(carol, watch_request("den")).error().code(), Error::CODE_WRONG_PASSWORD);
  EXPECT_TRUE(next->ask(carol, watch_request("den", "pw")).has_snapshot());
}

TEST_F(RestartTest, an_unlisted_room_stays_out_of_the_list) {
  v1::ClientMessage create = create_request("den");
  create.mutable_create_room()->mutable_options()->set_unlisted(true);
  driver.ask(alice, create);
  driver.ask(bob, create_request("attic"));
  const auto next = restart();
  const auto rooms = next->ask(next->enter("carol"), list_request()).room_list().rooms();
  ASSERT_EQ(rooms.size(), 1);
  EXPECT_EQ(rooms[0].name(), "attic");
}

TEST_F(RestartTest, an_ai_that_stood_in_still_does) {
  v1::ClientMessage create = create_request("den");
  create.mutable_create_room()->mutable_options()->set_away(v1::AWAY_AI);
  create.mutable_create_room()->mutable_options()->set_grace_ms(1000);
  driver.ask(alice, create);
  driver.ask(bob, join_request("den"));
  driver.ask(alice, move_request(0, 0));
  driver.disconnect(alice);
  driver.pass(seconds(1));
  ASSERT_EQ(room().x().ai_level(), "6");
  const auto next = restart();
  const auto again = next->come_back(driver.token(bob), "den", 0);
  EXPECT_EQ(next->ask(again, snapshot_request()).snapshot().x().ai_level(), "6");
}

TEST_F(RestartTest, a_move_sent_again_is_still_one_move) {
  begin();
  v1::ClientMessage move = move_request(1, 1);
  move.mutable_move()->set_game(1);
  move.mutable_move()->set_ply(1);
  ASSERT_TRUE(driver.ask(bob, move).has_update());
  const auto next = restart();
  const auto again = next->come_back(driver.token(bob), "den", 0);
  const v1::ServerMessage answer = next->ask(again, move);
  EXPECT_EQ(answer.snapshot().moves_size(), 2);
}

TEST_F(RestartTest, games_that_were_over_stay_over_however_they_ended) {
  begin();
  driver.ask(bob, resign_request());
  const v1::RoomSnapshot before = room_of(alice);
  const auto next = restart();
  const auto again = next->come_back(driver.token(alice));
  const v1::RoomSnapshot after = next->ask(again, snapshot_request()).snapshot();
  EXPECT_EQ(after.outcome().ShortDebugString(), before.outcome().ShortDebugString());
  EXPECT_EQ(after.score().x(), 1u);
  EXPECT_TRUE(next->ask(again, rematch_request()).has_update());
}

TEST_F(RestartTest, revisions_are_never_used_twice) {
  begin();
  auto first = restart();
  Ledger ledger(driver.records);
  for (const journal::v1::Record& record : first->records) ledger.apply(record);
  HostDriver second(HostDriver::recording());
  ASSERT_TRUE(second.host().restore(ledger.saved(), second.now()).refused.empty());
  const auto one = first->ask(first->come_back(driver.token(alice)), snapshot_request());
  const auto two = second.ask(second.come_back(driver.token(alice)), snapshot_request());
  EXPECT_GT(two.snapshot().revision(), one.snapshot().revision() + 1000);
}

TEST_F(RestartTest, nobody_loses_a_seat_for_a_while) {
  begin(0);
  const auto next = restart();
  next->pass(milliseconds(119'999));
  EXPECT_EQ(next->host().rooms(), 1u);
  next->pass(milliseconds(1));
  EXPECT_EQ(next->host().rooms(), 0u);
}

TEST_F(RestartTest, only_hashes_of_secrets_are_written_down) {
  driver.ask(alice, create_request("den", "swordfish"));
  for (const journal::v1::Record& record : driver.records) {
    EXPECT_EQ(record.SerializeAsString().find(driver.token(alice)), std::string::npos);
    EXPECT_EQ(record.SerializeAsString().find("swordfish"), std::string::npos);
  }
}

TEST_F(RestartTest, players_who_have_played_are_kept_before_those_who_have_not) {
  driver.ask(alice, create_request("den"));
  driver.ask(bob, join_request("den"));
  driver.send_bytes(alice, move_request(0, 0).SerializeAsString());  // a request without an id
  driver.ask(bob, leave_request());
  driver.ask(alice, leave_request());
  const auto next = restart(for_two());
  next->disconnect(next->enter("carol"));
  EXPECT_TRUE(is_free(*next, "bob"));
  EXPECT_FALSE(is_free(*next, "alice"));
}

TEST_F(RestartTest, a_clock_waits_for_players_to_come_back_and_longer_if_the_disk_stalls) {
  for (const bool stalls : {false, true}) {
    HostDriver before(HostDriver::recording());
    const auto ann = before.enter("ann");
    const auto ben = before.enter("ben");
    v1::ClientMessage request = create_request("den");
    request.mutable_create_room()->mutable_options()->mutable_time()->set_move_ms(5'000);
    before.ask(ann, request);
    before.ask(ben, join_request("den"));
    const auto next = host_restart_tests::restart(before, saved(before));
    const auto again = next->come_back(before.token(ben));
    next->pass(seconds(60));
    if (stalls) {
      next->host().set_journal_health(server::JournalHealth::stalled, next->now());
      next->pass(seconds(100));
      next->host().set_journal_health(server::JournalHealth::good, next->now());
      next->collect();
    }
    const auto room = [&] { return next->ask(again, snapshot_request()).snapshot(); };
    next->pass(seconds(59));
    EXPECT_EQ(room().clocks().x_ms(), 5'000u);
    next->come_back(before.token(ann));
    next->pass(server::Limits().first_move_grace + milliseconds(4'999));
    EXPECT_EQ(room().phase(), v1::PHASE_PLAYING);
    next->pass(milliseconds(1));
    EXPECT_EQ(room().outcome().winner(), v1::MARK_O);
  }
}

TEST_F(RestartTest, takes_what_is_valid_and_reports_the_rest) {
  using Kind = server::RestoreReport::Kind;
  begin();
  const auto carol = driver.enter("carol");
  driver.ask(carol, create_request("attic"));
  const Ledger ledger(driver.records);
  const journal::v1::Saved valid = ledger.saved();
  ASSERT_EQ(valid.players_size(), 3);
  ASSERT_EQ(valid.rooms_size(), 2);
  // Returns what is refused: "p2" for player 2, "r1" for room 1. The rest is there and works.
  const auto refused = [&](auto damage) {
    journal::v1::Saved saved = valid;
    damage(saved);
    HostDriver next(HostDriver::recording(), 2);  // with tokens of its own
    std::string result;
    std::size_t players = 0;
    for (const auto& one : next.host().restore(saved, next.now()).refused) {
      EXPECT_FALSE(one.why.empty());
      result += (one.kind == Kind::player ? "p" : "r") + std::to_string(one.id) + " ";
      if (one.kind == Kind::player) ++players;
    }
    next.collect();
    EXPECT_EQ(next.host().players() + players, static_cast<std::size_t>(saved.players_size()));
    EXPECT_EQ(next.ask(next.come_back(driver.token(carol)), snapshot_request()).snapshot().name(),
              "attic");
    EXPECT_TRUE(next.ask(next.enter("dave"), create_request("fresh")).has_snapshot());
    // The journal knows afterwards only what the host knows.
    Ledger after(saved);
    for (const journal::v1::Record& record : next.records) after.apply(record);
    HostDriver third(HostDriver::recording(), 3);
    EXPECT_TRUE(third.host().restore(after.saved(), third.now()).refused.empty()) << result;
    return result;
  };
  EXPECT_EQ(refused([](auto&) {}), "");
  EXPECT_EQ(refused([](auto& saved) { saved.mutable_players(1)->set_name("alice"); }), "p2 r1 ");
  EXPECT_EQ(refused([](auto& saved) { saved.mutable_players(1)->set_name("\x1b[31mred"); }),
            "p2 r1 ");
  EXPECT_EQ(refused([](auto& saved) { saved.mutable_players(1)->set_token_hash("short"); }),
            "p2 r1 ");
  EXPECT_EQ(refused([](auto& saved) { saved.mutable_players()->DeleteSubrange(1, 1); }), "r1 ");
  const auto room = [&](auto damage) {
    return refused([&](auto& saved) { damage(*saved.mutable_rooms(0)); });
  };
  EXPECT_EQ(room([](auto& den) { den.mutable_moves(0)->set_cell(9); }), "r1 ");
  EXPECT_EQ(room([](auto& den) { den.mutable_moves(0)->set_ply(2); }), "r1 ");
  EXPECT_EQ(room([](auto& den) {
              *den.add_moves() = den.moves(0);
              den.mutable_moves(1)->set_ply(2);
            }),
            "r1 ");
  EXPECT_EQ(room([](auto& den) { den.mutable_room()->mutable_rules()->set_k(4); }), "r1 ");
  EXPECT_EQ(room([](auto& den) { den.mutable_room()->set_game(0); }), "r1 ");
  EXPECT_EQ(room([](auto& den) { den.mutable_room()->set_name("attic\n"); }), "r1 ");
  EXPECT_EQ(room([](auto& den) { den.mutable_room()->clear_starter(); }), "r1 ");
  EXPECT_EQ(
      room([](auto& den) { den.mutable_room()->mutable_o()->set_player(den.room().x().player()); }),
      "r1 ");
}

TEST_F(RestartTest, of_two_with_one_number_or_name_the_first_is_taken) {
  begin();
  const Ledger ledger(driver.records);
  journal::v1::Saved saved = ledger.saved();
  *saved.add_rooms() = saved.rooms(0);
  *saved.add_players() = saved.players(0);
  HostDriver next(HostDriver::recording());
  const auto report = next.host().restore(saved, next.now());
  next.collect();
  EXPECT_EQ(report.refused.size(), 2u);
  EXPECT_EQ(next.host().players(), 2u);
  const auto again = next.come_back(driver.token(alice));
  EXPECT_EQ(next.ask(again, snapshot_request()).snapshot().moves_size(), 1);
}

// The counters of rooms and requests
// -------------------------------------------------------------------------

TEST_F(RestartTest, a_room_of_a_former_name_does_not_replay_the_former_room) {
  begin();
  driver.ask(bob, chat_request("of the former room"));
  const std::uint64_t seen = room_of(alice).revision();
  driver.ask(alice, leave_request());
  driver.ask(bob, leave_request());
  ASSERT_EQ(driver.host().rooms(), 0u);
  const auto next = restart();
  const auto carol = next->enter("carol");
  const auto again = next->come_back(driver.token(alice));
  ASSERT_TRUE(next->ask(carol, create_request("den")).has_snapshot());
  ASSERT_TRUE(next->ask(again, join_request("den")).has_snapshot());
  EXPECT_GT(next->ask(carol, snapshot_request()).snapshot().revision(), seen);
  for (int i = 0; i < 5; ++i) next->ask(carol, chat_request("of the new room"));
  next->disconnect(again);
  // The client has seen the former room only.
  const auto back = next->come_back(driver.token(alice), "den", seen - 1);
  int updates = 0;
  for (const auto& message : next->inbox(back)) updates += message.has_update() ? 1 : 0;
  EXPECT_EQ(updates, 0);
  EXPECT_TRUE(next->inbox(back).back().has_snapshot());
}

TEST_F(RestartTest, a_refused_room_does_not_give_its_revisions_away) {
  begin();
  const std::uint64_t seen = room_of(alice).revision();
  journal::v1::Saved damaged = saved(driver);
  damaged.mutable_rooms(0)->mutable_room()->set_game(0);
  HostDriver next(HostDriver::recording(), 2);
  EXPECT_EQ(next.host().restore(damaged, next.now()).refused.size(), 1u);
  next.collect();
  const auto carol = next.enter("carol");
  EXPECT_GT(next.ask(carol, create_request("den")).snapshot().revision(), seen + 1'000);
}

// Which requests are done -------------------------------------------------------------------------

class RequestsDoneTest : public testing::Test {
 protected:
  static server::Config config() {
    server::Config config = HostDriver::recording();
    config.server_id = 4711;
    return config;
  }

  /// What the welcome says after the connection was lost.
  std::uint64_t last_done(HostDriver& at, const std::string& secret) {
    const auto id = at.connect();
    v1::ClientMessage hello = hello_request("ann");
    hello.mutable_hello()->set_token(secret);
    const v1::ServerMessage answer = at.ask(id, hello);
    EXPECT_TRUE(answer.welcome().resumed());
    EXPECT_EQ(answer.welcome().server_id(), 4711u);
    return answer.welcome().last_request_done();
  }
  /// The same after the server was killed.
  std::uint64_t last_done_after_restart() {
    return last_done(*restart(driver, saved(driver), config()), token);
  }
  /// The id of the request, which is done afterwards.
  std::uint64_t ask(const v1::ClientMessage& request) {
    const v1::ServerMessage answer = driver.ask(ann, request);
    EXPECT_FALSE(answer.has_error()) << answer.ShortDebugString();
    return answer.request_id();
  }

  HostDriver driver{config()};
  server::ConnectionId ann = driver.enter("ann");
  const std::string token = driver.token(ann);
};

TEST_F(RequestsDoneTest, none_at_first) {
  EXPECT_EQ(last_done(driver, token), 0u);
}

TEST_F(RequestsDoneTest, whatever_changes_something_counts) {
  const auto bob = driver.enter("bob");
  driver.ask(bob, create_request("den"));
  const std::vector<v1::ClientMessage> requests = {join_request("den"),
                                                   chat_request("hello"),
                                                   move_request(0, 0),
                                                   takeback_request(),
                                                   decline_request(),
                                                   draw_request(),
                                                   resign_request(),
                                                   rematch_request(),
                                                   leave_request(),
                                                   create_request("attic"),
                                                   add_ai_request(v1::MARK_O),
                                                   remove_ai_request(v1::MARK_O),
                                                   leave_request(),
                                                   play_request()};
  for (const v1::ClientMessage& request : requests) {
    if (request.has_move()) driver.ask(bob, move_request(1, 1));
    if (request.has_offer_draw())
      driver.pass(std::chrono::seconds(10));  // after the question before
    const std::uint64_t id = ask(request);
    SCOPED_TRACE(request.ShortDebugString());
    EXPECT_EQ(last_done_after_restart(), id);
    ann = driver.come_back(token);
    EXPECT_EQ(last_done(driver, token), id);
    ann = driver.come_back(token);
  }
}

TEST_F(RequestsDoneTest, what_changes_nothing_or_was_refused_does_not) {
  const std::uint64_t done = ask(create_request("den"));
  for (const v1::ClientMessage& request :
       {list_request(), players_request(), snapshot_request(), hint_request(),
        watch_lobby_request(), create_request("other"), move_request(0, 0), decline_request(),
        hello_request("ann")}) {
    driver.ask(ann, request);
  }
  EXPECT_EQ(last_done(driver, token), done);
  EXPECT_EQ(last_done_after_restart(), done);
}

TEST_F(RequestsDoneTest, a_client_may_count_from_one_again) {
  ask(create_request("den"));
  const std::uint64_t done = ask(chat_request("hello"));
  driver.disconnect(ann);
  const auto again = driver.come_back(token);
  v1::ClientMessage low = chat_request("again");
  low.set_request_id(1);
  driver.take(again);
  driver.send_bytes(again, low.SerializeAsString());
  EXPECT_TRUE(driver.inbox(again).back().has_update()) << "ids never make a request be refused";
  EXPECT_EQ(last_done(driver, token), done);
}

TEST_F(RequestsDoneTest, a_refused_hello_can_be_tried_again_until_recording_works) {
  driver.host().set_journal_health(server::JournalHealth::stalled, driver.now());
  const auto bob = driver.connect();
  for (int second = 0; second < 30; ++second) {
    const v1::Error error = driver.ask(bob, hello_request("bob")).error();
    ASSERT_EQ(error.code(), v1::Error::CODE_CANNOT_RECORD);
    driver.pass(std::chrono::milliseconds(error.retry_after_ms()));
    ASSERT_TRUE(driver.is_open(bob)) << "after " << second << " s";
  }
  driver.host().set_journal_health(server::JournalHealth::good, driver.now());
  EXPECT_TRUE(driver.ask(bob, hello_request("bob")).has_welcome());
}

TEST_F(RequestsDoneTest, a_client_that_gives_up_during_a_stall_is_closed_in_time) {
  driver.host().set_journal_health(server::JournalHealth::stalled, driver.now());
  const auto bob = driver.connect();
  driver.ask(bob, hello_request("bob"));
  driver.pass(config().limits.hello_timeout - std::chrono::milliseconds(1));
  EXPECT_TRUE(driver.is_open(bob));
  driver.pass(std::chrono::milliseconds(1));
  EXPECT_FALSE(driver.is_open(bob));
}

// Rooms that are held for players who are away ----------------------------------------------------

v1::ClientMessage create_held(const std::string& name) {
  v1::ClientMessage request = create_request(name);
  request.mutable_create_room()->mutable_options()->set_away(v1::AWAY_HOLD);
  return request;
}

/// Somebody new from there, and the token.
struct Guest {
  Guest(HostDriver& driver, server::Origin origin) : id(driver.connect(origin)) {
    token = driver.ask(id, hello_request("guest")).welcome().token();
  }
  server::ConnectionId id;
  std::string token;
};

/// Leaves a game against an AI behind.
Guest leave_behind(HostDriver& driver, const std::string& room, server::Origin origin = {1, 1}) {
  Guest guest(driver, origin);
  EXPECT_TRUE(driver.ask(guest.id, create_held(room)).has_snapshot());
  driver.ask(guest.id, add_ai_request(v1::MARK_O));
  EXPECT_TRUE(driver.ask(guest.id, move_request(0, 0)).has_update());
  driver.disconnect(guest.id);
  return guest;
}

/// A game between two people, both of whom are away. Returns the first.
Guest leave_two_behind(HostDriver& driver, const std::string& room,
                       server::Origin origin = {1, 1}) {
  Guest first(driver, origin);
  Guest second(driver, origin);
  EXPECT_TRUE(driver.ask(first.id, create_held(room)).has_snapshot());
  EXPECT_TRUE(driver.ask(second.id, join_request(room)).has_snapshot());
  EXPECT_TRUE(driver.ask(first.id, move_request(0, 0)).has_update());
  driver.disconnect(first.id);
  driver.disconnect(second.id);
  return first;
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
  server::Config moved = HostDriver::recording();
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

server::Config two_absences() {
  server::Config few = HostDriver::recording();
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

server::Config eight_absences() {
  server::Config few = HostDriver::recording();
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

server::Config two_rooms() {
  server::Config few = HostDriver::recording();
  few.limits.rooms_per_address = 2;
  return few;
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

// Coming back -------------------------------------------------------------------------------------

v1::ClientMessage create_with(const std::string& name, v1::AwayPolicy away, int grace_ms) {
  v1::ClientMessage request = create_request(name);
  request.mutable_create_room()->mutable_options()->set_away(away);
  request.mutable_create_room()->mutable_options()->set_grace_ms(
      static_cast<std::uint32_t>(grace_ms));
  return request;
}

class ReturnTest : public TwoPlayersTest {
 protected:
  void begin(v1::AwayPolicy away = v1::AWAY_FORFEIT, int grace_ms = 1000) {
    driver.ask(alice, create_with("den", away, grace_ms));
    driver.ask(bob, join_request("den"));
    driver.ask(alice, move_request(0, 0));
    driver.take(alice);
    driver.take(bob);
  }
  std::uint64_t revision(server::ConnectionId who) {
    return driver.ask(who, snapshot_request()).snapshot().revision();
  }
  server::ConnectionId back(server::ConnectionId who, std::uint64_t seen = 0) {
    return driver.come_back(driver.token(who), "den", seen);
  }
};

TEST_F(ReturnTest, the_others_see_a_player_leave_and_come_back) {
  begin();
  driver.disconnect(alice);
  auto updates = driver.take_updates(bob);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_TRUE(updates[0].seat_changed().occupant().away());
  EXPECT_EQ(updates[0].seat_changed().occupant().away_ms_left(), 1000u);
  EXPECT_EQ(updates[0].seat_changed().occupant().name(), "alice");
  EXPECT_EQ(updates[0].phase(), v1::PHASE_PLAYING) << "the game goes on";
  EXPECT_TRUE(driver.ask(bob, move_request(1, 1)).has_update()) << "even without her";
  driver.take(bob);
  back(alice);
  updates = driver.take_updates(bob);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_FALSE(updates[0].seat_changed().occupant().away());
}

TEST_F(ReturnTest, what_was_missed_follows_the_welcome_and_nothing_else) {
  begin();
  driver.ask(bob, chat_request(std::string(300, 'x')));  // a snapshot repeats it
  const std::uint64_t seen = revision(alice);
  driver.disconnect(alice);
  driver.ask(bob, move_request(1, 1));
  driver.ask(bob, chat_request("are you there?"));
  alice = back(alice, seen);
  const auto updates = driver.take_updates(alice);
  ASSERT_EQ(updates.size(), 4u) << "away, a move, chat, back";
  for (std::size_t i = 0; i < updates.size(); ++i) EXPECT_EQ(updates[i].revision(), seen + 1 + i);
  EXPECT_TRUE(updates[1].has_move_played());
  EXPECT_EQ(updates[2].chat_said().text(), "are you there?");
  EXPECT_TRUE(driver.ask(alice, move_request(2, 2)).has_update());
}

TEST_F(ReturnTest, a_snapshot_comes_where_it_is_shorter_or_something_is_missing) {
  begin();
  const std::uint64_t seen = revision(alice);
  const auto snapshots = [&](std::uint64_t from, const std::string& room) {
    driver.disconnect(alice);
    alice = driver.come_back(driver.token(alice), room, from);
    int found = 0;
    for (const v1::ServerMessage& message : driver.take(alice)) {
      if (message.has_snapshot()) ++found;
      EXPECT_FALSE(message.has_update());
    }
    return found;
  };
  EXPECT_EQ(snapshots(0, "den"), 1) << "nothing was seen";
  EXPECT_EQ(snapshots(seen, "elsewhere"), 1) << "something else was seen";
  EXPECT_EQ(snapshots(seen + 1'000'000, "den"), 1) << "what nobody can have seen";
  for (int i = 0; i < 30; ++i) driver.ask(bob, chat_request(std::string(300, 'x')));
  EXPECT_EQ(snapshots(seen, "den"), 1) << "the chat that was missed is longer than its end";
  for (int i = 0; i < 100; ++i) driver.ask(bob, chat_request("y"));
  EXPECT_EQ(snapshots(seen, "den"), 1) << "more was missed than is kept";
}

TEST_F(ReturnTest, the_same_token_replaces_a_connection_that_still_stands) {
  begin();
  driver.take(bob);
  const server::ConnectionId old = alice;
  alice = back(alice);
  EXPECT_FALSE(driver.is_open(old));
  EXPECT_EQ(driver.inbox(old).back().error().code(), Error::CODE_REPLACED);
  EXPECT_TRUE(driver.take_updates(bob).empty()) << "she was never away";
  driver.ask(bob, move_request(1, 1));
  EXPECT_TRUE(driver.ask(alice, move_request(2, 2)).has_update());
}

TEST_F(ReturnTest, a_watcher_who_is_replaced_comes_in_again) {
  begin();
  const auto carol = driver.enter("carol");
  driver.ask(carol, watch_request("den"));
  const auto again = driver.come_back(driver.token(carol));
  EXPECT_EQ(driver.ask(again, snapshot_request()).error().code(), Error::CODE_NOT_IN_ROOM);
  EXPECT_TRUE(driver.ask(again, watch_request("den")).has_snapshot());
  EXPECT_EQ(room_of(alice).watchers(), 1u);
}

TEST_F(ReturnTest, a_token_that_nobody_has_makes_a_new_player) {
  begin();
  driver.disconnect(alice);
  for (const std::string& token : {std::string(16, 'x'), std::string(15, '\0'),
                                   driver.token(alice) + "x", std::string(3000, 'x')}) {
    const auto stranger = driver.connect();
    v1::ClientMessage request = hello_request("alice");
    request.mutable_hello()->set_token(token);
    const v1::Welcome welcome = driver.ask(stranger, request).welcome();
    EXPECT_FALSE(welcome.resumed());
    EXPECT_EQ(welcome.token().size(), 16u);
    EXPECT_NE(welcome.player_name(), "alice");
    EXPECT_TRUE(welcome.room().empty());
  }
}

TEST_F(ReturnTest, nobody_can_take_the_seat_meanwhile) {
  begin();
  driver.disconnect(alice);
  const auto carol = driver.enter("carol");
  EXPECT_EQ(driver.ask(carol, join_request("den")).error().code(), Error::CODE_ROOM_FULL);
  EXPECT_EQ(driver.ask(bob, add_ai_request(v1::MARK_X)).error().code(), Error::CODE_SEAT_TAKEN);
}

TEST_F(ReturnTest, after_the_grace_time_the_game_is_lost_and_the_seat_open) {
  begin();
  driver.disconnect(alice);
  driver.take(bob);
  driver.pass(milliseconds(999));
  EXPECT_TRUE(driver.take_updates(bob).empty());
  driver.pass(milliseconds(1));
  const auto updates = driver.take_updates(bob);
  ASSERT_EQ(updates.size(), 2u);
  EXPECT_EQ(updates[0].game_ended().outcome().reason(), v1::Outcome::REASON_FORFEIT);
  EXPECT_EQ(updates[0].game_ended().outcome().winner(), v1::MARK_O);
  EXPECT_EQ(updates[0].score().o(), 1u);
  EXPECT_EQ(updates[1].seat_changed().occupant().kind(), v1::Occupant::KIND_OPEN);
  const auto late = driver.come_back(driver.token(alice), "den");
  EXPECT_EQ(driver.ask(late, snapshot_request()).error().code(), Error::CODE_NOT_IN_ROOM);
  EXPECT_TRUE(driver.ask(late, join_request("den")).has_snapshot());
  EXPECT_EQ(room_of(bob).game(), 2u) << "a new game";
}

TEST_F(ReturnTest, a_game_without_a_move_is_not_lost) {
  driver.ask(alice, create_with("den", v1::AWAY_FORFEIT, 1000));
  driver.ask(bob, join_request("den"));
  driver.disconnect(alice);
  driver.pass(seconds(1));
  EXPECT_EQ(room_of(bob).phase(), v1::PHASE_WAITING);
  EXPECT_FALSE(room_of(bob).has_score());
}

TEST_F(ReturnTest, a_seat_can_be_held_for_ever) {
  begin(v1::AWAY_HOLD);
  driver.disconnect(alice);
  driver.disconnect(bob);
  driver.pass(std::chrono::hours(24 * 29));
  EXPECT_EQ(driver.host().rooms(), 1u);
  bob = back(bob);
  driver.take(bob);
  driver.pass(std::chrono::hours(24));
  EXPECT_EQ(room_of(bob).outcome().reason(), v1::Outcome::REASON_FORFEIT) << "which is thirty days";
}

TEST_F(ReturnTest, where_no_game_would_be_lost_a_seat_is_not_held_for_long) {
  driver.ask(alice, create_with("den", v1::AWAY_HOLD, 0));
  driver.disconnect(alice);
  driver.pass(seconds(119));
  EXPECT_EQ(driver.host().rooms(), 1u);
  driver.pass(seconds(1));
  EXPECT_EQ(driver.host().rooms(), 0u);
}

TEST_F(ReturnTest, a_seat_held_for_ever_is_not_once_the_game_is_over) {
  begin(v1::AWAY_HOLD);
  driver.disconnect(alice);
  driver.ask(bob, resign_request());
  driver.pass(seconds(120));
  EXPECT_EQ(room_of(bob).x().kind(), v1::Occupant::KIND_OPEN);
}

TEST_F(ReturnTest, play_does_not_lead_to_where_nobody_is) {
  driver.ask(alice, create_with("den", v1::AWAY_HOLD, 0));
  driver.disconnect(alice);
  EXPECT_EQ(driver.ask(bob, play_request()).snapshot().name(), "bob");
  driver.ask(bob, leave_request());
  back(alice);
  EXPECT_EQ(driver.ask(bob, play_request()).snapshot().name(), "den");
}

TEST_F(ReturnTest, a_room_of_the_same_name_is_not_mistaken_for_the_one_before) {
  begin();
  driver.ask(bob, leave_request());
  const std::uint64_t seen = revision(alice);
  driver.ask(alice, leave_request());
  driver.ask(alice, create_request("den", rules::Rules{9, 9, 5}));
  for (int i = 0; i < 10; ++i) driver.ask(alice, chat_request("x"));
  driver.disconnect(alice);
  for (std::uint64_t before = 1; before <= seen + 1; ++before) {
    alice = back(alice, before);
    EXPECT_TRUE(driver.take(alice).back().has_snapshot()) << before;
    driver.disconnect(alice);
  }
}

TEST_F(ReturnTest, the_snapshot_shows_the_current_clocks) {
  v1::ClientMessage request = create_request("den");
  request.mutable_create_room()->mutable_options()->mutable_time()->set_game_ms(60'000);
  driver.ask(alice, request);
  driver.ask(bob, join_request("den"));
  const std::uint64_t seen = revision(alice);
  driver.ask(bob, chat_request(std::string(300, 'x')));
  driver.pass(seconds(40));
  alice = back(alice, seen);  // while the old connection still stands
  EXPECT_EQ(driver.take(alice).back().snapshot().clocks().x_ms(), 40'000u);
}

TEST_F(ReturnTest, an_ai_stands_in_and_gives_the_seat_back) {
  begin(v1::AWAY_AI);
  driver.ask(bob, move_request(1, 1));
  driver.disconnect(alice);
  driver.pass(seconds(1));
  v1::RoomSnapshot room = room_of(bob);
  EXPECT_EQ(room.x().ai_level(), "6");
  EXPECT_EQ(room.x().name(), "alice");
  EXPECT_TRUE(room.x().away());
  driver.pass(seconds(1));
  EXPECT_EQ(room_of(bob).moves_size(), 3) << "it plays";
  alice = back(alice);
  driver.pass(seconds(5));
  room = room_of(alice);
  EXPECT_EQ(room.your_seat(), v1::MARK_X);
  EXPECT_EQ(room.x().ai_level(), "");
  EXPECT_TRUE(driver.ask(bob, move_request(2, 1)).has_update() ||
              driver.ask(bob, move_request(2, 2)).has_update());
  driver.pass(seconds(5));
  EXPECT_EQ(room_of(alice).moves_size(), 4) << "and plays no more";
}

TEST_F(ReturnTest, an_ai_that_stands_in_is_stopped_when_its_turn_is_given_back) {
  begin(v1::AWAY_AI);
  driver.disconnect(bob);
  driver.pass(seconds(1));
  bob = back(bob);
  driver.pass(seconds(10));
  EXPECT_EQ(room_of(bob).moves_size(), 1);
  EXPECT_TRUE(driver.ask(bob, move_request(1, 1)).has_update());
}

}  // namespace
}  // namespace tictactoe::test::host_restart_tests
