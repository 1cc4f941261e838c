// The App without its keys and pictures: what happens to it.
#include "client/screen/app.hpp"

#include <algorithm>
#include <utility>

#include "client/model/replay.hpp"
#include "client/model/sanitized.hpp"
#include "client/session/requests.hpp"
#include "client/words/completion.hpp"
#include "client/words/lists.hpp"
#include "client/words/prompts.hpp"
#include "common/unicode/letters.hpp"

namespace tictactoe::screen {
namespace {

using client::Phase;
namespace prompts = client::prompts;

// Levels of AI that are offered, whatever a server says it has.
constexpr int max_levels = 8;

std::string folded_text(const client::ListedRoom& room) {
  const client::RoomRow row = client::row_of(room);
  return unicode::folded(room.name + "\n" + row.board + "\n" + row.x + "\n" + row.o + "\n" +
                         row.state);
}

}  // namespace

App::App(Options options) : options_(std::move(options)) {
  field_.complete_with([this](std::string_view before) {
    return client::complete(before, talk_ ? client::known_words(*talk_) : client::KnownWords());
  });
}

App::Stage App::stage() const {
  if (!talk_ || !talk_->is_welcomed()) return Stage::start;
  if (replay_) return Stage::replay;
  if (games_open_) return Stage::games;
  return talk_->room() && !rooms_open_ ? Stage::room : Stage::lobby;
}

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
  selected_ = 0;
  connecting_.clear();
  log_ = {};
  rooms_.clear();
  all_rooms_ = 0;
  games_open_ = rooms_open_ = false;
  replay_.reset();
  in_room_ = false;
  entry_ = Entry::none;
  dialog_.reset();
  opponent_.clear();
  ai_to_add_.clear();
  capital_.reset();
  cells_are_typed_ = leaves_room_ = false;
  ended_until_ = {};
  filter_.clear();
  was_my_turn_ = switching_ = false;
  if (key_change_) ask_about_new_key();
}

