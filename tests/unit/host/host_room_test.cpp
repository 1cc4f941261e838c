// Rooms: creating, entering, watching, leaving, AI seats, talk.
#include <gmock/gmock.h>

#include <functional>
#include <optional>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_room_tests {
namespace {

using v1::Error;
using v1::Occupant;

v1::RoomUpdate only_update(HostDriver& driver, server::ConnectionId id) {
  const auto updates = driver.take_updates(id);
  EXPECT_EQ(updates.size(), 1u);
  return updates.empty() ? v1::RoomUpdate{} : updates.front();
}

TEST(CreateRoom, seats_its_maker_and_waits) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  const v1::RoomSnapshot room = driver.ask(alice, create_request(" den ")).snapshot();
  EXPECT_EQ(room.name(), "den");
  EXPECT_EQ(room.rules().rows(), 3u);
  EXPECT_EQ(room.rules().k(), 3u);
  EXPECT_EQ(room.your_seat(), v1::MARK_X);
  EXPECT_EQ(room.x().name(), "alice");
  EXPECT_EQ(room.o().kind(), Occupant::KIND_OPEN);
  EXPECT_EQ(room.phase(), v1::PHASE_WAITING);
  EXPECT_EQ(room.turn(), v1::MARK_NONE);
  EXPECT_EQ(room.game(), 1u);
}

TEST(CreateRoom, refuses_names_rules_and_passwords_with_the_reason) {
  server::Config config;
  config.limits.rooms = 1;
  HostDriver driver(config);
  const auto alice = driver.enter("alice");
  const auto code = [&](const v1::ClientMessage& request) {
    return driver.ask(alice, request).error().code();
  };
  EXPECT_EQ(code(create_request("")), Error::CODE_INVALID_NAME);
  EXPECT_EQ(code(create_request("a\tb")), Error::CODE_INVALID_NAME);
  EXPECT_EQ(code(create_request("den", std::string(65, 'x'))), Error::CODE_INVALID_TEXT);
  for (const rules::Rules& bad :
       {rules::Rules{2, 2, 2}, rules::Rules{1001, 3, 3}, rules::Rules{3, 3, 4},
        rules::Rules{5, 5, 0}, rules::Rules{0, 0, 0}, rules::Rules{-1, 3, 3}}) {
    EXPECT_EQ(code(create_request("den", bad)), Error::CODE_INVALID_RULES)
        << bad.rows << " " << bad.cols << " " << bad.k;
  }
  EXPECT_EQ(driver.host().rooms(), 0u);
  ASSERT_TRUE(driver.ask(alice, create_request("den")).has_snapshot());
  EXPECT_EQ(code(create_request("den2")), Error::CODE_ALREADY_IN_ROOM);
  const auto bob = driver.enter("bob");
  EXPECT_EQ(driver.ask(bob, create_request("den")).error().code(), Error::CODE_ROOM_EXISTS);
  EXPECT_EQ(driver.ask(bob, create_request("den2")).error().code(), Error::CODE_TOO_MANY_ROOMS);
}

TEST(JoinRoom, fills_the_other_seat_and_the_game_begins) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  const auto bob = driver.enter("bob");
  driver.ask(alice, create_request("den"));
  driver.take(alice);
  const v1::RoomSnapshot room = driver.ask(bob, join_request("den")).snapshot();
  EXPECT_EQ(room.your_seat(), v1::MARK_O);
  EXPECT_EQ(room.phase(), v1::PHASE_PLAYING);
  EXPECT_EQ(room.turn(), v1::MARK_X);
  const v1::RoomUpdate update = only_update(driver, alice);
  EXPECT_EQ(update.revision(), room.revision());
  EXPECT_EQ(update.seat_changed().occupant().name(), "bob");
  EXPECT_EQ(update.phase(), v1::PHASE_PLAYING);
  EXPECT_EQ(driver.take_updates(bob).size(), 0u) << "a newcomer gets the snapshot only";
}

