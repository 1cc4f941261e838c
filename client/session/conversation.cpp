// The person's half: lines in, requests out. What the server says is in conversation_server.cpp.
#include "client/session/conversation.hpp"

#include <algorithm>
#include <utility>

#include "client/model/sanitized.hpp"
#include "client/session/pacing.hpp"
#include "client/text/narration.hpp"

namespace tictactoe::client {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

constexpr std::string_view no_room =
    "You are in no room. Type `play`, or `rooms` and then `join NAME`.";

}  // namespace

Conversation::Conversation(Options options)
    : options_(std::move(options)),
      token_(options_.token),
      retry_plan_(options_.patience, options_.seed) {}

void Conversation::typed(std::string_view line, Time now) {
  now_ = now;
  // One byte over the limit is enough for the line to be refused for its length.
  lines_.emplace_back(line.substr(0, max_line_bytes + 1));
  pump();
}

void Conversation::input_ended(Time now) {
  now_ = now;
  input_ended_ = true;
  pump();
}

void Conversation::leave(Time now) {
  now_ = now;
  if (leaving_) return end(0, {});
  if (link_ != Link::up) return options_.guest ? end(0, {}) : drop(now);
  if (!room_ && !options_.guest) return end(0, {});
  leaving_ = true;
  lines_.clear();
  retries_.clear();
  v1::ClientMessage message;
  if (options_.guest) {
    message.mutable_goodbye();
  } else {
    message.mutable_leave_room();
  }
  request(std::move(message));
  answer_by_ = now_ + leave_timeout;
}

void Conversation::drop(Time now) {
  now_ = now;
  if (options_.guest) return leave(now);
  if (room_ && room_->my_seat != Mark::none && !leaving_) {
    say("The server keeps your seat for a while. Start again with the same name and server to "
        "take it up.");
  }
  end(0, {});
}

std::string Conversation::take_bytes() {
  return std::exchange(bytes_, {});
}

std::string Conversation::take_text() {
  return std::exchange(text_, {});
}

std::vector<Event> Conversation::take_events() {
  std::vector<Event> events(std::make_move_iterator(events_.begin()),
                            std::make_move_iterator(events_.end()));
  events_.clear();
  return events;
}

std::optional<v1::GameRecord> Conversation::take_game() {
  return std::exchange(found_game_, {});
}

std::optional<std::string> Conversation::take_token() {
  return std::exchange(new_token_, {});
}

bool Conversation::wants_lines() const {
  if (ending_ || leaving_ || input_ended_) return false;
  return options_.script ? lines_.empty()
                         : lines_.size() < max_pending && pending_.size() < max_pending;
}

void Conversation::end(int status, std::string reason, Asks asks) {
  if (!ending_) ending_ = Ending{status, std::move(reason), asks};
}

void Conversation::say(std::string_view line, Event::Kind kind) {
  if (!options_.screen) {
    text_.append(line).append("\n");
    return;
  }
  if (line.empty()) return;
  if (events_.size() == max_kept_events) events_.pop_front();
  events_.push_back({kind, std::string(line)});
}

void Conversation::refresh_rooms(Time now) {
  now_ = now;
  if (link_ != Link::up || leaving_ || ending_ || listing_) return;
  v1::ClientMessage message;
  message.mutable_list_rooms();
  carry_out_request(std::move(message));
}

void Conversation::list_games(const std::string& player, Time now) {
  now_ = now;
  // What is being answered would be taken for the beginning of the new list.
  if (asks_for_games()) return;
  games_.reset();
  games_go_on_ = false;
  games_player_ = player;
  ask_games(0);
}

void Conversation::more_games(Time now) {
  now_ = now;
  if (games_go_on_ && !asks_for_games()) ask_games(games_->back().id);
}

bool Conversation::asks_for_games() const {
  return std::any_of(pending_.begin(), pending_.end(),
                     [](const auto& message) { return message.has_list_games(); });
}

void Conversation::ask_games(std::uint64_t before) {
  if (link_ != Link::up || leaving_ || ending_) return;
  v1::ClientMessage message;
  message.mutable_list_games()->set_before(before);
  message.mutable_list_games()->set_player(games_player_);
  request(std::move(message));
}

const HintedCell* Conversation::hint() const {
  const bool stands = hint_ && room_ && room_->phase == Phase::playing &&
                      hint_->game == room_->game && hint_->ply == room_->board.count();
  return stands ? &*hint_ : nullptr;
}

void Conversation::show_board(std::optional<Cell> around) {
  if (options_.screen) return;
  text_.append("\n").append(draw_board(*room_, options_.look, around)).append("\n");
}

void Conversation::pump() {
  while (!ending_ && !leaving_ && limits_ && !lines_.empty()) {
    const Command command = parse_command(lines_.front());
    const Due due = when_due(command);
    if (due == Due::later) return;
    lines_.pop_front();
    if (due == Due::now) carry_out(command);
  }
  const bool done = lines_.empty() && limits_ && link_ != Link::catching_up;
  if (input_ended_ && done && (!options_.script || !busy()) && !leaving_ && !ending_) leave(now_);
}

