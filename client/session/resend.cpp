#include "client/session/resend.hpp"

#include "client/model/sanitized.hpp"

namespace tictactoe::client {
namespace {

using Request = v1::ClientMessage::RequestCase;

Cell cell_of(const v1::Move& move) {
  return {move.cell().row(), move.cell().col()};
}

bool is_own_move(const v1::MovePlayed& played, const v1::Move& asked, const Room& room) {
  return read_mark(played.mark()) == room.my_seat && room.game == asked.game() &&
         played.ply() == asked.ply() + 1 &&
         Cell{played.cell().row(), played.cell().col()} == cell_of(asked);
}

bool is_mine(const Room& room, v1::Mark mark) {
  return room.my_seat != Mark::none && read_mark(mark) == room.my_seat;
}

bool ended_by(const v1::RoomUpdate& update, v1::Outcome::Reason reason) {
  return update.has_game_ended() && update.game_ended().outcome().reason() == reason;
}

Fate done_if(bool seen) {
  return seen ? Fate::done : Fate::not_done;
}

Fate fate_of_move(const v1::Move& asked, const Room& room) {
  if (room.my_seat == Mark::none || asked.game() != room.game) return Fate::obsolete;
  const std::uint32_t count = room.board.count();
  if (asked.ply() == count && room.phase != Phase::finished) return Fate::not_done;
  if (asked.ply() >= count) return Fate::obsolete;
  return room.board.move(asked.ply()) == cell_of(asked) ? Fate::done : Fate::obsolete;
}

bool has_ai(const Room& room, v1::Mark seat) {
  const auto is_ai = [&](Mark mark) { return room.occupant(mark).kind == Occupant::Kind::ai; };
  if (seat == v1::MARK_NONE) return is_ai(Mark::x) || is_ai(Mark::o);
  return is_ai(read_mark(seat));
}

// An offer or a question; `stands` is the side that has made it.
Fate fate_of_wish(std::uint32_t game, const Room& room, Mark stands, bool by_snapshot) {
  if (room.my_seat == Mark::none || game != room.game || room.phase != Phase::playing) {
    return Fate::obsolete;
  }
  if (stands == room.my_seat) return Fate::done;
  return by_snapshot ? Fate::unknown : Fate::not_done;
}

Fate fate_in_room(const v1::ClientMessage& asked, const Room& room, bool by_snapshot) {
  const bool seated = room.my_seat != Mark::none;
  switch (asked.request_case()) {
    case Request::kMove:
      return fate_of_move(asked.move(), room);
    case Request::kResign:
      if (!seated || asked.resign().game() != room.game) return Fate::obsolete;
      return done_if(room.phase == Phase::finished);
    case Request::kOfferDraw:
      return fate_of_wish(asked.offer_draw().game(), room, room.draw_offered_by, by_snapshot);
    case Request::kAskTakeback:
      return fate_of_wish(asked.ask_takeback().game(), room, room.takeback_asked_by, by_snapshot);
    case Request::kDecline:
      if (!seated || asked.decline().game() != room.game) return Fate::obsolete;
      return done_if(room.draw_offered_by == Mark::none && room.takeback_asked_by == Mark::none);
    case Request::kRematch:
      return done_if(room.i_want_rematch() || room.phase != Phase::finished);
    case Request::kAddAi:
      return done_if(has_ai(room, asked.add_ai().seat()));
    case Request::kRemoveAi:
      return done_if(!has_ai(room, asked.remove_ai().seat()));
    case Request::kChat:
      return by_snapshot ? Fate::unknown : Fate::not_done;
    case Request::kJoinRoom:
      return done_if(seated);
    case Request::kCreateRoom:
    case Request::kWatchRoom:
    case Request::kPlay:
      return Fate::done;
    default:
      return Fate::not_done;
  }
}

}  // namespace

bool is_result_of(const v1::RoomUpdate& update, const v1::ClientMessage& asked, const Room& room,
                  const std::string& me) {
  switch (asked.request_case()) {
    case Request::kMove:
      return update.has_move_played() && is_own_move(update.move_played(), asked.move(), room);
    case Request::kChat:
      return update.has_chat_said() && said_by(read_chat(update.chat_said()), asked, me);
    case Request::kOfferDraw:
      return (update.has_draw_offered() && is_mine(room, update.draw_offered().by())) ||
             ended_by(update, v1::Outcome::REASON_AGREED);
    case Request::kAskTakeback:
      return (update.has_takeback_asked() && is_mine(room, update.takeback_asked().by())) ||
             update.has_taken_back();
    case Request::kDecline:
      return update.has_declined() && is_mine(room, update.declined().by());
    case Request::kResign:
      return ended_by(update, v1::Outcome::REASON_RESIGNED);
    case Request::kRematch:
      return update.has_rematch_wanted() && is_mine(room, update.rematch_wanted().seat());
    default:
      return false;
  }
}

bool said_by(const ChatLine& line, const v1::ClientMessage& asked, const std::string& me) {
  return asked.has_chat() && line.from == me &&
         line.text == sanitized(asked.chat().text(), max_shown_sentence);
}

Fate fate_of(const v1::ClientMessage& asked, const Room* room, bool by_snapshot) {
  switch (asked.request_case()) {
    case Request::kHello:
    case Request::kPing:
    case Request::kGetSnapshot:
    case Request::kWatchLobby:
      return Fate::obsolete;  // the new connection has replaced them
    case Request::kSayInLobby:
    case Request::kInvite:
      return Fate::unknown;
    case Request::kLeaveRoom:
      return room == nullptr ? Fate::done : Fate::not_done;
    case Request::kListRooms:
    case Request::kListPlayers:
    case Request::kListGames:
    case Request::kGetGame:
      return Fate::not_done;
    case Request::kCreateRoom:
    case Request::kJoinRoom:
    case Request::kWatchRoom:
    case Request::kPlay:
      if (room == nullptr) return Fate::not_done;
      break;
    default:
      if (room == nullptr) return Fate::obsolete;
      break;
  }
  return fate_in_room(asked, *room, by_snapshot);
}

}  // namespace tictactoe::client