TEST(JoinRoom, says_why_not) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  const auto bob = driver.enter("bob");
  const auto carol = driver.enter("carol");
  driver.ask(alice, create_request("den", "swordfish"));
  const auto code = [&](server::ConnectionId who, const v1::ClientMessage& request) {
    return driver.ask(who, request).error().code();
  };
  EXPECT_EQ(code(bob, join_request("nowhere")), Error::CODE_ROOM_NOT_FOUND);
  EXPECT_EQ(code(bob, join_request("den")), Error::CODE_WRONG_PASSWORD);
  EXPECT_EQ(code(bob, join_request("den", v1::MARK_O, "swordfis")), Error::CODE_WRONG_PASSWORD);
  EXPECT_EQ(code(bob, join_request("den", v1::MARK_X, "swordfish")), Error::CODE_SEAT_TAKEN);
  EXPECT_TRUE(driver.ask(bob, join_request("den", v1::MARK_O, "swordfish")).has_snapshot());
  EXPECT_EQ(code(carol, join_request("den", v1::MARK_NONE, "swordfish")), Error::CODE_ROOM_FULL);
  EXPECT_EQ(code(bob, join_request("den")), Error::CODE_ALREADY_IN_ROOM);
  EXPECT_EQ(code(carol, watch_request("den", "?")), Error::CODE_WRONG_PASSWORD);
}

TEST(JoinRoom, without_a_password_to_give_takes_any) {
  HostDriver driver;
  driver.ask(driver.enter("alice"), create_request("den"));
  EXPECT_TRUE(
      driver.ask(driver.enter("bob"), join_request("den", v1::MARK_NONE, "pw")).has_snapshot());
}

TEST(JoinRoom, lets_a_watcher_sit_down_and_a_seat_be_taken_after_its_owner_left) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  const auto bob = driver.enter("bob");
  const auto carol = driver.enter("carol");
  driver.ask(alice, create_request("den", "pw"));
  driver.ask(bob, join_request("den", v1::MARK_O, "pw"));
  EXPECT_EQ(driver.ask(carol, watch_request("den", "pw")).snapshot().your_seat(), v1::MARK_NONE);
  driver.ask(alice, move_request(1, 1));
  driver.ask(bob, leave_request());
  driver.take(alice);
  // She was let in once: no password again.
  const v1::RoomSnapshot room = driver.ask(carol, join_request("den")).snapshot();
  EXPECT_EQ(room.your_seat(), v1::MARK_O);
  EXPECT_EQ(room.watchers(), 0u);
  EXPECT_EQ(room.moves_size(), 1) << "the game stands as it was left";
  EXPECT_EQ(room.turn(), v1::MARK_O);
  EXPECT_EQ(only_update(driver, alice).seat_changed().watchers(), 0u);
}

TEST(WatchRoom, sees_what_players_see) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  const auto bob = driver.enter("bob");
  const auto carol = driver.enter("carol");
  driver.ask(alice, create_request("den"));
  driver.ask(bob, join_request("den"));
  driver.ask(alice, move_request(0, 2));
  const v1::RoomSnapshot seen = driver.ask(carol, watch_request("den")).snapshot();
  EXPECT_THAT(seen.moves(), testing::ElementsAre(2u));
  EXPECT_EQ(seen.watchers(), 1u);
  driver.take(carol);
  driver.ask(bob, move_request(2, 2));
  const v1::RoomUpdate update = only_update(driver, carol);
  EXPECT_EQ(update.revision(), seen.revision() + 1);
  EXPECT_EQ(update.move_played().mark(), v1::MARK_O);
  EXPECT_EQ(driver.ask(carol, move_request(0, 0)).error().code(), Error::CODE_NOT_SEATED);
}

TEST(WatchRoom, has_a_limit) {
  server::Config config;
  config.limits.watchers_per_room = 1;
  HostDriver driver(config);
  const auto alice = driver.enter("alice");
  driver.ask(alice, create_request("den"));
  EXPECT_TRUE(driver.ask(driver.enter("b"), watch_request("den")).has_snapshot());
  EXPECT_EQ(driver.ask(driver.enter("c"), watch_request("den")).error().code(),
            Error::CODE_ROOM_FULL);
  EXPECT_EQ(driver.ask(alice, add_ai_request(v1::MARK_X)).error().code(), Error::CODE_ROOM_FULL)
      << "handing one's seat over makes a watcher too";
}

