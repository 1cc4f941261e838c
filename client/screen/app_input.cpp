// What the App does with input: which dialog, line or screen it is for; and the dialogs.
#include <utility>

#include "client/screen/app.hpp"
#include "client/session/requests.hpp"
#include "client/words/prompts.hpp"

namespace tictactoe::screen {

using Name = Key::Name;

namespace {

namespace prompts = client::prompts;
constexpr int wheel_rows = 3;

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
  switch (entry_) {
    case Entry::filter:
      return &lobby_.filter();
    case Entry::chat:
      return &chat_;
    case Entry::move:
      return &field_;
    case Entry::none:
      break;
  }
  return nullptr;
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
  if (talk_->is_local()) {
    notice_ = prompts::nobody_joins;
  } else if (invitation_.ways.empty()) {
    notice_ = prompts::no_way_for_others;
  } else {
    client::Invitation shown = invitation_;
    if (const Room* const room = talk_->room()) {
      for (auto& way : shown.ways) way.link = client::room_link(way.link, room->wire_name);
    }
    open<JoinBox>(now, std::move(shown), options_.ascii);
  }
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
