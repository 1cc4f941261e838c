// Being cut off, and coming back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "client/console/conversation.hpp"
#include "tests/support/console_harness.hpp"

namespace tictactoe::console {
namespace {

using testing::Harness;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::o_plays_corner;
using testing::said;
using testing::snapshot;
using testing::x_plays_centre;

constexpr const char* first_token = "token: '0123456789abcdef'";
constexpr const char* beats = "silence_timeout_ms: 30000";

Conversation::Options lasting(bool script = false, bool prompt = false) {
  Conversation::Options options = Harness::options(script);
  options.patience = std::chrono::seconds(60);
  options.prompt = prompt;
  return options;
}

// One who is lost and comes back, step by step.
class Returning : public Harness {
 public:
  explicit Returning(Conversation::Options options) : Harness(std::move(options)) {}

  void enter_room(const v1::RoomSnapshot& room = snapshot()) { enter(room, first_token); }

  void lose() {
    conversation.connection_lost("reset by peer", now);
    EXPECT_FALSE(conversation.wants_connection());
  }

  /// Waits until it is time, connects, and gives the hello that is said.
  v1::Hello reconnect() {
    while (!conversation.wants_connection() && !conversation.ending()) pass(next_in());
    EXPECT_FALSE(conversation.ending());
    sent();
    conversation.connected(now);
    hello_ = only_request();
    return hello_.hello();
  }

  /// The hello is answered; the request that marks the end of the news.
  v1::ClientMessage welcome_back(const std::string& more = "resumed: true room: 'den'") {
    answer(hello_,
           "welcome { protocol_version: 1 player_name: 'alice' "
           "limits { client_frame_bytes: 65536 } " +
               more + " }");
    return only_request();
  }