TEST(LeaveRoom, tells_the_others_and_closes_an_empty_room) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  const auto bob = driver.enter("bob");
  driver.ask(alice, create_request("den"));
  driver.ask(bob, join_request("den"));
  driver.take(bob);
  EXPECT_TRUE(driver.ask(alice, leave_request()).has_left());
  const v1::RoomUpdate update = only_update(driver, bob);
  EXPECT_EQ(update.seat_changed().previous().name(), "alice");
  EXPECT_EQ(update.seat_changed().occupant().kind(), Occupant::KIND_OPEN);
  EXPECT_EQ(update.phase(), v1::PHASE_WAITING);
  EXPECT_EQ(driver.ask(alice, leave_request()).error().code(), Error::CODE_NOT_IN_ROOM);
  EXPECT_EQ(driver.host().rooms(), 1u);
  EXPECT_TRUE(driver.ask(bob, leave_request()).has_left());
  EXPECT_EQ(driver.host().rooms(), 0u);
}

TEST(LeaveRoom, with_only_ais_left_the_room_closes_and_they_stop) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  driver.ask(alice, create_request("den"));
  driver.ask(alice, add_ai_request(v1::MARK_O));
  driver.ask(alice, add_ai_request(v1::MARK_X));
  EXPECT_TRUE(driver.host().next_deadline());
  driver.ask(alice, leave_request());
  EXPECT_EQ(driver.host().rooms(), 0u);
  EXPECT_FALSE(driver.host().next_deadline());
}

TEST(Play, takes_the_seat_that_has_waited_longest_and_never_asks_for_a_password) {
  HostDriver driver;
  driver.ask(driver.enter("p"), create_request("a-secret", "pw"));
  const auto first = driver.enter("first");
  const auto second = driver.enter("second");
  driver.ask(first, create_request("z-first"));
  driver.ask(second, create_request("b-second"));
  EXPECT_EQ(driver.ask(driver.enter("g1"), play_request()).snapshot().name(), "z-first");
  EXPECT_EQ(driver.ask(driver.enter("g2"), play_request()).snapshot().name(), "b-second");
  // All are full: a new room, and the next guest comes into it.
  const v1::RoomSnapshot opened = driver.ask(driver.enter("g3"), play_request()).snapshot();
  EXPECT_EQ(opened.name(), "g3");
  EXPECT_EQ(opened.phase(), v1::PHASE_WAITING);
  EXPECT_EQ(driver.ask(driver.enter("g4"), play_request()).snapshot().name(), "g3");
  // A seat that falls open waits from now on.
  driver.ask(first, leave_request());
  EXPECT_EQ(driver.ask(driver.enter("g5"), play_request()).snapshot().name(), "z-first");
}

TEST(Play, opens_a_room_under_a_free_name) {
  HostDriver driver;
  driver.ask(driver.enter("x"), create_request("ann", "pw"));
  EXPECT_EQ(driver.ask(driver.enter("ann"), play_request()).snapshot().name(), "ann-2");
}

TEST(Ai, takes_an_open_seat_and_plays_at_its_pace) {
  server::Config config;
  config.ai_delay = std::chrono::milliseconds(500);
  config.ai_pace = false;
  HostDriver driver(config);
  const auto alice = driver.enter("alice");
  driver.ask(alice, create_request("den"));
  const v1::RoomUpdate added = driver.ask(alice, add_ai_request(v1::MARK_NONE)).update();
  EXPECT_EQ(added.seat_changed().seat(), v1::MARK_O);
  EXPECT_EQ(added.seat_changed().occupant().kind(), Occupant::KIND_AI);
  EXPECT_EQ(added.seat_changed().occupant().ai_level(), "3");
  EXPECT_EQ(added.turn(), v1::MARK_X);
  driver.ask(alice, move_request(0, 0));
  driver.take(alice);
  driver.pass(std::chrono::milliseconds(499));
  EXPECT_TRUE(driver.inbox(alice).empty());
  driver.pass(std::chrono::milliseconds(1));
  EXPECT_EQ(only_update(driver, alice).move_played().mark(), v1::MARK_O);
}

TEST(Ai, against_ai_can_be_watched_to_the_end_and_again) {
  server::Config config = HostDriver::patient();
  config.ai_delay = std::chrono::milliseconds(0);
  HostDriver driver(config);
  const auto alice = driver.enter("alice");
  driver.ask(alice, create_request("den", rules::Rules::square(5)));
  driver.ask(alice, add_ai_request(v1::MARK_O));
  const v1::RoomUpdate handed = driver.ask(alice, add_ai_request(v1::MARK_X)).update();
  EXPECT_EQ(handed.seat_changed().previous().name(), "alice");
  EXPECT_EQ(handed.seat_changed().watchers(), 1u);
  driver.take(alice);
  driver.pass(std::chrono::milliseconds(0));
  const auto updates = driver.take_updates(alice);
  ASSERT_FALSE(updates.empty());
  EXPECT_TRUE(updates.back().move_played().has_outcome());
  EXPECT_EQ(updates.back().phase(), v1::PHASE_FINISHED);
  EXPECT_FALSE(driver.host().next_deadline()) << "two AIs do not go on for ever";
  // Nobody sits there, so a watcher may ask for another game; O begins it.
  const v1::RoomUpdate started = driver.ask(alice, rematch_request()).update();
  EXPECT_EQ(started.game_started().starter(), v1::MARK_O);
  driver.take(alice);
  driver.pass(std::chrono::milliseconds(0));
  EXPECT_EQ(driver.take_updates(alice).front().move_played().mark(), v1::MARK_O);
}

