// Input of the App: routes it to a dialog, a line or a screen, opens dialogs, and handles the keys
// of each screen.
#include <algorithm>
#include <array>
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

namespace prompts = client::prompts;
constexpr int wheel_rows = 3;
using client::Phase;
constexpr std::size_t log_page = 5;

bool is_lower(char32_t letter) {
  return letter >= U'a' && letter <= U'z';
}

bool begins_move(const Key& key) {
  return key.name == Name::letter &&
         (is_lower(key.letter) || (key.letter >= U'0' && key.letter <= U'9'));
}

// Commands that only open something that can be closed again, and those that send a request or
// change something.
constexpr std::u32string_view opening_commands = U"ACILQR";
constexpr std::u32string_view sending_commands = U"BDHJNTU";

bool is_among(std::u32string_view letters, char32_t letter) {
  return letters.find(letter) != std::u32string_view::npos;
}

char32_t upper(char32_t letter) {
  return is_lower(letter) ? letter - U'a' + U'A' : letter;
}

bool is_key(const Key& key, char32_t capital) {
  return key.name == Name::letter && upper(key.letter) == capital;
}

}  // namespace

void App::take(const Input& input, Time now) {
  if (const auto* const key = std::get_if<Key>(&input)) press(*key, now);
  if (const auto* const mouse = std::get_if<Mouse>(&input)) point(*mouse, now);
  if (const auto* const text = std::get_if<Paste>(&input)) paste(*text, now);
}

// Input that is too early -------------------------------------------------------------------------

bool App::dialog_ignores_input(Time now) {
  if (!has_dialog() || now >= quiet_since_ + dialog_pause) return false;
  quiet_since_ = now;
  return true;
}

// Text for a field of the dialog is never too early.
bool App::is_too_early(const Key& key, Time now) {
  if (dialog_ && key.name == Name::letter && dialog_->takes_text()) return false;
  return dialog_ignores_input(now);
}

bool App::is_for_ended_game(Time now) {
  return !has_dialog() && entry_ == Entry::none && ended_game_.ignores(now);
}

bool App::is_for_ended_game(const Key& key, Time now) {
  const bool harmless = key.name != Name::letter && key.name != Name::enter;
  if (harmless || key == letter_key(U'?') || key == letter_key(U':')) return false;
  return is_for_ended_game(now);
}

// A capital letter and a number are a cell, as "L8", whatever the letter has opened.
bool App::continue_capital(const Key& key, Time now) {
  if (!talk_ || !talk_->room() || !letters_are_moves(*talk_->room()))
    return capital_.clear(), false;
  const CapitalKey::Next next = capital_.next(key, dialog<Question>() != nullptr, now);
  using Kind = CapitalKey::Next::Kind;
  if (next.kind == Kind::nothing) return false;
  notice_.clear();
  if (next.kind == Kind::cancelled) return true;
  if (next.kind == Kind::command) {
    press_command(next.letter, now);
    return key.name == Name::enter;
  }
  dialog_.reset();
  chat_.clear();
  begin_entry(Entry::move);
  field_.press(letter_key(next.letter));
  field_.press(key);
  return true;
}

// Keys, text and clicks ---------------------------------------------------------------------------

// The line in which text is typed; null if keys have other meanings.
LineEditor* App::line_to_type() {
  if (entry_ == Entry::filter) return &lobby_.filter();
  if (entry_ == Entry::chat) return &chat_;
  return entry_ == Entry::move ? &field_ : nullptr;
}

// Pasted text goes into the line in which text is typed; in a room or the list of rooms, into the
// line for commands. It has no effect before Enter.
void App::paste(const Paste& paste, Time now) {
  if (ending_ || is_for_ended_game(now)) return;
  notice_.clear();
  start_.touch();
  if (dialog_) {
    dialog_->paste(paste.text);
  } else if (stage() != Stage::start) {
    if (!line_to_type()) begin_entry(Entry::move);
    line_to_type()->paste(paste.text);
    if (entry_ == Entry::filter) lobby_.refilter();
  } else if (!talk_) {
    start_.paste(paste.text);
  }
  happened(now);
}

void App::press(const Key& key, Time now) {
  if (ending_) return;
  if (key == Key{Name::control, U'c'}) return quit(now);
  if (continue_capital(key, now)) return happened(now);
  if (is_too_early(key, now) || is_for_ended_game(key, now)) return;
  notice_.clear();
  start_.touch();
  if (dialog_) {
    act(dialog_->press(key), now);
  } else if (entry_ != Entry::none) {
    press_entry(key, now);
  } else {
    press_stage(key, now);
  }
  happened(now);
}

