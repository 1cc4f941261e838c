// The server's half of the conversation: frames in, text for the person out.
#include <algorithm>
#include <utility>

#include "client/console/conversation.hpp"
#include "client/console/narration.hpp"
#include "client/console/shown.hpp"

namespace tictactoe::console {
namespace {

bool enters_room(const v1::ClientMessage& message) {
  return message.has_create_room() || message.has_join_room() || message.has_watch_room() ||
         message.has_play();
}

// Why the server ends the connection, in words.
std::string closing_text(const std::string& server, const v1::Error& error) {
  switch (error.code()) {
    case v1::Error::CODE_SERVER_STOPPING:
      return "The server " + server + " stops: " + error_text(error);
    case v1::Error::CODE_SERVER_FULL:
      return "The server " + server + " is full: " + error_text(error);
    default:
      return "The server " + server + " closes the connection: " + error_text(error);
  }
}

}  // namespace

void Conversation::received(std::size_t count) {
  reader_.commit(count);
  while (!ending_) {
    const wire::NextFrame next = reader_.next();
    if (next.state == wire::NextFrame::State::need_more) break;
    if (next.state == wire::NextFrame::State::fault) {
      return end_with_nonsense("bytes that are no frame");
    }
    on_frame(next.body);
  }
  pump();
}

void Conversation::end_with_nonsense(std::string_view what) {
  end(1, "The server " + options_.server + " sent " + std::string(what) + "." +
             (limits_ ? "" : " Is it a tic-tac-toe server?"));
}

void Conversation::on_frame(std::string_view body) {
  v1::ServerMessage message;
  if (!message.ParseFromArray(body.data(), static_cast<int>(body.size()))) {
    return end_with_nonsense("a message that can't be read");
  }
  if (limits_) {
    on_message(message);
  } else {
    on_hello_answer(message);
  }
}

void Conversation::on_hello_answer(const v1::ServerMessage& message) {
  take_pending(message.request_id());
  if (message.has_welcome()) return on_welcome(message.welcome());
  if (!message.has_error()) {
    return end_with_nonsense("something before its welcome");
  }
  const v1::Error& error = message.error();
  if (error.code() == v1::Error::CODE_INVALID_NAME) {
    return end(2, "The server does not take the name \"" + shown(options_.name) +
                      "\": " + error_text(error) + " Choose another with --name.");
  }
  end(1, closing_text(options_.server, error));
}

void Conversation::on_welcome(const v1::Welcome& welcome) {
  if (welcome.protocol_version() != protocol_version) {
    return end(1, options_.server + " speaks version " +
                      std::to_string(welcome.protocol_version()) +
                      " of the protocol, this program only version " +
                      std::to_string(protocol_version) + ".");
  }
  limits_ = welcome.limits();
  me_ = shown(welcome.player_name());
  std::string text = "Connected to ";
  text.append(welcome.server_name().empty() ? options_.server : shown(welcome.server_name()));
  if (!welcome.software().empty()) text.append(" (" + shown(welcome.software()) + ")");
  say(text + " as " + me_ + ".");
  if (welcome.player_name() != options_.name) {
    say("You are called " + me_ + " here.");
  }
  if (!options_.script) say("Type `play` to start, or `help`.");
}

void Conversation::on_message(const v1::ServerMessage& message) {
  const std::optional<v1::ClientMessage> asked = take_pending(message.request_id());
  switch (message.event_case()) {
    case v1::ServerMessage::kError:
      return on_error(message.error(), asked);
    case v1::ServerMessage::kRoomList:
      return on_room_list(message.room_list());
    case v1::ServerMessage::kSnapshot:
      return on_snapshot(message.snapshot(), asked);
    case v1::ServerMessage::kUpdate:
      return on_update(message.update());
    case v1::ServerMessage::kLeft:
      return on_left();
    case v1::ServerMessage::kHinted:
      return on_hinted(message.hinted());
    case v1::ServerMessage::kWelcome:
    case v1::ServerMessage::kPong:
    case v1::ServerMessage::EVENT_NOT_SET:  // an event that came after this program
      break;
  }
}

void Conversation::on_error(const v1::Error& error, const std::optional<v1::ClientMessage>& asked) {
  if (leaving_) return end(0, {});
  if (error.closing() || error.code() == v1::Error::CODE_SERVER_STOPPING) {
    return end(1, closing_text(options_.server, error));
  }
  if (asked && error.code() == v1::Error::CODE_RATE_LIMITED && must_retry(*asked)) {
    retries_.push_back(*asked);
    const std::chrono::milliseconds delay(std::max(error.retry_after_ms(), std::uint32_t{1}));
    alarm_ = std::min(delay, max_retry_delay);
    return;
  }
  if (asked && asked->has_list_rooms()) listing_.reset();
  if (asked && asked->has_get_snapshot()) {
    // Only a room can be asked for its snapshot: the server says there is none.
    resyncing_ = false;
    room_.reset();
  }
  say("Refused: " + error_text(error));
}

void Conversation::on_room_list(const v1::RoomList& list) {
  if (!listing_) return;
  for (const v1::RoomInfo& info : list.rooms()) {
    if (listing_->size() < max_listed_rooms) listing_->push_back(read_room_info(info));
  }
  const std::string after = list.rooms().empty() ? "" : list.rooms().rbegin()->name();
  // A name that no server would take is no name to go on from.
  const bool ask_on = list.more() && !after.empty() && after.size() <= max_line_bytes &&
                      listing_->size() < max_listed_rooms && ++list_pages_ < max_list_pages;
  if (ask_on) {
    v1::ClientMessage message;
    message.mutable_list_rooms()->set_after(after);
    return request(std::move(message));
  }
  text_.append(draw_room_table(std::move(*listing_), !list.more()));
  listing_.reset();
}

void Conversation::on_snapshot(const v1::RoomSnapshot& snapshot,
                               const std::optional<v1::ClientMessage>& asked) {
  RoomRead read = read_snapshot(snapshot);
  if (!read.room) {
    return end_with_nonsense("a room that can't be shown: " + read.fault);
  }
  room_ = std::move(read.room);
  resyncing_ = false;
  if (leaving_) return;
  if (asked && enters_room(*asked)) {
    text_.append(arrival_text(*room_, me_));
  } else {
    say("The room as it is now:");
    say(seats_text(*room_));
    say(status_text(*room_));
  }
  show_board();
}

void Conversation::on_update(const v1::RoomUpdate& update) {
  // What comes before the snapshot that was asked for is in it.
  if (!room_ || resyncing_ || leaving_) return;
  const Mark seat_before = room_->my_seat;
  const Phase phase_before = room_->phase;
  switch (apply_update(*room_, update, me_)) {
    case Applied::old:
      return;
    case Applied::gap:
    case Applied::nonsense:
      return resync();
    case Applied::yes:
      break;
  }
  resyncs_ = 0;
  const std::string text = update_text(*room_, update, seat_before);
  const bool board = changes_board(*room_, update);
  const bool over = room_->phase == Phase::finished;
  // Who won is said once, not again with everyone who leaves.
  if (board || room_->phase != phase_before || (update.has_seat_changed() && !over)) {
    const std::string_view between = over ? "\n" : " ";
    say(text + (text.empty() ? "" : std::string(between)) + status_text(*room_));
  } else if (!text.empty()) {
    say(text);
  }
  if (board) show_board();
}

void Conversation::resync() {
  if (++resyncs_ > max_resyncs) {
    return end_with_nonsense("updates that make no sense");
  }
  resyncing_ = true;
  v1::ClientMessage message;
  message.mutable_get_snapshot();
  request(std::move(message));
}

void Conversation::on_left() {
  if (leaving_) return end(0, {});
  if (!room_) return;
  say("You are no longer in the room \"" + room_->name + "\".");
  room_.reset();
  resyncing_ = false;
}

void Conversation::on_hinted(const v1::Hinted& hinted) {
  say("Hint: " + cell_name({hinted.cell().row(), hinted.cell().col()}) +
      " would be a good move for " + mark_name(read_mark(hinted.mark())) + ".");
}

}  // namespace tictactoe::console