TEST(Ai, goes_when_it_is_sent_away_and_does_not_play_any_more) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  driver.ask(alice, create_request("den"));
  EXPECT_EQ(driver.ask(alice, remove_ai_request(v1::MARK_O)).error().code(),
            Error::CODE_NO_AI_THERE);
  driver.ask(alice, add_ai_request(v1::MARK_O));
  EXPECT_EQ(driver.ask(alice, add_ai_request(v1::MARK_O)).error().code(), Error::CODE_SEAT_TAKEN);
  driver.ask(alice, move_request(0, 0));
  const v1::RoomUpdate gone = driver.ask(alice, remove_ai_request(v1::MARK_NONE)).update();
  EXPECT_EQ(gone.seat_changed().occupant().kind(), Occupant::KIND_OPEN);
  EXPECT_EQ(gone.phase(), v1::PHASE_WAITING);
  EXPECT_FALSE(driver.host().next_deadline());
  // One that comes in the middle of a game plays on from there.
  driver.ask(alice, add_ai_request(v1::MARK_O));
  driver.take(alice);
  driver.pass(std::chrono::seconds(1));
  EXPECT_EQ(only_update(driver, alice).move_played().ply(), 2u);
}

TEST(Ai, is_not_put_on_anybodys_seat_unless_they_name_it) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  const auto bob = driver.enter("bob");
  driver.ask(alice, create_request("den"));
  driver.ask(bob, join_request("den"));
  for (const auto& player : {alice, bob}) {
    EXPECT_EQ(driver.ask(player, add_ai_request(v1::MARK_NONE)).error().code(),
              Error::CODE_SEAT_TAKEN);
  }
  EXPECT_EQ(driver.ask(alice, add_ai_request(v1::MARK_O)).error().code(), Error::CODE_SEAT_TAKEN);
  EXPECT_TRUE(driver.ask(bob, add_ai_request(v1::MARK_O)).has_update());
}

TEST(Ai, can_be_added_and_removed_only_by_people_with_a_seat) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  const auto watcher = driver.enter("watcher");
  driver.ask(alice, create_request("den"));
  driver.ask(watcher, watch_request("den"));
  EXPECT_EQ(driver.ask(watcher, add_ai_request(v1::MARK_O)).error().code(),
            Error::CODE_NOT_ALLOWED);
  driver.ask(alice, add_ai_request(v1::MARK_O));
  EXPECT_EQ(driver.ask(watcher, remove_ai_request(v1::MARK_O)).error().code(),
            Error::CODE_NOT_ALLOWED);
  driver.ask(alice, leave_request());
  EXPECT_TRUE(driver.ask(watcher, remove_ai_request(v1::MARK_O)).has_update())
      << "a watcher may if nobody has a seat";
}

TEST(Hint, goes_to_the_client_that_asks_and_costs_no_turn) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  const auto bob = driver.enter("bob");
  driver.ask(alice, with_hints(create_request("den")));
  driver.ask(bob, join_request("den"));
  // X threatens the top row: the hint for either side is to stop that.
  driver.ask(alice, move_request(0, 0));
  driver.ask(bob, move_request(2, 2));
  driver.ask(alice, move_request(0, 1));
  driver.take(alice);
  const v1::ServerMessage answer = driver.ask(bob, hint_request());
  const v1::Hinted& hinted = answer.hinted();
  EXPECT_EQ(hinted.mark(), v1::MARK_O);
  EXPECT_EQ(hinted.cell().row(), 0u);
  EXPECT_EQ(hinted.cell().col(), 2u);
  ASSERT_EQ(driver.inbox(alice).size(), 1u);
  const v1::HintUsed& used = driver.inbox(alice)[0].update().hint_used();
  EXPECT_EQ(used.name(), "bob");
  EXPECT_EQ(used.by(), v1::MARK_O);
}