void App::point(const Mouse& mouse, Time now) {
  if (ending_) return;
  const bool over_dialog = has_dialog();
  if (dialog_ignores_input(now)) return;
  if (mouse.action != Mouse::Action::press) {
    const bool up = mouse.action == Mouse::Action::wheel_up;
    const int rows = up ? -wheel_rows : wheel_rows;
    if (!over_dialog && stage() == Stage::room) return pane_.scroll(rows, talk_->room()->board);
    if (!over_dialog && stage() == Stage::replay) return replay_->scroll(rows);
    return press({up ? Name::up : Name::down, 0}, now);
  }
  for (const Spot& spot : spots_) {
    if (spot.area.contains(mouse.at)) return press_spot(spot.key, now);
  }
  for (const ListSpot& spot : list_) {
    if (spot.area.contains(mouse.at)) return choose_in_list(spot.index, now);
  }
  if (over_dialog || stage() != Stage::room || entry_ == Entry::chat) return;
  if (const auto cell = pane_.cell_at(mouse.at, talk_->room()->board)) {
    entry_ = Entry::none;
    field_.clear();
    pane_.go_to(*cell, talk_->room()->board);
    press({Name::enter, 0}, now);
  }
}

// A click begins no cell, so its command need not wait for a number.
void App::press_spot(const Key& key, Time now) {
  press(key, now);
  if (capital_.waits()) press({Name::enter, 0}, now);
}

void App::choose_in_list(std::size_t index, Time now) {
  notice_.clear();
  if (dialog_) return act(dialog_->choose(index), now);
  std::size_t& selected = stage() == Stage::games ? games_.selected : lobby_.selected();
  const bool again =
      stage() == Stage::start ? start_.select(index) : std::exchange(selected, index) == index;
  // Enter would end a line that is being typed.
  if (again && !has_entry_line()) press({Name::enter, 0}, now);
}

// Dialogs -----------------------------------------------------------------------------------------

void App::open(std::unique_ptr<Dialog> dialog, Time now) {
  dialog_ = std::move(dialog);
  quiet_since_ = now;
}

// `pressed` outlives the dialog.
void App::act(const Pressed& pressed, Time now) {
  if (pressed.closed) dialog_.reset();
  if (pressed.action) pressed.action(now);
}

void App::open_quit_menu(Time now) {
  if (options_.hosting) talk_->list_players(now);  // who still plays
  const auto leave = [this](Time then) {
    if (talk_) talk_->leave(then);
    happened(then);
  };
  open<QuitMenu>(now, *talk_, options_.hosting, [this](Time then) { hang_up(then); }, leave);
}

void App::ask_about_new_key() {
  const auto trust = [this](Time) {
    wishes_.trusted_key = std::exchange(key_change_, {})->shown;
    notice_.clear();
  };
  const auto go_back = [this](Time) {
    key_change_.reset();
    if (refused_ending_ && !options_.choose) ending_ = refused_ending_;
  };
  open<Menu>(now_, key_menu(*key_change_, trust, go_back));
}

void App::show_invitation(Time now) {
  wishes_.invitation = !talk_->is_local();
  if (talk_->is_local()) {
    notice_ = prompts::nobody_joins;
  } else if (invitation_.ways.empty()) {
    notice_ = prompts::no_way_for_others;
  } else {
    open<JoinBox>(now, invitation_here(), options_.ascii);
  }
}

// The invitation, with links into the player's room if there is one.
client::Invitation App::invitation_here() const {
  client::Invitation here = invitation_;
  const Room* const room = talk_ ? talk_->room() : nullptr;
  if (!room) return here;
  for (auto& way : here.ways) way.link = client::room_link(way.link, room->wire_name);
  return here;
}

void App::invite_with(client::Invitation invitation) {
  if (invitation == invitation_) return;
  invitation_ = std::move(invitation);
  JoinBox* const box = dialog<JoinBox>();
  if (box && !invitation_.ways.empty()) box->update(invitation_here());
}

void App::choose_player(Time now) {
  people_.players_wanted = true;
  talk_->list_players(now);
}

void App::open_room_form(Time now) {
  open<RoomForm>(now, talk_->me(), talk_->limits(), levels(),
                 [this](const auto& request, const std::string& opponent, Time then) {
                   opponent_ = opponent;
                   talk_->request(request, then);
                 });
}

