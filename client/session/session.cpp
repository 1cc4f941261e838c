// Requests. What the server says is in session_messages.cpp.
#include "client/session/session.hpp"

#include <utility>

#include "client/session/requests.hpp"

namespace tictactoe::client {

Session::Session(Options options)
    : options_(std::move(options)),
      retry_plan_(options_.patience, options_.seed),
      servers_(options_.server, options_.seed) {
  token_.set(options_.token);
}

void Session::place(Cell cell, Time now) {
  if (!own_.room) return emit(NotSent{NotSent::Reason::no_room});
  if (link_ == Link::up && own_.room->phase == Phase::playing && !own_.room->my_turn()) {
    return emit(NotSent{NotSent::Reason::not_your_turn});
  }
  v1::ClientMessage message;
  v1::Move& move = *message.mutable_move();
  move.mutable_cell()->set_row(cell.row);
  move.mutable_cell()->set_col(cell.col);
  move.set_game(own_.room->game);
  move.set_ply(own_.room->board.count());
  move.set_takebacks(own_.room->takebacks);
  request(std::move(message), now);
}

void Session::chat(const std::string& text, Time now) {
  v1::ClientMessage message;
  message.mutable_chat()->set_text(text);
  request(std::move(message), now);
}

void Session::get_game(std::uint64_t id, Time now) {
  v1::ClientMessage message;
  message.mutable_get_game()->set_id(id);
  request(std::move(message), now);
}

void Session::list_rooms(Time now) {
  if (link_ != Link::up || leaving_ || ending_) return;
  v1::ClientMessage message;
  message.mutable_list_rooms();
  request(std::move(message), now);
}

void Session::list_games(const std::string& player, Time now) {
  now_ = now;
  if (ending_ || leaving_) return;
  if (link_ != Link::up) return emit(NotSent{NotSent::Reason::no_connection});
  if (lists_.games.begin(player)) ask_games();
}

void Session::more_games(Time now) {
  now_ = now;
  if (lists_.games.has_more() && !lists_.games.is_asking()) ask_games();
}

void Session::ask_games() {
  if (link_ != Link::up || leaving_ || ending_) return;
  lists_.games.set_asking(send(lists_.games.next_page()));
}

void Session::request(v1::ClientMessage message, Time now) {
  Session& session = session_for(message);
  session.request_for_own_seat(std::move(message), now);
}

Session& Session::session_for(const v1::ClientMessage& message) {
  if (!own_.room || !own_.room->both_seats) return *this;
  const bool seconds_turn = own_.room->turn == other(own_.room->my_seat);
  const bool is_seconds = message.has_ask_takeback() ? !seconds_turn : seconds_turn;
  const bool is_for_seat = message.has_move() || message.has_resign() || message.has_ask_takeback();
  return is_for_seat && is_seconds ? *second_ : *this;
}

void Session::note_second_seat() {
  const bool shares = second_ && own_.room->my_seat != Mark::none && second_->own_.room &&
                      second_->own_.room->wire_name == own_.room->wire_name;
  own_.room->both_seats = shares && second_->own_.room->my_seat == other(own_.room->my_seat);
}

void Session::request_for_own_seat(v1::ClientMessage message, Time now) {
  now_ = now;
  if (ending_ || leaving_) return;
  // A move kept until later would be played in a game that the player has not seen.
  if (link_ != Link::up) return emit(NotSent{NotSent::Reason::no_connection});
  if (message.has_list_games()) return list_games(message.list_games().player(), now);
  // The pages of one list at a time.
  if (!lists_.begin(message)) return;
  if (message.has_chat() && !own_.room) {
    std::string text = message.chat().text();
    message.mutable_say_in_lobby()->set_text(std::move(text));
    options_.follow_lobby = true;
    follow_lobby();
  }
  // Each names the game it is meant for, so that it can't hit the next one.
  if (own_.room && message.has_resign()) message.mutable_resign()->set_game(own_.room->game);
  if (own_.room && message.has_offer_draw())
    message.mutable_offer_draw()->set_game(own_.room->game);
  if (own_.room && message.has_ask_takeback())
    message.mutable_ask_takeback()->set_game(own_.room->game);
  if (own_.room && message.has_decline()) message.mutable_decline()->set_game(own_.room->game);
  send(std::move(message));
}

void Session::leave(Time now) {
  now_ = now;
  if (leaving_) return end(0, {});
  if (link_ != Link::up) return options_.guest ? end(0, {}) : drop(now);
  if (!own_.room && !options_.guest) return end(0, {});
  leaving_ = true;
  pending_.forget_repeats();
  v1::ClientMessage message;
  if (options_.guest) {
    message.mutable_goodbye();
  } else {
    message.mutable_leave_room();
  }
  send(std::move(message));
  answer_by_ = now_ + leave_timeout;
}

void Session::drop(Time now) {
  now_ = now;
  if (options_.guest) return leave(now);
  if (own_.room && own_.room->my_seat != Mark::none && !leaving_ && !ending_) emit(SeatKept{});
  end(0, {});
}

void Session::end(int status, Cause cause, Asks asks) {
  if (!ending_) ending_ = Ending{status, std::move(cause), std::chrono::seconds(0), asks};
}

void Session::end_with_nonsense(std::string what) {
  end(1, {Cause::Kind::nonsense, std::move(what), {}});
}

std::optional<Cell> Session::sent_move() const {
  if (!own_.room || own_.room->phase != Phase::playing) return std::nullopt;
  for (const v1::ClientMessage& asked : pending_.under_way()) {
    const v1::Move& move = asked.move();
    if (asked.has_move() && move.game() == own_.room->game &&
        move.ply() == own_.room->board.count()) {
      return Cell{move.cell().row(), move.cell().col()};
    }
  }
  if (own_.room->both_seats) return second_->sent_move();
  return std::nullopt;
}

// False if the request is too long for the server.
bool Session::send(v1::ClientMessage message) {
  if (message.request_id() == 0) message.set_request_id(pending_.next_id());
  const std::string body = message.SerializeAsString();
  if (limits_ && limits_->client_frame_bytes() > 0 && body.size() > limits_->client_frame_bytes()) {
    emit(NotSent{NotSent::Reason::too_long});
    return false;
  }
  wire::append_frame(bytes_, body);
  heartbeat_.sent(now_);
  pending_.add(std::move(message));
  return true;
}

bool Session::is_busy() const {
  const bool busy = pending_.is_busy();
  if (busy || !own_.room || !own_.room->both_seats) return busy;
  // Both sides agree to what one of them asks for: see LocalGame.
  const bool has_wish = own_.room->draw_offered_by != Mark::none ||
                        own_.room->takeback_asked_by != Mark::none ||
                        own_.room->x_wants_rematch != own_.room->o_wants_rematch;
  return has_wish || second_->is_busy() || !second_->own_.room ||
         second_->own_.room->revision != own_.room->revision;
}

bool Session::must_retry(const v1::ClientMessage& asked) const {
  // A person can type it again; a script can't, and nobody would notice that a request of the
  // program itself is missing.
  return options_.retry_refused || asked.has_get_snapshot() || asked.has_list_rooms() ||
         asked.has_list_games() || asked.has_watch_lobby() || link_ == Link::catching_up;
}

}  // namespace tictactoe::client