TEST(Hint, between_two_people_needs_a_room_that_allows_it) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  const auto bob = driver.enter("bob");
  const auto eve = driver.enter("eve");
  driver.ask(alice, create_request("den"));
  EXPECT_TRUE(driver.ask(alice, hint_request()).has_hinted()) << "there is no opponent yet";
  driver.ask(bob, join_request("den"));
  driver.ask(eve, watch_request("den"));
  driver.ask(alice, move_request(0, 0));
  for (const auto who : {alice, bob, eve}) {
    const auto answer = driver.ask(who, hint_request());
    EXPECT_EQ(answer.error().code(), v1::Error::CODE_NOT_ALLOWED);
  }
  driver.ask(bob, add_ai_request(v1::MARK_O));
  driver.take(bob);
  EXPECT_TRUE(driver.ask(alice, hint_request()).has_hinted());
  for (const v1::ServerMessage& message : driver.take(bob)) {
    EXPECT_FALSE(message.update().has_hint_used()) << "nobody has to know";
  }
}

TEST(Hint, of_a_watcher_is_told_too) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  const auto bob = driver.enter("bob");
  const auto eve = driver.enter("eve");
  EXPECT_TRUE(driver.ask(alice, with_hints(create_request("den"))).snapshot().options().hints());
  driver.ask(bob, join_request("den"));
  driver.ask(eve, watch_request("den"));
  driver.take(alice);
  EXPECT_TRUE(driver.ask(eve, hint_request()).has_hinted());
  ASSERT_FALSE(driver.inbox(alice).empty());
  EXPECT_EQ(driver.inbox(alice).back().update().hint_used().name(), "eve");
  EXPECT_EQ(driver.inbox(alice).back().update().hint_used().by(), v1::MARK_NONE);
}

// Requests for a hint that is there already are cheap, and would fill everybody's screen.
TEST(Hint, is_announced_once_for_each_player_and_position) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  const auto bob = driver.enter("bob");
  const auto eve = driver.enter("eve");
  driver.ask(alice, with_hints(create_request("den")));
  driver.ask(bob, join_request("den"));
  driver.ask(eve, watch_request("den"));
  const auto announcements = [&](server::ConnectionId to) {
    return std::ranges::count_if(driver.take(to), [](const v1::ServerMessage& message) {
      return message.update().has_hint_used();
    });
  };
  for (const auto who : {eve, bob, eve, bob}) {
    EXPECT_TRUE(driver.ask(who, hint_request()).has_hinted());
  }
  EXPECT_EQ(announcements(alice), 2);
  driver.ask(alice, move_request(0, 0));
  EXPECT_TRUE(driver.ask(eve, hint_request()).has_hinted());
  EXPECT_EQ(announcements(alice), 1);
}

TEST(Chat, reaches_all_in_the_room_and_nobody_else) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  const auto watcher = driver.enter("watcher");
  const auto outside = driver.enter("outside");
  driver.ask(alice, create_request("den"));
  driver.ask(watcher, watch_request("den"));
  driver.take(alice);
  driver.take(outside);
  EXPECT_EQ(driver.ask(watcher, chat_request(" hello \u00EB ")).update().chat_said().text(),
            "hello \u00EB");
  const v1::RoomUpdate heard = only_update(driver, alice);
  EXPECT_EQ(heard.chat_said().from(), "watcher");
  EXPECT_EQ(heard.chat_said().seat(), v1::MARK_NONE);
  EXPECT_TRUE(driver.inbox(outside).empty());
  EXPECT_EQ(driver.ask(outside, chat_request("hi")).error().code(), Error::CODE_NOT_IN_ROOM);
  EXPECT_EQ(driver.ask(alice, chat_request("")).error().code(), Error::CODE_INVALID_TEXT);
  EXPECT_EQ(driver.ask(alice, chat_request("\u00A0")).error().code(), Error::CODE_INVALID_TEXT);
  EXPECT_EQ(driver.ask(alice, chat_request("\x1B]0;x")).error().code(), Error::CODE_INVALID_TEXT);
  EXPECT_EQ(driver.ask(alice, chat_request(std::string(301, 'x'))).error().code(),
            Error::CODE_INVALID_TEXT);
}

// Rooms in which an AI gives its seat to a person who joins ---------------------------------------

