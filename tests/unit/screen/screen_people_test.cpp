// People on the full screen: lists, chat, invitations.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/screen_harness.hpp"

namespace tictactoe::screen::testing::screen_people_tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* invitation =
    "invited { from: 'bob' room { name: 'attic' rules { rows: 5 cols: 5 k: 4 } } }";

v1::ClientMessage find(const std::vector<v1::ClientMessage>& sent,
                       v1::ClientMessage::RequestCase what) {
  for (const v1::ClientMessage& message : sent) {
    if (message.request_case() == what) return message;
  }
  ADD_FAILURE() << "not asked for";
  return {};
}

Screen enter_lobby(Size size = {80, 24}) {
  Screen screen(size);
  screen.welcome();
  return screen;
}

TEST(ScreenInvitation, opens_a_dialog_in_the_lobby_that_ignores_keys_for_a_moment) {
  Screen screen = enter_lobby();
  screen.sent();
  screen.server(invitation);
  EXPECT_THAT(screen.text(), HasSubstr("bob invites you"));
  EXPECT_THAT(screen.text(), HasSubstr("Join \"attic\": 5 x 5, 4 in a row"));
  screen.keys("\r");
  EXPECT_TRUE(screen.app.has_dialog()) << "the key was meant for the list of rooms";
  screen.pass(dialog_pause);
  screen.keys("\r");
  EXPECT_FALSE(screen.app.has_dialog());
  EXPECT_EQ(screen.last_request().join_room().name(), "attic");
}

TEST(ScreenInvitation, can_be_put_off) {
  Screen screen = enter_lobby();
  screen.sent();
  screen.server(invitation);
  screen.pass(dialog_pause);
  screen.keys("2");
  EXPECT_FALSE(screen.app.has_dialog());
  EXPECT_FALSE(screen.last_request().has_join_room());
  EXPECT_THAT(screen.text(), HasSubstr("bob invites you")) << "it stays in the log";
}

TEST(ScreenInvitation, of_a_muted_player_is_not_shown) {
  Screen screen = enter_lobby();
  screen.server(invitation);
  screen.pass(dialog_pause);
  screen.keys("3");
  EXPECT_FALSE(screen.app.has_dialog());
  EXPECT_THAT(screen.text(), HasSubstr("bob is muted"));
  screen.server(invitation);
  EXPECT_FALSE(screen.app.has_dialog());
}

TEST(ScreenInvitation, to_a_room_without_a_seat_is_to_watch_it) {
  Screen screen = enter_lobby();
  screen.server(
      "invited { from: 'bob' room { name: 'attic' x { kind: KIND_PERSON name: 'bob' } "
      "o { kind: KIND_AI name: 'AI' } rules { rows: 3 cols: 3 k: 3 } } }");
  screen.pass(dialog_pause);
  screen.keys("\r");
  EXPECT_EQ(screen.last_request().watch_room().name(), "attic");
}

TEST(ScreenInvitation, does_not_interrupt_a_game_or_a_line) {
  Screen playing = enter_lobby();
  playing.enter(snapshot());
  playing.server(invitation);
  EXPECT_FALSE(playing.app.has_dialog());
  EXPECT_THAT(playing.text(), HasSubstr("bob invites"));
  Screen typing = enter_lobby();
  typing.keys(":rep");
  typing.server(invitation);
  EXPECT_FALSE(typing.app.has_dialog());
}

TEST(Players, are_chosen_to_be_invited) {
  Screen screen = enter_lobby();
  screen.enter(snapshot());
  screen.sent();
  screen.keys("U\r");
  const auto asked = find(screen.sent(), v1::ClientMessage::kListPlayers);
  screen.answer(asked,
                "player_list { players { name: 'alice' } players { name: 'dan' room: 'attic' } }");
  screen.pass(dialog_pause);
  EXPECT_THAT(screen.text(), HasSubstr("dan, in attic"));
  EXPECT_THAT(screen.text(), Not(HasSubstr("1  alice")));
  screen.keys("\r");
  screen.pass(dialog_pause);
  screen.keys("\r");
  const v1::ClientMessage invite = screen.last_request();
  EXPECT_EQ(invite.invite().player(), "dan");
  screen.answer(invite, "done { }");
  EXPECT_THAT(screen.text(), HasSubstr("You invited dan."));
}

