// Clocks, and how games end other than by a move: resigning, draws, takebacks, the score; limits of
// offers.
#include <gmock/gmock.h>

#include "tests/support/ledger.hpp"
#include "tests/support/timed_room.hpp"

namespace tictactoe::test::host_offers_tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using v1::Error;
using v1::Outcome;

using OffersTest = TimedRoomTest;

// Clocks ------------------------------------------------------------------------------------------

TEST_F(OffersTest, a_clock_for_the_game_runs_for_whose_turn_it_is) {
  begin(0, 10'000, 2'000);
  driver.pass(seconds(3));
  EXPECT_EQ(room().clocks().x_ms(), 7'000u);
  EXPECT_EQ(room().clocks().o_ms(), 10'000u);
  const v1::RoomUpdate update = driver.ask(alice, move_request(0, 0)).update();
  EXPECT_EQ(update.clocks().x_ms(), 9'000u) << "with the increment";
  driver.pass(milliseconds(9'999));
  EXPECT_EQ(room().phase(), v1::PHASE_PLAYING);
  EXPECT_EQ(room().clocks().o_ms(), 1u);
  driver.pass(milliseconds(1));
  EXPECT_EQ(room().outcome().reason(), Outcome::REASON_TIME);
  EXPECT_EQ(room().outcome().winner(), v1::MARK_X);
  EXPECT_EQ(room().clocks().o_ms(), 0u);
  EXPECT_FALSE(driver.host().next_deadline());
}

TEST_F(OffersTest, a_clock_for_each_move_starts_again_with_each) {
  begin(1'000);
  for (std::uint32_t col = 0; col < 2; ++col) {
    driver.pass(milliseconds(999));
    ASSERT_TRUE(driver.ask(alice, move_request(0, col)).has_update());
    driver.pass(milliseconds(999));
    ASSERT_TRUE(driver.ask(bob, move_request(1, col)).has_update());
  }
  driver.pass(milliseconds(1'000));
  EXPECT_EQ(room().outcome().winner(), v1::MARK_O);
}

TEST_F(OffersTest, taking_back_costs_no_time_of_a_move) {
  begin(10'000);
  driver.ask(alice, move_request(0, 0));
  driver.pass(seconds(9));
  driver.ask(alice, takeback_request());
  driver.ask(bob, takeback_request());
  driver.ask(alice, move_request(0, 1));
  EXPECT_EQ(room().clocks().o_ms(), 10'000u);
}

TEST_F(OffersTest, a_question_that_an_ai_now_has_to_answer_is_answered) {
  begin();
  driver.ask(alice, move_request(0, 0));
  driver.ask(alice, takeback_request());
  driver.ask(bob, add_ai_request(v1::MARK_O));
  EXPECT_EQ(driver.ask(alice, takeback_request()).update().taken_back().ply(), 0u);
}

TEST_F(OffersTest, an_offer_that_an_ai_now_has_to_answer_is_declined) {
  begin();
  driver.ask(alice, draw_request());
  driver.ask(bob, add_ai_request(v1::MARK_O));
  EXPECT_EQ(driver.ask(alice, draw_request()).update().declined().by(), v1::MARK_O);
  EXPECT_EQ(room().draw_offered_by(), v1::MARK_NONE);
}

TEST_F(OffersTest, a_move_that_comes_when_the_time_is_over_is_too_late) {
  begin(0, 1'000);
  // The move is handed over before the deadline is, as a busy server might.
  const server::Time late = driver.now() + seconds(1);
  const v1::ClientMessage move = move_request(0, 0);
  driver.host().received(alice, &move, late);
  driver.collect();
  EXPECT_EQ(driver.inbox(alice).back().error().code(), Error::CODE_GAME_OVER);
  EXPECT_EQ(room().outcome().reason(), Outcome::REASON_TIME);
  EXPECT_EQ(room().moves_size(), 0);
}

TEST_F(OffersTest, time_stands_still_while_a_seat_is_open_and_before_both_are_taken) {
  create(0, 5'000, 0);
  driver.pass(seconds(100));
  ASSERT_TRUE(driver.ask(bob, join_request("den")).has_snapshot());
  driver.pass(grace + seconds(1));
  driver.ask(alice, leave_request());
  driver.pass(seconds(100));
  EXPECT_EQ(room().clocks().x_ms(), 4'000u);
  driver.ask(alice, join_request("den"));
  driver.pass(grace + seconds(1));
  EXPECT_EQ(room().clocks().x_ms(), 3'000u);
}

TEST_F(OffersTest, the_clock_of_a_first_move_waits_20_seconds) {
  create(0, 5'000, 0);
  driver.pass(seconds(100));
  EXPECT_EQ(room_of(alice).clocks().starts_in_ms(), 0u) << "nobody is to move";
  ASSERT_TRUE(driver.ask(bob, join_request("den")).has_snapshot());
  EXPECT_EQ(room().clocks().starts_in_ms(), 20'000u);
  driver.pass(milliseconds(19'000));
  driver.ask(bob, chat_request("hello"));
  EXPECT_EQ(room().clocks().starts_in_ms(), 1'000u);
  EXPECT_EQ(room().clocks().x_ms(), 5'000u);
  driver.pass(milliseconds(1'500));
  EXPECT_EQ(room().clocks().starts_in_ms(), 0u);
  EXPECT_EQ(room().clocks().x_ms(), 4'500u);
  driver.pass(milliseconds(4'499));
  EXPECT_EQ(room().phase(), v1::PHASE_PLAYING);
  driver.pass(milliseconds(1));
  EXPECT_EQ(room().outcome().winner(), v1::MARK_O);
  // Also in the next game, in which O begins.
  driver.ask(alice, rematch_request());
  driver.ask(bob, rematch_request());
  driver.pass(seconds(24));
  EXPECT_EQ(room().clocks().o_ms(), 1'000u);
}

TEST_F(OffersTest, a_first_move_costs_no_time_and_starts_the_other_clock) {
  create(0, 5'000, 1'000);
  driver.ask(bob, join_request("den"));
  driver.pass(seconds(19));
  const v1::RoomUpdate update = driver.ask(alice, move_request(0, 0)).update();
  EXPECT_EQ(update.clocks().x_ms(), 6'000u);
  EXPECT_EQ(update.clocks().starts_in_ms(), 0u);
  driver.pass(seconds(2));
  EXPECT_EQ(room().clocks().o_ms(), 3'000u);
  // The board is empty again, and the time that was spent stays spent.
  driver.ask(alice, takeback_request());
  driver.ask(bob, takeback_request());
  EXPECT_EQ(room().clocks().starts_in_ms(), 20'000u);
  driver.pass(seconds(21));
  EXPECT_EQ(room().clocks().x_ms(), 5'000u);
  EXPECT_EQ(room().clocks().o_ms(), 3'000u);
}

TEST_F(OffersTest,
       a_stall_or_a_disconnection_neither_prolongs_nor_shortens_the_wait_for_a_first_move) {
  create(0, 5'000, 0);
  driver.ask(bob, join_request("den"));
  driver.pass(seconds(5));
  driver.disconnect(alice);
  driver.pass(seconds(5));
  driver.host().set_journal_health(server::JournalHealth::stalled, driver.now());
  driver.pass(seconds(100));
  EXPECT_EQ(room().clocks().starts_in_ms(), 10'000u);
  driver.host().set_journal_health(server::JournalHealth::good, driver.now());
  driver.pass(seconds(11));
  EXPECT_EQ(room().clocks().x_ms(), 4'000u);
}

TEST_F(OffersTest, the_time_of_a_first_move_is_recorded_in_full) {
  create(0, 5'000, 0);
  driver.ask(bob, join_request("den"));
  driver.pass(seconds(22));
  driver.ask(alice, move_request(0, 0));
  driver.collect();
  std::vector<std::uint32_t> times;
  for (const auto& record : driver.records) {
    if (record.has_move()) times.push_back(record.move().spent_ms());
  }
  EXPECT_EQ(times, std::vector{22'000u});
}

TEST_F(OffersTest, two_questions_at_once_grant_nothing) {
  begin();
  driver.ask(alice, move_request(0, 0));
  driver.ask(bob, move_request(1, 1));
  const auto takeback = [](bool grants) {
    v1::ClientMessage request = takeback_request();
    request.mutable_ask_takeback()->set_grants(grants);
    return request;
  };
  EXPECT_EQ(refusal(bob, takeback(true)), Error::CODE_NOTHING_TO_ANSWER);
  driver.ask(alice, takeback(false));
  EXPECT_EQ(refusal(bob, takeback(false)), Error::CODE_NOT_ALLOWED);
  EXPECT_EQ(room().moves_size(), 2);
  EXPECT_EQ(room().takeback_asked_by(), v1::MARK_X);
  EXPECT_EQ(driver.ask(bob, takeback(true)).update().taken_back().by(), v1::MARK_X);
}

TEST_F(OffersTest, an_ai_uses_no_time) {
  create(0, 1'000, 0);
  driver.ask(alice, add_ai_request(v1::MARK_O));
  driver.ask(alice, move_request(0, 0));
  driver.pass(milliseconds(900));
  const v1::RoomSnapshot now = driver.ask(alice, snapshot_request()).snapshot();
  EXPECT_EQ(now.moves_size(), 2);
  EXPECT_EQ(now.clocks().o_ms(), 1'000u);
}

TEST_F(OffersTest, time_stands_still_while_the_server_is_down) {
  begin(0, 10'000, 1'000);
  driver.pass(seconds(2));
  driver.ask(alice, move_request(0, 0));
  driver.pass(seconds(4));
  driver.host().stop(driver.now());
  driver.collect();
  const Ledger ledger(driver.records);
  HostDriver next(HostDriver::recording());
  next.pass(std::chrono::hours(5));
  ASSERT_TRUE(next.host().restore(ledger.saved(), next.now()).refused.empty());
  next.collect();
  const auto again = next.come_back(driver.token(bob));
  v1::Clocks clocks = next.ask(again, snapshot_request()).snapshot().clocks();
  EXPECT_EQ(clocks.x_ms(), 9'000u);
  EXPECT_EQ(clocks.o_ms(), 6'000u);
  next.pass(seconds(1));
  clocks = next.ask(again, snapshot_request()).snapshot().clocks();
  EXPECT_EQ(clocks.o_ms(), 5'000u);
}

TEST_F(OffersTest, clocks_that_make_no_sense_are_refused) {
  EXPECT_EQ(create(1'000, 1'000, 0).error().code(), Error::CODE_INVALID_OPTIONS);
  EXPECT_EQ(create(0, 0, 1'000).error().code(), Error::CODE_INVALID_OPTIONS);
  EXPECT_EQ(create(0, 86'400'001, 0).error().code(), Error::CODE_INVALID_OPTIONS);
  EXPECT_EQ(create(0xFFFFFFFF, 0, 0).error().code(), Error::CODE_INVALID_OPTIONS);
  EXPECT_TRUE(create(0, 86'400'000, 86'400'000).has_snapshot());
}

// Ends --------------------------------------------------------------------------------------------

TEST_F(OffersTest, a_player_who_resigns_has_lost) {
  begin();
  EXPECT_EQ(driver.ask(bob, resign_request()).update().game_ended().outcome().winner(), v1::MARK_X)
      << "even when it is not their turn";
  EXPECT_EQ(room().outcome().reason(), Outcome::REASON_RESIGNED);
  EXPECT_EQ(refusal(alice, move_request(0, 0)), Error::CODE_GAME_OVER);
  EXPECT_EQ(refusal(bob, resign_request()), Error::CODE_GAME_OVER);
}

TEST_F(OffersTest, a_resignation_sent_twice_does_not_hit_the_next_game) {
  begin();
  v1::ClientMessage resign = resign_request();
  resign.mutable_resign()->set_game(1);
  driver.ask(bob, resign);
  driver.ask(alice, rematch_request());
  driver.ask(bob, rematch_request());
  EXPECT_EQ(refusal(bob, resign), Error::CODE_STALE_REQUEST);
  EXPECT_EQ(room().phase(), v1::PHASE_PLAYING);
}

TEST_F(OffersTest, a_draw_needs_both) {
  begin();
  EXPECT_EQ(driver.ask(alice, draw_request()).update().draw_offered().by(), v1::MARK_X);
  EXPECT_EQ(refusal(alice, draw_request()), Error::CODE_NOT_ALLOWED);
  EXPECT_EQ(room().draw_offered_by(), v1::MARK_X);
  EXPECT_EQ(driver.ask(bob, decline_request()).update().declined().by(), v1::MARK_O);
  EXPECT_EQ(room().draw_offered_by(), v1::MARK_NONE);
  EXPECT_EQ(refusal(bob, decline_request()), Error::CODE_NOTHING_TO_ANSWER);
  driver.ask(bob, draw_request());
  const Outcome outcome = driver.ask(alice, draw_request()).update().game_ended().outcome();
  EXPECT_EQ(outcome.reason(), Outcome::REASON_AGREED);
  EXPECT_EQ(outcome.winner(), v1::MARK_NONE);
  EXPECT_EQ(room().score().draws(), 1u);
}

TEST_F(OffersTest, an_offer_is_gone_when_the_game_goes_on) {
  begin();
  driver.ask(alice, draw_request());
  driver.ask(alice, move_request(0, 0));
  EXPECT_EQ(room().draw_offered_by(), v1::MARK_NONE);
  EXPECT_EQ(driver.ask(bob, draw_request()).update().draw_offered().by(), v1::MARK_O);
}

TEST_F(OffersTest, an_ai_declines_draws_and_grants_taking_back) {
  driver.ask(alice, create_request("den"));
  driver.ask(alice, add_ai_request(v1::MARK_O));
  driver.take(alice);
  driver.ask(alice, draw_request());
  const auto updates = driver.take_updates(alice);
  ASSERT_EQ(updates.size(), 2u);
  EXPECT_EQ(updates[1].declined().by(), v1::MARK_O);
  driver.ask(alice, move_request(0, 0));
  EXPECT_EQ(driver.ask(alice, takeback_request()).update().taken_back().ply(), 0u)
      << "before it has answered";
  driver.ask(alice, move_request(1, 1));
  driver.pass(seconds(1));
  EXPECT_EQ(driver.ask(alice, takeback_request()).update().taken_back().ply(), 0u) << "and after";
  EXPECT_TRUE(driver.ask(alice, move_request(2, 2)).has_update());
}

TEST_F(OffersTest, taking_back_undoes_ones_own_last_move) {
  begin();
  EXPECT_EQ(refusal(alice, takeback_request()), Error::CODE_NOTHING_TO_ANSWER);
  driver.ask(alice, move_request(0, 0));
  EXPECT_EQ(refusal(bob, takeback_request()), Error::CODE_NOTHING_TO_ANSWER);
  driver.ask(bob, move_request(1, 1));
  EXPECT_EQ(driver.ask(alice, takeback_request()).update().takeback_asked().by(), v1::MARK_X);
  const v1::RoomUpdate granted = driver.ask(bob, takeback_request()).update();
  EXPECT_EQ(granted.taken_back().ply(), 0u) << "hers, and the answer to it";
  EXPECT_EQ(granted.taken_back().by(), v1::MARK_X);
  EXPECT_EQ(granted.turn(), v1::MARK_X);
  driver.ask(alice, move_request(0, 1));
  driver.ask(bob, move_request(1, 1));
  driver.ask(bob, takeback_request());
  EXPECT_EQ(driver.ask(alice, takeback_request()).update().taken_back().ply(), 1u) << "just his";
  EXPECT_THAT(room().moves(), testing::ElementsAre(1u));
}

TEST_F(OffersTest, what_was_taken_back_can_be_played_otherwise_and_is_recorded_so) {
  begin();
  driver.ask(alice, move_request(0, 0));
  driver.ask(alice, takeback_request());
  driver.ask(bob, takeback_request());
  driver.ask(alice, move_request(3, 3));
  driver.ask(bob, resign_request());
  const Ledger ledger(driver.records);
  ASSERT_EQ(ledger.games().size(), 1u);
  EXPECT_THAT(ledger.games()[0].moves(), testing::ElementsAre(15u));
  EXPECT_EQ(ledger.games()[0].move_ms_size(), 1);
}

TEST_F(OffersTest, the_score_counts_games_between_the_same_two_players) {
  begin();
  driver.ask(bob, resign_request());
  driver.ask(alice, rematch_request());
  driver.ask(bob, rematch_request());
  driver.ask(alice, resign_request());
  EXPECT_EQ(room().score().ShortDebugString(), "x: 1 o: 1");
  driver.ask(alice, leave_request());
  EXPECT_EQ(room().score().ShortDebugString(), "x: 1 o: 1") << "until somebody else comes";
  driver.ask(alice, join_request("den"));
  EXPECT_EQ(room().score().ShortDebugString(), "x: 1 o: 1") << "it is she again";
  driver.ask(alice, leave_request());
  driver.ask(driver.enter("carol"), join_request("den"));
  EXPECT_FALSE(room().has_score());
}

TEST_F(OffersTest, watchers_decide_nothing) {
  begin();
  const auto carol = driver.enter("carol");
  driver.ask(carol, watch_request("den"));
  for (const auto& request :
       {resign_request(), draw_request(), takeback_request(), decline_request()}) {
    EXPECT_EQ(refusal(carol, request), Error::CODE_NOT_SEATED);
  }
}

TEST_F(OffersTest, a_finished_game_is_recorded_whole) {
  begin(0, 60'000, 0);
  for (std::uint32_t col = 0; col < 3; ++col) {
    driver.pass(milliseconds(250));
    driver.ask(alice, move_request(0, col));
    if (col < 2) driver.ask(bob, move_request(1, col));
  }
  const Ledger ledger(driver.records);
  ASSERT_EQ(ledger.games().size(), 1u);
  const v1::GameRecord& game = ledger.games()[0];
  EXPECT_EQ(game.room(), "den");
  EXPECT_EQ(game.x().name(), "alice");
  EXPECT_EQ(game.time().game_ms(), 60'000u);
  EXPECT_THAT(game.moves(), testing::ElementsAre(0u, 4u, 1u, 5u, 2u));
  EXPECT_THAT(game.move_ms(), testing::ElementsAre(20'250u, 0u, 250u, 0u, 250u));
  EXPECT_EQ(game.outcome().winner(), v1::MARK_X);
  EXPECT_EQ(game.outcome().lines_size(), 1);
}

// How often a side may offer a draw or ask for a takeback -----------------------------------------

using OfferLimitsTest = TimedRoomTest;

TEST_F(OfferLimitsTest, a_loop_of_offers_and_withdrawals_is_stopped) {
  begin();
  for (int i = 0; i < 100; ++i) {
    driver.ask(alice, draw_request());
    driver.ask(alice, decline_request());
  }
  driver.ask(bob, snapshot_request());
  EXPECT_LE(driver.take_updates(bob).size(), 2u);
  EXPECT_THAT(driver.ask(alice, draw_request()).error().message(), HasSubstr("once per move"));
}

TEST_F(OfferLimitsTest, a_draw_can_be_offered_once_per_own_move) {
  begin();
  driver.ask(alice, draw_request());
  driver.ask(alice, move_request(0, 0));
  driver.ask(alice, draw_request());
  ASSERT_EQ(room().draw_offered_by(), v1::MARK_X);
  driver.ask(bob, move_request(1, 1));
  EXPECT_EQ(refusal(alice, draw_request()), Error::CODE_NOT_ALLOWED) << "bob's move was an answer";
  driver.ask(alice, move_request(0, 1));
  EXPECT_TRUE(driver.ask(alice, draw_request()).update().has_draw_offered());
}

TEST_F(OfferLimitsTest, a_side_waits_after_no_also_if_it_moves_fast) {
  begin();
  driver.ask(alice, draw_request());
  driver.ask(bob, decline_request());
  driver.ask(alice, move_request(0, 0));
  driver.pass(milliseconds(9'999));
  EXPECT_THAT(driver.ask(alice, draw_request()).error().message(), HasSubstr("Wait 1 s"));
  EXPECT_EQ(refusal(alice, takeback_request()), Error::CODE_NOT_ALLOWED);
  EXPECT_TRUE(driver.ask(bob, draw_request()).update().has_draw_offered()) << "he has not asked";
  driver.ask(alice, decline_request());
  driver.pass(milliseconds(1));
  EXPECT_TRUE(driver.ask(alice, draw_request()).update().has_draw_offered());
}

TEST_F(OfferLimitsTest, an_offer_can_always_be_accepted) {
  begin();
  driver.ask(alice, draw_request());
  driver.ask(bob, decline_request());
  driver.ask(bob, draw_request());
  EXPECT_TRUE(driver.ask(alice, draw_request()).update().has_game_ended());
}

TEST_F(OfferLimitsTest, a_takeback_can_be_asked_for_once_per_own_move) {
  begin();
  driver.ask(alice, move_request(0, 0));
  driver.ask(alice, takeback_request());
  driver.ask(bob, decline_request());
  driver.pass(seconds(10));
  EXPECT_EQ(refusal(alice, takeback_request()), Error::CODE_NOT_ALLOWED);
  driver.ask(bob, move_request(1, 1));
  driver.ask(alice, move_request(0, 1));
  EXPECT_TRUE(driver.ask(alice, takeback_request()).update().has_takeback_asked());
}

TEST_F(OfferLimitsTest, moves_can_be_taken_back_one_after_the_other) {
  begin();
  driver.ask(alice, move_request(0, 0));
  driver.ask(bob, move_request(1, 1));
  driver.ask(alice, move_request(0, 1));
  for (const std::uint32_t ply : {2u, 0u}) {
    driver.ask(alice, takeback_request());
    EXPECT_EQ(driver.ask(bob, takeback_request()).update().taken_back().ply(), ply);
  }
}

TEST_F(OfferLimitsTest, an_ai_is_asked_for_a_draw_once_per_move_too) {
  driver.ask(alice, create_request("den"));
  driver.ask(alice, add_ai_request(v1::MARK_O));
  driver.ask(alice, draw_request());
  EXPECT_EQ(refusal(alice, draw_request()), Error::CODE_NOT_ALLOWED);
}

TEST_F(OfferLimitsTest, a_rematch_is_asked_for_once_per_game) {
  begin();
  driver.ask(alice, resign_request());
  driver.take(bob);
  for (int i = 0; i < 10; ++i) {
    driver.ask(alice, rematch_request());
    driver.ask(alice, decline_request());
  }
  driver.ask(bob, snapshot_request());
  EXPECT_EQ(driver.take_updates(bob).size(), 1u);
}

TEST_F(OfferLimitsTest, the_next_game_allows_all_again) {
  begin();
  driver.ask(alice, draw_request());
  driver.ask(bob, decline_request());
  driver.ask(bob, resign_request());
  driver.ask(alice, rematch_request());
  driver.ask(bob, rematch_request());
  EXPECT_TRUE(driver.ask(alice, draw_request()).update().has_draw_offered());
}

}  // namespace
}  // namespace tictactoe::test::host_offers_tests
