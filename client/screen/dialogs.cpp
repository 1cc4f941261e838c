#include "client/screen/dialogs.hpp"

#include <algorithm>
#include <array>

#include "client/model/sanitized.hpp"
#include "client/text/narration.hpp"
#include "client/text/words.hpp"

namespace tictactoe::screen {
namespace {

using Name = Key::Name;
using client::Mark;
using client::Occupant;

constexpr std::array<std::string_view, 39> help_lines = {
    "To win, get as many of your marks in a row, in a column or",
    "diagonally as the bar at the top says.",
    "",
    "PLAYING",
    "Arrows, h j k l   go to a cell; Home End PgUp PgDn go far",
    "Enter, Space      place your mark there",
    "a click           does both; the wheel scrolls",
    "b3                typed: column b, row 3, then Enter;",
    "                  \"2 3\" is row 2, column 3",
    "[X] is the last move, *X* a line that won, (?) a hint, and",
    ">X< is where you are.",
    "",
    "KEYS IN A ROOM (with Shift while you play)",
    "H  a hint         T  take your move back, or grant it",
    "D  a draw         N  decline what the other side wants",
    "R  resign; once the game is over: rematch",
    "A  let the computer play on a seat, or take it off",
    "J  take an open seat, where you watch",
    "C  chat (or Tab)  L  leave the room",
    "B  how you are told that it is your turn: bell, title",
    "PgUp, PgDn scroll what happened while the board is small",
    "",
    "COMMANDS",
    "Any word of the line mode may be typed after a colon, as",
    ":create den 15x15x5 clock 5m+3s   :join den   :watch den",
    ":ai o unbeatable   :say hello   :replay 12   :history bob",
    "",
    "LIST OF ROOMS",
    "Enter takes a seat, or watches where none is open. P plays",
    "with whoever waits, N makes a room, W watches, / filters,",
    "G lists finished games, S chooses another server.",
    "",
    "FINISHED GAMES",
    "Left and Right step through one, Home and End go to its",
    "ends, Space plays it by itself.",
    "",
    "A lost connection comes back by itself, and your seat and",
    "your clock wait for you meanwhile. Ctrl-L draws the screen",
    "again; Ctrl-C ends the program.",
};

bool is_yes(const Key& key) {
  return key.name == Name::enter || key == letter_key(U'y') || key == letter_key(U'Y');
}

bool moves_up(const Key& key) {
  return key.name == Name::up || key.name == Name::back_tab;
}

bool moves_down(const Key& key) {
  return key.name == Name::down || key.name == Name::tab;
}

std::size_t next(std::size_t at, int by, std::size_t count) {
  const auto size = static_cast<std::ptrdiff_t>(count);
  return static_cast<std::size_t>((static_cast<std::ptrdiff_t>(at) + by + size) % size);
}

void write_keys(const Canvas& box, const std::vector<KeyHint>& keys, Scene& scene) {
  draw_keys(box.cut({-1, box.height() - 1, box.width() + 1, 1}), keys, scene);
}

}  // namespace

Pressed HelpBox::press(const Key& key) {
  const int last = 2 * static_cast<int>(help_lines.size());  // drawing knows better
  if (key.name == Name::down || key == letter_key(U'j')) {
    top_ = std::min(top_ + 1, last);
  } else if (key.name == Name::up || key == letter_key(U'k')) {
    top_ = std::max(top_ - 1, 0);
  } else if (key.name == Name::page_down || key == letter_key(U' ')) {
    top_ = std::min(top_ + 10, last);
  } else if (key.name == Name::page_up) {
    top_ = std::max(top_ - 10, 0);
  } else {
    return {true, {}};
  }
  return {};
}

void HelpBox::draw(const Canvas& canvas, Scene& scene) const {
  constexpr int wanted = 60;
  std::vector<std::string> text;
  for (const std::string_view line : help_lines) {
    for (std::string& part : wrapped(line, std::clamp(canvas.width() - 4, 1, wanted))) {
      text.push_back(std::move(part));
    }
  }
  const auto lines = static_cast<int>(text.size());
  const Canvas box = draw_box(canvas, {wanted, lines + 2}, "Help");
  const int seen = std::max(box.height() - 2, 0);
  const int top = std::clamp(top_, 0, std::max(lines - seen, 0));
  for (int y = 0; y < seen && top + y < lines; ++y) {
    const std::string& line = text[static_cast<std::size_t>(top) + static_cast<std::size_t>(y)];
    const bool heading = line.size() > 1 && line[1] >= 'A' && line[1] <= 'Z';
    box.write(0, y, line, heading ? Style::strong : Style::plain);
  }
  std::vector<KeyHint> keys;
  if (seen < lines) keys.push_back({"↑↓", "Scroll", {Name::down, 0}});
  keys.push_back({"Esc", "Back", {Name::escape, 0}});
  write_keys(box, keys, scene);
  scene.cursor.reset();
}

Pressed Question::press(const Key& key) const {
  if (is_yes(key)) return {true, Answer(line_)};
  const bool no = key.name == Name::escape || key == letter_key(U'n') || key == letter_key(U'N');
  return {no, {}};
}

void Question::draw(const Canvas& canvas, Scene& scene) const {
  const std::vector<std::string> lines = wrapped(text_, std::min(46, canvas.width() - 4));
  const Canvas box = draw_box(canvas, {46, static_cast<int>(lines.size()) + 2}, "Sure?");
  for (std::size_t i = 0; i < lines.size(); ++i) box.write(0, static_cast<int>(i), lines[i]);
  write_keys(box, {{"Y", "Yes", letter_key(U'y')}, {"N", "No", letter_key(U'n')}}, scene);
  scene.cursor.reset();
}

Pressed Menu::press(const Key& key) {
  if (key.name == Name::escape) return {true, {}};
  if (choices_.empty()) return {true, {}};
  if (moves_up(key) || key == letter_key(U'k')) selected_ = next(selected_, -1, choices_.size());
  if (moves_down(key) || key == letter_key(U'j')) selected_ = next(selected_, 1, choices_.size());
  if (key.name == Name::enter || key == letter_key(U' ')) return choose(selected_);
  if (key.name == Name::letter && key.letter >= U'1' && key.letter <= U'9') {
    return choose(key.letter - U'1');
  }
  return {};
}

Pressed Menu::choose(std::size_t index) {
  if (index >= choices_.size()) return {};
  return {true, choices_[index].answer};
}

void Menu::draw(const Canvas& canvas, Scene& scene) const {
  scene.list.clear();
  const auto count = static_cast<int>(choices_.size());
  const Canvas box = draw_box(canvas, {46, std::max(count, 1) + 2}, title_);
  const int seen = std::max(box.height() - 2, 0);
  const std::size_t start = list_start(selected_, choices_.size(), seen);
  scene.cursor.reset();
  for (int y = 0; y < seen && start + static_cast<std::size_t>(y) < choices_.size(); ++y) {
    const std::size_t index = start + static_cast<std::size_t>(y);
    const bool here = index == selected_;
    box.write(0, y, here ? "▸" : " ", Style::cursor);
    box.write(2, y,
              fitted(std::to_string(index + 1) + "  " + choices_[index].label, box.width() - 2),
              here ? Style::cursor : Style::plain);
    scene.list.push_back({box.cut({0, y, box.width(), 1}).area(), index});
  }
  write_keys(box, {{"Enter", "Choose", {Name::enter, 0}}, {"Esc", "Back", {Name::escape, 0}}},
             scene);
}

QuitMenu::QuitMenu()
    : Menu("End the program?",
           {{"Go on playing", {}},
            {"Keep the seat, and come back later", Answer(Answer::Quit::keep_seat)},
            {"Leave the seat: another may take it", Answer(Answer::Quit::leave_seat)}}) {}

Pressed PasswordBox::press(const Key& key) {
  if (key.name == Name::escape) return {true, {}};
  if (key.name == Name::enter && !field_.empty()) {
    return {true, Answer(line_ + " password " + client::quoted_word(field_.text()))};
  }
  field_.press(key);
  return {};
}

void PasswordBox::draw(const Canvas& canvas, Scene& scene) const {
  const Canvas box = draw_box(canvas, {46, 4}, "Password");
  box.write(0, 0, fitted("The room \"" + room_ + "\" asks for one.", box.width()));
  const Canvas place = box.cut({0, 1, box.width(), 1});
  const int at = draw_line(place, field_, Style::field, true);
  write_keys(box, {{"Enter", "Go in", {Name::enter, 0}}, {"Esc", "Back", {Name::escape, 0}}},
             scene);
  scene.cursor = Point{place.area().x + at, place.area().y};
}

RoomForm::RoomForm(const std::string& me, const std::vector<std::string>& levels) {
  std::vector<std::string> opponents = {"a person"};
  for (const std::string& level : levels) opponents.push_back("AI, " + level);
  fields_.push_back({.label = "Name", .hint = "what others see in the list", .presets = {}});
  fields_.push_back({.label = "Board",
                     .hint = "rows x columns",
                     .presets = {"3x3", "5x5", "10x10", "15x15", "19x19", "100x100"}});
  fields_.push_back(
      {.label = "In a row", .hint = "marks that win", .presets = {"3", "4", "5", "6"}});
  fields_.push_back({.label = "Clock",
                     .hint = "none, or 5m, 5m+3s, 30s/move",
                     .presets = {"none", "1m", "3m+2s", "10m", "30s/move"}});
  fields_.push_back(
      {.label = "Password", .hint = "empty: all may come in", .presets = {}, .secret = true});
  fields_.push_back({.label = "Listed",
                     .hint = "no: found by its name alone",
                     .presets = {"yes", "no"},
                     .typed = false});
  fields_.push_back({.label = "Against", .hint = "", .presets = opponents, .typed = false});
  for (Field& field : fields_) {
    if (!field.presets.empty()) field.text.set(field.presets.front());
  }
  fields_[0].text.set(me.substr(0, me.find(' ')) + "-room");
}

Pressed RoomForm::press(const Key& key) {
  if (key.name == Name::escape) return {true, {}};
  if (key.name == Name::enter) return {true, answer()};
  if (moves_up(key)) {
    selected_ = next(selected_, -1, fields_.size());
  } else if (moves_down(key)) {
    selected_ = next(selected_, 1, fields_.size());
  } else if (Field& field = fields_[selected_];
             !field.presets.empty() && (key.name == Name::left || key.name == Name::right)) {
    turn(key.name == Name::left ? -1 : 1);
  } else if (field.typed) {
    field.text.press(key);
  } else if (key == letter_key(U' ')) {
    turn(1);
  }
  return {};
}

void RoomForm::choose(std::size_t index) {
  if (index >= fields_.size()) return;
  if (selected_ == index && !fields_[index].presets.empty()) turn(1);
  selected_ = index;
}

LineEditor* RoomForm::line() {
  Field& field = fields_[selected_];
  return field.typed ? &field.text : nullptr;
}

void RoomForm::turn(int by) {
  Field& field = fields_[selected_];
  field.preset = next(field.preset, by, field.presets.size());
  field.text.set(field.presets[field.preset]);
  // What people play on a board of that size.
  constexpr std::size_t board = 1;
  if (selected_ == board) {
    Field& k = fields_[board + 1];
    k.preset = std::min<std::size_t>(field.preset, 2);
    k.text.set(k.presets[k.preset]);
  }
}

Answer RoomForm::answer() const {
  const auto text = [&](std::size_t i) { return std::string(fields_[i].text.text()); };
  std::string size = text(1);
  if (!size.empty() && size.find_first_of("xX") == std::string::npos) size += "x" + size;
  if (!text(2).empty() && !size.empty()) size += "x" + text(2);
  Answer answer("create " + client::quoted_word(text(0)) + " " + size);
  if (const std::string clock = text(3); !clock.empty() && clock != "none") {
    answer.line += " clock " + clock;
  }
  if (const std::string password = text(4); !password.empty()) {
    answer.line += " password " + client::quoted_word(password);
  }
  if (text(5) == "no") answer.line += " unlisted";
  const std::string& against = fields_[6].presets[fields_[6].preset];
  constexpr std::string_view ai = "AI, ";
  if (against.starts_with(ai)) answer.opponent = against.substr(ai.size());
  return answer;
}

void RoomForm::draw(const Canvas& canvas, Scene& scene) const {
  scene.list.clear();
  const auto count = static_cast<int>(fields_.size());
  const Canvas box = draw_box(canvas, {66, count + 2}, "A new room");
  scene.cursor.reset();
  for (int y = 0; y < count && y < box.height() - 1; ++y) {
    const auto index = static_cast<std::size_t>(y);
    const Field& field = fields_[index];
    const bool here = index == selected_;
    box.write(0, y, here ? "▸" : " ", Style::strong);
    box.write(2, y, field.label, here ? Style::strong : Style::plain);
    const bool turns = here && !field.presets.empty();
    if (turns) box.write(11, y, "‹", Style::key);
    const Canvas place = box.cut({12, y, std::min(22, box.width() - 13), 1});
    const int at = draw_line(place, field.text, Style::field, field.secret);
    if (turns) box.write(12 + place.width(), y, "›", Style::key);
    box.write(12 + place.width() + 2, y, field.hint, Style::faint);
    if (here && place.width() > 0) scene.cursor = Point{place.area().x + at, place.area().y};
    scene.list.push_back({box.cut({0, y, box.width(), 1}).area(), index});
  }
  write_keys(box,
             {{"Enter", "Open it", {Name::enter, 0}},
              {"↑↓", "Go on", {Name::down, 0}},
              {"←→", "Change", {Name::right, 0}},
              {"Esc", "Back", {Name::escape, 0}}},
             scene);
}

Menu ai_menu(const client::Room& room, const std::vector<std::string>& levels) {
  std::vector<Menu::Choice> choices;
  for (const Mark seat : {Mark::x, Mark::o}) {
    const Occupant& occupant = room.occupant(seat);
    const std::string mark = client::mark_name(seat);
    const std::string word = seat == Mark::x ? "x" : "o";
    if (occupant.kind == Occupant::Kind::ai) {
      choices.push_back(
          {"Take " + client::name_of(occupant) + " off " + mark, Answer("noai " + word)});
    }
    if (occupant.kind == Occupant::Kind::open) {
      for (const std::string& level : levels) {
        std::string line = "ai " + word;
        line.append(" ").append(client::quoted_word(level));
        std::string label = "AI (" + level;
        label.append(") plays ").append(mark);
        choices.push_back({std::move(label), Answer(std::move(line))});
      }
    }
  }
  if (room.my_seat != Mark::none) {
    choices.push_back({"The AI takes over from you, and you watch",
                       Answer(room.my_seat == Mark::x ? "ai x" : "ai o")});
  }
  return {"Who plays?", std::move(choices)};
}

}  // namespace tictactoe::screen