// During a game, asks before a request that ends it.
void App::ask_twice(std::string_view what, v1::ClientMessage request, Time now) {
  if (!plays()) return talk_->request(std::move(request), now);
  open<Question>(now, what, [this, request](Time then) {
    if (request.has_leave_room()) ended_game_.expect_leaving();
    talk_->request(request, then);
  });
}

void App::next_alert() {
  constexpr std::array notices = {prompts::alert_both, prompts::alert_title, prompts::alert_bell,
                                  prompts::alert_off};
  const std::size_t next = (static_cast<std::size_t>(options_.alert) + 1) % notices.size();
  options_.alert = static_cast<Alert>(next);
  notice_ = notices[next];
}

// Screens -----------------------------------------------------------------------------------------

void App::press_stage(const Key& key, Time now) {
  switch (stage()) {
    case Stage::start:
      return press_start(key, now);
    case Stage::lobby:
      return press_lobby(key, now);
    case Stage::games:
      return press_games(key, now);
    case Stage::room:
      return press_room(key, now);
    case Stage::replay:
      return press_replay(key, now);
  }
}

void App::press_start(const Key& key, Time now) {
  if (key.name == Name::escape) {
    if (!talk_) return quit(now);
    switching_ = options_.choose;
    return talk_->leave(now);
  }
  if (!talk_) start_.press(key);
}

// Keys that mean the same in a room and in the lobby; false for others.
bool App::press_anywhere(char32_t letter, Time now) {
  switch (letter) {
    case U'U':
      return choose_player(now), true;
    case U'C':
      return begin_entry(Entry::chat), true;
    case U'B':
      return next_alert(), true;
    case U'I':
      return show_invitation(now), true;
    case U'Q':
      return quit(now), true;
    case U':':
      return begin_entry(Entry::move), true;
    case U'?':
      return open<HelpBox>(now), true;
    default:
      return false;
  }
}

void App::press_lobby(const Key& key, Time now) {
  if (move_selection(lobby_.selected(), key, lobby_.rooms().size())) return;
  if (key.name == Name::enter) return join_selected(false, now);
  if (key.name == Name::escape && !lobby_.filter().empty()) {
    lobby_.filter().clear();
    return lobby_.refilter();
  }
  if (key.name == Name::escape) rooms_open_ = false;
  if (key.name == Name::tab) return begin_entry(Entry::chat);
  if (key.name != Name::letter || press_anywhere(upper(key.letter), now)) return;
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
    case U'S':
      if (!options_.choose) return;
      switching_ = true;
      return talk_->leave(now);
    default:
      return;
  }
}