TEST(Players, of_a_long_list_are_reached_by_the_keys_that_move_farther) {
  Screen screen({40, 20});
  screen.welcome();
  screen.sent();
  screen.keys("U");
  std::string people = "player_list {";
  for (int i = 10; i < 40; ++i) people += " players { name: 'guest" + std::to_string(i) + "' }";
  screen.answer(find(screen.sent(), v1::ClientMessage::kListPlayers), people + " }");
  screen.pass(dialog_pause);
  const auto expect_at = [&](std::string_view key, std::string_view name) {
    screen.keys(key);
    EXPECT_THAT(screen.text(), HasSubstr("▸ " + std::string(name))) << key;
  };
  expect_at("", "1  guest10");
  expect_at("\033[F", "30  guest39");
  expect_at("\033[5~", "15  guest24");
  expect_at("\033[5~", "1  guest10");
  expect_at("\033[6~", "16  guest25");
  expect_at("\033[H", "1  guest10");
  expect_at("\033[A", "30  guest39");
}

TEST(Players, with_long_names_are_seen_to_be_oneself_or_away) {
  Screen screen = enter_lobby();
  v1::RoomSnapshot room = snapshot();
  room.mutable_x()->set_name("Abcdefghijklmnopqrstuvwx");
  room.mutable_o()->set_name("Bbcdefghijklmnopqrstuvwx");
  room.mutable_o()->set_away_ms_left(1000);
  room.mutable_o()->set_away(true);
  screen.enter(room);
  EXPECT_THAT(screen.text(), HasSubstr("… (you)"));
  EXPECT_THAT(screen.text(), HasSubstr("… (away)"));
}

TEST(Newcomer, sees_under_the_seats_that_the_wait_for_one_goes_on) {
  Screen screen = enter_lobby();
  v1::RoomSnapshot room = snapshot(
      "waits_for_seat: true o { kind: KIND_AI name: 'AI' } watchers: 1 "
      "options { open_ai_seats: true }");
  room.set_your_seat(v1::MARK_NONE);
  screen.enter(room);
  for (int i = 0; i < 40; ++i) {
    screen.server("update { revision: " + std::to_string(8 + i) +
                  " phase: PHASE_PLAYING turn: MARK_X chat_said { from: 'bob' text: 'hi' } }");
  }
  EXPECT_THAT(screen.text(), HasSubstr("Waiting for a seat"));
  EXPECT_THAT(screen.text(), HasSubstr("1 watching"));
}

TEST(Members, are_told_line_by_line_to_who_asks) {
  Screen screen = enter_lobby();
  screen.enter(snapshot("watchers: 1"));
  screen.keys(":members\r");
  screen.answer(find(screen.sent(), v1::ClientMessage::kListMembers),
                "member_list { x { kind: KIND_PERSON name: 'alice' } o { } watchers: 'eve' }");
  EXPECT_THAT(screen.text(), HasSubstr("· Watching: eve"));
}

TEST(LobbyChat, is_typed_and_shown_in_the_lobby) {
  Screen screen = enter_lobby();
  screen.sent();
  screen.keys("CWho plays?");
  EXPECT_THAT(screen.text(), HasSubstr("Say to everyone in the lobby: Who plays?"));
  screen.keys("\r");
  EXPECT_EQ(screen.last_request().say_in_lobby().text(), "Who plays?");
  screen.server("lobby_update { chat { from: 'dan' text: 'I do' } }");
  EXPECT_THAT(screen.text(), HasSubstr("dan (lobby): I do"));
}

// How others join, a server with a different key, and the parts of a large board that are not seen
// ----

const tls::Fingerprint first_key{1, 2, 3};