void App::quit(Time now) {
  if (ending_) return;
  if (!talk_ || talk_->ending()) {
    ending_ = client::Ending{};
    return;
  }
  if (talk_->is_leaving()) {  // once more: don't wait for the server's confirmation
    talk_->leave(now);
    return happened(now);
  }
  if (dialog<QuitMenu>()) return hang_up(now);
  const bool asks = plays() || has_played() || options_.hosting;
  if (asks && talk_->link() == Session::Link::up) {
    return open_quit_menu(now);
  }
  talk_->leave(now);
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

bool App::plays() const {
  const Room* const room = talk_ ? talk_->room() : nullptr;
  return room && room->phase == Phase::playing && room->my_seat != client::Mark::none;
}

bool App::has_played() const {
  const Room* const room = talk_ ? talk_->room() : nullptr;
  return room && room->phase == Phase::finished && room->my_seat != client::Mark::none;
}

void App::happened(Time now) {
  now_ = now;
  if (replay_) replay_->step_due(now);
  if (!talk_ || ending_) return;
  if (const auto& over = talk_->ending()) {
    const std::string reason = client::ending_text(*over, *talk_, server_);
    const bool asks = over->asks != client::Asks::nothing;
    const bool stays = switching_ || key_change_ || (options_.choose && !reason.empty());
    if (key_change_) {
      refused_ending_ = over;
      ending_reason_ = reason;
    } else if (!returns_ && (!stays || asks)) {
      ending_ = over;
      ending_reason_ = reason;
    } else {
      notice_ = reason;
    }
    return;
  }
  if (!talk_->is_welcomed()) return;
  // While catching up, requests can't be sent yet.
  const bool asked = dialog<PasswordBox>() != nullptr;  // by which name to begin
  const bool up = talk_->link() == Session::Link::up;
  if (up && !asked && !std::exchange(begun_, true)) {
    for (const std::string& line : options_.commands) {
      const client::Command command = client::parse_command(line);
      if (!talk_->room() || !client::sets_up(command)) carry_out(command, now);
    }
  }
  if (up && !room_to_join_.empty()) {
    const std::string room = std::exchange(room_to_join_, {});
    if (!talk_->room()) talk_->request(client::join_room(room), now);
  }
  watch_game_end();
  enter_or_leave_room();
  if (up && !ai_to_add_.empty()) {
    talk_->request(client::add_ai(client::Mark::none, std::exchange(ai_to_add_, {})), now);
  }
  if (capital_ && capital_->waits && now >= capital_->at + capital_pace) {
    notice_.clear();
    press_command(std::exchange(capital_, {})->letter, now);
  }
  ask_for_people(now);
  watch_turn();
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
    sort_lobby();
  }
  const auto* const hint = std::get_if<client::HintGiven>(&event);
  if (hint && hint->current && talk_->room()) pane_.show(hint->cell, talk_->room()->board);
  if (dialog_tells(event)) return;
  for (client::Message& message :
       client::messages_of(event, *talk_, server_, client::Controls::keys)) {
    add(std::move(message));
  }
  const auto* const found = std::get_if<client::GameFound>(&event);
  if (!found) return;
  if (const std::string fault = client::Replay(found->game).fault(); !fault.empty()) {
    return add({client::Message::Kind::refused, client::unreadable_game_text(fault)});
  }
  replay_.emplace(found->game);
  replay_is_new_ = true;
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

void App::add(client::Message message) {
  notice_.clear();
  if (message.kind == client::Message::Kind::refused) notice_ = message.text;
  log_.add(std::move(message));
}

void App::enter_or_leave_room() {
  const Room* const room = talk_->room();
  if (std::exchange(in_room_, room != nullptr) == (room != nullptr)) return;
  selected_ = 0;
  // A line that is being typed stays; chat needs the room.
  if (entry_ != Entry::move) entry_ = Entry::none;
  chat_.clear();
  log_.back = 0;
  dialog_.reset();
  games_open_ = rooms_open_ = false;
  people_at_ = {};
  people_changed_ = true;
  pane_ = {};
  sort_lobby();
  ai_to_add_ = room ? std::exchange(opponent_, {}) : std::string();
  if (!room) return returns_ ? talk_->leave(now_) : void();
  replay_.reset();
  pane_.start(room->board);
}

// Rings if an event of the server has made it the player's turn.
void App::watch_turn() {
  const Room* const room = talk_->room();
  const bool mine = room && room->phase == Phase::playing && room->is_me(room->turn);
  if (std::exchange(was_my_turn_, mine) || !mine) return;
  if (options_.alert == Alert::bell || options_.alert == Alert::bell_and_title) bell_ = true;
  const auto last = room->board.last();
  if (last) pane_.show(*last, room->board);
}

// Until now letters were cells. From now on they are commands, of the room or of the lobby.
void App::watch_game_end() {
  const Room* const room = talk_->room();
  const bool typed = std::exchange(cells_are_typed_, room && letters_are_moves(*room));
  const bool wanted = std::exchange(leaves_room_, leaves_room_ && room);
  if (cells_are_typed_) ended_until_ = {};
  if (!typed || cells_are_typed_) return;
  capital_.reset();
  if (room || !wanted) ended_until_ = now_ + game_end_pause;
}

std::string App::server_name() const {
  if (!talk_ || talk_->server_name().empty()) return client::sanitized(server_);
  return talk_->server_name();
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
  } else if (const auto* const request = std::get_if<v1::ClientMessage>(&command)) {
    wants_players_ = wants_players_ || request->has_list_players();
    wants_members_ = wants_members_ || request->has_list_members();
    talk_->request(*request, now);
  }
}

std::vector<std::string> App::levels() const {
  std::vector<std::string> levels;
  for (const std::string& level : talk_->limits().ai_levels()) {
    if (static_cast<int>(levels.size()) == max_levels) break;
    levels.push_back(client::sanitized(level));
  }
  return levels;
}

void App::sort_lobby() {
  if (!talk_->rooms()) return;
  const std::string chosen = selected_ < rooms_.size() ? rooms_[selected_].wire_name : "";
  rooms_ = *talk_->rooms();
  all_rooms_ = rooms_.size();
  if (const std::string wanted = unicode::folded(filter_.text()); !wanted.empty()) {
    std::erase_if(rooms_, [&](const client::ListedRoom& room) {
      return folded_text(room).find(wanted) == std::string::npos;
    });
  }
  client::sort_rooms(rooms_);
  if (stage() != Stage::lobby) return;
  // The selection stays on its room if the room still exists.
  const auto again = std::find_if(rooms_.begin(), rooms_.end(), [&](const auto& room) {
    return !chosen.empty() && room.wire_name == chosen;
  });
  if (again != rooms_.end()) selected_ = static_cast<std::size_t>(again - rooms_.begin());
  if (selected_ >= rooms_.size()) selected_ = rooms_.empty() ? 0 : rooms_.size() - 1;
}

std::optional<Time> App::next_deadline() const {
  if (ending_) return std::nullopt;
  std::optional<Time> next;
  if (replay_) next = replay_->next_step();
  if (people_changed_ && shows_people()) next = next ? std::min(*next, people_at_) : people_at_;
  if (capital_ && capital_->waits) {
    const Time at = capital_->at + capital_pace;
    next = next ? std::min(*next, at) : at;
  }
  const auto tick = talk_ ? client::next_second(*talk_, now_) : std::nullopt;
  if (tick) next = next ? std::min(*next, *tick) : *tick;
  return next;
}

}  // namespace tictactoe::screen
