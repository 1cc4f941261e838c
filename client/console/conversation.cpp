// The person's half: lines in, requests out. What the server says is in conversation_server.cpp.
#include "client/console/conversation.hpp"

#include <algorithm>
#include <utility>

#include "client/console/narration.hpp"
#include "client/console/pacing.hpp"
#include "client/console/shown.hpp"

namespace tictactoe::console {
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

Conversation::Conversation(Options options) : options_(std::move(options)) {}

void Conversation::cannot_connect(std::string_view why) {
  end(1, "Can't reach a server at " + options_.server + ": " + std::string(why) +
             ". Is it running, and is --server right?");
}

void Conversation::connected() {
  v1::ClientMessage message;
  v1::Hello& hello = *message.mutable_hello();
  hello.add_protocol_versions(protocol_version);
  hello.set_name(options_.name);
  hello.set_software(options_.software);
  request(std::move(message));
  alarm_ = welcome_timeout;
}

void Conversation::connection_lost(std::string_view why) {
  if (leaving_) return end(0, {});
  end(1, "Lost the server " + options_.server + ": " + std::string(why) + ".");
}

void Conversation::typed(std::string_view line) {
  // One byte over the limit is enough for the line to be refused for its length.
  lines_.emplace_back(line.substr(0, max_line_bytes + 1));
  pump();
}

void Conversation::input_ended() {
  input_ended_ = true;
  pump();
}

void Conversation::leave() {
  if (leaving_ || !limits_ || !room_) return end(0, {});
  leaving_ = true;
  lines_.clear();
  retries_.clear();
  v1::ClientMessage message;
  message.mutable_leave_room();
  request(std::move(message));
  alarm_ = leave_timeout;
}

void Conversation::alarm_rang() {
  if (ending_) return;
  if (leaving_) return end(0, {});
  if (!limits_) {
    return end(1, "No answer from " + options_.server + ". Is it a tic-tac-toe server?");
  }
  for (v1::ClientMessage& message : std::exchange(retries_, {})) request(std::move(message));
}

std::string Conversation::take_bytes() {
  return std::exchange(bytes_, {});
}

std::string Conversation::take_text() {
  return std::exchange(text_, {});
}

std::optional<std::chrono::milliseconds> Conversation::take_alarm() {
  return std::exchange(alarm_, {});
}

bool Conversation::wants_lines() const {
  if (ending_ || leaving_ || input_ended_) return false;
  return options_.script ? lines_.empty()
                         : lines_.size() < max_pending && pending_.size() < max_pending;
}

std::string Conversation::prompt() const {
  if (!limits_) return {};
  return room_ && room_->my_turn() ? "your move> " : "> ";
}

void Conversation::end(int status, std::string reason) {
  if (!ending_) ending_ = Ending{status, std::move(reason)};
}

void Conversation::say(std::string_view line) {
  text_.append(line).append("\n");
}

void Conversation::show_board(std::optional<Cell> around) {
  text_.append("\n").append(draw_board(*room_, options_.look, around)).append("\n");
}

void Conversation::pump() {
  while (!ending_ && !leaving_ && limits_ && !lines_.empty()) {
    if (options_.script && busy()) return;
    const Command command = parse_command(lines_.front());
    if (options_.script) {
      const Readiness ready = readiness(command, room());
      if (ready.state == Readiness::State::wait) return;
      if (ready.state == Readiness::State::refuse) {
        say("not sent: \"" + shown(lines_.front()) + "\": " + ready.reason + ".");
        lines_.pop_front();
        continue;
      }
    }
    lines_.pop_front();
    carry_out(command);
  }
  const bool finished = lines_.empty() && limits_ && (!options_.script || !busy());
  if (input_ended_ && finished && !leaving_ && !ending_) leave();
}

void Conversation::carry_out(const Command& command) {
  std::visit(Overloaded{
                 [](const NoCommand&) {},
                 [this](const Mistake& mistake) { say(mistake.text); },
                 [this](const PlaceMark& place) { place_mark(place.cell); },
                 [this](const ShowBoard& show) {
                   if (!room_) return say(no_room);
                   say(seats_text(*room_));
                   say(status_text(*room_));
                   show_board(show.around);
                 },
                 [this](const ShowHelp&) { text_.append(help_text()); },
                 [this](const Quit&) { leave(); },
                 [this](const WaitForEnd&) {
                   if (!options_.script) say("`wait` is for scripts: here you see what happens.");
                 },
                 [this](const v1::ClientMessage& message) {
                   // The pages of one list at a time.
                   if (message.has_list_rooms() && listing_) return;
                   if (message.has_list_rooms()) {
                     listing_.emplace();
                     list_pages_ = 0;
                   }
                   request(message);
                 },
             },
             command);
}

void Conversation::place_mark(Cell cell) {
  if (!room_) return say(no_room);
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
    return say("That is too long for this server. Type something shorter.");
  }
  wire::append_frame(bytes_, body);
  pending_.push_back(std::move(message));
}

bool Conversation::must_retry(const v1::ClientMessage& asked) const {
  // A person can type it again; a script can't, and of what the program itself asks for nobody
  // would know.
  const bool next_page = asked.has_list_rooms() && !asked.list_rooms().after().empty();
  return options_.script || asked.has_get_snapshot() || next_page;
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

}  // namespace tictactoe::console
