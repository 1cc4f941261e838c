// After the server was gone: what it has recorded is there again.
#include "tests/support/records.hpp"
#include "tests/support/two_players.hpp"

namespace tictactoe::test::host_restart_tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using v1::Error;

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
  static core::Config for_two() {
    core::Config config = HostDriver::recording();
    config.limits.players = 2;
    return config;
  }
  journal::v1::Saved saved() const { return Ledger(driver.records).saved(); }
  /// Another host, from what was recorded by the one before.
  std::unique_ptr<HostDriver> restart(const core::Config& config = HostDriver::recording()) {
    auto next = std::make_unique<HostDriver>(config, 2);
    EXPECT_TRUE(next->host().restore(saved(), next->now()).refused.empty());
    next->collect();
    return next;
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
  const auto record_as = [&](core::Recording recording) {
    next->host().recording(recording, next->now());
    next->collect();
  };
  record_as(core::Recording::stalled);
  next->pass(seconds(130));
  next->disconnect(ben);
  record_as(core::Recording::good);
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
    HostDriver next(HostDriver::recording(), 2);
    EXPECT_TRUE(next.host().restore(Ledger(before.records).saved(), next.now()).refused.empty());
    next.collect();
    const auto again = next.come_back(before.token(ben));
    next.pass(seconds(60));
    if (stalls) {
      next.host().recording(core::Recording::stalled, next.now());
      next.pass(seconds(100));
      next.host().recording(core::Recording::good, next.now());
      next.collect();
    }
    const auto room = [&] { return next.ask(again, snapshot_request()).snapshot(); };
    next.pass(seconds(59));
    EXPECT_EQ(room().clocks().x_ms(), 5'000u);
    next.come_back(before.token(ann));
    next.pass(milliseconds(4'999));
    EXPECT_EQ(room().phase(), v1::PHASE_PLAYING);
    next.pass(milliseconds(1));
    EXPECT_EQ(room().outcome().winner(), v1::MARK_O);
  }
}

TEST_F(RestartTest, only_hashes_of_secrets_are_written_down) {
  driver.ask(alice, create_request("den", "swordfish"));
  for (const journal::v1::Record& record : driver.records) {
    EXPECT_EQ(record.SerializeAsString().find(driver.token(alice)), std::string::npos);
    EXPECT_EQ(record.SerializeAsString().find("swordfish"), std::string::npos);
  }
}

TEST_F(RestartTest, takes_what_is_valid_and_reports_the_rest) {
  using Kind = core::RestoreReport::Kind;
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
  journal::v1::Saved damaged = saved();
  damaged.mutable_rooms(0)->mutable_room()->set_game(0);
  HostDriver next(HostDriver::recording(), 2);
  EXPECT_EQ(next.host().restore(damaged, next.now()).refused.size(), 1u);
  next.collect();
  const auto carol = next.enter("carol");
  EXPECT_GT(next.ask(carol, create_request("den")).snapshot().revision(), seen + 1'000);
}

}  // namespace
}  // namespace tictactoe::test::host_restart_tests