void App::join_selected(bool watch, Time now) {
  const client::ListedRoom* const room = lobby_.selected_room();
  if (room == nullptr) return lobby_.rooms().empty() ? talk_->play(now) : void();
  const bool watches = watch || !room->has_open_seat();
  v1::ClientMessage request =
      watches ? client::watch_room(room->wire_name) : client::join_room(room->wire_name);
  if (!room->needs_password) return talk_->request(std::move(request), now);
  open<PasswordBox>(now,
                    PasswordBox::Words{client::password_wanted_text(room->name), "Enter", "Back"},
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

void App::press_games(const Key& key, Time now) {
  const std::size_t count = talk_->games() ? talk_->games()->size() : 0;
  if (move_selection(games_.selected, key, count)) {
    if (games_.selected + 1 >= count) talk_->more_games(now);
    return;
  }
  if (key.name == Name::enter && games_.selected < count) {
    return talk_->get_game((*talk_->games())[games_.selected].id, now);
  }
  if (key == letter_key(U'?')) open<HelpBox>(now);
  if (key == letter_key(U':')) begin_entry(Entry::move);
  if (key.name == Name::escape || key == letter_key(U'q')) games_ = {};
}

void App::press_replay(const Key& key, Time now) {
  if (key == letter_key(U'?')) return open<HelpBox>(now);
  if (key == letter_key(U':')) return begin_entry(Entry::move);
  if (is_key(key, U'C')) return play_on();
  if (is_key(key, U'R')) return begin_room();
  const bool leaves = key.name == Name::escape || key == letter_key(U'q');
  if (!replay_->press(key, now) && leaves) replay_.reset();
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
  if (key.name == Name::tab || key == letter_key(U'\'')) return begin_entry(Entry::chat);
  if (key == letter_key(U'.')) return show_last_move();
  if (key.name != Name::letter) return;
  if (typing && begins_move(key)) {
    begin_entry(Entry::move);
    field_.press(key);
    return;
  }
  if (typing && key.letter >= U'A' && key.letter <= U'Z') return press_capital(key.letter, now);
  press_command(upper(key.letter), now);
}

void App::press_capital(char32_t letter, Time now) {
  const bool waits = !is_among(opening_commands, letter);
  capital_.press(letter, waits, now);
  if (!waits) return press_command(letter, now);
  const bool is_column = letter - U'A' < talk_->room()->board.cols();
  if (is_column || is_among(sending_commands, letter)) {
    notice_ = prompts::capital_text(static_cast<char>(letter), is_column);
  }
}

void App::press_command(char32_t letter, Time now) {
  if (press_anywhere(letter, now)) return;
  const Room& room = *talk_->room();
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
      return room.phase == Phase::playing ? resign(now)
                                          : talk_->ask<&v1::ClientMessage::mutable_rematch>(now);
    case U'A':
      return open<Menu>(now, ai_menu(*talk_, levels()));
    case U'J':
      return talk_->request(client::join_room(room.wire_name), now);
    case U'L':
      return leave_room(now);
    default:
      return;
  }
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

// Typed lines -------------------------------------------------------------------------------------

void App::begin_entry(Entry entry, std::string_view text) {
  entry_ = entry;
  if (LineEditor* const line = line_to_type()) line->set(text);
}

void App::press_entry(const Key& key, Time now) {
  LineEditor& line = *line_to_type();
  if (key.name == Name::enter) return finish_entry(now);
  const Entry entry = entry_;
  const bool rubbed_out = key.name == Name::backspace && line.empty();
  if (key.name == Name::escape || rubbed_out) {
    line.clear();
    entry_ = Entry::none;
  } else {
    line.press(key);
    for (const std::string& choice : line.choices()) notice_.append(choice);
  }
  if (entry == Entry::filter) lobby_.refilter();
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
    if (request->has_list_rooms()) show_rooms();
  }
  carry_out(command, now);
}

void App::carry_out(const client::Command& command, Time now) {
  if (!talk_ || talk_->ending()) return;
  if (const auto* const mistake = std::get_if<client::Mistake>(&command)) {
    add({client::Message::Kind::refused, mistake->text});
  } else if (const auto* const place = std::get_if<client::PlaceMark>(&command)) {
    talk_->place(place->cell, now);
  } else if (std::holds_alternative<client::Quit>(command)) {
    talk_->leave(now);
  } else if (const auto* const muted = std::get_if<client::Mute>(&command)) {
    mute(muted->player, muted->on);
  } else if (std::holds_alternative<client::ShowInvitation>(command)) {
    show_invitation(now);
  } else if (const auto* const request = std::get_if<v1::ClientMessage>(&command)) {
    people_.players_wanted = people_.players_wanted || request->has_list_players();
    people_.members_wanted = people_.members_wanted || request->has_list_members();
    talk_->request(*request, now);
  }
}

// Views -------------------------------------------------------------------------------------------

void App::show_games(const std::string& player, Time now) {
  if (talk_->link() == Session::Link::up) {
    games_ = {true, client::sanitized(player), 0};
    replay_.reset();
  }
  talk_->list_games(player, now);  // says so if there is no connection
}

void App::show_rooms() {
  rooms_open_ = talk_->room() != nullptr;
  games_ = {};
  replay_.reset();
  lobby_.selected() = 0;
}

void App::show_board(const std::optional<Cell>& around) {
  if (!talk_->room()) {
    notice_ = client::no_room_text(client::Controls::keys);
    return;
  }
  games_ = {};
  rooms_open_ = false;
  replay_.reset();
  if (around) pane_.go_to(*around, talk_->room()->board);
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

// A game is played on in this process, and the session with the server ends meanwhile: no room may
// be lost by it.
void App::play_on() {
  if (talk_->is_local() ? plays() : talk_->room() != nullptr) {
    notice_ = prompts::leave_before_playing_on;
    return;
  }
  wishes_.play_on = PlayOn{replay_->game(), replay_->played()};
}

// The command shows what it does, and its name can be changed before Enter.
void App::begin_room() {
  if (talk_->is_local()) {
    notice_ = prompts::new_room_needs_server;
  } else if (talk_->room()) {
    notice_ = prompts::leave_before_new_room;
  } else {
    begin_entry(Entry::move,
                "create " + client::quoted_word(default_room_name(talk_->me(), talk_->limits())) +
                    " from " + std::to_string(replay_->game().id()) + " after " +
                    std::to_string(replay_->played()));
  }
}

}  // namespace tictactoe::screen
