#include "client/screen/room_form.hpp"

#include <algorithm>
#include <utility>

#include "client/words/narration.hpp"
#include "client/words/prompts.hpp"
#include "client/words/typed.hpp"
#include "common/wire/text.hpp"

namespace tictactoe::screen {

using Name = Key::Name;
namespace prompts = client::prompts;

namespace {

constexpr std::string_view name_end = "-room";
constexpr std::size_t usual_name_length = 24;
// Rows for why the room was refused.
constexpr int note_rows = 2;

// Marks that people play for on a board of that size.
std::uint32_t usual_k(const v1::Rules& rules) {
  const std::uint32_t side = std::min(rules.rows(), rules.cols());
  if (side <= 3) return 3;
  return side < 7 ? 4 : 5;
}

bool is_times(char letter) {
  return letter == 'x' || letter == 'X';
}

}  // namespace

std::string default_room_name(const std::string& me, const v1::Limits& limits) {
  const std::size_t most = limits.name_length() > 0 ? limits.name_length() : usual_name_length;
  const std::string word = me.substr(0, me.find(' '));
  const std::size_t left = most > name_end.size() ? most - name_end.size() : 0;
  std::string name(wire::first_code_points(word, left));
  return std::string(wire::first_code_points(name.append(name_end), most));
}

RoomForm::RoomForm(const std::string& me, const v1::Limits& limits,
                   const std::vector<std::string>& levels, Create create)
    : create_(std::move(create)),
      levels_(levels),
      min_side_(limits.min_side()),
      max_side_(limits.max_side()) {
  std::vector<std::string> opponents = {"a person"};
  for (const std::string& level : levels_) opponents.push_back("AI, " + client::level_text(level));
  const auto add = [this](std::string_view label, std::string_view hint,
                          std::vector<std::string> presets) -> Field& {
    fields_.push_back(
        {.label = std::string(label), .hint = std::string(hint), .presets = std::move(presets)});
    return fields_.back();
  };
  add("Name", prompts::name_hint, {});
  add("Board", prompts::board_hint, {"3x3", "5x5", "10x10", "15x15", "19x19", "100x100"});
  add(prompts::in_a_row, prompts::k_hint, {"3", "4", "5", "6"});
  add("Clock", prompts::clock_hint, {"none", "1m", "3m+2s", "10m", "30s/move"});
  add("Password", prompts::password_hint, {}).secret = true;
  add("Listed", prompts::listed_hint, {"yes", "no"}).typed = false;
  add("Newcomers", prompts::newcomers_hint, {"no", "yes"}).typed = false;
  add("Hints", prompts::hints_hint, {"no", "yes"}).typed = false;
  add("Against", "", opponents).typed = false;
  for (Field& field : fields_) {
    if (!field.presets.empty()) field.text.set(field.presets.front());
  }
  fields_[name].text.set(default_room_name(me, limits));
}

Pressed RoomForm::press(const Key& key) {
  if (key.name == Name::escape) return {true, {}};
  if (key.name == Name::enter) return submit();
  Field& field = fields_[selected_];
  if (key.name == Name::up || key.name == Name::back_tab) {
    selected_ = turned(selected_, -1, fields_.size());
  } else if (key.name == Name::down || key.name == Name::tab) {
    selected_ = turned(selected_, 1, fields_.size());
  } else if (!field.presets.empty() && (key.name == Name::left || key.name == Name::right)) {
    turn(key.name == Name::left ? -1 : 1);
  } else if (field.typed) {
    if (key.name == Name::letter && field.proposed) field.text.clear();
    if (!field.text.press(key)) return {};
    field.proposed = false;
    change();
  } else if (key == letter_key(U' ')) {
    turn(1);
  }
  return {};
}

void RoomForm::paste(std::string_view text) {
  if (!takes_text()) return;
  Field& field = fields_[selected_];
  if (std::exchange(field.proposed, false)) field.text.clear();
  field.text.paste(text);
  change();
}

Pressed RoomForm::choose(std::size_t index) {
  if (index >= fields_.size()) return {};
  if (selected_ == index && !fields_[index].presets.empty()) turn(1);
  selected_ = index;
  return {};
}

void RoomForm::turn(int by) {
  Field& field = fields_[selected_];
  field.preset = turned(field.preset, by, field.presets.size());
  field.text.set(field.presets[field.preset]);
  field.proposed = true;
  change();
}

// The selected field has another text.
void RoomForm::change() {
  if (selected_ == marked_) {
    marked_.reset();
    reason_.clear();
  }
  note_.clear();
  if (selected_ == in_a_row) own_k_ = true;
  if (selected_ == board) adapt_k();
}

void RoomForm::adapt_k() {
  const std::string size = plain(board);
  const auto rules = client::parse_size(size);
  // A third number in the size is the person's own choice.
  const bool names_k = std::count_if(size.begin(), size.end(), is_times) == 2;
  if (!rules || (own_k_ && !names_k)) return;
  Field& field = fields_[in_a_row];
  const std::uint32_t adapted = names_k ? rules->k() : usual_k(*rules);
  const std::string k = std::to_string(adapted);
  if (k == text(in_a_row)) return;
  note_ = client::k_adapted_text(rules->rows(), rules->cols(), adapted);
  field.text.set(k);
  field.proposed = true;
  field.preset = static_cast<std::size_t>(std::find(field.presets.begin(), field.presets.end(), k) -
                                          field.presets.begin());
}

Pressed RoomForm::submit() {
  if (waiting_) return {};  // for the answer to the last one
  if (text(name).empty()) return mark(name, client::room_name_missing), Pressed();
  const auto rules = client::parse_size(plain(board));
  if (!rules) return mark(board, client::board_help), Pressed();
  const auto k = client::parse_number(plain(in_a_row));
  if (!k) return mark(in_a_row, client::k_help), Pressed();
  v1::ClientMessage message;
  v1::CreateRoom& room = *message.mutable_create_room();
  room.set_name(text(name));
  room.set_password(text(password));
  *room.mutable_rules() = *rules;
  room.mutable_rules()->set_k(*k);
  if (!text(clock).empty() && text(clock) != "none") {
    const auto time = client::parse_clock(plain(clock));
    if (!time) return mark(clock, client::clock_help), Pressed();
    *room.mutable_options()->mutable_time() = *time;
  }
  if (text(listed) == "no") room.mutable_options()->set_unlisted(true);
  if (text(hints) == "yes") room.mutable_options()->set_hints(true);
  if (text(newcomers) == "yes") room.mutable_options()->set_open_ai_seats(true);
  const std::size_t chosen = fields_[against].preset;
  const std::string opponent = chosen == 0 ? "" : levels_[chosen - 1];
  marked_.reset();
  reason_.clear();
  waiting_ = true;
  return {false, [create = create_, message, opponent](client::Time now) {
            create(message, opponent, now);
          }};
}

void RoomForm::mark(Index index, std::string_view reason) {
  selected_ = index;
  marked_ = index;
  reason_ = reason;
}

// Whether the server's limits allow the sides of the board, so that only k can be wrong.
bool RoomForm::board_fits() const {
  const auto rules = client::parse_size(plain(board));
  if (!rules) return false;
  // A list: the other overload returns references, here to values that are gone.
  const auto [shorter, longer] = std::minmax({rules->rows(), rules->cols()});
  return shorter >= min_side_ && (max_side_ == 0 || longer <= max_side_);
}

bool RoomForm::fail(const std::string& reason) {
  waiting_ = false;
  marked_.reset();
  reason_ = reason;
  return true;
}

bool RoomForm::refuse(const v1::ClientMessage& request, const v1::Error& error) {
  if (!request.has_create_room()) return false;
  fail(client::error_text(error));
  const std::string reason = reason_;
  switch (error.code()) {
    case v1::Error::CODE_INVALID_NAME:
    case v1::Error::CODE_ROOM_EXISTS:
      mark(name, reason);
      break;
    case v1::Error::CODE_INVALID_RULES:
      mark(board_fits() ? in_a_row : board, reason);
      break;
    case v1::Error::CODE_INVALID_OPTIONS:
      mark(clock, reason);
      break;
    case v1::Error::CODE_INVALID_TEXT:
      mark(password, reason);
      break;
    default:
      break;
  }
  return true;
}

void RoomForm::draw(const Canvas& canvas, Scene& scene) {
  const auto all = static_cast<int>(fields_.size());
  const Canvas box = draw_box(canvas, {66, all + 1 + note_rows}, prompts::new_room);
  scene.cursor.reset();
  const int count = std::clamp(box.height() - 1, 0, all);
  const std::size_t start = list_start(selected_, fields_.size(), count);
  for (int y = 0; y < count; ++y) {
    const std::size_t index = start + static_cast<std::size_t>(y);
    const Field& field = fields_[index];
    const bool here = index == selected_;
    const bool wrong = index == marked_;
    box.write(0, y, wrong ? "!" : here ? "▸" : " ", wrong ? Style::alarm : Style::strong);
    box.write(2, y, field.label, wrong ? Style::alarm : here ? Style::strong : Style::plain);
    const bool turns = here && !field.presets.empty();
    if (turns) box.write(11, y, "‹", Style::key);
    const Canvas place = box.cut({12, y, std::min(22, box.width() - 13), 1});
    const int at = draw_line(place, field.text, Style::field, field.secret);
    if (turns) box.write(12 + place.width(), y, "›", Style::key);
    box.write(12 + place.width() + 2, y, field.hint, Style::faint);
    if (here && place.width() > 0) scene.cursor = Point{place.area().x + at, place.area().y};
    scene.list.push_back({box.cut({0, y, box.width(), 1}).area(), index});
  }
  draw_note(box.cut({0, count, box.width(), box.height() - count - 1}));
  draw_box_keys(box,
                {{"Enter", "Create", {Name::enter, 0}},
                 {"↑↓", "Next", {Name::down, 0}},
                 {"←→", "Change", {Name::right, 0}},
                 {"Esc", "Back", {Name::escape, 0}}},
                scene);
}

// What the form has to say, between its fields and its keys.
void RoomForm::draw_note(const Canvas& canvas) const {
  if (waiting_) return write_wrapped(canvas, client::asking_the_server, Style::faint);
  const bool refused = !reason_.empty();
  write_wrapped(canvas, refused ? reason_ : note_, refused ? Style::alarm : Style::strong);
}

}  // namespace tictactoe::screen