// The words_of of a screen without frames and line breaks.
std::string words_of(const std::string& picture) {
  std::string all;
  for (const char letter : picture) {
    if (letter != ' ' && letter != '\n') all += letter;
  }
  for (const std::string_view frame : {"│", "┃", "║"}) {
    for (std::size_t at; (at = all.find(frame)) != std::string::npos;) all.erase(at, frame.size());
  }
  return all;
}

TEST(JoinBox, shows_command_link_key_and_code) {
  for (const bool in_a_room : {true, false}) {
    Screen screen = in_a_room ? in_room() : in_lobby();
    screen.find(client::invitation_to({"192.0.2.7:7655"}, first_key));
    screen.keys("I");
    const std::string text = screen.text();
    EXPECT_THAT(text, HasSubstr("tictactoe 192.0.2.7:7655"));
    EXPECT_THAT(text, HasSubstr(tls::to_text(first_key).substr(0, 30)));
    // The link needs several lines.
    EXPECT_THAT(
        text, HasSubstr(in_a_room ? "https://192.0.2.7:7655/#/join/ " : "https://192.0.2.7:7655/"));
    EXPECT_EQ(text.find("den?key=SHA256:") != std::string::npos, in_a_room);
    EXPECT_THAT(text, HasSubstr("█")) << "the QR code";
    screen.keys("\033");
    EXPECT_FALSE(screen.app.has_dialog());
  }
}

TEST(JoinBox, shows_each_address_of_the_server) {
  Screen screen = in_room();
  screen.find(client::invitation_to({"192.0.2.7:7655", "198.51.100.7:7655"}, first_key));
  screen.keys("I");
  const std::string first = screen.text();
  EXPECT_THAT(first, HasSubstr("https://192.0.2.7:7655/#/join/ "));
  EXPECT_THAT(first, HasSubstr("tictactoe 198.51.100.7:7655")) << "the other one, in short";
  EXPECT_THAT(first, HasSubstr("Tab Next address"));
  screen.keys("\t");
  const std::string second = screen.text();
  EXPECT_THAT(second, HasSubstr("https://198.51.100.7:7655/#/join/ "));
  EXPECT_THAT(second, HasSubstr("tictactoe 192.0.2.7:7655"));
  EXPECT_NE(words_of(first.substr(first.find("█"))), words_of(second.substr(second.find("█"))));
  screen.keys("\t");
  EXPECT_EQ(screen.text(), first) << "all of them, and then again the first";
  screen.keys("\033");
  EXPECT_FALSE(screen.app.has_dialog());
}

TEST(JoinBox, shows_the_way_from_anywhere_as_soon_as_it_is_known) {
  Screen screen = in_room();
  screen.find(client::invitation_to({"192.0.2.7:7655"}, first_key));
  screen.keys("I");
  EXPECT_THAT(screen.text(), Not(HasSubstr("anywhere")));
  const auto both =
      client::invitation_to({"192.0.2.7:7655"}, first_key,
                            {"https://203.0.113.7:7654/#/?key=" + tls::to_text(first_key)});
  screen.find(both);
  const std::string first = screen.text();
  EXPECT_THAT(first, HasSubstr("https://192.0.2.7:7655/#/join/ "));
  EXPECT_THAT(first, HasSubstr("From anywhere:"));
  EXPECT_THAT(first, HasSubstr("https://203.0.113.7:7654/#/join/ "));
  screen.keys("\t");
  const std::string second = screen.text();
  EXPECT_THAT(second, HasSubstr("From anywhere on the internet:"));
  EXPECT_THAT(second, HasSubstr("On this network:"));
  EXPECT_NE(words_of(first.substr(first.find("█"))), words_of(second.substr(second.find("█"))));
  screen.find(client::invitation_to({"192.0.2.7:7655"}, first_key));
  EXPECT_THAT(screen.text(), Not(HasSubstr("anywhere"))) << "the router has closed it";
}

