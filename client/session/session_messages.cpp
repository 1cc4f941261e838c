// Messages from the server: state and events.
#include <algorithm>
#include <utility>

#include "client/model/sanitized.hpp"
#include "client/session/requests.hpp"
#include "client/session/session.hpp"

namespace tictactoe::client {
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
  if (count > 0) heartbeat_.received();
  // A large room may come over a slow line.
  if (link_ == Link::catching_up) answer_by_ = now_ + welcome_timeout;
  reader_.commit(count);
  // Messages after the one that ended the connection are ignored.
  while (wants_connection()) {
    const wire::NextFrame next = reader_.next();
    if (next.state == wire::NextFrame::State::need_more) break;
    if (next.state == wire::NextFrame::State::fault) {
      return end_with_nonsense("bytes that are not a frame");
    }
    on_frame(next.body);
    settle_if_caught_up();
    follow_lobby();
  }
}

void Session::on_frame(std::string_view body) {
  v1::ServerMessage message;
  if (!message.ParseFromArray(body.data(), static_cast<int>(body.size()))) {
    return end_with_nonsense("a message that can't be read");
  }
  if (link_ == Link::greeting) {
    on_hello_answer(message);
  } else {
    on_message(message);
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
      return on_room_list(message.room_list());
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
      return on_player_list(message.player_list());
    case v1::ServerMessage::kMemberList:
      return on_member_list(message.member_list());
    case v1::ServerMessage::kDone:
      return on_done(asked);
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
  if (leaving_) return end(0, {});
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
  if (asked) give_up_list(*asked);
  // Only a room can be asked for its snapshot: the server says there is none.
  if (asked && asked->has_get_snapshot()) forget_room();
  if (asked && asked->has_watch_room() && link_ == Link::catching_up && room_) {
    emit(WatchingEnded{room_->name, error});
    return forget_room();
  }
  emit(Refused{error, asked ? &*asked : nullptr});
  if (asked && enters_room(*asked) && std::exchange(leaves_watched_room_, false)) on_left();
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
    return end_with_nonsense("a room that can't be shown: " + read.fault);
  }
  const bool entered = asked && enters_room(*asked);
  if (entered) password_ = password_of(*asked);
  leaves_watched_room_ = false;
  const bool known =
      room_ && room_->wire_name == read.room->wire_name && (!entered || link_ == Link::catching_up);
  const std::deque<ChatLine> chat_before = known ? std::move(room_->chat) : std::deque<ChatLine>();
  if (known) note_players(*read.room, *room_);
  room_ = std::move(read.room);
  note_second_seat();
  leave_out_muted(room_->chat);
  clocks_from_ = now_;
  resyncing_ = false;
  missed_nothing_ = missed_board_ = false;
  if (leaving_) return;
  const std::size_t first_new = lines_known(chat_before, room_->chat);
  emit(RoomShown{known, asked && asked->has_move(), first_new});
}

void Session::on_update(const v1::RoomUpdate& update) {
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
  note_second_seat();
  if (update.has_clocks()) clocks_from_ = now_;
  const bool catching_up = link_ == Link::catching_up;
  if (catching_up) {
    missed_nothing_ = false;
    missed_board_ = missed_board_ || changes_standing(*room_, update, phase_before);
  }
  if (update.has_chat_said() && is_muted(sanitized(update.chat_said().from()))) {
    return leave_out_muted(room_->chat);
  }
  emit(RoomChanged{update, seat_before, phase_before, catching_up});
}

void Session::resync() {
  if (++resyncs_ > max_resyncs) {
    return end_with_nonsense("updates that make no sense");
  }
  resyncing_ = true;
  v1::ClientMessage message;
  message.mutable_get_snapshot();
  send(std::move(message));
}

void Session::on_left() {
  if (leaving_) return end(0, {});
  if (!room_) return;
  const std::string name = room_->name;
  forget_room();
  emit(RoomLeft{name});
}

void Session::forget_room() {
  room_.reset();
  members_.clear();
  hint_.reset();
  resyncing_ = false;
  password_.clear();
}

void Session::on_game_list(const v1::GameList& list) {
  asks_games_ = false;
  if (!games_) games_.emplace();
  bool falling = true;  // else the server leads us in circles
  for (const v1::GameRecord& game : list.games()) {
    falling = falling && (games_->empty() || game.id() < games_->back().id);
    if (falling && games_->size() < max_listed_games) games_->push_back(read_game(game));
  }
  more_games_ =
      list.more() && falling && !list.games().empty() && games_->size() < max_listed_games;
  emit(GamesListed{list});
}

void Session::on_hinted(const v1::Hinted& hinted) {
  const Cell cell{hinted.cell().row(), hinted.cell().col()};
  // The position may have changed since the hint was asked for.
  hint_ = HintedCell{cell,         read_mark(hinted.mark()), hinted.game(),
                     hinted.ply(), hinted.takebacks(),       hinted.cannot_lose()};
  emit(HintGiven{cell, hint_->mark, hint() != nullptr, hinted.cannot_lose()});
}

}  // namespace tictactoe::client
