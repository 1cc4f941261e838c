// What the help and the bar say of the keys is compared with what the keys do.
#include <gmock/gmock.h>

#include <cctype>
#include <functional>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "client/words/prompts.hpp"
#include "tests/support/screen_harness.hpp"

namespace tictactoe::screen::testing::screen_bindings_tests {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

v1::RoomSnapshot in_watching(const std::string& more) {
  v1::RoomSnapshot room = snapshot(more);
  room.set_your_seat(v1::MARK_NONE);
  room.mutable_x()->set_name("carol");
  return room;
}

Screen with(const v1::RoomSnapshot& room) {
  Screen screen = welcomed();
  screen.enter(room);
  screen.sent();
  return screen;
}

Screen playing() {
  return in_room("moves: 4 moves: 0 options { hints: true } draw_offered_by: MARK_O");
}
Screen on_the_turn_of_the_other() {
  return in_room("moves: 4 turn: MARK_O");
}
Screen finished() {
  return in_room("phase: PHASE_FINISHED moves: 4 outcome { winner: MARK_O }");
}
Screen watching() {
  v1::RoomSnapshot room = in_watching("phase: PHASE_WAITING");
  room.clear_o();
  return with(room);
}
Screen waiting_for_the_seat() {
  return with(in_watching("waits_for_seat: true options { open_ai_seats: true } moves: 4"));
}

Screen lobby() {
  Screen screen({80, 24}, alice(true));
  screen.welcome();
  screen.server(R"(lobby_update { reset: true complete: true
    rooms { name: 'attic' phase: PHASE_WAITING rules { rows: 3 cols: 3 k: 3 } }
    rooms { name: 'duel' phase: PHASE_WAITING rules { rows: 3 cols: 3 k: 3 } }
    rooms { name: 'hall' phase: PHASE_WAITING rules { rows: 3 cols: 3 k: 3 } } })");
  screen.keys(down);
  screen.sent();
  return screen;
}
Screen games() {
  Screen screen = lobby();
  screen.keys("g");
  screen.answer(screen.last_request(), two_games);
  return screen;
}
Screen second_of_games() {
  Screen screen = games();
  screen.keys(down);
  return screen;
}
Screen replay() {
  Screen screen = games();
  screen.keys("\r");
  screen.answer(screen.last_request(),
                "game_found { game { id: 7 rules { rows: 3 cols: 3 k: 3 } x { kind: KIND_PERSON "
                "name: 'ann' } o { kind: KIND_PERSON name: 'ben' } moves: 4 moves: 0 moves: 1 "
                "starter: MARK_X outcome { winner: MARK_X reason: REASON_RESIGNED } } }");
  screen.keys(right);
  return screen;
}

using Make = std::function<Screen()>;

const std::vector<Make> rooms = {playing,  on_the_turn_of_the_other, finished, waiting_in_room,
                                 watching, waiting_for_the_seat};
const std::vector<Make> others = {lobby, games, replay};

// The lines of the help below these headings.
std::string help_of(const std::vector<std::string_view>& headings) {
  std::string text;
  bool is_wanted = false;
  for (const std::string_view line : client::prompts::key_help) {
    const bool is_heading =
        line.size() > 1 && line[0] >= 'A' && line[0] <= 'Z' && line[1] >= 'A' && line[1] <= 'Z';
    if (is_heading) {
      is_wanted = false;
      for (const std::string_view heading : headings) is_wanted |= line.starts_with(heading);
    }
    if (is_wanted && !is_heading) text.append(line).append("\n");
  }
  EXPECT_NE(text, "");
  return text;
}

// The letters that stand there as words, as capitals. "a" is none.
std::set<char> letters_in(const std::string& help) {
  std::set<char> letters;
  std::istringstream words(help);
  for (std::string word; words >> word;) {
    while (!word.empty() && (word.back() == ',' || word.back() == '.' || word.back() == ')')) {
      word.pop_back();
    }
    while (!word.empty() && word.front() == '(') word.erase(0, 1);
    if (word.size() != 1 || word == "a" || !std::isalpha(static_cast<unsigned char>(word[0]))) {
      continue;
    }
    letters.insert(static_cast<char>(std::toupper(word[0])));
  }
  return letters;
}