 private:
  v1::ClientMessage hello_;
};

TEST(Lost, IsToldAndTriedAgainWithTokenRoomAndRevision) {
  Returning alice(lasting());
  alice.enter_room();
  alice.server(x_plays_centre);
  alice.text();
  alice.lose();
  EXPECT_THAT(alice.text(),
              HasSubstr("Lost the server testhost: reset by peer. Trying to come back for up to 1 "
                        "min.\nTrying again in "));
  const v1::Hello hello = alice.reconnect();
  EXPECT_EQ(hello.token(), "0123456789abcdef");
  EXPECT_EQ(hello.room(), "den");
  EXPECT_EQ(hello.revision(), 8U);
  EXPECT_EQ(hello.name(), "alice");
}

TEST(Lost, WhatWasMissedIsToldAndThePlayGoesOn) {
  Returning alice(lasting());
  alice.enter_room();
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
            "Back on the server as alice.\n"
            "bob plays a1.\n"
            "bob (O): where are you?\n"
            "Your turn (X).\n"
            "\n"
            "    a   b   c\n"
            " 1 [O]|   |\n"
            "   ---+---+---\n"
            " 2    | X |\n"
            "   ---+---+---\n"
            " 3    |   |\n"
            "\n");
  alice.typed("c3");
  EXPECT_EQ(alice.only_request().move().ply(), 2U);
}

TEST(Lost, WhereNothingWasMissedThatIsSaid) {
  Returning alice(lasting());
  alice.enter_room();
  alice.lose();
  alice.reconnect();
  alice.text();
  alice.answer(alice.welcome_back(), "pong { }");
  EXPECT_EQ(alice.text(),
            "Back on the server as alice.\nYou have missed nothing. Your turn (X).\n");
}

TEST(Lost, ASnapshotTakesThePlaceOfMuchThatWasMissed) {
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
  const std::string text = alice.text();
  EXPECT_THAT(text, HasSubstr("The room as it is now:\nX: alice (you)   O: bob\nSaid meanwhile:\n"
                              "  bob: back?\nYour turn (X).\n"));
  EXPECT_THAT(text, Not(HasSubstr("bob: hi")));
}

TEST(Lost, WhatWasSaidFirstWhileAwayIsSaidMeanwhile) {
  Returning alice(lasting());
  alice.enter_room();
  alice.lose();
  alice.reconnect();
  alice.text();
  const auto barrier = alice.welcome_back();
  alice.news(snapshot("revision: 9 chat { from: 'bob' text: 'hi' }"));
  alice.answer(barrier, "pong { }");
  EXPECT_THAT(alice.text(), HasSubstr("Said meanwhile:\n  bob: hi\n"));
}

TEST(Lost, TheWaitsGrowAndAreMovedAtRandomUntilPatienceEnds) {
  Returning alice(lasting(true));
  alice.enter_room();
  alice.lose();
  milliseconds expected = first_wait;
  milliseconds waited{0};
  int tries = 0;
  int odd = 0;
  while (!alice.conversation.ending()) {
    const milliseconds wait = alice.next_in();
    if (waited + expected * 5 / 4 < milliseconds(60'000)) {
      EXPECT_GE(wait, expected * 3 / 4);
      EXPECT_LE(wait, expected * 5 / 4);
      odd += wait != expected ? 1 : 0;
    }
    alice.pass(wait);
    waited += wait;
    ++tries;
    ASSERT_TRUE(alice.conversation.wants_connection());
    alice.conversation.cannot_connect("Connection refused", alice.now);
    expected = std::min(expected * 2, longest_wait);
  }
  EXPECT_EQ(waited, milliseconds(60'000));
  EXPECT_GT(tries, 6);
  EXPECT_LT(tries, 20);
  EXPECT_GT(odd, 4);
  EXPECT_EQ(alice.conversation.ending()->status, 1);
  EXPECT_EQ(alice.conversation.ending()->reason,
            "The server testhost has not come back within 1 min. Can't reach a server at testhost: "
            "Connection refused.");
}

TEST(Lost, InAPipeEachTryIsALine) {
  Returning alice(lasting(true));
  alice.enter_room();
  alice.lose();
  alice.text();
  for (int i = 0; i < 4; ++i) {
    alice.pass(alice.next_in());
    EXPECT_EQ(alice.text(), "");
    alice.conversation.cannot_connect("Connection refused", alice.now);
    EXPECT_THAT(alice.text(),
                ::testing::MatchesRegex("Can't reach a server at testhost: Connection "
                                        "refused. Trying again in [0-9.]+ s.\n"));
  }
}

TEST(Lost, AtATerminalThePromptCountsDownInPlace) {
  Returning alice(lasting(false, true));
  alice.enter_room();
  alice.lose();
  for (int i = 0; i < 3; ++i) {  // until a wait has some seconds
    alice.pass(alice.next_in());
    while (!alice.conversation.wants_connection()) alice.pass(alice.next_in());
    alice.conversation.cannot_connect("Connection refused", alice.now);
  }
  alice.text();
  std::vector<std::string> prompts;
  while (!alice.conversation.wants_connection()) {
    prompts.push_back(alice.conversation.prompt(alice.now));
    alice.pass(alice.next_in());
  }
  ASSERT_GE(prompts.size(), 3U);
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    EXPECT_EQ(prompts[i], "trying again in " + std::to_string(prompts.size() - i) + " s> ");
  }
  EXPECT_EQ(alice.conversation.prompt(alice.now), "trying to come back> ");
  EXPECT_EQ(alice.text(), "");
}

TEST(Lost, QuitEndsAtOnceDuringTheCountdown) {
  for (const bool script : {false, true}) {
    Returning alice(lasting(script));
    alice.enter_room();
    alice.lose();
    alice.typed("quit");
    ASSERT_TRUE(alice.conversation.ending());
    EXPECT_EQ(alice.conversation.ending()->status, 0);
    EXPECT_THAT(alice.text(), HasSubstr("keeps your seat"));
  }
  Returning interrupted(lasting());
  interrupted.enter_room();
  interrupted.lose();
  interrupted.reconnect();
  interrupted.conversation.leave(interrupted.now);
  EXPECT_EQ(interrupted.conversation.ending()->status, 0);
}

TEST(Lost, TheEndOfInputEndsTheCountdownOnceNothingIsPending) {
  Returning idle(lasting(true));
  idle.enter_room();
  idle.lose();
  idle.conversation.input_ended(idle.now);
  EXPECT_EQ(idle.conversation.ending()->status, 0);

  Returning asking(lasting(true));
  asking.enter_room();
  asking.typed("2 2");
  asking.sent();
  asking.lose();
  asking.conversation.input_ended(asking.now);
  EXPECT_FALSE(asking.conversation.ending());
  asking.reconnect();
  asking.answer(asking.welcome_back(), "pong { }");
  const auto again = asking.only_request();
  EXPECT_TRUE(again.has_move());
  asking.answer(again, x_plays_centre);
  EXPECT_TRUE(asking.only_request().has_leave_room());
}

TEST(Lost, APersonIsToldThatNothingIsSentAndAScriptWaits) {
  Returning person(lasting());
  person.enter_room();
  person.lose();
  person.text();
  person.typed("1 1");
  person.typed("say hello?");
  person.typed("help");
  EXPECT_THAT(person.text(), ::testing::StartsWith("Not sent: there is no connection just now.\n"
                                                   "Not sent: there is no connection just now.\n"
                                                   "To move,"));
  person.reconnect();
  person.answer(person.welcome_back(), "pong { }");
  EXPECT_TRUE(person.sent().empty());

  Returning script(lasting(true));
  script.enter_room();
  script.lose();
  script.typed("1 1");
  EXPECT_FALSE(script.conversation.wants_lines());
  script.reconnect();
  const auto barrier = script.welcome_back();
  EXPECT_TRUE(script.sent().empty()) << "before it is known what was missed";
  script.answer(barrier, "pong { }");
  EXPECT_TRUE(script.only_request().has_move());
}

TEST(Lost, AConnectionThatIsLostAtOnceIsNotTriedFasterEachTime) {
  Returning alice(lasting(true));
  alice.enter_room();
  milliseconds longest{0};
  for (int i = 0; i < 6 && !alice.conversation.ending(); ++i) {
    alice.lose();
    longest = std::max(longest, alice.next_in());
    alice.reconnect();
    alice.answer(alice.welcome_back(), "pong { }");
  }
  EXPECT_GT(longest, milliseconds(5'000));
  alice.pass(settled_after);
  alice.lose();
  EXPECT_LE(alice.next_in(), first_wait * 5 / 4);
}

TEST(Lost, AServerThatStopsOrFindsUsSilentIsComeBackTo) {
  for (const char* code : {"CODE_SERVER_STOPPING", "CODE_SILENT"}) {
    Returning alice(lasting());
    alice.enter_room();
    alice.server(std::string("error { closing: true message: 'See you.' code: ") + code + " }");
    EXPECT_FALSE(alice.conversation.ending()) << code;
    EXPECT_THAT(alice.text(), HasSubstr("See you. Trying to come back"));
    alice.reconnect();
    alice.answer(alice.welcome_back(), "pong { }");
    EXPECT_THAT(alice.text(), HasSubstr("Back on the server"));
  }
}

TEST(Lost, WhatNoTryCanMendEndsAtOnce) {
  for (const char* code : {"CODE_REPLACED", "CODE_FLOODING", "CODE_MALFORMED_FRAME"}) {
    Returning alice(lasting());
    alice.enter_room();
    alice.server(std::string("error { closing: true message: 'No.' code: ") + code + " }");
    ASSERT_TRUE(alice.conversation.ending()) << code;
    EXPECT_EQ(alice.conversation.ending()->status, 1);
  }
  Returning replaced(lasting());
  replaced.enter_room();
  replaced.server("error { closing: true code: CODE_REPLACED }");
  EXPECT_EQ(replaced.conversation.ending()->reason,
            "Another program has come back as alice and plays on there.");

  Returning old(lasting());
  old.enter_room();
  old.lose();
  old.reconnect();
  old.server("error { closing: true code: CODE_VERSION_UNSUPPORTED message: 'Too old.' }");
  EXPECT_EQ(old.conversation.ending()->status, 1);
  EXPECT_THAT(old.conversation.ending()->reason, HasSubstr("Too old."));
}

TEST(Lost, AFullServerIsTriedAgainOnlyByOneWhoWasThere) {
  Returning alice(lasting());
  alice.enter_room();
  alice.lose();
  alice.reconnect();
  alice.server("error { closing: true code: CODE_SERVER_FULL message: 'Full.' }");
  EXPECT_FALSE(alice.conversation.ending());
  EXPECT_FALSE(alice.conversation.wants_connection());
  alice.reconnect();
  alice.answer(alice.welcome_back(), "pong { }");

  Returning stranger(lasting());
  stranger.server("error { closing: true code: CODE_SERVER_FULL message: 'Full.' }");
  EXPECT_EQ(stranger.conversation.ending()->status, 1);
}

TEST(Lost, AServerThatDoesNotAnswerTheHelloIsTriedAgain) {
  Returning alice(lasting());
  alice.enter_room();
  alice.lose();
  alice.reconnect();
  alice.pass(welcome_timeout);
  EXPECT_FALSE(alice.conversation.wants_connection());
  // Nor what was missed.
  alice.reconnect();
  alice.welcome_back();
  alice.pass(welcome_timeout);
  EXPECT_FALSE(alice.conversation.wants_connection());
  EXPECT_FALSE(alice.conversation.ending());
}

TEST(Lost, ASlowLineMayTakeItsTimeToCatchUp) {
  Returning alice(lasting());
  alice.enter_room();
  alice.lose();
  alice.reconnect();
  const auto barrier = alice.welcome_back();
  v1::ServerMessage message;
  *message.mutable_snapshot() = snapshot("revision: 99");
  std::string frame;
  wire::append_frame(frame, message.SerializeAsString());
  for (const char byte : frame) {
    alice.pass(welcome_timeout - milliseconds(1));
    alice.deliver({&byte, 1});
  }
  alice.answer(barrier, "pong { }");
  EXPECT_THAT(alice.text(), HasSubstr("The room as it is now:"));
}

TEST(Lost, TheFirstConnectIsNotTriedAgain) {
  Conversation never(lasting());
  never.cannot_connect("Connection refused", Time());
  EXPECT_EQ(never.ending()->status, 1);
  Returning unwelcome(lasting());
  unwelcome.conversation.connection_lost("reset by peer", unwelcome.now);
  EXPECT_EQ(unwelcome.conversation.ending()->status, 1);
}

// What becomes of the seat.

TEST(Seat, OfAServerThatDoesNotKnowUsIsGone) {
  Returning alice(lasting());
  alice.enter_room();
  EXPECT_EQ(alice.conversation.take_token(), "0123456789abcdef");
  alice.typed("1 1");
  alice.sent();
  alice.lose();
  alice.reconnect();
  alice.text();
  alice.answer(alice.welcome_back("token: 'another token 16'"), "pong { }");
  EXPECT_EQ(
      alice.text(),
      "Back on the server as alice, but it does not know you any more: you are a new player.\n"
      "Your seat in the room \"den\" is gone.\n");
  EXPECT_TRUE(alice.sent().empty());
  EXPECT_EQ(alice.conversation.take_token(), "another token 16");
  EXPECT_EQ(alice.conversation.prompt(alice.now), "> ");
}

TEST(Seat, ThatWasGivenUpMeanwhileIsGone) {
  Returning alice(lasting());
  alice.enter_room();
  alice.lose();
  alice.reconnect();
  alice.text();
  alice.answer(alice.welcome_back("resumed: true"), "pong { }");
  EXPECT_THAT(alice.text(), HasSubstr("Your seat in the room \"den\" is gone."));
}

TEST(Seat, OfAnEarlierProgramIsTakenUp) {
  Conversation::Options options = lasting(true);
  options.token = "0123456789abcdef";
  Harness harness(options);
  const auto hello = harness.only_request();
  EXPECT_EQ(hello.hello().token(), "0123456789abcdef");
  EXPECT_EQ(hello.hello().room(), "");
  harness.typed("c3");
  harness.answer(hello,
                 "welcome { protocol_version: 1 player_name: 'alice' resumed: true "
                 "room: 'den' }");
  const auto barrier = harness.only_request();
  EXPECT_TRUE(barrier.has_ping());
  harness.news(snapshot("moves: 4 moves: 0 chat { from: 'bob' seat: MARK_O text: 'hi' }"));
  EXPECT_TRUE(harness.sent().empty());
  harness.answer(barrier, "pong { }");
  EXPECT_THAT(harness.text(),
              HasSubstr("You come back to your seat in the room \"den\".\n"
                        "You are alice and play X in the room \"den\" (3 x 3).\n"
                        "X: alice (you)   O: bob\n"
                        "To move, type row and column (2 3) or the column's letter and the row "
                        "(c2).\nSaid here before:\n  bob (O): hi\nYour turn (X).\n"));
  EXPECT_EQ(harness.only_request().move().ply(), 2U);
  EXPECT_FALSE(harness.conversation.take_token()) << "it is kept already";
}

TEST(Seat, AnEarlierProgramsTokenMayMeanNothingAnyMore) {
  Conversation::Options options = lasting();
  options.token = "0123456789abcdef";
  Harness harness(options);
  harness.welcome("alice", "token: 'another token 16'");
  EXPECT_THAT(harness.text(), HasSubstr("does not know you from an earlier time"));
  EXPECT_EQ(harness.conversation.take_token(), "another token 16");
}

TEST(Seat, TokensOfAnotherLengthAreNone) {
  Harness harness(lasting());
  harness.welcome("alice", "token: 'short'");
  EXPECT_FALSE(harness.conversation.take_token());
}

TEST(Watcher, WatchesAgainWithThePassword) {
  Returning alice(lasting());
  alice.welcome("alice", first_token);
  alice.typed("watch den password swordfish");
  auto room = snapshot("revision: 7");
  room.set_your_seat(v1::MARK_NONE);
  alice.answer(alice.only_request(), room);
  alice.lose();
  EXPECT_EQ(alice.reconnect().room(), "");
  alice.text();
  const auto watch = alice.welcome_back("resumed: true");
  EXPECT_EQ(watch.watch_room().name(), "den");
  EXPECT_EQ(watch.watch_room().password(), "swordfish");
  room.set_revision(12);
  alice.answer(watch, room);
  EXPECT_THAT(alice.text(), HasSubstr("The room as it is now:"));
  alice.server(
      "update { revision: 13 phase: PHASE_PLAYING turn: MARK_O "
      "move_played { mark: MARK_X cell { } ply: 1 } }");
  EXPECT_THAT(alice.text(), HasSubstr("alice plays a1."));
}

TEST(Watcher, OfARoomThatIsGoneIsTold) {
  Returning alice(lasting());
  auto room = snapshot();
  room.set_your_seat(v1::MARK_NONE);
  alice.enter_room(room);
  alice.lose();
  alice.reconnect();
  alice.text();
  alice.answer(alice.welcome_back("resumed: true"),
               "error { code: CODE_ROOM_NOT_FOUND message: 'No such room.' }");
  EXPECT_THAT(alice.text(), HasSubstr("You no longer watch the room \"den\": No such room."));
  alice.typed("board");
  EXPECT_THAT(alice.text(), HasSubstr("You are in no room."));
}

TEST(Watcher, IsNotHeldUpByTheRate) {
  Returning alice(lasting());
  auto room = snapshot();
  room.set_your_seat(v1::MARK_NONE);
  alice.enter_room(room);
  alice.lose();
  alice.reconnect();
  alice.answer(alice.welcome_back("resumed: true"),
               "error { code: CODE_RATE_LIMITED retry_after_ms: 50 }");
  alice.pass(milliseconds(50));
  EXPECT_TRUE(alice.only_request().has_watch_room());
}

// Signs of life.

TEST(Heartbeats, AreSentWhereNothingElseWas) {
  Harness harness(lasting());
  harness.answer(harness.only_request(),
                 std::string("welcome { protocol_version: 1 limits { ") + beats + " } }");
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

TEST(Heartbeats, ASilentServerIsLost) {
  Harness harness(lasting());
  harness.answer(harness.only_request(),
                 std::string("welcome { protocol_version: 1 limits { ") + beats + " } }");
  harness.pass(milliseconds(29'999));
  EXPECT_TRUE(harness.conversation.wants_connection());
  harness.pass(milliseconds(1));
  EXPECT_FALSE(harness.conversation.wants_connection());
  EXPECT_THAT(harness.text(), HasSubstr("Lost the server testhost: no sign of life."));
}

TEST(Heartbeats, AnyByteIsASignOfLife) {
  Harness harness(lasting());
  harness.answer(harness.only_request(),
                 std::string("welcome { protocol_version: 1 limits { ") + beats + " } }");
  std::string frame;
  wire::append_frame(frame, said("notice { message: 'a long frame, slowly' }").SerializeAsString());
  for (const char byte : frame) {
    harness.pass(milliseconds(24'000));
    harness.deliver({&byte, 1});
    ASSERT_TRUE(harness.conversation.wants_connection());
  }
  EXPECT_THAT(harness.text(), HasSubstr("a long frame, slowly"));
}

TEST(Heartbeats, AreNotAskedForByAnOldServerNorDrivenByAMadOne) {
  Harness old(lasting());
  old.welcome();
  EXPECT_FALSE(old.conversation.next_deadline());
  Harness mad(lasting());
  mad.answer(mad.only_request(),
             "welcome { protocol_version: 1 limits { silence_timeout_ms: 1 } }");
  EXPECT_GE(mad.next_in(), shortest_ping_interval);
}

TEST(Heartbeats, DoNotHoldAScriptUpNorShowWhereTheyAreRefused) {
  Harness harness(lasting(true));
  harness.answer(harness.only_request(),
                 std::string("welcome { protocol_version: 1 limits { ") + beats + " } }");
  harness.pass(milliseconds(10'000));
  const auto ping = harness.only_request();
  harness.typed("rooms");
  EXPECT_TRUE(harness.only_request().has_list_rooms());
  harness.text();
  harness.answer(ping, "error { code: CODE_UNKNOWN_REQUEST message: 'What?' }");
  EXPECT_EQ(harness.text(), "");
}

// A drop at every byte of an exchange: whatever came before it, the game goes on as if nothing had
// happened, and the move is made once.

// The connection is cut after `cut` bytes of the answers to a move and to a line of chat.
void play_with_a_cut(std::size_t cut, std::size_t& length) {
  Returning alice(lasting(true));
  alice.enter_room();
  alice.typed("2 2");
  const auto move = alice.only_request();
  v1::ServerMessage played = said(x_plays_centre);
  played.set_request_id(move.request_id());
  std::string stream;
  wire::append_frame(stream, played.SerializeAsString());
  const std::size_t told = stream.size();
  wire::append_frame(stream, said(o_plays_corner).SerializeAsString());
  length = stream.size();
  alice.deliver(std::string_view(stream).substr(0, cut));
  alice.lose();
  const std::uint64_t revision = alice.reconnect().revision();
  ASSERT_EQ(revision, 7U + (cut >= told ? 1 : 0) + (cut >= length ? 1 : 0)) << cut;
  const auto barrier = alice.welcome_back();
  played.set_request_id(0);
  if (revision < 8) alice.server(played);
  if (revision < 9) alice.server(o_plays_corner);
  alice.answer(barrier, "pong { }");
  EXPECT_TRUE(alice.sent().empty()) << "the move was made, after " << cut;
  const std::string text = alice.text();
  EXPECT_EQ(text.find("You play b2."), text.rfind("You play b2.")) << cut;
  EXPECT_THAT(text, HasSubstr("You play b2."));
  EXPECT_THAT(text, HasSubstr("bob plays a1."));
  alice.typed("c3");
  EXPECT_EQ(alice.only_request().move().ply(), 2U);
}

TEST(Cut, AtEveryByteOfAnExchange) {
  std::size_t length = 0;
  play_with_a_cut(0, length);
  for (std::size_t cut = 1; cut <= length; ++cut) play_with_a_cut(cut, length);
}

TEST(Cut, BeforeTheMoveWasHeardItIsSentAgain) {
  Returning alice(lasting());
  alice.enter_room();
  alice.typed("2 2");
  const auto move = alice.only_request();
  alice.lose();
  alice.reconnect();
  alice.answer(alice.welcome_back(), "pong { }");
  const auto again = alice.only_request();
  EXPECT_EQ(again.move().ShortDebugString(), move.move().ShortDebugString());
  EXPECT_GT(again.request_id(), move.request_id());
}

TEST(Cut, OnceMoreWhileCatchingUpLosesNothing) {
  Returning alice(lasting());
  alice.enter_room();
  alice.typed("2 2");
  alice.typed("say hello");
  alice.sent();
  alice.lose();
  alice.reconnect();
  alice.welcome_back();
  alice.lose();
  alice.reconnect();
  alice.answer(alice.welcome_back(), "pong { }");
  const auto again = alice.sent();
  ASSERT_EQ(again.size(), 2U);
  EXPECT_TRUE(again[0].has_move());
  EXPECT_EQ(again[1].chat().text(), "hello");
}

TEST(Cut, WhatCantBeKnownIsSaid) {
  Returning alice(lasting());
  alice.enter_room();
  alice.typed("say hello");
  alice.typed("rooms");
  alice.sent();
  alice.lose();
  alice.reconnect();
  const auto barrier = alice.welcome_back();
  alice.news(snapshot("revision: 1048576"));
  alice.text();
  alice.answer(barrier, "pong { }");
  EXPECT_EQ(
      alice.text(),
      "It is not known whether the server has heard what you said (\"hello\"): it was sent as "
      "the connection was lost.\n");
  EXPECT_TRUE(alice.only_request().has_list_rooms());
}

TEST(Cut, WhatWasRefusedForNowIsSentAgain) {
  Returning alice(lasting(true));
  alice.enter_room();
  alice.typed("say hello");
  alice.answer(alice.only_request(), "error { code: CODE_RATE_LIMITED retry_after_ms: 60000 }");
  alice.lose();
  alice.reconnect();
  const auto barrier = alice.welcome_back();
  alice.news(snapshot("revision: 1048576"));
  alice.answer(barrier, "pong { }");
  EXPECT_EQ(alice.only_request().chat().text(), "hello");
}

TEST(Guest, SaysGoodbye) {
  Conversation::Options options = lasting();
  options.guest = true;
  Harness harness(options);
  harness.welcome();
  harness.typed("quit");
  const auto goodbye = harness.only_request();
  EXPECT_TRUE(goodbye.has_goodbye());
  EXPECT_FALSE(harness.conversation.ending());
  harness.answer(goodbye, "left { }");
  EXPECT_EQ(harness.conversation.ending()->status, 0);
}

}  // namespace
}  // namespace tictactoe::console
