// Requests, and what the server says. The connection is in session_link.cpp.
#include "client/session/session.hpp"

#include <algorithm>
#include <utility>

#include "client/model/sanitized.hpp"
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
  if (link_ != Link::up || is_leaving() || ending_) return;
  v1::ClientMessage message;
  message.mutable_list_rooms();
  request(std::move(message), now);
}

void Session::list_games(const std::string& player, Time now) {
  now_ = now;
  if (ending_ || is_leaving()) return;
  if (link_ != Link::up) return emit(NotSent{NotSent::Reason::no_connection});
  if (lists_.games.begin(player)) ask_games();
}

void Session::more_games(Time now) {
  now_ = now;
  if (lists_.games.has_more() && !lists_.games.is_asking()) ask_games();
}

void Session::ask_games() {
  if (link_ != Link::up || is_leaving() || ending_) return;
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

namespace {

void name_game(v1::ClientMessage& message, const Room& room) {
  if (message.has_resign()) message.mutable_resign()->set_game(room.game);
  if (message.has_offer_draw()) message.mutable_offer_draw()->set_game(room.game);
  if (message.has_ask_takeback()) {
    const Mark by = room.takeback_asked_by;
    message.mutable_ask_takeback()->set_game(room.game);
    message.mutable_ask_takeback()->set_grants(by != Mark::none && by != room.my_seat);
  }
  if (message.has_decline()) message.mutable_decline()->set_game(room.game);
}

}  // namespace

void Session::request_for_own_seat(v1::ClientMessage message, Time now) {
  now_ = now;
  if (ending_ || is_leaving()) return;
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
  if (own_.room) name_game(message, *own_.room);
  send(std::move(message));
}

void Session::leave(Time now) {
  now_ = now;
  if (is_leaving()) return end(0, {});
  if (link_ != Link::up) return options_.guest ? end(0, {}) : drop(now);
  if (!own_.room && !options_.guest) return end(0, {});
  is_leaving_ = true;
  pending_.forget_repeats();
  v1::ClientMessage message;
  if (options_.guest) {
    message.mutable_goodbye();
  } else {
    message.mutable_leave_room();
  }
  send(std::move(message));
  until_ = now_ + leave_timeout;
}

void Session::drop(Time now) {
  now_ = now;
  if (options_.guest) return leave(now);
  if (ending_) return;
  end(0, {});
  ending_->keeps_seat = own_.room && own_.room->my_seat != Mark::none && !is_leaving();
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
  const std::size_t most = self_.limits.client_frame_bytes();
  if (most > 0 && body.size() > most) {
    emit(NotSent{NotSent::Reason::too_long});
    return false;
  }
  wire::append_frame(channel_.out, body);
  channel_.heartbeat.sent(now_);
  pending_.add(std::move(message));
  return true;
}

bool Session::is_busy() const {
  const bool busy = pending_.is_busy() || next_room_;
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

// The server asks for it last, when nothing else is wrong.
bool Session::may_leave_for(const v1::ClientMessage& asked) const {
  const bool plays =
      own_.room && own_.room->my_seat != Mark::none && own_.room->phase == Phase::playing;
  return enters_room(asked) && own_.room && !plays && !is_local() && link_ == Link::up;
}

void Session::leave_for(const v1::ClientMessage& asked) {
  next_room_ = asked;
  next_room_->clear_request_id();
  v1::ClientMessage message;
  message.mutable_leave_room();
  send(std::move(message));
}

// Once the room is left, even if the connection was lost meanwhile.
void Session::enter_next_room() {
  if (!next_room_ || own_.room || link_ != Link::up || is_leaving() || ending_) return;
  send(*std::exchange(next_room_, std::nullopt));
}

// What the server says
// -----------------------------------------------------------------------------

namespace {

// How long to wait before a request is repeated that was refused because of a limit.
milliseconds retry_delay(const v1::Error& error) {
  if (error.retry_after_ms() == 0) return default_retry_delay;
  return std::min(milliseconds(error.retry_after_ms()), max_retry_delay);
}

std::string password_of(const v1::ClientMessage& message) {
  if (message.has_create_room()) return message.create_room().password();
  if (message.has_join_room()) return message.join_room().password();
  return message.watch_room().password();
}

}  // namespace

void Session::received(std::size_t count, Time now) {
  now_ = now;
  if (count > 0) channel_.heartbeat.received();
  // A large room may come over a slow line.
  if (link_ == Link::catching_up) until_ = now_ + welcome_timeout;
  channel_.in.commit(count);
  // Messages after the one that ended the connection are ignored.
  while (wants_connection()) {
    const wire::NextFrame next = channel_.in.next();
    if (next.state == wire::NextFrame::State::need_more) break;
    if (next.state == wire::NextFrame::State::fault) {
      return end_with_nonsense("malformed data");
    }
    on_frame(next.body);
    settle_if_caught_up();
    enter_next_room();
    follow_lobby();
  }
}

void Session::on_frame(std::string_view body) {
  v1::ServerMessage message;
  if (!message.ParseFromArray(body.data(), static_cast<int>(body.size()))) {
    return end_with_nonsense("an unreadable message");
  }
  if (link_ == Link::greeting) {
    on_hello_answer(message);
  } else {
    on_message(message);
  }
}

template <class List, class Page>
void Session::add_page(List& list, const Page& page, const SessionEvent& complete) {
  if (list.coming() == nullptr) return;
  if (auto next = lists_.add(page)) {
    send(*std::move(next));
  } else {
    emit(complete);
  }
}

void Session::on_message(const v1::ServerMessage& message) {
  const std::optional<v1::ClientMessage> asked = pending_.take(message.request_id());
  if (message.has_redirect()) return on_redirect(message.redirect(), asked);
  redirect_answered(message.request_id());
  switch (message.event_case()) {
    case v1::ServerMessage::kError:
      return on_error(message.error(), asked);
    case v1::ServerMessage::kRoomList:
      return add_page(lists_.rooms, message.room_list(), RoomsListed{!message.room_list().more()});
    case v1::ServerMessage::kSnapshot:
      return on_snapshot(message.snapshot(), asked);
    case v1::ServerMessage::kUpdate:
      return on_update(message.update());
    case v1::ServerMessage::kLeft:
      return on_left();
    case v1::ServerMessage::kHinted:
      return on_hinted(message.hinted());
    case v1::ServerMessage::kNotice:
      return emit(Noticed{message.notice()});
    case v1::ServerMessage::kGameList:
      return on_game_list(message.game_list());
    case v1::ServerMessage::kGameFound:
      return emit(GameFound{message.game_found().game()});
    case v1::ServerMessage::kLobbyUpdate:
      return on_lobby_update(message.lobby_update());
    case v1::ServerMessage::kPlayerList:
      return add_page(lists_.players, message.player_list(),
                      PlayersListed{!message.player_list().more()});
    case v1::ServerMessage::kMemberList:
      return add_page(lists_.members, message.member_list(), MembersListed{});
    case v1::ServerMessage::kDone:
      if (asked && asked->has_invite()) emit(InvitationSent{sanitized(asked->invite().player())});
      return;
    case v1::ServerMessage::kInvited:
      return on_invited(message.invited());
    case v1::ServerMessage::kWelcome:
    case v1::ServerMessage::kPong:
    case v1::ServerMessage::kRedirect:      // see on_redirect
    case v1::ServerMessage::EVENT_NOT_SET:  // an event that came after this program
      break;
  }
}

void Session::on_error(const v1::Error& error, const std::optional<v1::ClientMessage>& asked) {
  if (is_leaving()) return end(0, {});
  if (error.closing() || error.code() == v1::Error::CODE_SERVER_STOPPING) {
    return on_closing_error(error);
  }
  const bool later =
      error.code() == v1::Error::CODE_RATE_LIMITED || error.code() == v1::Error::CODE_CANNOT_RECORD;
  if (asked && later && must_retry(*asked)) {
    return pending_.repeat(*asked, now_ + retry_delay(error));
  }
  // An error proves that the server is alive, which is all a ping asks, and the client watches the
  // lobby on its own: neither needs to be shown.
  if (asked && (asked->has_ping() || asked->has_watch_lobby())) return;
  if (asked && error.code() == v1::Error::CODE_ALREADY_IN_ROOM && may_leave_for(*asked)) {
    return leave_for(*asked);
  }
  if (asked && asked->has_leave_room()) next_room_.reset();
  if (asked) lists_.give_up(*asked);
  // Only a room can be asked for its snapshot: the server says there is none.
  if (asked && asked->has_get_snapshot()) forget_room();
  if (asked && asked->has_watch_room() && link_ == Link::catching_up && own_.room) {
    emit(WatchingEnded{own_.room->name, error});
    return forget_room();
  }
  emit(Refused{error, asked ? &*asked : nullptr});
  if (asked && enters_room(*asked) && std::exchange(return_.leaves_watched_room, false)) on_left();
  if (error.code() == v1::Error::CODE_STALE_MOVE && error.has_state()) {
    on_snapshot(error.state(), std::nullopt);
  }
}

void Session::on_closing_error(const v1::Error& error) {
  switch (error.code()) {
    case v1::Error::CODE_SERVER_STOPPING:
    case v1::Error::CODE_SILENT:
      return lose({Cause::Kind::closed, {}, error});
    case v1::Error::CODE_REPLACED:
      return end(1, {Cause::Kind::replaced, {}, error});
    default:
      return end(1, {Cause::Kind::closed, {}, error});
  }
}

void Session::on_snapshot(const v1::RoomSnapshot& snapshot,
                          const std::optional<v1::ClientMessage>& asked) {
  RoomRead read = read_snapshot(snapshot);
  if (!read.room) {
    return end_with_nonsense("an invalid room: " + read.fault);
  }
  const bool entered = asked && enters_room(*asked);
  if (entered) {
    own_.password = password_of(*asked);
    next_room_.reset();
  }
  return_.leaves_watched_room = false;
  const bool known = own_.room && own_.room->wire_name == read.room->wire_name &&
                     (!entered || link_ == Link::catching_up);
  const std::deque<ChatLine> chat_before =
      known ? std::move(own_.room->chat) : std::deque<ChatLine>();
  if (known) note_players(*read.room, *own_.room);
  own_.room = std::move(read.room);
  note_second_seat();
  lobby_.muted().leave_out_of(own_.room->chat);
  own_.clocks_from = now_;
  own_.is_resyncing = false;
  return_.has_no_news = return_.has_board_news = false;
  if (is_leaving()) return;
  const std::size_t first_new = lines_known(chat_before, own_.room->chat);
  emit(RoomShown{known, asked && asked->has_move(), first_new});
}

void Session::on_update(const v1::RoomUpdate& update) {
  // What comes before the snapshot that was asked for is in it.
  if (!own_.room || own_.is_resyncing || is_leaving()) return;
  const Mark seat_before = own_.room->my_seat;
  const Phase phase_before = own_.room->phase;
  switch (apply_update(*own_.room, update, me())) {
    case Applied::old:
      return;
    case Applied::gap:
    case Applied::nonsense:
      return resync();
    case Applied::yes:
      break;
  }
  own_.resyncs = 0;
  note_second_seat();
  if (update.has_clocks()) own_.clocks_from = now_;
  const bool catching_up = link_ == Link::catching_up;
  if (catching_up) {
    return_.has_no_news = false;
    if (changes_standing(*own_.room, update, phase_before)) return_.has_board_news = true;
  }
  if (update.has_chat_said() && is_muted(sanitized(update.chat_said().from()))) {
    return lobby_.muted().leave_out_of(own_.room->chat);
  }
  emit(RoomChanged{update, seat_before, phase_before, catching_up});
}

void Session::resync() {
  if (++own_.resyncs > max_resyncs) {
    return end_with_nonsense("inconsistent updates");
  }
  own_.is_resyncing = true;
  v1::ClientMessage message;
  message.mutable_get_snapshot();
  send(std::move(message));
}

void Session::on_left() {
  if (is_leaving()) return end(0, {});
  if (!own_.room) return;
  const std::string name = own_.room->name;
  forget_room();
  emit(RoomLeft{name});
}

void Session::forget_room() {
  own_.forget();
  lists_.members.clear();
}

void Session::on_hinted(const v1::Hinted& hinted) {
  own_.note_hint(hinted);
  const HintedCell& hint = *own_.last_hint;
  // The position may have changed since the hint was asked for.
  emit(HintGiven{hint.cell, hint.mark, own_.hint() != nullptr, hint.cannot_lose});
}

// Lists -------------------------------------------------------------------------------------------

void Session::on_game_list(const v1::GameList& page) {
  lists_.games.add(page);
  emit(GamesListed{page});
}

// People and the lobby ----------------------------------------------------------------------------

void Session::on_invited(const v1::Invited& invited) {
  const std::string from = sanitized(invited.from());
  if (is_muted(from)) return;
  lobby_.invited_by(from);
  emit(InvitationCame{from, read_room_info(invited.room())});
}

bool Session::mute(const std::string& player) {
  if (!lobby_.mute(player)) return false;
  if (own_.room) lobby_.muted().leave_out_of(own_.room->chat);
  return true;
}

// Follows the lobby while the player is in no room.
void Session::follow_lobby() {
  const bool can_ask = link_ == Link::up && !is_leaving() && !ending_;
  if (!options_.follow_lobby || !can_ask || lobby_.is_followed() == !own_.room) return;
  lobby_.set_followed(!own_.room);
  v1::ClientMessage message;
  message.mutable_watch_lobby()->set_stop(own_.room.has_value());
  send(std::move(message));
}

void Session::on_lobby_update(const v1::LobbyUpdate& update) {
  if (update.stopped()) return;
  const Lobby::News news = lobby_.apply(update);
  if (news.rooms) lists_.rooms.set_whole(lobby_.rooms());
  if (news.rooms || news.players) emit(LobbyChanged{});
  if (is_leaving()) return;
  for (const ChatLine& line : news.said) emit(LobbySaid{line});
}

}  // namespace tictactoe::client
