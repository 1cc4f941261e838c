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

class RecordsTest : public TwoPlayersTest {
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

TEST_F(RecordsTest, only_hashes_of_secrets_are_written_down) {
  driver.ask(alice, create_request("den", "swordfish"));
  for (const journal::v1::Record& record : driver.records) {
    EXPECT_EQ(record.SerializeAsString().find(driver.token(alice)), std::string::npos);
    EXPECT_EQ(record.SerializeAsString().find("swordfish"), std::string::npos);
  }
}

TEST_F(RecordsTest, players_who_have_played_are_kept_before_those_who_have_not) {
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

TEST_F(RecordsTest, takes_what_is_valid_and_reports_the_rest) {
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

TEST_F(RecordsTest, of_two_with_one_number_or_name_the_first_is_taken) {
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

TEST_F(RecordsTest, a_refused_room_does_not_give_its_revisions_away) {
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

}  // namespace
}  // namespace tictactoe::test::host_restart_tests
