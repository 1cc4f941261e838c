// What keys do on each screen of the App.
#include <algorithm>
#include <string_view>
#include <utility>

#include "client/model/sanitized.hpp"
#include "client/screen/app.hpp"
#include "client/session/requests.hpp"
#include "client/words/command.hpp"
#include "client/words/prompts.hpp"
#include "client/words/typed.hpp"

namespace tictactoe::screen {

using Name = Key::Name;

namespace {

using client::Phase;
namespace prompts = client::prompts;
constexpr std::size_t log_page = 5;

bool is_lower(char32_t letter) {
  return letter >= U'a' && letter <= U'z';
}

bool begins_move(const Key& key) {
  return key.name == Name::letter &&
         (is_lower(key.letter) || (key.letter >= U'0' && key.letter <= U'9'));
}

bool is_capital(char32_t letter) {
  return letter >= U'A' && letter <= U'Z';
}

// Commands that only open something that can be closed again, and those that send a request or
// change something.
constexpr std::u32string_view opening_commands = U"ACILQR";
constexpr std::u32string_view sending_commands = U"BDHJNTU";

char32_t upper(char32_t letter) {
  return is_lower(letter) ? letter - U'a' + U'A' : letter;
}

}  // namespace

void App::begin_entry(Entry entry, std::string_view text) {
  entry_ = entry;
  if (LineEditor* const line = line_to_type()) line->set(text);
}

void App::press_entry(const Key& key, Time now) {
  LineEditor& line = *line_to_type();
  if (key.name == Name::enter) return finish_entry(now);
  const bool rubbed_out = key.name == Name::backspace && line.empty();
  if (key.name == Name::escape || rubbed_out) {
    line.clear();
    if (entry_ == Entry::filter) sort_lobby();
    entry_ = Entry::none;
    return;
  }
  line.press(key);
  if (entry_ == Entry::filter) sort_lobby();
  for (const std::string& choice : line.choices()) notice_.append(choice);
}

void App::finish_entry(Time now) {
  const Entry entry = std::exchange(entry_, Entry::none);
  if (entry == Entry::filter) return;
  const std::string text = (entry == Entry::chat ? chat_ : field_).take();
  if (text.empty()) return;
  if (entry == Entry::chat) return talk_->chat(text, now);
  const client::Command command = client::parse_command(text);
  if (std::holds_alternative<client::ShowHelp>(command)) return open<HelpBox>(now);
  if (std::holds_alternative<client::Quit>(command)) return quit(now);
  if (const auto* const board = std::get_if<client::ShowBoard>(&command)) {
    return show_board(board->around);
  }
  if (const auto* const place = std::get_if<client::PlaceMark>(&command)) {
    if (talk_->room()) show_board(place->cell);  // the cursor goes to the move
  }
  if (const auto* const request = std::get_if<v1::ClientMessage>(&command)) {
    if (request->has_resign()) return resign(now);
    if (request->has_leave_room()) return leave_room(now);
    if (request->has_list_games()) return show_games(request->list_games().player(), now);
    if (request->has_list_rooms()) {
      rooms_open_ = talk_->room() != nullptr;
      games_open_ = false;
      replay_.reset();
      selected_ = 0;
    }
  }
  carry_out(command, now);
}

void App::show_games(const std::string& player, Time now) {
  if (talk_->link() != Session::Link::up) return talk_->list_games(player, now);  // says so
  games_open_ = true;
  games_of_ = client::sanitized(player);
  replay_.reset();
  selected_ = 0;
  talk_->list_games(player, now);
}

void App::show_board(const std::optional<Cell>& around) {
  if (!talk_->room()) {
    notice_ = client::no_room_text(client::Controls::keys);
    return;
  }
  games_open_ = rooms_open_ = false;
  replay_.reset();
  if (around) pane_.go_to(*around, talk_->room()->board);
}

void App::press_start(const Key& key, Time now) {
  if (key.name == Name::escape) {
    if (!talk_) return quit(now);
    switching_ = options_.choose;
    return talk_->leave(now);
  }
  if (!talk_) start_.press(key);
}

void App::press_lobby(const Key& key, Time now) {
  if (move_selection(selected_, key, rooms_.size())) return;
  if (key.name == Name::enter) return join_selected(false, now);
  if (key.name == Name::escape && !filter_.empty()) {
    filter_.clear();
    return sort_lobby();
  }
  if (key.name == Name::escape && rooms_open_) {
    rooms_open_ = false;
    return;
  }
  if (key.name == Name::tab) return begin_entry(Entry::chat, {});
  if (key.name != Name::letter) return;
  switch (upper(key.letter)) {
    case U'P':
      return talk_->play(now);
    case U'N':
      return open_room_form(now);
    case U'W':
      return join_selected(true, now);
    case U'/':
      entry_ = Entry::filter;
      return;
    case U'G':
      return show_games({}, now);
    case U'U':
      return choose_player(now);
    case U'C':
      return begin_entry(Entry::chat, {});
    case U'S':
      if (!options_.choose) return;
      switching_ = true;
      return talk_->leave(now);
    case U':':
      return begin_entry(Entry::move, {});
    case U'B':
      return next_alert();
    case U'I':
      return show_invitation(now);
    case U'Q':
      return quit(now);
    case U'?':
      open<HelpBox>(now);
      return;
    default:
      return;
  }
}

void App::join_selected(bool watch, Time now) {
  if (selected_ >= rooms_.size()) {
    if (rooms_.empty()) talk_->play(now);
    return;
  }
  const client::ListedRoom& room = rooms_[selected_];
  const bool watches = watch || !room.has_open_seat();
  v1::ClientMessage request =
      watches ? client::watch_room(room.wire_name) : client::join_room(room.wire_name);
  if (!room.needs_password) return talk_->request(std::move(request), now);
  open<PasswordBox>(now,
                    PasswordBox::Words{client::password_wanted_text(room.name), "Go in", "Back"},
                    true, [this, request](const std::string& password, Time then) {
                      v1::ClientMessage with = request;
                      if (with.has_join_room()) {
                        with.mutable_join_room()->set_password(password);
                      } else {
                        with.mutable_watch_room()->set_password(password);
                      }
                      talk_->request(std::move(with), then);
                    });
}

void App::open_room_form(Time now) {
  open<RoomForm>(now, talk_->me(), talk_->limits(), levels(),
                 [this](const auto& request, const std::string& opponent, Time then) {
                   opponent_ = opponent;
                   talk_->request(request, then);
                 });
}

// A capital letter and a number are a cell, as "L8", whatever the letter has opened.
bool App::continue_capital(const Key& key, Time now) {
  const std::optional<Capital> capital = std::exchange(capital_, {});
  if (!capital || !talk_ || !talk_->room() || !letters_are_moves(*talk_->room())) return false;
  // A question is read at leisure, and takes no digits. Menus do.
  const bool in_time = now <= capital->at + word_pace || dialog<Question>();
  const bool digit = key.name == Name::letter && key.letter >= U'1' && key.letter <= U'9';
  if (digit && in_time) {
    dialog_.reset();
    chat_.clear();
    notice_.clear();
    begin_entry(Entry::move, {});
    field_.press(letter_key(capital->letter));
    field_.press(key);
    return true;
  }
  if (!capital->waits) return false;
  notice_.clear();
  if (key.name == Name::escape) return true;
  press_command(capital->letter, now);
  return key.name == Name::enter;
}

void App::press_capital(char32_t letter, Time now) {
  const bool waits = opening_commands.find(letter) == std::u32string_view::npos;
  capital_ = Capital{letter, now, waits};
  if (!waits) return press_command(letter, now);
  const bool is_column = letter - U'A' < talk_->room()->board.cols();
  if (is_column || sending_commands.find(letter) != std::u32string_view::npos) {
    notice_ = prompts::capital_text(static_cast<char>(letter), is_column);
  }
}

// Input just after a game or a room has ended was meant for it.
bool App::is_for_ended_game(Time now) {
  if (now >= ended_until_ || has_dialog() || entry_ != Entry::none) return false;
  ended_until_ = std::max(ended_until_, now + ended_typing_pause);
  return true;
}

bool App::is_for_ended_game(const Key& key, Time now) {
  const bool harmless = key.name != Name::letter && key.name != Name::enter;
  if (harmless || key == letter_key(U'?') || key == letter_key(U':')) return false;
  return is_for_ended_game(now);
}

void App::press_room(const Key& key, Time now) {
  const Room& room = *talk_->room();
  const bool typing = letters_are_moves(room);
  const bool page = key.name == Name::page_up || key.name == Name::page_down;
  if (page && !pane_.cut()) {
    log_.back = key.name == Name::page_up ? std::min(log_.back + log_page, log_.events.size())
                                          : log_.back - std::min(log_.back, log_page);
    return;
  }
  if (pane_.press(key, room.board)) return;
  if (key.name == Name::enter || key == letter_key(U' ')) {
    return talk_->place(pane_.cursor(), now);
  }
  if (key.name == Name::tab || key == letter_key(U'\'')) return begin_entry(Entry::chat, {});
  if (key == letter_key(U'.')) return show_last_move();
  if (key.name != Name::letter) return;
  if (typing && begins_move(key)) {
    begin_entry(Entry::move, {});
    field_.press(key);
    return;
  }
  if (typing && is_capital(key.letter)) return press_capital(key.letter, now);
  press_command(upper(key.letter), now);
}

// And back to the hint, if there is one.
void App::show_last_move() {
  const Room& room = *talk_->room();
  const std::optional<Cell> last = room.board.last();
  const auto* const hint = talk_->hint();
  const bool there = last && pane_.cursor() == *last;
  if (hint && (there || !last)) return pane_.go_to(hint->cell, room.board);
  if (last) pane_.go_to(*last, room.board);
}

void App::press_command(char32_t letter, Time now) {
  const Room& room = *talk_->room();
  const bool playing = room.phase == Phase::playing;
  switch (letter) {
    case U'H':
      return talk_->ask<&v1::ClientMessage::mutable_hint>(now);
    case U'T':
      return talk_->ask<&v1::ClientMessage::mutable_ask_takeback>(now);
    case U'D':
      return talk_->ask<&v1::ClientMessage::mutable_offer_draw>(now);
    case U'N':
      return talk_->ask<&v1::ClientMessage::mutable_decline>(now);
    case U'R':
      return playing ? resign(now) : talk_->ask<&v1::ClientMessage::mutable_rematch>(now);
    case U'A':
      open<Menu>(now, ai_menu(*talk_, levels()));
      return;
    case U'U':
      return choose_player(now);
    case U'J':
      return talk_->request(client::join_room(room.wire_name), now);
    case U'C':
      return begin_entry(Entry::chat, {});
    case U'L':
      return leave_room(now);
    case U'Q':
      return quit(now);
    case U'B':
      return next_alert();
    case U'I':
      return show_invitation(now);
    case U':':
      return begin_entry(Entry::move, {});
    case U'?':
      open<HelpBox>(now);
      return;
    default:
      return;
  }
}

// During a game, asks before a request that ends it.
void App::ask_twice(std::string_view what, v1::ClientMessage request, Time now) {
  if (!plays()) return talk_->request(std::move(request), now);
  open<Question>(now, what, [this, request](Time then) {
    leaves_room_ = leaves_room_ || request.has_leave_room();
    talk_->request(request, then);
  });
}

void App::resign(Time now) {
  v1::ClientMessage request;
  request.mutable_resign();
  ask_twice(prompts::resign, std::move(request), now);
}

void App::leave_room(Time now) {
  v1::ClientMessage request;
  request.mutable_leave_room();
  ask_twice(talk_->is_local() ? prompts::end_local_game : prompts::leave_room, std::move(request),
            now);
}

void App::next_alert() {
  switch (options_.alert) {
    case Alert::bell_and_title:
      options_.alert = Alert::title;
      notice_ = prompts::alert_title;
      return;
    case Alert::title:
      options_.alert = Alert::bell;
      notice_ = prompts::alert_bell;
      return;
    case Alert::bell:
      options_.alert = Alert::none;
      notice_ = prompts::alert_off;
      return;
    case Alert::none:
      options_.alert = Alert::bell_and_title;
      notice_ = prompts::alert_both;
      return;
  }
}

}  // namespace tictactoe::screen
