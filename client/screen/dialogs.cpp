#include "client/screen/dialogs.hpp"

#include <algorithm>

#include "client/session/requests.hpp"
#include "client/text/key_help.hpp"
#include "client/text/messages.hpp"
#include "client/text/narration.hpp"
#include "client/text/prompts.hpp"
#include "client/text/words.hpp"

namespace tictactoe::screen {

using Name = Key::Name;

namespace {

using client::Mark;
using client::Occupant;
namespace prompts = client::prompts;

bool is_yes(const Key& key) {
  return key.name == Name::enter || key == letter_key(U'y') || key == letter_key(U'Y');
}

bool moves_up(const Key& key) {
  return key.name == Name::up || key.name == Name::back_tab;
}

bool moves_down(const Key& key) {
  return key.name == Name::down || key.name == Name::tab;
}

}  // namespace

Pressed HelpBox::press(const Key& key) {
  const int last = 2 * static_cast<int>(client::key_help().size());  // drawing knows better
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
  for (const std::string_view line : client::key_help()) {
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
  draw_box_keys(box, keys, scene);
  scene.cursor.reset();
}

Pressed Question::press(const Key& key) const {
  if (is_yes(key)) return {true, Answer(request_)};
  const bool no = key.name == Name::escape || key == letter_key(U'n') || key == letter_key(U'N');
  return {no, {}};
}

void Question::draw(const Canvas& canvas, Scene& scene) const {
  const std::vector<std::string> lines = wrapped(text_, std::min(46, canvas.width() - 4));
  const Canvas box = draw_box(canvas, {46, static_cast<int>(lines.size()) + 2}, "Sure?");
  for (std::size_t i = 0; i < lines.size(); ++i) box.write(0, static_cast<int>(i), lines[i]);
  draw_box_keys(box, {{"Y", "Yes", letter_key(U'y')}, {"N", "No", letter_key(U'n')}}, scene);
  scene.cursor.reset();
}

Pressed Menu::press(const Key& key) {
  if (key.name == Name::escape) return {true, {}};
  if (choices_.empty()) return {true, {}};
  if (moves_up(key) || key == letter_key(U'k')) selected_ = turned(selected_, -1, choices_.size());
  if (moves_down(key) || key == letter_key(U'j')) selected_ = turned(selected_, 1, choices_.size());
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
  draw_box_keys(box, {{"Enter", "Choose", {Name::enter, 0}}, {"Esc", "Back", {Name::escape, 0}}},
                scene);
}

namespace {

std::vector<Menu::Choice> ways_to_quit(const client::Session& session) {
  std::vector<Menu::Choice> choices{{std::string(prompts::keep_playing), {}}};
  if (!session.is_guest()) {
    choices.push_back({std::string(prompts::keep_seat), Answer(Answer::Quit::keep_seat)});
  }
  const std::string_view leave = session.is_local() ? prompts::end_it : prompts::leave_seat;
  choices.push_back({std::string(leave), Answer(Answer::Quit::leave_seat)});
  return choices;
}

}  // namespace

QuitMenu::QuitMenu(const client::Session& session)
    : Menu(std::string(session.is_local() ? prompts::end_game : prompts::end_program),
           ways_to_quit(session)) {}

Pressed PasswordBox::press(const Key& key) {
  if (key.name == Name::escape) return {true, {}};
  if (key.name == Name::enter && !field_.empty()) {
    v1::ClientMessage message = request_;
    if (message.has_join_room()) {
      message.mutable_join_room()->set_password(field_.text());
    } else {
      message.mutable_watch_room()->set_password(field_.text());
    }
    reason_.clear();
    return {false, Answer(std::move(message))};
  }
  field_.press(key);
  return {};
}

void PasswordBox::paste(std::string_view text) {
  field_.paste(text);
}

void PasswordBox::refuse(const v1::Error& error) {
  reason_ = client::error_text(error);
  field_.clear();
}

void PasswordBox::draw(const Canvas& canvas, Scene& scene) const {
  const Canvas box = draw_box(canvas, {46, 6}, "Password");
  box.write(0, 0, fitted(client::password_wanted_text(room_), box.width()));
  const Canvas place = box.cut({0, 1, box.width(), 1});
  const int at = draw_line(place, field_, Style::field, true);
  write_wrapped(box.cut({0, 2, box.width(), 3}), reason_, Style::alarm);
  draw_box_keys(box, {{"Enter", "Go in", {Name::enter, 0}}, {"Esc", "Back", {Name::escape, 0}}},
                scene);
  scene.cursor = Point{place.area().x + at, place.area().y};
}

Menu ai_menu(const client::Room& room, const std::vector<std::string>& levels) {
  std::vector<Menu::Choice> choices;
  for (const Mark seat : {Mark::x, Mark::o}) {
    const Occupant& occupant = room.occupant(seat);
    const std::string mark = client::mark_name(seat);
    if (occupant.kind == Occupant::Kind::ai) {
      v1::ClientMessage remove;
      remove.mutable_remove_ai()->set_seat(client::write_mark(seat));
      choices.push_back(
          {"Take " + client::name_of(occupant) + " off " + mark, Answer(std::move(remove))});
    }
    if (occupant.kind == Occupant::Kind::open) {
      for (const std::string& level : levels) {
        std::string label = "AI (";
        label.append(level).append(") plays ").append(mark);
        choices.push_back({std::move(label), Answer(client::add_ai(seat, level))});
      }
    }
  }
  if (room.my_seat != Mark::none) {
    choices.push_back(
        {std::string(prompts::ai_takes_over), Answer(client::add_ai(room.my_seat, {}))});
  }
  return {"Who plays?", std::move(choices)};
}

}  // namespace tictactoe::screen