class NewcomersTest : public testing::Test {
 protected:
  static server::Config config() {
    server::Config config = HostDriver::patient();
    config.ai_delay = std::chrono::hours(1);  // an AI moves only if a test waits for it
    config.ai_pace = false;
    return config;
  }
  static v1::ClientMessage create(bool open_ai_seats = true) {
    v1::ClientMessage message = create_request("den");
    message.mutable_create_room()->mutable_options()->set_open_ai_seats(open_ai_seats);
    return message;
  }
  /// ann plays X against an AI, and has moved if so.
  void begin(bool moved) {
    driver.ask(ann, create());
    driver.ask(ann, add_ai_request(v1::MARK_O));
    if (moved) driver.ask(ann, move_request(1, 1));
    driver.take(ann);
  }
  static std::string occupant(const v1::Occupant& occupant) {
    return occupant.kind() == v1::Occupant::KIND_AI ? "AI" : occupant.name();
  }

  HostDriver driver{config()};
  server::ConnectionId ann = driver.enter("ann");
  server::ConnectionId bob = driver.enter("bob");
};

TEST_F(NewcomersTest, an_ai_keeps_its_seat_if_the_room_does_not_say_otherwise) {
  driver.ask(ann, create(false));
  driver.ask(ann, add_ai_request(v1::MARK_O));
  EXPECT_EQ(driver.ask(bob, join_request("den")).error().code(), Error::CODE_ROOM_FULL);
}

TEST_F(NewcomersTest, before_the_first_move_a_person_takes_the_seat_at_once) {
  begin(false);
  const v1::RoomSnapshot room = driver.ask(bob, join_request("den")).snapshot();
  EXPECT_EQ(room.your_seat(), v1::MARK_O);
  EXPECT_EQ(room.phase(), v1::PHASE_PLAYING);
  EXPECT_TRUE(room.options().open_ai_seats());
  const auto updates = driver.take_updates(ann);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_EQ(occupant(updates[0].seat_changed().previous()), "AI");
  EXPECT_EQ(occupant(updates[0].seat_changed().occupant()), "bob");
}

TEST_F(NewcomersTest, after_a_game_a_person_takes_the_seat_and_the_next_one_begins) {
  begin(true);
  driver.ask(ann, resign_request());
  const v1::RoomSnapshot room = driver.ask(bob, join_request("den")).snapshot();
  EXPECT_EQ(room.your_seat(), v1::MARK_O);
  EXPECT_EQ(room.game(), 2u);
  EXPECT_EQ(room.moves_size(), 0);
}

TEST_F(NewcomersTest, during_a_game_a_person_watches_and_takes_the_seat_after_it) {
  begin(true);
  v1::RoomSnapshot room = driver.ask(bob, join_request("den")).snapshot();
  EXPECT_EQ(room.your_seat(), v1::MARK_NONE);
  EXPECT_TRUE(room.waits_for_seat());
  EXPECT_EQ(room.watchers(), 1u);
  driver.take(ann);
  driver.take(bob);
  driver.ask(ann, resign_request());
  const auto updates = driver.take_updates(ann);
  ASSERT_EQ(updates.size(), 3u);
  EXPECT_TRUE(updates[0].has_game_ended());
  EXPECT_EQ(occupant(updates[1].seat_changed().occupant()), "bob");
  EXPECT_EQ(updates[1].seat_changed().watchers(), 0u);
  EXPECT_EQ(updates[2].rematch_wanted().seat(), v1::MARK_O);
  const auto seen = driver.take(bob);
  ASSERT_EQ(seen.size(), 4u);
  EXPECT_TRUE(seen[0].update().has_game_ended());
  EXPECT_TRUE(seen[1].update().has_seat_changed());
  EXPECT_TRUE(seen[2].update().has_rematch_wanted());
  room = seen[3].snapshot();
  EXPECT_EQ(seen[3].request_id(), 0u);
  EXPECT_EQ(room.your_seat(), v1::MARK_O);
  EXPECT_FALSE(room.waits_for_seat());
  EXPECT_EQ(room.phase(), v1::PHASE_FINISHED) << "the end of the game can be seen";
  EXPECT_EQ(room.revision(), updates[2].revision());
  driver.ask(ann, rematch_request());
  EXPECT_TRUE(driver.take_updates(bob).back().has_game_started());
}

