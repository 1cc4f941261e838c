// The App without its input: what happens to it, and what it shows.
#include "client/screen/app.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "client/model/replay.hpp"
#include "client/model/sanitized.hpp"
#include "client/session/requests.hpp"
#include "client/words/completion.hpp"
#include "client/words/lists.hpp"
#include "client/words/narration.hpp"
#include "client/words/prompts.hpp"

namespace tictactoe::screen {
namespace {

using client::Phase;
namespace prompts = client::prompts;

// Levels of AI that are offered, whatever a server says it has.
constexpr int max_levels = 24;

}  // namespace

App::App(Options options) : options_(std::move(options)) {
  field_.complete_with([this](std::string_view before) {
    return client::complete(before, talk_ ? client::known_words(*talk_) : client::KnownWords());
  });
}

App::Stage App::stage() const {
  if (!talk_ || !talk_->is_welcomed()) return Stage::start;
  if (replay_) return Stage::replay;
  if (games_.open) return Stage::games;
  return talk_->room() && !rooms_open_ ? Stage::room : Stage::lobby;
}

bool App::has_seat_in(Phase phase) const {
  const Room* const room = talk_ ? talk_->room() : nullptr;
  return room && room->phase == phase && room->my_seat != client::Mark::none;
}

std::vector<std::string> App::levels() const {
  std::vector<std::string> levels;
  for (const std::string& level : talk_->limits().ai_levels()) {
    if (static_cast<int>(levels.size()) == max_levels) break;
    levels.push_back(client::sanitized(level));
  }
  client::sort_levels(levels);
  return levels;
}

std::string App::server_name() const {
  if (!talk_ || talk_->server_name().empty()) return client::sanitized(server_);
  return talk_->server_name();
}

// Sessions ----------------------------------------------------------------------------------------

void App::begin(Session::Options options, const std::string& server, bool returns) {
  returns_ = returns;
  seat_is_kept_ = false;
  server_ = server;
  room_to_join_.clear();
  connecting_ = client::sanitized(server);
  notice_.clear();
  start_.touch();
  talk_ = std::make_unique<Session>(std::move(options));
  talk_->subscribe(this);
  if (start_.take_was_only_one()) note(std::string(prompts::only_server));
}

void App::forget_talk() {
  talk_.reset();
  start_.select_again(server_);
  connecting_.clear();
  log_ = {};
  lobby_.clear();
  games_ = {};
  rooms_open_ = in_room_ = was_my_turn_ = switching_ = false;
  replay_.reset();
  entry_ = Entry::none;
  dialog_.reset();
  opponent_.clear();
  ai_to_add_.clear();
  capital_.clear();
  ended_game_ = {};
  if (key_change_) ask_about_new_key();
}

void App::end_session(Time now) {
  switching_ = true;
  talk_->leave(now);
  happened(now);
}

void App::quit(Time now) {
  if (ending_) return;
  if (!talk_ || talk_->ending()) {
    ending_ = client::Ending{};
    return;
  }
  if (dialog<QuitMenu>() && !talk_->is_leaving()) return hang_up(now);
  const bool asks = plays() || has_played() || options_.hosting;
  if (asks && talk_->link() == Session::Link::up && !talk_->is_leaving()) {
    return open_quit_menu(now);
  }
  talk_->leave(now);  // the second time without the server's confirmation
  happened(now);
}

void App::hang_up(Time now) {
  if (ending_) return;
  if (!talk_ || talk_->ending()) {
    ending_ = client::Ending{};
    return;
  }
  returns_ = switching_ = false;
  talk_->drop(now);
  happened(now);
}

void App::session_ended(const client::Ending& ending) {
  const std::string reason = client::ending_text(ending, *talk_, server_);
  const bool asks = ending.asks != client::Asks::nothing;
  const bool stays = switching_ || key_change_ || (options_.choose && !reason.empty());
  if (key_change_) {
    refused_ending_ = ending;
    ending_reason_ = reason;
  } else if (!returns_ && (!stays || asks)) {
    ending_ = ending;
    ending_reason_ = reason;
  } else {
    notice_ = reason;
  }
}

// Events ------------------------------------------------------------------------------------------

void App::happened(Time now) {
  now_ = now;
  if (replay_) replay_->step_due(now);
  if (!talk_ || ending_) return;
  if (const auto& ending = talk_->ending()) return session_ended(*ending);
  if (!talk_->is_welcomed()) return;
  // While catching up, requests can't be sent yet.
  const bool up = talk_->link() == Session::Link::up;
  if (up) type_commands(now);
  if (up && !room_to_join_.empty()) {
    const std::string room = std::exchange(room_to_join_, {});
    if (!talk_->room()) talk_->request(client::join_room(room), now);
  }
  const Room* const room = talk_->room();
  if (ended_game_.update(room && letters_are_moves(*room), room != nullptr, now)) capital_.clear();
  enter_or_leave_room();
  if (up && !ai_to_add_.empty()) {
    talk_->request(client::add_ai(client::Mark::none, std::exchange(ai_to_add_, {})), now);
  }
  if (const auto letter = capital_.take_due(now)) {
    notice_.clear();
    press_command(*letter, now);
  }
  ask_for_people(now);
  watch_turn();
}

// Runs the lines of --command, once. Those that set up a game are skipped if the player returned to
// a seat.
void App::type_commands(Time now) {
  if (dialog<PasswordBox>() || std::exchange(begun_, true)) return;
  for (const std::string& line : options_.commands) {
    const client::Command command = client::parse_command(line);
    if (!talk_->room() || !client::sets_up(command)) carry_out(command, now);
  }
}

void App::on_event(const client::SessionEvent& event) {
  if (talk_->is_leaving()) return;
  if (std::holds_alternative<client::SeatKept>(event)) seat_is_kept_ = true;
  const auto* const refused = std::get_if<client::Refused>(&event);
  if (refused && refused->request && refused->request->has_create_room()) opponent_.clear();
  note_people(event);
  if (const auto* const welcomed = std::get_if<client::Welcomed>(&event)) {
    ask_for_account(*welcomed);
  }
  if (std::holds_alternative<client::RoomsListed>(event) ||
      std::holds_alternative<client::LobbyChanged>(event)) {
    show_lobby();
  }
  const auto* const hint = std::get_if<client::HintGiven>(&event);
  if (hint && hint->current && talk_->room()) pane_.show(hint->cell, talk_->room()->board);
  if (dialog_tells(event)) return;
  for (client::Message& message :
       client::messages_of(event, *talk_, server_, client::Controls::keys)) {
    add(std::move(message));
  }
  if (const auto* const found = std::get_if<client::GameFound>(&event)) show_replay(found->game);
}

// A form whose request has failed stays open and says what is to be changed.
bool App::dialog_tells(const client::SessionEvent& event) {
  if (!dialog_) return false;
  if (std::holds_alternative<client::NotSent>(event)) {
    const auto messages = client::messages_of(event, *talk_, server_, client::Controls::keys);
    if (!dialog_->fail(messages.front().text)) return false;
    opponent_.clear();
    return true;
  }
  const auto* const refused = std::get_if<client::Refused>(&event);
  return refused && refused->request && dialog_->refuse(*refused->request, refused->error);
}

void App::show_lobby() {
  if (talk_->rooms()) lobby_.set_rooms(*talk_->rooms());
}

void App::show_replay(const v1::GameRecord& game) {
  if (const std::string fault = client::Replay(game).fault(); !fault.empty()) {
    return add({client::Message::Kind::refused, client::unreadable_game_text(fault)});
  }
  replay_.emplace(game);
  wishes_.replays = true;
}

void App::add(client::Message message) {
  notice_.clear();
  if (message.kind == client::Message::Kind::refused) notice_ = message.text;
  log_.add(std::move(message));
}

void App::enter_or_leave_room() {
  const Room* const room = talk_->room();
  if (std::exchange(in_room_, room != nullptr) == (room != nullptr)) return;
  lobby_.selected() = 0;
  // A line that is being typed stays; chat needs the room.
  if (entry_ != Entry::move) entry_ = Entry::none;
  chat_.clear();
  log_.back = 0;
  dialog_.reset();
  games_ = {};
  rooms_open_ = false;
  people_.ask_at = {};
  people_.changed = true;
  pane_ = {};
  ai_to_add_ = room ? std::exchange(opponent_, {}) : std::string();
  if (!room) return returns_ ? talk_->leave(now_) : void();
  replay_.reset();
  pane_.start(room->board);
}

void App::ring() {
  if (options_.alert == Alert::bell || options_.alert == Alert::bell_and_title) wishes_.bell = true;
}

// Rings if an event of the server has made it the player's turn.
void App::watch_turn() {
  const Room* const room = talk_->room();
  const bool mine = plays() && room->is_me(room->turn);
  if (std::exchange(was_my_turn_, mine) || !mine) return;
  ring();
  if (const auto last = room->board.last()) pane_.show(*last, room->board);
}

std::optional<Time> App::next_deadline() const {
  if (ending_) return std::nullopt;
  std::optional<Time> next = replay_ ? replay_->next_step() : std::nullopt;
  const auto include = [&](const std::optional<Time>& at) {
    if (at) next = next ? std::min(*next, *at) : *at;
  };
  if (people_.changed && shows_people()) include(people_.ask_at);
  include(capital_.due());
  if (talk_) include(client::next_second(*talk_, now_));
  return next;
}

// People ------------------------------------------------------------------------------------------

// Players beside the list of rooms, or the people in a room.
bool App::shows_people() const {
  if (!talk_ || talk_->link() != Session::Link::up) return false;
  return talk_->room() || (stage() == Stage::lobby && size_.width >= width_with_players);
}

// Requests the lists of people if they have changed, at most once per lobby_pace.
void App::ask_for_people(Time now) {
  if (!people_.changed || now < people_.ask_at || !shows_people()) return;
  people_.changed = false;
  people_.ask_at = now + lobby_pace;
  const Room* const room = talk_->room();
  if (stage() == Stage::lobby && size_.width >= width_with_players) talk_->list_players(now);
  if (room && room->watchers > 0) talk_->list_members(now);
}

void App::note_people(const client::SessionEvent& event) {
  const auto* const changed = std::get_if<client::RoomChanged>(&event);
  if (std::holds_alternative<client::RoomShown>(event) ||
      std::holds_alternative<client::LobbyChanged>(event) ||
      (changed && (changed->update.has_watchers_changed() || changed->update.has_seat_changed()))) {
    people_.changed = true;
  }
  if (std::holds_alternative<client::PlayersListed>(event)) answer_players();
  if (std::holds_alternative<client::MembersListed>(event) &&
      std::exchange(people_.members_wanted, false)) {
    std::istringstream lines(client::members_text(*talk_->members()));
    for (std::string line; std::getline(lines, line);) note(line);
  }
  if (const auto* const came = std::get_if<client::InvitationCame>(&event)) invited(*came);
}

// The list of players is new.
void App::answer_players() {
  if (std::exchange(people_.players_wanted, false) && !has_dialog()) {
    const auto mute_player = [this](const auto& name, bool on) { mute(name, on); };
    open<Menu>(talk_->now(),
               player_menu(*talk_, [=, this](const client::ListedPlayer& player, Time now) {
                 open<Menu>(now, person_menu(*talk_, player, mute_player));
               }));
  }
  if (auto* const menu = dialog<QuitMenu>(); menu && options_.hosting) menu->tell(*talk_);
}

void App::invited(const client::InvitationCame& invitation) {
  ring();
  // A game is not interrupted, and neither is a line that is being typed.
  if (talk_->room() || has_dialog() || entry_ != Entry::none) return;
  open<Menu>(talk_->now(), invitation_menu(*talk_, invitation, [this](const auto& player, bool on) {
               mute(player, on);
             }));
}

void App::ask_for_account(const client::Welcomed& event) {
  if (!talk_->needs_account_password(event.welcome)) return;
  const std::string name = client::sanitized(talk_->wanted_name());
  open<PasswordBox>(
      talk_->now(),
      PasswordBox::Words{client::account_password_wanted_text(name), "Log in", "Not mine"}, false,
      [this](const std::string& password, Time) { wishes_.account_password = password; });
}

void App::mute(const std::string& player, bool on) {
  note(player.empty() ? client::muted_text(*talk_)
       : on           ? client::mute(*talk_, player)
                      : client::unmute(*talk_, player));
}

// Painting ----------------------------------------------------------------------------------------

std::string App::title() const {
  const bool in_title = options_.alert == Alert::title || options_.alert == Alert::bell_and_title;
  const Room* const room = talk_ ? talk_->room() : nullptr;
  std::string program(prompts::program_name);
  if (!room) return program;
  return (in_title && was_my_turn_ ? "(!) your turn: " : "") + room->name + " - " + program;
}

Scene App::draw(Time now) {
  Scene scene(size_);
  const Canvas canvas(scene.picture);
  const std::string server = server_name();
  switch (stage()) {
    case Stage::start:
      draw_start(canvas, {start_, client::sanitized(options_.name), notice_, connecting_}, scene);
      break;
    case Stage::lobby:
      draw_lobby(canvas, {*talk_, server, lobby_, entry_, log_, notice_, invitation_.in_short, now},
                 scene);
      break;
    case Stage::room:
      draw_room(canvas,
                {*talk_, server, *talk_->room(), pane_, log_, entry_,
                 entry_ == Entry::chat ? chat_ : field_, notice_, invitation_.in_short, now},
                scene);
      break;
    case Stage::games:
      draw_games(canvas, {*talk_, server, games_.player, games_.selected, notice_, now}, scene);
      break;
    case Stage::replay:
      replay_->draw(canvas, scene);
      if (!notice_.empty()) draw_notice(canvas, notice_);
      break;
  }
  if (has_entry_line() && stage() != Stage::room) {
    const bool chats = entry_ == Entry::chat;
    draw_command_line(canvas, chats ? prompts::say_in_lobby : std::string_view("Command: "),
                      chats ? chat_ : field_, notice_, scene);
  }
  if (dialog_) {
    // Nothing behind the dialog can be clicked.
    scene.spots.clear();
    scene.list.clear();
    dialog_->draw(canvas, scene);
  }
  const bool seen = scene.cursor && Rect{0, 0, size_.width, size_.height}.contains(*scene.cursor);
  if (!seen) scene.cursor.reset();
  if (options_.ascii) scene.picture.make_ascii();
  spots_ = scene.spots;
  list_ = scene.list;
  return scene;
}

}  // namespace tictactoe::screen