TEST(JoinBox, is_whole_at_every_size) {
  for (const Size size : {Size{40, 12}, Size{30, 10}, Size{60, 20}, Size{200, 60}, Size{80, 10}}) {
    Screen screen = in_room();
    screen.app.resized(size);
    screen.find(client::invitation_to({"192.0.2.7:7655"}, first_key));
    screen.keys("I");
    std::string seen;
    for (int line = 0; line < 60; ++line) {
      seen += words_of(screen.text()) + "\n";
      screen.keys(down);
    }
    EXPECT_THAT(seen, HasSubstr("192.0.2.7:7655")) << size.width;
    const std::string key = tls::to_text(first_key);
    EXPECT_THAT(seen, HasSubstr(key.substr(key.size() - 8))) << size.width;
  }
}

TEST(JoinBox, waits_until_the_addresses_are_known) {
  Screen screen = in_room();
  screen.keys("I");
  EXPECT_THAT(screen.text(), HasSubstr("Asking the server"));
  EXPECT_THAT(screen.text(), Not(HasSubstr("unknown")));
  screen.find(client::invitation_to({"192.0.2.7:7655"}, first_key));
  EXPECT_THAT(screen.text(), HasSubstr("In a terminal (a clone: ./run join):"));
  EXPECT_THAT(screen.text(), Not(HasSubstr("Asking the server")));

  Screen busy = in_room();
  busy.keys("I");
  busy.keys(up);
  busy.find(client::invitation_to({"192.0.2.7:7655"}, first_key));
  EXPECT_FALSE(busy.app.has_dialog()) << "the person does something else by now";
}

TEST(JoinBox, says_if_there_is_nothing_to_show) {
  Screen screen = in_room();
  screen.keys("I");
  screen.find({});
  EXPECT_THAT(screen.text(), HasSubstr("The address for other machines is"));
}

TEST(JoinLine, of_a_room_is_whole_at_80_columns) {
  Screen screen = in_room();
  screen.find(client::invitation_to({"192.168.100.100:17655"}, first_key));
  EXPECT_THAT(screen.text(), HasSubstr("192.168.100.100:17655"));
}

TEST(JoinLine, has_as_many_addresses_as_there_are) {
  Screen screen = in_room();
  const std::vector<std::string> addresses{"192.168.100.100:17655", "192.168.101.101:17655",
                                           "10.20.30.40:17655", "172.16.200.200:17655"};
  screen.find(client::invitation_to(addresses, first_key));
  for (const std::string& address : addresses) EXPECT_THAT(screen.text(), HasSubstr(address));
}

TEST(JoinRoom, of_a_link_follows_the_welcome) {
  Screen screen({80, 24}, alice(true));
  screen.connect({}, "the den");
  screen.answer(screen.sent().back(),
                "welcome { protocol_version: 1 player_name: 'alice' limits { } }");
  bool joined = false;
  for (const v1::ClientMessage& request : screen.sent()) {
    joined = joined || request.join_room().name() == "the den";
  }
  EXPECT_TRUE(joined);
}

TEST(StartScreen, tells_a_long_reason_in_full) {
  std::string reason;
  for (int i = 100; i < 150; ++i) reason += "word" + std::to_string(i) + " ";
  for (const Size size : {Size{80, 24}, Size{40, 20}, Size{200, 60}}) {
    Screen screen(size, alice(true));
    screen.app.start().offer({{"192.0.2.5:7654", "the den", "", true}}, true);
    screen.app.tell(reason);
    for (int i = 100; i < 150; ++i) {
      EXPECT_THAT(screen.text(), HasSubstr("word" + std::to_string(i))) << size.width;
    }
  }
}

TEST(LargeBoard, follows_a_hint) {
  Screen screen = in_room("rules { rows: 100 cols: 100 k: 5 }");
  screen.text();
  screen.keys(":hint\r");
  const v1::ClientMessage asked = screen.last_request();
  ASSERT_TRUE(asked.has_hint());
  screen.answer(asked, "hinted { cell { row: 94 col: 90 } mark: MARK_X game: 1 }");
  EXPECT_THAT(screen.text(), HasSubstr("\n 95 ")) << "its row";
  EXPECT_THAT(screen.text(), HasSubstr("(?)"));
}