Conversation::Due Conversation::when_due(const Command& command) {
  if (options_.script && busy()) return Due::later;
  if (link_ != Link::up) {
    if (std::holds_alternative<Quit>(command)) return Due::now;
    if (options_.script || link_ == Link::catching_up) return Due::later;
    const bool needs_server = std::holds_alternative<v1::ClientMessage>(command) ||
                              std::holds_alternative<PlaceMark>(command);
    if (!needs_server) return Due::now;
    // A move kept until later would be played in a game that the person has not seen.
    say("Not sent: there is no connection just now.", Event::Kind::refused);
    return Due::never;
  }
  if (!options_.script) return Due::now;
  const Readiness ready = readiness(command, room());
  if (ready.state == Readiness::State::wait) return Due::later;
  if (ready.state == Readiness::State::go) return Due::now;
  say("not sent: \"" + sanitized(lines_.front()) + "\": " + ready.reason + ".");
  return Due::never;
}

void Conversation::carry_out(const Command& command) {
  std::visit(Overloaded{
                 [](const NoCommand&) {},
                 [this](const Mistake& mistake) { say(mistake.text, Event::Kind::refused); },
                 [this](const PlaceMark& place) { place_mark(place.cell); },
                 [this](const ShowBoard& show) {
                   if (!room_) return say(no_room, Event::Kind::refused);
                   if (options_.screen) return;
                   say(seats_text(*room_));
                   say(standing());
                   show_board(show.around);
                 },
                 [this](const ShowHelp&) {
                   if (!options_.screen) text_.append(help_text());
                 },
                 [this](const Quit&) { leave(now_); },
                 [this](const WaitForEnd&) {
                   if (!options_.script) say("`wait` is for scripts: here you see what happens.");
                 },
                 [this](const v1::ClientMessage& message) { carry_out_request(message); },
             },
             command);
}

void Conversation::carry_out_request(v1::ClientMessage message) {
  // The pages of one list at a time.
  if (message.has_list_rooms() && listing_) return;
  if (message.has_list_rooms()) {
    listing_.emplace();
    list_pages_ = 0;
  }
  if (message.has_list_games() && options_.screen) {
    return list_games(message.list_games().player(), now_);
  }
  // Each names the game it is meant for, so that it can't hit the next one.
  if (room_ && message.has_resign()) message.mutable_resign()->set_game(room_->game);
  if (room_ && message.has_offer_draw()) message.mutable_offer_draw()->set_game(room_->game);
  if (room_ && message.has_ask_takeback()) message.mutable_ask_takeback()->set_game(room_->game);
  if (room_ && message.has_decline()) message.mutable_decline()->set_game(room_->game);
  request(std::move(message));
}

void Conversation::place_mark(Cell cell) {
  if (!room_) return say(no_room, Event::Kind::refused);
  v1::ClientMessage message;
  v1::Move& move = *message.mutable_move();
  move.mutable_cell()->set_row(cell.row);
  move.mutable_cell()->set_col(cell.col);
  move.set_game(room_->game);
  move.set_ply(room_->board.count());
  request(std::move(message));
}

void Conversation::request(v1::ClientMessage message) {
  message.set_request_id(++last_request_id_);
  const std::string body = message.SerializeAsString();
  if (limits_ && limits_->client_frame_bytes() > 0 && body.size() > limits_->client_frame_bytes()) {
    return say("That is too long for this server. Type something shorter.", Event::Kind::refused);
  }
  wire::append_frame(bytes_, body);
  heartbeat_.sent(now_);
  pending_.push_back(std::move(message));
}

bool Conversation::busy() const {
  const bool asked = std::any_of(pending_.begin(), pending_.end(),
                                 [](const auto& message) { return !message.has_ping(); });
  return asked || !retries_.empty() || !lost_.empty();
}

bool Conversation::must_retry(const v1::ClientMessage& asked) const {
  // A person can type it again; a script can't, and of what the program itself asks for nobody
  // would know.
  const bool next_page = asked.has_list_rooms() && !asked.list_rooms().after().empty();
  const bool by_itself = options_.screen && (asked.has_list_rooms() || asked.has_list_games());
  return options_.script || asked.has_get_snapshot() || next_page || by_itself ||
         link_ == Link::catching_up;
}

std::optional<v1::ClientMessage> Conversation::take_pending(std::uint64_t request_id) {
  const auto asked = std::find_if(pending_.begin(), pending_.end(), [&](const auto& message) {
    return message.request_id() == request_id;
  });
  if (request_id == 0 || asked == pending_.end()) return std::nullopt;
  v1::ClientMessage taken = std::move(*asked);
  pending_.erase(asked);
  return taken;
}

}  // namespace tictactoe::client