// Whether the key has any effect. In a game, capital letters are the keys.
bool does_something(Screen& screen, char capital) {
  const Room* const room = screen.app.talk()->room();
  const bool shift = room != nullptr && letters_are_moves(*room);
  const std::string before = screen.text();
  screen.sent();
  const int letter = shift ? capital : std::tolower(capital);
  screen.app.press(letter_key(static_cast<unsigned char>(letter)), screen.now);
  const bool ended = screen.app.ending() != nullptr || screen.app.talk_is_over();
  if (!ended) screen.pass(2 * capital_pace);
  return ended || !screen.sent().empty() || screen.text() != before;
}

void expect_help_is_right(const std::vector<std::string_view>& headings,
                          const std::vector<Make>& states) {
  const std::set<char> named = letters_in(help_of(headings));
  for (char letter = 'A'; letter <= 'Z'; ++letter) {
    bool acts = false;
    for (const Make& make : states) {
      Screen screen = make();
      acts |= does_something(screen, letter);
    }
    EXPECT_EQ(acts, named.contains(letter)) << letter << " in " << headings.front();
  }
}

TEST(Bindings, of_a_room_are_those_in_the_help) {
  expect_help_is_right({"PLAYING", "KEYS IN A ROOM", "EVERYWHERE"}, rooms);
}

TEST(Bindings, of_the_lobby_are_those_in_the_help) {
  expect_help_is_right({"LIST OF ROOMS", "EVERYWHERE"}, {lobby});
}

TEST(Bindings, of_finished_games_are_those_in_the_help) {
  expect_help_is_right({"FINISHED GAMES", "EVERYWHERE"}, {games, second_of_games, replay});
}

TEST(Bindings, everywhere_q_quits) {
  for (const Make& make : others) {
    for (const char key : {'q', 'Q'}) {
      Screen screen = make();
      screen.app.press(letter_key(static_cast<unsigned char>(key)), screen.now);
      EXPECT_NE(screen.app.ending(), nullptr) << screen.text();
    }
  }
}

// Every key of the bar has a label, and does something when it is clicked.
TEST(Bindings, of_the_bar_do_something) {
  std::vector<Make> all = rooms;
  all.insert(all.end(), others.begin(), others.end());
  for (const Make& make : all) {
    const Scene scene = make().app.draw(make().now);
    const std::string text = make().text();
    for (const Spot& spot : scene.spots) {
      std::string shown;
      for (int x = spot.area.x; x < spot.area.x + spot.area.width; ++x) {
        append_utf8(shown, scene.picture.at({x, spot.area.y}).letter);
      }
      while (shown.ends_with(' ')) shown.pop_back();
      EXPECT_THAT(shown, HasSubstr(" ")) << "a key without a label\n" << text;
      if (shown.starts_with("Shift")) continue;
      Screen screen = make();
      screen.text();
      screen.app.point({Mouse::Action::press, {spot.area.x, spot.area.y}}, screen.now);
      const bool acts = screen.app.ending() != nullptr || screen.app.talk_is_over() ||
                        !screen.sent().empty() || screen.text() != text;
      EXPECT_TRUE(acts) << shown << "\n" << text;
    }
  }
}

TEST(Bindings, play_here_is_offered_only_to_the_side_to_move) {
  EXPECT_THAT(playing().text(), HasSubstr("Enter Play here"));
  EXPECT_THAT(on_the_turn_of_the_other().text(), Not(HasSubstr("Play here")));
}