TEST_F(NewcomersTest, whose_opponent_is_an_ai_begin_the_next_game_themselves) {
  begin(false);
  driver.ask(ann, add_ai_request(v1::MARK_X));
  driver.pass(std::chrono::hours(1));
  driver.answer_thoughts();
  ASSERT_TRUE(driver.ask(bob, join_request("den")).snapshot().waits_for_seat());
  v1::RoomSnapshot room;
  for (int i = 0; i < 9 && room.your_seat() == v1::MARK_NONE; ++i) {
    driver.pass(std::chrono::hours(1));
    driver.answer_thoughts();
    room = driver.ask(bob, snapshot_request()).snapshot();
  }
  ASSERT_EQ(room.phase(), v1::PHASE_FINISHED);
  ASSERT_NE(room.your_seat(), v1::MARK_NONE);
  EXPECT_TRUE(driver.ask(bob, rematch_request()).has_update());
  EXPECT_EQ(driver.ask(bob, snapshot_request()).snapshot().phase(), v1::PHASE_PLAYING);
}

TEST_F(NewcomersTest, a_watcher_can_ask_for_the_seat_and_asks_once) {
  begin(true);
  driver.ask(bob, watch_request("den"));
  EXPECT_TRUE(driver.ask(bob, join_request("den")).snapshot().waits_for_seat());
  EXPECT_TRUE(driver.ask(bob, join_request("den")).snapshot().waits_for_seat());
  driver.ask(ann, resign_request());
  EXPECT_EQ(driver.ask(bob, snapshot_request()).snapshot().your_seat(), v1::MARK_O);
  driver.ask(bob, leave_request());
  EXPECT_EQ(driver.ask(ann, snapshot_request()).snapshot().o().kind(), v1::Occupant::KIND_OPEN);
}

TEST_F(NewcomersTest, those_who_wait_get_seats_in_their_order) {
  begin(true);
  const auto eve = driver.enter("eve");
  driver.ask(bob, join_request("den"));
  driver.ask(eve, join_request("den"));
  driver.ask(ann, resign_request());
  EXPECT_EQ(driver.ask(bob, snapshot_request()).snapshot().your_seat(), v1::MARK_O);
  EXPECT_TRUE(driver.ask(eve, snapshot_request()).snapshot().waits_for_seat());
}

TEST_F(NewcomersTest, leaving_or_a_lost_connection_ends_the_waiting) {
  begin(true);
  const auto eve = driver.enter("eve");
  driver.ask(bob, join_request("den"));
  driver.ask(eve, join_request("den"));
  driver.ask(bob, leave_request());
  driver.disconnect(eve);
  driver.ask(ann, resign_request());
  EXPECT_EQ(occupant(driver.ask(ann, snapshot_request()).snapshot().o()), "AI");
}

TEST_F(NewcomersTest, the_other_seat_is_not_given) {
  begin(true);
  EXPECT_EQ(driver.ask(bob, join_request("den", v1::MARK_X)).error().code(), Error::CODE_ROOM_FULL);
}

TEST_F(NewcomersTest, play_takes_the_seat_of_an_ai_that_gives_it_at_once) {
  begin(false);
  EXPECT_EQ(driver.ask(bob, play_request()).snapshot().name(), "den");
}

TEST_F(NewcomersTest, play_does_not_wait_for_a_seat) {
  begin(true);
  EXPECT_EQ(driver.ask(bob, play_request()).snapshot().name(), "bob");
}

// How many people can watch a room, and from where ------------------------------------------------

class Watchers : public testing::Test {
 protected:
  static server::Config config() {
    server::Config config = HostDriver::patient();
    config.limits.watchers_per_room = 100;
    config.limits.newcomer_burst = 1'000;
    return config;
  }
  void open_room(const server::Config& config) {
    driver.emplace(config);
    driver->ask(enter({1'000'000, 1'000'000}), create_request("den"));
  }
  server::ConnectionId enter(server::Origin origin) {
    const auto id = driver->connect(origin);
    driver->ask(id, hello_request("player " + std::to_string(++players)));
    return id;
  }
  bool can_watch(server::Origin origin) {
    const v1::ServerMessage answer = driver->ask(enter(origin), watch_request("den"));
    if (!answer.has_snapshot()) {
      EXPECT_EQ(answer.error().code(), v1::Error::CODE_ROOM_FULL);
    }
    return answer.has_snapshot();
  }
  /// How many of 110 newcomers can watch.
  int watch(const std::function<server::Origin(std::uint64_t)>& origin) {
    int count = 0;
    for (std::uint64_t i = 0; i < 110; ++i) count += can_watch(origin(i)) ? 1 : 0;
    return count;
  }

