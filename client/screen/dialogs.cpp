#include "client/screen/dialogs.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "client/model/sanitized.hpp"
#include "client/session/requests.hpp"
#include "client/words/lists.hpp"
#include "client/words/messages.hpp"
#include "client/words/narration.hpp"
#include "client/words/prompts.hpp"
#include "client/words/typed.hpp"
#include "common/qr/qr_code.hpp"

namespace tictactoe::screen {

using Name = Key::Name;

namespace {

using client::Mark;
using client::Occupant;
namespace prompts = client::prompts;

// Enter is not: it may end a line that was typed without looking.
bool is_yes(const Key& key) {
  return key == letter_key(U'y') || key == letter_key(U'Y');
}

bool moves_up(const Key& key) {
  return key.name == Name::up || key.name == Name::back_tab;
}

bool moves_down(const Key& key) {
  return key.name == Name::down || key.name == Name::tab;
}

std::vector<std::string> wrapped_all(const std::vector<std::string>& paragraphs, int columns) {
  std::vector<std::string> lines;
  for (const std::string& paragraph : paragraphs) {
    for (std::string& line : wrapped(paragraph, std::max(columns, 1))) {
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

Style plain(const std::string& /*line*/) {
  return Style::plain;
}

// Draws the lines that are scrolled to. Returns whether there are more than fit.
bool draw_scrolled(const Canvas& canvas, const std::vector<std::string>& lines, Scroll& scroll,
                   Style (*style)(const std::string& line) = plain) {
  const auto seen = static_cast<std::size_t>(std::max(canvas.height(), 0));
  const std::size_t first = scroll.settle(lines.size(), seen);
  for (std::size_t y = 0; y < seen && first + y < lines.size(); ++y) {
    const std::string& line = lines[first + y];
    canvas.write(0, static_cast<int>(y), line, style(line));
  }
  return seen < lines.size();
}

}  // namespace

bool OpenDialog::ignores_input(client::Time now) {
  if (!dialog_ || now >= quiet_since_ + dialog_pause) return false;
  quiet_since_ = now;
  return true;
}

bool OpenDialog::ignores(const Key& key, client::Time now) {
  if (dialog_ && key.name == Name::letter && dialog_->takes_text()) return false;
  return ignores_input(now);
}

void OpenDialog::act(const Pressed& pressed, client::Time now) {
  if (pressed.closed) dialog_.reset();
  if (pressed.action) pressed.action(now);
}

Pressed HelpBox::press(const Key& key) {
  return {!scroll_.press(key)};
}

void HelpBox::draw(const Canvas& canvas, Scene& scene) {
  constexpr int wanted = 60;
  const std::vector<std::string> text = wrapped_all(
      {prompts::key_help.begin(), prompts::key_help.end()}, std::min(canvas.width() - 4, wanted));
  const Canvas box = draw_box(canvas, {wanted, static_cast<int>(text.size()) + 2}, "Help");
  const bool scrolls = draw_scrolled(box.cut({0, 0, box.width(), std::max(box.height() - 2, 0)}),
                                     text, scroll_, [](const std::string& line) {
                                       const bool heading =
                                           line.size() > 1 && line[1] >= 'A' && line[1] <= 'Z';
                                       return heading ? Style::strong : Style::plain;
                                     });
  std::vector<KeyHint> keys;
  if (scrolls) keys.push_back({"↑↓", "Scroll", {Name::down, 0}});
  keys.push_back({"Esc", "Back", {Name::escape, 0}});
  draw_box_keys(box, keys, scene);
  scene.cursor.reset();
}

Pressed Question::press(const Key& key) {
  if (is_yes(key)) return {true, yes_};
  return {key.name == Name::escape || key == letter_key(U'n') || key == letter_key(U'N')};
}

void Question::draw(const Canvas& canvas, Scene& scene) {
  const std::vector<std::string> lines = wrapped(text_, std::min(46, canvas.width() - 4));
  const Canvas box =
      draw_box(canvas, {46, static_cast<int>(lines.size()) + 2}, prompts::are_you_sure);
  for (std::size_t i = 0; i < lines.size(); ++i) box.write(0, static_cast<int>(i), lines[i]);
  draw_box_keys(box, {{"Y", "Yes", letter_key(U'y')}, {"N", "No", letter_key(U'n')}}, scene);
  scene.cursor.reset();
}

Pressed Menu::press(const Key& key) {
  const std::size_t count = content_.choices.size();
  if (key.name == Name::escape || count == 0) return {true};
  if (moves_up(key) || key == letter_key(U'k')) {
    selected_ = turned(selected_, -1, count);
  } else if (moves_down(key) || key == letter_key(U'j')) {
    selected_ = turned(selected_, 1, count);
  } else {
    move_selection(selected_, key, count, page_);
  }
  if (key.name == Name::enter || key == letter_key(U' ')) return choose(selected_);
  if (key.name == Name::letter && key.letter >= U'1' && key.letter <= U'9') {
    return choose(key.letter - U'1');
  }
  return {};
}

Pressed Menu::choose(std::size_t index) {
  if (index >= content_.choices.size()) return {};
  return {true, content_.choices[index].action};
}

void Menu::draw(const Canvas& canvas, Scene& scene) {
  const std::vector<Choice>& choices = content_.choices;
  const auto count = static_cast<int>(choices.size());
  const int width = content_.text.empty() ? 46 : 64;
  const std::vector<std::string> text =
      wrapped_all(content_.text, std::min(width, canvas.width() - 4));
  const int text_rows = text.empty() ? 0 : static_cast<int>(text.size()) + 1;
  const Canvas whole =
      draw_box(canvas, {width, std::max(count, 1) + text_rows + 2}, content_.title);
  // If the space is small, the choices come first.
  const int list_rows = std::min(whole.height(), std::max(count, 1) + 2);
  const int above = text.empty() ? 0 : std::max(whole.height() - list_rows, 0);
  Scroll from_top;
  draw_scrolled(whole.cut({0, 0, whole.width(), above}), text, from_top);
  const Canvas box = whole.cut({0, above, whole.width(), whole.height() - above});
  const int seen = std::max(box.height() - 2, 0);
  page_ = static_cast<std::size_t>(std::max(seen, 2)) - 1;
  const std::size_t start = list_start(selected_, choices.size(), seen);
  scene.cursor.reset();
  for (int y = 0; y < seen && start + static_cast<std::size_t>(y) < choices.size(); ++y) {
    const std::size_t index = start + static_cast<std::size_t>(y);
    const bool here = index == selected_;
    box.write(0, y, here ? "▸" : " ", Style::cursor);
    box.write(2, y,
              fitted(std::to_string(index + 1) + "  " + choices[index].label, box.width() - 2),
              here ? Style::cursor : Style::plain);
    scene.list.push_back({box.cut({0, y, box.width(), 1}).area(), index});
  }
  draw_box_keys(box, {{"Enter", "Choose", {Name::enter, 0}}, {"Esc", "Back", {Name::escape, 0}}},
                scene);
}

JoinBox::JoinBox(client::Invitation invitation, bool ascii)
    : invitation_(std::move(invitation)), ascii_(ascii) {
  show(0);
}

void JoinBox::update(client::Invitation invitation) {
  invitation_ = std::move(invitation);
  show(std::min(shown_, invitation_.ways.size() - 1));
}

void JoinBox::show(std::size_t way) {
  shown_ = way;
  const client::Invitation::Way& shown = invitation_.ways[way];
  text_.clear();
  if (shown.is_from_anywhere) text_ = {std::string(prompts::works_anywhere), ""};
  text_.insert(text_.end(), {std::string(prompts::in_a_terminal), shown.command, "",
                             std::string(prompts::in_a_browser), shown.link});
  std::string_view heading;
  for (std::size_t i = 0; i < invitation_.ways.size(); ++i) {
    if (i == way) continue;
    const client::Invitation::Way& other = invitation_.ways[i];
    const std::string_view before =
        std::exchange(heading, other.is_from_anywhere   ? prompts::from_anywhere
                               : shown.is_from_anywhere ? prompts::on_this_network
                                                        : prompts::on_another_network);
    if (heading != before) text_.insert(text_.end(), {"", std::string(heading)});
    text_.push_back(other.is_from_anywhere ? other.link : other.command_in_short);
  }
  if (!invitation_.key.empty()) {
    text_.insert(text_.end(), {"", std::string(prompts::key_of_server), invitation_.key});
  }
  const auto code = ascii_ ? std::nullopt : qr::QrCode::of(client::without_key(shown.link));
  code_ = code ? qr::to_rows(*code) : std::vector<std::string>();
}

Pressed JoinBox::press(const Key& key) {
  if (key.name == Name::tab && invitation_.ways.size() > 1) {
    show(turned(shown_, 1, invitation_.ways.size()));
    scroll_ = {};
    return {};
  }
  return {!scroll_.press(key)};
}

// The text and, beside it or below, the code, if all of it fits.
void JoinBox::draw(const Canvas& canvas, Scene& scene) {
  constexpr int text_width = 38;
  const int code_width = code_.empty() ? 0 : columns_of(code_.front());
  const auto code_height = static_cast<int>(code_.size());
  const bool beside = code_width > 0 && canvas.width() >= code_width + 2 + text_width + 4 &&
                      canvas.height() >= code_height + 3;
  const int width = beside ? code_width + 2 + text_width : 60;
  std::vector<std::string> text =
      wrapped_all(text_, beside ? text_width : std::min(width, canvas.width() - 4));
  const bool below = !beside && code_width > 0 && canvas.width() >= code_width + 4;
  const int first = static_cast<int>(text.size()) + 1;  // row of the code below
  if (below) {
    text.emplace_back();
    text.insert(text.end(), code_.begin(), code_.end());
  }
  const int rows = std::max(static_cast<int>(text.size()), beside ? code_height : 0);
  const Canvas box = draw_box(canvas, {width, rows + 1}, prompts::others_join);
  const int x = beside ? code_width + 2 : 0;
  const int seen = std::max(box.height() - 1, 0);
  const bool scrolls = draw_scrolled(box.cut({x, 0, box.width() - x, seen}), text, scroll_);
  for (int y = 0; beside && y < code_height; ++y) {
    box.write(0, y, code_[static_cast<std::size_t>(y)], Style::code);
  }
  if (below) {
    const int from = std::max(first - static_cast<int>(scroll_.top()), 0);
    box.cut({0, 0, box.width(), seen}).restyle({0, from, code_width, seen - from}, Style::code);
  }
  std::vector<KeyHint> keys;
  if (scrolls) keys.push_back({"↑↓", "Scroll", {Name::down, 0}});
  if (invitation_.ways.size() > 1) keys.push_back({"Tab", "Next address", {Name::tab, 0}});
  keys.push_back({"Esc", "Back", {Name::escape, 0}});
  draw_box_keys(box, keys, scene);
  scene.cursor.reset();
}

namespace {

std::vector<Menu::Choice> ways_to_quit(const client::Session& session, const Action& keep,
                                       const Action& leave) {
  const client::Room* const room = session.room();
  if (!room || room->phase != client::Phase::playing || room->my_seat == Mark::none) {
    return {{std::string(prompts::stay_here)},
            {std::string(room ? prompts::leave_and_end : prompts::end_it_all), leave}};
  }
  std::vector<Menu::Choice> choices{{std::string(prompts::keep_playing)}};
  if (!session.is_guest()) {
    choices.push_back({client::keep_seat_text(*room, session.limits()), keep});
  }
  choices.push_back(
      {std::string(session.is_local() ? prompts::end_it : prompts::leave_seat), leave});
  return choices;
}

}  // namespace

QuitMenu::QuitMenu(const client::Session& session, bool hosting, const Action& keep,
                   const Action& leave)
    : Menu({std::string(session.is_local() && session.room() &&
                                session.room()->phase == client::Phase::playing
                            ? prompts::end_game
                            : prompts::end_program),
            ways_to_quit(session, keep, leave),
            hosting ? client::hosting_texts(session) : std::vector<std::string>()}) {}

Pressed PasswordBox::press(const Key& key) {
  if (key.name == Name::escape) return {true};
  if (key.name == Name::enter && !field_.empty()) {
    reason_.clear();
    return {!waits_,
            [enter = enter_, password = field_.text()](client::Time now) { enter(password, now); }};
  }
  field_.press(key);
  return {};
}

bool PasswordBox::refuse(const v1::ClientMessage& request, const v1::Error& error) {
  if (!request.has_join_room() && !request.has_watch_room()) return false;
  field_.clear();
  return fail(client::error_text(error));
}

bool PasswordBox::fail(const std::string& reason) {
  reason_ = reason;
  return true;
}

void PasswordBox::draw(const Canvas& canvas, Scene& scene) {
  const Canvas box = draw_box(canvas, {46, 6}, "Password");
  box.write(0, 0, fitted(words_.explanation, box.width()));
  const Canvas place = box.cut({0, 1, box.width(), 1});
  const int at = draw_line(place, field_, Style::field, true);
  write_wrapped(box.cut({0, 2, box.width(), 3}), reason_, Style::alarm);
  draw_box_keys(box,
                {{"Enter", std::string(words_.enter), {Name::enter, 0}},
                 {"Esc", std::string(words_.escape), {Name::escape, 0}}},
                scene);
  scene.cursor = Point{place.area().x + at, place.area().y};
}

Action requests(client::Session& talk, v1::ClientMessage request) {
  return [&talk, request = std::move(request)](client::Time now) { talk.request(request, now); };
}

namespace {

// A line for each level, for this seat.
std::vector<Menu::Choice> level_choices(client::Session& talk, Mark seat,
                                        const std::vector<std::string>& levels,
                                        std::string_view after = {}) {
  std::vector<Menu::Choice> choices;
  for (const std::string& level : levels) {
    choices.push_back({client::level_choice_text(level).append(after),
                       requests(talk, client::add_ai(seat, level))});
  }
  return choices;
}

// The menu entries for an AI on this seat.
std::vector<Menu::Choice> ai_choices(client::Session& talk, Mark seat,
                                     const std::vector<std::string>& levels, const OpenMenu& open) {
  const Occupant& ai = talk.room()->occupant(seat);
  const std::string name = client::name_of(ai) + " on " + client::mark_name(seat);
  const auto present = std::ranges::find(levels, ai.ai_level);
  Menu::Content content{"Level of " + name, level_choices(talk, seat, levels)};
  if (present != levels.end()) {
    content.selected = static_cast<std::size_t>(present - levels.begin());
  }
  v1::ClientMessage remove;
  remove.mutable_remove_ai()->set_seat(client::write_mark(seat));
  return {{client::change_level_text(name),
           [open, content = std::move(content)](client::Time now) { open(content, now); }},
          {"Remove " + name, requests(talk, std::move(remove))}};
}

}  // namespace

Menu::Content ai_menu(client::Session& talk, const std::vector<std::string>& levels,
                      const OpenMenu& open) {
  const client::Room& room = *talk.room();
  std::vector<Menu::Choice> choices;
  const bool both = room.x.kind == Occupant::Kind::open && room.o.kind == Occupant::Kind::open;
  for (const Mark seat : {Mark::x, Mark::o}) {
    const Occupant& occupant = room.occupant(seat);
    std::vector<Menu::Choice> more;
    if (occupant.kind == Occupant::Kind::ai) more = ai_choices(talk, seat, levels, open);
    if (occupant.kind == Occupant::Kind::open) {
      more = level_choices(talk, seat, levels, both ? ", as " + client::mark_name(seat) : "");
    }
    std::ranges::move(more, std::back_inserter(choices));
  }
  if (room.my_seat != Mark::none) {
    choices.push_back(
        {std::string(prompts::ai_takes_over), requests(talk, client::add_ai(room.my_seat, {}))});
  }
  return {std::string(prompts::ai_players), std::move(choices)};
}

namespace {

Action mutes(const MutePlayer& mute, const std::string& player, bool on) {
  return [mute, player, on](client::Time /*now*/) { mute({player, on}); };
}

}  // namespace

Menu::Content player_menu(const client::Session& talk, const ChoosePlayer& choose) {
  std::vector<Menu::Choice> choices;
  for (const client::ListedPlayer& player : *talk.players()) {
    if (choices.size() == max_shown_players) break;
    if (player.name == talk.me()) continue;
    choices.push_back({client::player_text(player, talk),
                       [choose, player](client::Time now) { choose(player, now); }});
  }
  if (choices.empty()) choices.push_back({std::string(prompts::nobody_else)});
  return {"Players", std::move(choices)};
}

Menu::Content person_menu(client::Session& talk, const client::ListedPlayer& player,
                          const MutePlayer& mute) {
  const std::string& name = player.wire_name;
  std::vector<Menu::Choice> choices;
  const client::Room* const room = talk.room();
  if (room && room->name != player.room) {
    choices.push_back({std::string(prompts::invite_here), requests(talk, client::invite(name))});
  }
  if (!room && !player.room.empty()) {
    choices.push_back(
        {"Watch " + client::quoted(player.room), requests(talk, client::watch_room(player.room))});
  }
  const bool muted = talk.is_muted(name);
  choices.push_back(
      {std::string(muted ? prompts::unmute : prompts::mute), mutes(mute, name, !muted)});
  return {name, std::move(choices)};
}

Menu::Content invitation_menu(client::Session& talk, const client::InvitationCame& invitation,
                              const MutePlayer& mute) {
  const client::ListedRoom& room = invitation.room;
  return {client::person_name(invitation.from) + " invites you",
          {{client::room_choice_text(room),
            requests(talk, room.has_open_seat() ? client::join_room(room.wire_name)
                                                : client::watch_room(room.wire_name))},
           {"Not now"},
           {"Mute " + invitation.from, mutes(mute, invitation.from, true)}}};
}

}  // namespace tictactoe::screen