// A seat, and the promise of one, are given up only after a question.
TEST(Bindings, no_key_gives_up_a_seat_without_a_question) {
  for (const Make& make :
       {Make(playing), Make(finished), Make(waiting_in_room), Make(waiting_for_the_seat)}) {
    for (int key = ' '; key <= '~'; ++key) {
      Screen screen = make();
      screen.app.press(letter_key(static_cast<unsigned char>(key)), screen.now);
      if (!screen.app.ending()) screen.pass(2 * capital_pace);
      EXPECT_EQ(screen.app.ending(), nullptr) << static_cast<char>(key);
      for (const v1::ClientMessage& sent : screen.sent()) {
        const bool seated = screen.app.talk()->room()->my_seat != client::Mark::none;
        EXPECT_FALSE(sent.has_leave_room() || (seated && sent.has_resign()) || sent.has_goodbye() ||
                     sent.has_add_ai())
            << static_cast<char>(key) << " " << sent.ShortDebugString();
      }
    }
  }
}

TEST(Bindings, leaving_after_a_game_is_asked_and_then_done) {
  Screen screen = finished();
  screen.keys("l");
  EXPECT_THAT(screen.text(), HasSubstr("Leave the room?"));
  screen.keys("n");
  EXPECT_THAT(screen.sent(), IsEmpty());
  screen.keys("ly");
  EXPECT_TRUE(screen.last_request().has_leave_room());
  Screen watcher = watching();
  watcher.keys("l");
  EXPECT_TRUE(watcher.last_request().has_leave_room()) << "a watcher gives nothing up";
}

// The first game, on a board of three columns
// -------------------------------------------------------

TEST(FirstGame, a_letter_that_is_no_column_is_its_key) {
  Screen screen = in_room("moves: 4 moves: 0 draw_offered_by: MARK_O");
  EXPECT_THAT(screen.text(), HasSubstr("D accepts"));
  screen.keys("d");
  EXPECT_THAT(screen.sent(), IsEmpty()) << "not before Enter";
  screen.keys("\r");
  EXPECT_TRUE(screen.last_request().has_offer_draw());
  EXPECT_THAT(screen.text(), Not(HasSubstr("Unknown command")));
}

TEST(FirstGame, a_letter_alone_is_its_key_on_every_board) {
  Screen screen = in_room("rules { rows: 15 cols: 15 k: 5 } moves: 4 options { hints: true }");
  screen.keys("h\r");
  EXPECT_TRUE(screen.last_request().has_hint());
  screen.keys("r\r");
  EXPECT_THAT(screen.text(), HasSubstr("Resign this game?"));
}

TEST(FirstGame, keys_that_are_no_columns_do_not_wait) {
  Screen screen = in_room("moves: 4 moves: 0 options { hints: true }");
  screen.app.press(letter_key(U'H'), screen.now);
  EXPECT_TRUE(screen.last_request().has_hint());
  screen.app.press(letter_key(U'D'), screen.now);
  EXPECT_TRUE(screen.last_request().has_offer_draw());
  screen.app.press(letter_key(U'R'), screen.now);
  EXPECT_THAT(screen.text(), HasSubstr("Resign this game?"));
}

// The digit after a column's letter belongs to the cell before the menu is open, and to the menu
// afterwards.
TEST(FirstGame, an_open_menu_keeps_its_digits) {
  Screen screen = in_room("o { kind: KIND_AI name: 'AI (3, casual)' ai_level: '3' } moves: 4");
  screen.app.press(letter_key(U'A'), screen.now);
  EXPECT_FALSE(screen.app.has_dialog()) << "A1 is a cell";
  EXPECT_THAT(screen.text(), HasSubstr("such as A3")) << "a row of this board";
  screen.now += milliseconds(300);
  screen.app.press(letter_key(U'1'), screen.now);
  EXPECT_THAT(screen.text(), HasSubstr("Move or command: A1"));

  Screen menu = in_room("o { kind: KIND_AI name: 'AI (3, casual)' ai_level: '3' } moves: 4");
  menu.app.press(letter_key(U'A'), menu.now);
  menu.pass(capital_pace);
  EXPECT_TRUE(menu.app.has_dialog());
  menu.now += dialog_pause;
  menu.app.press(letter_key(U'1'), menu.now);
  EXPECT_THAT(menu.text(), Not(HasSubstr("Move or command"))) << "it is chosen from the menu";
}

}  // namespace
}  // namespace tictactoe::screen::testing::screen_bindings_tests