  std::optional<HostDriver> driver;
  int players = 0;
};

TEST_F(Watchers, of_one_network_leave_places_for_others) {
  open_room(config());
  EXPECT_EQ(watch([](std::uint64_t i) { return server::Origin{i, 1}; }), 75);
  EXPECT_TRUE(can_watch({200, 2}));
}

TEST_F(Watchers, of_one_address_leave_places_for_others) {
  open_room(config());
  EXPECT_EQ(watch([](std::uint64_t) { return server::Origin{1, 1}; }), 50);
  EXPECT_TRUE(can_watch({2, 1}));
}

TEST_F(Watchers, of_several_networks_fill_all_places) {
  open_room(config());
  EXPECT_EQ(watch([](std::uint64_t i) { return server::Origin{i, i % 2}; }), 100);
}

TEST_F(Watchers, that_have_left_leave_their_places) {
  open_room(config());
  const auto first = enter({1, 1});
  driver->ask(first, watch_request("den"));
  EXPECT_EQ(watch([](std::uint64_t) { return server::Origin{1, 1}; }), 49);
  driver->ask(first, leave_request());
  EXPECT_TRUE(can_watch({1, 1}));
}

TEST_F(Watchers, of_a_party_of_fifty_at_one_address_fit_into_a_small_room) {
  server::Config small = config();
  small.limits.watchers_per_room = 50;
  open_room(small);
  EXPECT_EQ(watch([](std::uint64_t) { return server::Origin{1, 1}; }), 50);
}

TEST_F(Watchers, have_all_places_if_addresses_have_no_limits) {
  server::Config unlimited = config();
  unlimited.limits.connections_per_address = 0;
  open_room(unlimited);
  EXPECT_EQ(watch([](std::uint64_t) { return server::Origin{1, 1}; }), 100);
}

// Rooms with large boards take much memory --------------------------------------------------------

constexpr rules::Rules large{65, 64, 5};
constexpr rules::Rules small{64, 64, 5};

server::Config with_large_boards(std::size_t all, std::size_t of_address) {
  server::Config config = HostDriver::patient();
  config.limits.large_boards = all;
  config.limits.large_boards_per_address = of_address;
  return config;
}

/// Whether somebody new can create a room.
bool can_create(HostDriver& driver, rules::Rules rules, server::Origin origin) {
  static int number = 0;
  const server::ConnectionId id = driver.connect(origin);
  driver.ask(id, hello_request("guest"));
  const auto answer = driver.ask(id, create_request("room " + std::to_string(++number), rules));
  if (answer.has_error()) {
    EXPECT_EQ(answer.error().code(), v1::Error::CODE_TOO_MANY_ROOMS);
  }
  return answer.has_snapshot();
}

TEST(LargeBoards, are_limited_for_an_address_and_its_network) {
  HostDriver driver(with_large_boards(100, 2));
  EXPECT_TRUE(can_create(driver, large, {1, 1}));
  EXPECT_TRUE(can_create(driver, large, {1, 1}));
  EXPECT_FALSE(can_create(driver, large, {1, 1}));
  EXPECT_TRUE(can_create(driver, small, {1, 1}));
  for (const std::uint64_t address : {2U, 2U, 3U, 3U, 4U, 4U}) {
    EXPECT_TRUE(can_create(driver, large, {address, 1}));
  }
  EXPECT_FALSE(can_create(driver, large, {5, 1}));
  EXPECT_TRUE(can_create(driver, large, {6, 2}));
}

TEST(LargeBoards, are_limited_for_all_and_given_back) {
  server::Config config = with_large_boards(2, 1);
  config.limits.connections_per_address = 0;
  HostDriver driver(config);
  const server::ConnectionId first = driver.connect();
  driver.ask(first, hello_request("first"));
  EXPECT_TRUE(driver.ask(first, create_request("first", large)).has_snapshot());
  EXPECT_TRUE(can_create(driver, large, {1, 1}));
  EXPECT_FALSE(can_create(driver, large, {2, 2}));
  EXPECT_TRUE(can_create(driver, small, {2, 2}));
  driver.ask(first, leave_request());
  EXPECT_TRUE(can_create(driver, large, {2, 2}));
}

}  // namespace
}  // namespace tictactoe::test::host_room_tests
