// A lost connection, the attempts to reach the server again, and coming back.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/support/returning_client.hpp"

namespace tictactoe::client::session_lost_tests {
namespace {

using testing::first_token;
using ::testing::HasSubstr;
using testing::lasting;
using testing::o_plays_corner;
using testing::RecordedSession;
using testing::Returning;
using testing::said;
using testing::Seated;
using testing::snapshot;
using testing::watched;
using testing::x_plays_centre;

Session::Options with_token() {
  Session::Options options = lasting();
  options.token = "0123456789abcdef";
  return options;
}

TEST(Lost, is_told_and_tried_again_with_token_room_and_revision) {
  Seated alice;
  alice.server(x_plays_centre);
  alice.text();
  alice.lose();
  EXPECT_EQ(alice.text(),
            "ConnectionLost reset by peer\nRetryScheduled for the cause that was told\n");
  const v1::Hello hello = alice.reconnect();
  EXPECT_EQ(hello.token(), "0123456789abcdef");
  EXPECT_EQ(hello.room(), "den");
  EXPECT_EQ(hello.revision(), 8U);
  EXPECT_EQ(hello.name(), "alice");
}

TEST(Lost, the_lobby_is_followed_again) {
  Session::Options options = lasting();
  options.follow_lobby = true;
  Returning alice(options);
  alice.welcome();
  alice.answer(alice.only_request(), "lobby_update { reset: true complete: true }");
  alice.lose();
  alice.come_back("resumed: true");
  EXPECT_TRUE(alice.only_request().has_watch_lobby());
}

TEST(Lost, what_was_missed_is_told_and_the_play_goes_on) {
  Seated alice;
  alice.server(x_plays_centre);
  alice.lose();
  alice.reconnect();
  alice.text();
  const auto barrier = alice.welcome_back();
  EXPECT_TRUE(barrier.has_ping());
  alice.server(o_plays_corner);
  alice.server(
      "update { revision: 10 phase: PHASE_PLAYING turn: MARK_X "
      "chat_said { from: 'bob' seat: MARK_O text: 'where are you?' } }");
  alice.answer(barrier, "pong { }");
  EXPECT_EQ(alice.text(),
            "WelcomedBack\nRoomChanged move_played\nRoomChanged chat_said\nCaughtUp changed\n");
  alice.typed("c3");
  EXPECT_EQ(alice.only_request().move().ply(), 2U);
}

TEST(Lost, says_that_nothing_was_missed) {
  Seated alice;
  alice.lose();
  alice.reconnect();
  alice.text();
  alice.answer(alice.welcome_back(), "pong { }");
  EXPECT_EQ(alice.text(), "WelcomedBack\nCaughtUp\n");
}

TEST(Lost, a_snapshot_takes_the_place_of_much_that_was_missed) {
  Returning alice(lasting());
  alice.enter_room(snapshot("chat { from: 'bob' text: 'hi' }"));
  alice.lose();
  alice.reconnect();
  alice.text();
  const auto barrier = alice.welcome_back();
  alice.news(
      snapshot("revision: 1048576 moves: 4 moves: 0 chat { from: 'bob' text: 'hi' } "
               "chat { from: 'bob' text: 'back?' }"));
  alice.answer(barrier, "pong { }");
  EXPECT_EQ(alice.text(), "WelcomedBack\nRoomShown known, new chat from 1\n");

  Seated silent;
  silent.lose();
  silent.reconnect();
  const auto end = silent.welcome_back();
  silent.news(snapshot("revision: 9 chat { from: 'bob' text: 'hi' }"));
  silent.answer(end, "pong { }");
  EXPECT_THAT(silent.text(), HasSubstr("WelcomedBack\nRoomShown known, new chat from 0\n"));
}

TEST(Lost, the_waits_grow_and_are_moved_at_random_until_patience_ends) {
  Seated alice(lasting(true));
  alice.lose();
  milliseconds expected = first_wait;
  milliseconds waited{0};
  int tries = 0;
  int odd = 0;
  while (!alice.session().ending()) {
    const milliseconds wait = alice.next_in();
    if (waited + expected * 5 / 4 < milliseconds(60'000)) {
      EXPECT_GE(wait, expected * 3 / 4);
      EXPECT_LE(wait, expected * 5 / 4);
      odd += wait != expected ? 1 : 0;
    }
    alice.pass(wait);
    waited += wait;
    ++tries;
    ASSERT_TRUE(alice.session().wants_connection());
    alice.session().cannot_connect("Connection refused", alice.now);
    expected = std::min(expected * 2, longest_wait);
  }
  EXPECT_EQ(waited, milliseconds(60'000));
  EXPECT_GT(tries, 6);
  EXPECT_LT(tries, 20);
  EXPECT_GT(odd, 4);
  EXPECT_EQ(alice.session().ending()->status, 1);
  EXPECT_EQ(alice.session().ending()->patience, std::chrono::seconds(60));
  EXPECT_EQ(alice.session().ending()->cause.kind, Cause::Kind::unreachable);
}

TEST(Lost, a_connection_that_is_lost_at_once_is_not_tried_faster_each_time) {
  Seated alice(lasting(true));
  milliseconds longest{0};
  for (int i = 0; i < 6 && !alice.session().ending(); ++i) {
    alice.lose();
    longest = std::max(longest, alice.next_in());
    alice.come_back();
  }
  EXPECT_GT(longest, milliseconds(5'000));
  alice.pass(settled_after);
  alice.lose();
  EXPECT_LE(alice.next_in(), first_wait * 5 / 4);
}

TEST(Lost, a_server_that_stops_or_finds_us_silent_is_come_back_to) {
  for (const char* code : {"CODE_SERVER_STOPPING", "CODE_SILENT"}) {
    Seated alice;
    alice.server(std::string("error { closing: true message: 'See you.' code: ") + code + " }");
    EXPECT_FALSE(alice.session().ending()) << code;
    EXPECT_THAT(alice.text(), HasSubstr("ConnectionLost closed: See you.\n"));
    alice.come_back();
    EXPECT_THAT(alice.text(), HasSubstr("WelcomedBack\n"));
  }
}

TEST(Lost, a_fault_that_no_try_can_repair_ends_at_once) {
  for (const char* code : {"CODE_REPLACED", "CODE_FLOODING", "CODE_MALFORMED_FRAME"}) {
    Seated alice;
    alice.server(std::string("error { closing: true message: 'No.' code: ") + code + " }");
    ASSERT_TRUE(alice.session().ending()) << code;
    EXPECT_EQ(alice.session().ending()->status, 1);
  }
  Seated replaced;
  replaced.server("error { closing: true code: CODE_REPLACED }");
  EXPECT_EQ(replaced.session().ending()->cause.kind, Cause::Kind::replaced);

  Seated old;
  old.lose();
  old.reconnect();
  old.server("error { closing: true code: CODE_VERSION_UNSUPPORTED message: 'Too old.' }");
  EXPECT_EQ(old.session().ending()->status, 1);
  EXPECT_EQ(old.session().ending()->cause.error.message(), "Too old.");
}

TEST(Lost, a_full_server_is_tried_again_only_by_a_client_that_was_there) {
  Seated alice;
  alice.lose();
  alice.reconnect();
  alice.server("error { closing: true code: CODE_SERVER_FULL message: 'Full.' }");
  EXPECT_FALSE(alice.session().ending());
  EXPECT_FALSE(alice.session().wants_connection());
  alice.come_back();

  Returning stranger(lasting());
  stranger.server("error { closing: true code: CODE_SERVER_FULL message: 'Full.' }");
  EXPECT_EQ(stranger.session().ending()->status, 1);
}

TEST(Lost, a_server_that_does_not_answer_the_hello_is_tried_again) {
  Seated alice;
  alice.lose();
  alice.reconnect();
  alice.pass(welcome_timeout);
  EXPECT_FALSE(alice.session().wants_connection());
  // Nor what was missed.
  alice.reconnect();
  alice.welcome_back();
  alice.pass(welcome_timeout);
  EXPECT_FALSE(alice.session().wants_connection());
  EXPECT_FALSE(alice.session().ending());
}

TEST(Lost, a_slow_line_may_take_its_time_to_catch_up) {
  Seated alice;
  alice.lose();
  alice.reconnect();
  const auto barrier = alice.welcome_back();
  v1::ServerMessage message;
  *message.mutable_snapshot() = snapshot("revision: 99");
  for (const char byte : testing::frame_of(message)) {
    alice.pass(welcome_timeout - milliseconds(1));
    alice.deliver({&byte, 1});
  }
  alice.answer(barrier, "pong { }");
  EXPECT_THAT(alice.text(), HasSubstr("RoomShown known"));
}

TEST(Lost, the_first_connect_is_not_tried_again) {
  Session never(lasting());
  never.cannot_connect("Connection refused", Time());
  EXPECT_EQ(never.ending()->status, 1);
  Returning unwelcome(lasting());
  unwelcome.session().connection_lost("reset by peer", unwelcome.now);
  EXPECT_EQ(unwelcome.session().ending()->status, 1);
}

// Coming back -------------------------------------------------------------------------------------

// What becomes of the seat.

TEST(Seat, of_a_server_that_does_not_know_us_is_gone) {
  Seated alice;
  EXPECT_EQ(alice.session().take_token(), "0123456789abcdef");
  alice.typed("1 1");
  alice.sent();
  alice.lose();
  alice.reconnect();
  alice.text();
  alice.answer(alice.welcome_back("token: 'another token 16'"), "pong { }");
  EXPECT_EQ(alice.text(), "WelcomedBack unknown lost den\n");
  EXPECT_TRUE(alice.sent().empty());
  EXPECT_EQ(alice.session().take_token(), "another token 16");

  Seated given_up;
  given_up.lose();
  given_up.reconnect();
  given_up.text();
  given_up.answer(given_up.welcome_back("resumed: true"), "pong { }");
  EXPECT_THAT(given_up.text(), HasSubstr("WelcomedBack lost den\n"));
}

TEST(Seat, tokens_of_another_length_are_none) {
  for (const char* token : {"token: 'short'", "token: '0123456789abcdef0'"}) {
    RecordedSession harness(lasting());
    harness.welcome("alice", token);
    EXPECT_FALSE(harness.session().take_token()) << token;
  }
}

TEST(Seat, an_earlier_programs_token_may_mean_nothing_any_more) {
  RecordedSession harness(with_token());
  harness.welcome("alice", "token: 'another token 16'");
  EXPECT_EQ(harness.text(), "Welcomed\n");
  EXPECT_EQ(harness.session().take_token(), "another token 16");
}

TEST(Watcher, watches_again_with_the_password) {
  Returning alice(lasting());
  alice.welcome("alice", first_token);
  alice.typed("watch den password swordfish");
  auto room = watched("revision: 7");
  alice.answer(alice.only_request(), room);
  alice.lose();
  EXPECT_EQ(alice.reconnect().room(), "");
  alice.text();
  const auto watch = alice.welcome_back("resumed: true");
  EXPECT_EQ(watch.watch_room().name(), "den");
  EXPECT_EQ(watch.watch_room().password(), "swordfish");
  room.set_revision(12);
  alice.answer(watch, room);
  EXPECT_EQ(alice.text(), "WelcomedBack\nRoomShown known, new chat from 0\n");
  alice.server(
      "update { revision: 13 phase: PHASE_PLAYING turn: MARK_O "
      "move_played { mark: MARK_X cell { } ply: 1 } }");
  EXPECT_EQ(alice.text(), "RoomChanged move_played\n");
}

TEST(Watcher, of_a_room_that_is_gone_is_told) {
  Returning alice(lasting());
  auto room = watched();
  alice.enter_room(room);
  alice.lose();
  alice.reconnect();
  alice.text();
  alice.answer(alice.welcome_back("resumed: true"),
               "error { code: CODE_ROOM_NOT_FOUND message: 'No such room.' }");
  EXPECT_THAT(alice.text(), HasSubstr("WatchingEnded den: No such room.\n"));
  EXPECT_EQ(alice.session().room(), nullptr);
}

TEST(Watcher, is_not_held_up_by_the_rate) {
  Returning alice(lasting());
  auto room = watched();
  alice.enter_room(room);
  alice.lose();
  alice.reconnect();
  alice.answer(alice.welcome_back("resumed: true"),
               "error { code: CODE_RATE_LIMITED retry_after_ms: 50 }");
  alice.pass(milliseconds(50));
  EXPECT_TRUE(alice.only_request().has_watch_room());
}

// Signs of life.

class Beating : public RecordedSession {
 public:
  Beating() : RecordedSession(lasting()) {
    answer(only_request(), "welcome { protocol_version: 1 limits { silence_timeout_ms: 30000 } }");
  }
};

TEST(Heartbeats, are_sent_if_nothing_else_was) {
  Beating harness;
  harness.pass(milliseconds(9'999));
  EXPECT_TRUE(harness.sent().empty());
  harness.pass(milliseconds(1));
  const auto ping = harness.only_request();
  EXPECT_TRUE(ping.has_ping());
  harness.answer(ping, "pong { }");
  harness.pass(milliseconds(6'000));
  harness.typed("rooms");
  harness.sent();
  harness.pass(milliseconds(9'999));
  EXPECT_TRUE(harness.sent().empty());
  harness.pass(milliseconds(1));
  EXPECT_TRUE(harness.only_request().has_ping());
}

TEST(Heartbeats, a_silent_server_is_lost) {
  Beating harness;
  harness.pass(milliseconds(29'999));
  EXPECT_TRUE(harness.session().wants_connection());
  harness.pass(milliseconds(1));
  EXPECT_FALSE(harness.session().wants_connection());
  EXPECT_THAT(harness.text(), HasSubstr("ConnectionLost silent\n"));
}

TEST(Heartbeats, any_byte_is_a_sign_of_life) {
  Beating harness;
  for (const char byte : testing::frame_of(said("notice { message: 'a long frame, slowly' }"))) {
    harness.pass(milliseconds(24'000));
    harness.deliver({&byte, 1});
    ASSERT_TRUE(harness.session().wants_connection());
  }
  EXPECT_THAT(harness.text(), HasSubstr("a long frame, slowly"));
}

TEST(Heartbeats, are_not_sent_to_an_old_server_and_never_too_often) {
  RecordedSession old(lasting());
  old.welcome();
  EXPECT_FALSE(old.next_deadline());
  RecordedSession mad(lasting());
  mad.answer(mad.only_request(),
             "welcome { protocol_version: 1 limits { silence_timeout_ms: 1 } }");
  EXPECT_GE(mad.next_in(), shortest_ping_interval);
}

// On a busy machine an AI may think for longer than a server bears silence.
TEST(Heartbeats, are_sent_while_a_hint_is_awaited) {
  Beating harness;
  harness.typed("play");
  harness.answer(harness.only_request(), snapshot());
  harness.typed("hint");
  const auto hint = harness.only_request();
  ASSERT_TRUE(hint.has_hint());
  for (int i = 0; i < 30; ++i) {
    harness.pass(milliseconds(10'000));
    const auto ping = harness.only_request();
    ASSERT_TRUE(ping.has_ping());
    harness.answer(ping, "pong { }");
  }
  harness.text();
  harness.answer(hint, "hinted { cell { col: 2 } mark: MARK_X game: 1 }");
  EXPECT_EQ(harness.text(), "HintGiven c1\n");
}

/// The welcome of a server that has handled the requests up to this one.
std::string back_with_done(const v1::ClientMessage& request, const std::string& room = "den") {
  return "resumed: true room: '" + room +
         "' last_request_done: " + std::to_string(request.request_id());
}

// A drop at every byte of an exchange: whatever came before it, the game goes on as if nothing had
// happened, and the move is made once.

// The connection is cut after `cut` bytes of the answers to a move and to a line of chat.
void play_with_a_cut(std::size_t cut, std::size_t& length) {
  Seated alice(lasting(true));
  alice.typed("2 2");
  const auto move = alice.only_request();
  v1::ServerMessage played = said(x_plays_centre);
  played.set_request_id(move.request_id());
  std::string stream = testing::frame_of(played);
  const std::size_t told = stream.size();
  stream += testing::frame_of(said(o_plays_corner));
  length = stream.size();
  alice.deliver(std::string_view(stream).substr(0, cut));
  alice.lose();
  const std::uint64_t revision = alice.reconnect().revision();
  ASSERT_EQ(revision, 7U + (cut >= told ? 1 : 0) + (cut >= length ? 1 : 0)) << cut;
  const auto barrier = alice.welcome_back(back_with_done(move));
  played.set_request_id(0);
  if (revision < 8) alice.server(played);
  if (revision < 9) alice.server(o_plays_corner);
  alice.answer(barrier, "pong { }");
  EXPECT_TRUE(alice.sent().empty()) << "the move was made, after " << cut;
  const std::string text = alice.text();
  const std::string moved = "RoomChanged move_played\n";
  EXPECT_NE(text.find(moved), text.rfind(moved)) << cut << " two moves";
  EXPECT_EQ(text.find(moved, text.find(moved) + 1), text.rfind(moved)) << cut << " and no more";
  alice.typed("c3");
  EXPECT_EQ(alice.only_request().move().ply(), 2U);
}

TEST(Cut, at_every_byte_of_an_exchange) {
  std::size_t length = 0;
  play_with_a_cut(0, length);
  for (std::size_t cut = 1; cut <= length; ++cut) play_with_a_cut(cut, length);
}

TEST(Cut, before_the_move_was_heard_it_is_sent_again) {
  Seated alice;
  alice.typed("2 2");
  const auto move = alice.only_request();
  alice.lose();
  alice.come_back();
  const auto again = alice.only_request();
  EXPECT_EQ(again.move().ShortDebugString(), move.move().ShortDebugString());
  EXPECT_GT(again.request_id(), move.request_id()) << "the server may count others in between";
}

TEST(Cut, once_more_while_catching_up_loses_nothing) {
  Seated alice;
  alice.typed("2 2");
  alice.typed("say hello");
  alice.sent();
  alice.lose();
  alice.reconnect();
  alice.welcome_back();
  alice.lose();
  alice.come_back();
  const auto again = alice.sent();
  ASSERT_EQ(again.size(), 2U);
  EXPECT_TRUE(again[0].has_move());
  EXPECT_EQ(again[1].chat().text(), "hello");
}

/// Asks for this, loses the connection before the answer, and comes back to a server that has
/// handled it or not, and sends `missed`.
struct Asked : Seated {
  Asked(const std::string& line, bool handled, const std::vector<v1::RoomSnapshot>& missed,
        const char* before = nullptr) {
    if (before) server(before);
    typed(line);
    request = only_request();
    lose();
    reconnect();
    text();
    const auto barrier = handled ? welcome_back(back_with_done(request)) : welcome_back();
    for (const auto& room : missed) news(room);
    answer(barrier, "pong { }");
  }
  v1::ClientMessage request;
};

constexpr const char* game_ends =
    "update { revision: 8 phase: PHASE_FINISHED "
    "game_ended { outcome { winner: MARK_X reason: REASON_RESIGNED } } }";
constexpr const char* bob_offers_draw =
    "update { revision: 8 phase: PHASE_PLAYING turn: MARK_X draw_offered { by: MARK_O } }";

// The second game was played while the client was away. A third would begin by itself.
TEST(Cut, a_rematch_is_asked_for_once) {
  const auto second = snapshot(
      "revision: 30 game: 2 phase: PHASE_FINISHED o_wants_rematch: true "
      "outcome { winner: MARK_O reason: REASON_TIME }");
  EXPECT_TRUE(Asked("rematch", true, {second}, game_ends).sent().empty());
  EXPECT_TRUE(Asked("rematch", false, {}, game_ends).only_request().has_rematch());
}

TEST(Cut, an_answer_is_for_the_offer_that_the_player_has_seen) {
  const auto next_offer = snapshot("revision: 30 moves: 4 moves: 0 draw_offered_by: MARK_O");
  const auto same_offer = snapshot("revision: 1048576 draw_offered_by: MARK_O");
  for (const char* answer : {"decline", "draw"}) {
    for (const bool handled : {false, true}) {
      Asked alice(answer, handled, {next_offer}, bob_offers_draw);
      EXPECT_TRUE(alice.sent().empty()) << answer << handled;
      EXPECT_EQ(alice.session().room()->draw_offered_by, Mark::o);
      EXPECT_EQ(Asked(answer, handled, {}, bob_offers_draw).sent().empty(), handled) << answer;
      EXPECT_EQ(Asked(answer, handled, {same_offer}, bob_offers_draw).sent().empty(), handled)
          << answer;
    }
    // It would be an offer of the player's own, or decline nothing.
    EXPECT_TRUE(Asked(answer, false, {snapshot("revision: 30")}, bob_offers_draw).sent().empty());
  }
}

TEST(Cut, an_offer_does_not_answer_one_that_the_player_has_not_seen) {
  const auto offered = snapshot("revision: 30 draw_offered_by: MARK_O");
  EXPECT_TRUE(Asked("draw", false, {offered}).sent().empty());
  EXPECT_TRUE(Asked("draw", false, {snapshot("revision: 30")}).only_request().has_offer_draw());
  // One that came and went does not count, nor one of the player's own.
  const auto own = snapshot("revision: 30 takeback_asked_by: MARK_X");
  EXPECT_TRUE(
      Asked("draw", false, {offered, snapshot("revision: 31")}).only_request().has_offer_draw());
  EXPECT_TRUE(Asked("draw", false, {own}).only_request().has_offer_draw());
}

TEST(Cut, an_own_offer_does_not_undo_the_next_request) {
  Seated alice;
  alice.typed("draw");
  const auto draw = alice.only_request();
  alice.typed("takeback");
  alice.sent();
  alice.lose();
  alice.reconnect();
  const auto barrier = alice.welcome_back(back_with_done(draw));
  alice.server(
      "update { revision: 8 phase: PHASE_PLAYING turn: MARK_X draw_offered { by: MARK_X } }");
  alice.answer(barrier, "pong { }");
  EXPECT_TRUE(alice.only_request().has_ask_takeback());
}

// They would be refused, and a script with --fail would end.
TEST(Cut, what_events_have_overtaken_is_not_sent_again) {
  const auto over =
      snapshot("revision: 30 phase: PHASE_FINISHED outcome { winner: MARK_O reason: REASON_TIME }");
  const auto next_game = snapshot("revision: 30 game: 2");
  const auto moved_on = snapshot("revision: 30 moves: 4 moves: 0");
  for (const char* line : {"2 2", "resign", "draw", "takeback"}) {
    for (const auto& now : {over, next_game}) {
      EXPECT_TRUE(Asked(line, false, {now}).sent().empty()) << line;
    }
  }
  EXPECT_TRUE(Asked("hint", false, {over}).sent().empty());
  EXPECT_TRUE(Asked("decline", false, {over}, bob_offers_draw).sent().empty());
  EXPECT_TRUE(Asked("2 2", false, {moved_on}).sent().empty());
  EXPECT_TRUE(Asked("rematch", false, {next_game}, game_ends).sent().empty());
  EXPECT_TRUE(Asked("resign", false, {moved_on}).only_request().has_resign());
  EXPECT_TRUE(Asked("hint", false, {moved_on}).only_request().has_hint());
}

TEST(Cut, what_is_asked_of_a_room_ends_with_it) {
  for (const std::string line : {"say hello", "hint", "members", "leave"}) {
    Seated seated;
    seated.typed(line);
    seated.sent();
    seated.lose();
    seated.come_back("resumed: true");
    EXPECT_TRUE(seated.sent().empty()) << line;

    Returning watcher(lasting());
    watcher.enter_room(watched());
    watcher.typed(line);
    watcher.sent();
    watcher.lose();
    watcher.reconnect();
    watcher.answer(watcher.welcome_back("resumed: true"),
                   line == "leave" ? "pong { }" : "error { code: CODE_ROOM_NOT_FOUND }");
    EXPECT_TRUE(watcher.sent().empty()) << line;
  }
  for (const char* line : {"hint", "members"}) {
    Seated leaver;
    leaver.typed(line);
    leaver.typed("leave");
    const auto leave = leaver.sent().back();
    leaver.lose();
    leaver.come_back(back_with_done(leave, ""));
    EXPECT_TRUE(leaver.sent().empty()) << line;
  }
}

TEST(Cut, a_room_that_was_left_is_not_called_a_lost_seat) {
  Seated alice;
  alice.typed("leave");
  const auto leave = alice.only_request();
  alice.typed("rooms");
  alice.sent();
  alice.lose();
  alice.reconnect();
  alice.text();
  alice.answer(alice.welcome_back(back_with_done(leave, "")), "pong { }");
  EXPECT_EQ(alice.text(), "WelcomedBack\nRoomLeft den\n");
  EXPECT_TRUE(alice.only_request().has_list_rooms());

  Seated heard_nothing;
  heard_nothing.typed("leave");
  heard_nothing.sent();
  heard_nothing.lose();
  heard_nothing.come_back();
  EXPECT_TRUE(heard_nothing.only_request().has_leave_room());
}

namespace {

constexpr const char* leave_first =
    "error { code: CODE_ALREADY_IN_ROOM message: 'You are in the room den: leave it first.' }";

/// One who waits in the room "den", and has asked for another one.
struct Moving : Returning {
  explicit Moving(const std::string& line = "join garden") : Returning(lasting()) {
    v1::RoomSnapshot room = snapshot("phase: PHASE_WAITING");
    room.clear_o();
    enter_room(room);
    text();
    typed(line);
    request = only_request();
  }
  v1::ClientMessage request;
};

}  // namespace

TEST(NextRoom, is_entered_once_the_server_would_let_the_player_in) {
  for (const char* line : {"join garden", "watch garden", "create garden", "play"}) {
    Moving alice(line);
    alice.answer(alice.request, leave_first);
    const auto leave = alice.only_request();
    EXPECT_TRUE(leave.has_leave_room()) << line;
    EXPECT_EQ(alice.session().room()->name, "den");
    EXPECT_TRUE(alice.session().is_busy());
    alice.answer(leave, "left { }");
    auto again = alice.only_request();
    EXPECT_GT(again.request_id(), leave.request_id());
    again.set_request_id(alice.request.request_id());
    EXPECT_EQ(again.SerializeAsString(), alice.request.SerializeAsString());
    EXPECT_EQ(alice.text(), "RoomLeft den\n");
  }
}

TEST(NextRoom, that_refuses_the_player_leaves_everything_as_it_is) {
  Moving alice;
  alice.answer(alice.request, "error { code: CODE_ROOM_FULL message: 'Full.' }");
  EXPECT_EQ(alice.text(), "Refused: Full.\n");
  EXPECT_TRUE(alice.sent().empty());
  EXPECT_EQ(alice.session().room()->name, "den");
}

TEST(NextRoom, is_not_worth_a_running_game) {
  Seated alice;
  alice.text();
  alice.typed("join garden");
  alice.answer(alice.only_request(), leave_first);
  EXPECT_EQ(alice.text(), "Refused: You are in the room den: leave it first.\n");
  EXPECT_TRUE(alice.sent().empty());
}

TEST(NextRoom, that_somebody_was_faster_in_is_told) {
  Moving alice;
  alice.answer(alice.request, leave_first);
  alice.answer(alice.only_request(), "left { }");
  alice.answer(alice.only_request(), "error { code: CODE_ROOM_FULL message: 'Full.' }");
  EXPECT_EQ(alice.text(), "RoomLeft den\nRefused: Full.\n");
}

TEST(NextRoom, is_not_entered_if_the_present_one_cannot_be_left) {
  Moving alice;
  alice.answer(alice.request, leave_first);
  alice.answer(alice.only_request(), "error { code: CODE_CANNOT_RECORD message: 'Later.' }");
  EXPECT_EQ(alice.text(), "Refused: Later.\n");
  alice.typed("leave");
  alice.answer(alice.only_request(), "left { }");
  EXPECT_TRUE(alice.sent().empty());
}

TEST(NextRoom, is_entered_after_a_lost_connection) {
  for (const bool has_left : {false, true}) {
    Moving alice;
    alice.answer(alice.request, leave_first);
    const auto leave = alice.only_request();
    alice.lose();
    EXPECT_TRUE(alice.session().is_busy());
    alice.reconnect();
    alice.answer(
        alice.welcome_back(has_left ? back_with_done(leave, "") : "resumed: true room: 'den'"),
        "pong { }");
    if (!has_left) {
      const auto again = alice.only_request();
      EXPECT_TRUE(again.has_leave_room());
      alice.answer(again, "left { }");
    }
    EXPECT_EQ(alice.only_request().join_room().name(), "garden") << has_left;
  }
}

TEST(NextRoom, is_entered_by_a_watcher_after_a_lost_connection) {
  Returning alice(lasting());
  alice.enter_room(watched());
  alice.typed("join garden");
  alice.answer(alice.only_request(), leave_first);
  const auto leave = alice.only_request();
  alice.lose();
  alice.reconnect();
  alice.answer(alice.welcome_back(back_with_done(leave, "")), "pong { }");
  EXPECT_EQ(alice.only_request().join_room().name(), "garden");
}

TEST(Cut, a_room_that_was_left_for_another_is_not_called_a_lost_seat) {
  Seated alice;
  alice.typed("leave");
  alice.typed("join garden");
  const auto join = alice.sent().back();
  alice.lose();
  alice.reconnect();
  alice.text();
  const auto barrier = alice.welcome_back(back_with_done(join, "garden"));
  alice.news(snapshot("name: 'garden'"));
  alice.answer(barrier, "pong { }");
  EXPECT_EQ(alice.session().room()->name, "garden");
  EXPECT_TRUE(alice.sent().empty());
}

TEST(Cut, a_room_that_was_left_and_entered_again_is_not_forgotten) {
  Seated alice;
  alice.typed("leave");
  alice.typed("join den");
  const auto join = alice.sent().back();
  alice.lose();
  alice.come_back(back_with_done(join));
  ASSERT_NE(alice.session().room(), nullptr);
  EXPECT_EQ(alice.session().room()->my_seat, Mark::x);
  EXPECT_TRUE(alice.sent().empty());
}

TEST(Cut, a_room_that_was_entered_and_left_is_not_entered_again) {
  for (const char* line : {"create den", "watch den"}) {
    Returning alice(lasting());
    alice.welcome("alice", first_token);
    alice.typed(line);
    alice.typed("leave");
    const auto leave = alice.sent().back();
    alice.lose();
    alice.come_back(back_with_done(leave, ""));
    EXPECT_TRUE(alice.sent().empty()) << line;
  }
}

TEST(Cut, twice_loses_nothing_that_a_watcher_says) {
  Returning alice(lasting());
  alice.enter_room(watched());
  alice.typed("say hello");
  alice.sent();
  alice.lose();
  alice.reconnect();
  const auto watch = alice.welcome_back("resumed: true");
  alice.answer(watch, watched());
  EXPECT_EQ(alice.only_request().chat().text(), "hello");
  alice.lose();
  alice.reconnect();
  alice.answer(alice.welcome_back(back_with_done(watch, "")), watched());
  EXPECT_EQ(alice.only_request().chat().text(), "hello");
}

TEST(Cut, of_a_watcher_whom_the_server_does_not_know_may_have_lost_what_was_said) {
  Returning alice(lasting());
  alice.enter_room(watched());
  alice.typed("say hello");
  alice.sent();
  alice.lose();
  alice.reconnect();
  alice.answer(alice.welcome_back("token: 'another token 16'"), watched());
  EXPECT_THAT(alice.text(), HasSubstr("PerhapsLost\n"));
  EXPECT_TRUE(alice.sent().empty());
}

TEST(Cut, a_watcher_who_leaves_does_not_watch_again) {
  for (const bool handled : {false, true}) {
    Returning alice(lasting());
    alice.enter_room(watched());
    alice.typed("leave");
    const auto leave = alice.only_request();
    alice.lose();
    alice.reconnect();
    const auto barrier = alice.welcome_back(handled ? back_with_done(leave, "") : "resumed: true");
    EXPECT_TRUE(barrier.has_ping());
    alice.answer(barrier, "pong { }");
    EXPECT_TRUE(alice.sent().empty());
    EXPECT_EQ(alice.session().room(), nullptr);
  }
}

TEST(Cut, who_has_entered_enters_again_only_if_the_seat_is_gone) {
  for (const bool seated : {false, true}) {
    Returning alice(lasting());
    alice.welcome("alice", first_token);
    alice.typed("join den");
    const auto join = alice.only_request();
    alice.lose();
    alice.reconnect();
    const auto barrier = alice.welcome_back(back_with_done(join, seated ? "den" : ""));
    if (seated) alice.news(snapshot());
    alice.answer(barrier, "pong { }");
    EXPECT_EQ(alice.sent().empty(), seated);
  }
}

TEST(Cut, a_watcher_who_has_taken_a_seat_does_not_watch_again) {
  Returning alice(lasting());
  alice.enter_room(watched());
  alice.typed("join den");
  const auto join = alice.only_request();
  alice.lose();
  alice.reconnect();
  const auto barrier = alice.welcome_back(back_with_done(join));
  EXPECT_TRUE(barrier.has_ping());
  alice.news(snapshot("revision: 9"));
  alice.answer(barrier, "pong { }");
  EXPECT_TRUE(alice.sent().empty());
  EXPECT_EQ(alice.session().room()->my_seat, Mark::x);
}

// Otherwise a request of this program would count as done because of an earlier program's.
TEST(Cut, request_ids_go_on_above_those_of_an_earlier_program) {
  RecordedSession harness(with_token());
  harness.welcome("alice", "resumed: true last_request_done: 500");
  harness.typed("rooms");
  EXPECT_GT(harness.only_request().request_id(), 500U);
}

TEST(Cut, what_the_server_does_not_count_may_not_have_arrived) {
  Seated alice;
  alice.typed("invite carol");
  alice.typed("say hello");
  const auto chat = alice.sent().back();
  alice.lose();
  alice.reconnect();
  const auto barrier = alice.welcome_back(back_with_done(chat));
  alice.news(snapshot("revision: 1048576"));
  alice.text();
  alice.answer(barrier, "pong { }");
  EXPECT_EQ(alice.text(), "PerhapsLost\n");
  EXPECT_TRUE(alice.sent().empty());
}

TEST(Cut, what_was_refused_for_now_is_sent_again) {
  Seated alice(lasting(true));
  alice.typed("say hello");
  alice.answer(alice.only_request(), "error { code: CODE_RATE_LIMITED retry_after_ms: 60000 }");
  alice.lose();
  alice.reconnect();
  const auto barrier = alice.welcome_back();
  alice.news(snapshot("revision: 1048576"));
  alice.answer(barrier, "pong { }");
  EXPECT_EQ(alice.only_request().chat().text(), "hello");
}

TEST(Guest, says_goodbye) {
  Session::Options options = lasting();
  options.guest = true;
  RecordedSession harness(options);
  harness.welcome();
  harness.typed("quit");
  const auto goodbye = harness.only_request();
  EXPECT_TRUE(goodbye.has_goodbye());
  EXPECT_FALSE(harness.session().ending());
  harness.answer(goodbye, "left { }");
  EXPECT_EQ(harness.session().ending()->status, 0);
}

TEST(SharedTerminal, has_both_seats_as_soon_as_both_are_known) {
  RecordedSession alice(lasting());
  RecordedSession bob(lasting());
  alice.session().share_with(bob.session());
  v1::RoomSnapshot room = snapshot();
  room.set_your_seat(v1::MARK_O);
  bob.enter(room);
  alice.enter();
  EXPECT_TRUE(alice.session().room()->both_seats);
  alice.typed("a1");
  EXPECT_TRUE(alice.only_request().has_move());
  EXPECT_TRUE(bob.sent().empty());
}

// A server that handles the hello and can't answer yet

TEST(HelloReceived, the_client_asks_for_it_and_waits_longer) {
  Returning alice(lasting());
  const v1::ClientMessage hello = alice.only_request();
  EXPECT_THAT(hello.hello().capabilities(), ::testing::Contains("notice-at-hello"));
  alice.server("notice { kind: KIND_HELLO_RECEIVED }");
  alice.pass(2 * welcome_timeout);
  EXPECT_FALSE(alice.session().ending());
  alice.answer(hello, "welcome { protocol_version: 1 player_name: 'alice' }");
  EXPECT_TRUE(alice.session().is_welcomed());
}

TEST(HelloReceived, counts_for_its_connection_alone) {
  Seated alice;
  alice.lose();
  alice.reconnect();
  alice.server("notice { kind: KIND_HELLO_RECEIVED }");
  alice.lose();
  alice.reconnect();
  alice.text();
  alice.pass(welcome_timeout);
  EXPECT_THAT(alice.text(), HasSubstr("RetryScheduled without an answer"));
}

TEST(HelloReceived, a_client_that_gives_up_does_not_doubt_the_server) {
  Returning alice(lasting());
  alice.server("notice { kind: KIND_HELLO_RECEIVED }");
  alice.pass(std::chrono::minutes(1));
  ASSERT_TRUE(alice.session().ending());
  const std::string text = ending_text(*alice.session().ending(), alice.session(), "testhost:7654");
  EXPECT_EQ(text,
            "The server testhost:7654 has received your name but did not let you in within 1 min: "
            "it may be waiting for its disk or its database. Try again later.");
}

}  // namespace
}  // namespace tictactoe::client::session_lost_tests