TEST(LargeBoard, shows_the_last_move_at_a_key) {
  Screen screen = in_room("rules { rows: 100 cols: 100 k: 5 }");
  screen.text();
  screen.server(
      "update { revision: 8 phase: PHASE_PLAYING turn: MARK_O "
      "move_played { mark: MARK_X cell { row: 94 col: 90 } ply: 1 } }");
  screen.text();
  EXPECT_THAT(screen.text(), Not(HasSubstr("\n 95 ")));
  screen.keys(".");
  EXPECT_THAT(screen.text(), HasSubstr("[X]"));
  EXPECT_THAT(screen.text(), HasSubstr("Last move"));
}

TEST(TerminalSizes, of_a_terminal_are_brought_into_bounds) {
  EXPECT_EQ(clamped({32'768, 32'768}), (Size{max_columns, max_rows}));
  EXPECT_EQ(clamped({0, -1}), (Size{1, 1}));
  EXPECT_EQ(clamped({80, 24}), (Size{80, 24}));
}

// Passwords and names
// --------------------------------------------------------------------------------

constexpr const char* account_welcome =
    "welcome { protocol_version: 1 player_name: 'alice-2' name_note: '\"alice\" is an account on "
    "this server: only a client that gives its password gets this name.' limits { } }";

TEST(AccountName, is_asked_for_its_password) {
  App::Options options = alice();
  options.commands = {"create den"};
  Screen screen({80, 24}, options);
  screen.connect();
  screen.answer(screen.sent().back(), account_welcome);
  EXPECT_THAT(screen.text(), HasSubstr("has a password"));
  screen.keys("secret");
  EXPECT_THAT(screen.text(), Not(HasSubstr("secret")));
  for (const v1::ClientMessage& request : screen.sent()) EXPECT_FALSE(request.has_create_room());
  screen.now += dialog_pause;
  screen.keys("\r");
  EXPECT_EQ(screen.app.take_wishes().account_password, "secret");
}

TEST(AccountName, need_not_be_had) {
  App::Options options = alice();
  options.commands = {"create den"};
  Screen screen({80, 24}, options);
  screen.connect();
  screen.answer(screen.sent().back(), account_welcome);
  screen.now += dialog_pause;
  screen.keys("\033");
  EXPECT_FALSE(screen.app.take_wishes().account_password);
  bool created = false;
  for (const v1::ClientMessage& request : screen.sent()) created |= request.has_create_room();
  EXPECT_TRUE(created);
  EXPECT_THAT(words_of(screen.text()), HasSubstr("Ifitisyours,loginwithitspassword"));
}

TEST(SentPassword, that_was_sent_and_is_asked_for_was_wrong) {
  client::Session::Options options;
  EXPECT_FALSE(Session(options).gave_password(client::Asks::server_password));
  options.passwords.server = "guess";
  const Session session(options);
  EXPECT_TRUE(session.gave_password(client::Asks::server_password));
  EXPECT_FALSE(session.gave_password(client::Asks::account_password));
  EXPECT_FALSE(session.gave_password(client::Asks::nothing));
}

// A server that ends with the program
// ---------------------------------------------------------------

TEST(Hosting, says_that_the_server_ends_and_for_how_long_seats_are_held) {
  App::Options options = alice();
  options.hosting = true;
  Screen screen({80, 24}, options);
  screen.welcome();
  screen.enter(snapshot("options { grace_ms: 600000 }"));
  screen.keys("Q");
  EXPECT_THAT(words_of(screen.text()), HasSubstr("Theserverstopswhenyouquit"));
  EXPECT_THAT(screen.text(), HasSubstr("Keep the seat for 10 min"));
  screen.keys("1");
  EXPECT_FALSE(screen.app.ending());
}

TEST(Hosting, asks_outside_of_a_game_too) {
  App::Options options = alice();
  options.hosting = true;
  Screen screen({80, 24}, options);
  screen.welcome();
  screen.keys("q");
  EXPECT_THAT(words_of(screen.text()), HasSubstr("Theserverstopswhenyouquit"));
  screen.keys("2");
  EXPECT_TRUE(screen.app.talk()->ending() || screen.app.talk()->is_leaving());
}

}  // namespace
}  // namespace tictactoe::screen::testing::screen_people_tests
