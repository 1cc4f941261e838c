// Checks the answers to a client's requests.
#include <algorithm>

#include "tests/simulation/client.hpp"

namespace tictactoe::simulation {

using std::chrono::milliseconds;

void Client::answered(const Request& request, const v1::ServerMessage& message) {
  if (request.message.has_move()) check_move_answer(request.message.move(), message);
  if (message.has_error()) return refused(request, message.error());
  using Case = v1::ClientMessage::RequestCase;
  using Event = v1::ServerMessage::EventCase;
  const Event event = message.event_case();
  const auto fits = [&] {
    switch (request.message.request_case()) {
      case Case::kHello:
        return event == Event::kWelcome;
      case Case::kPing:
        return event == Event::kPong;
      case Case::kListRooms:
        return event == Event::kRoomList;
      case Case::kCreateRoom:
        return event == Event::kSnapshot &&
               static_cast<std::uint32_t>(message.snapshot().moves_size()) ==
                   request.message.create_room().options().from().moves();
      case Case::kJoinRoom:
      case Case::kWatchRoom:
      case Case::kPlay:
      case Case::kGetSnapshot:
        return event == Event::kSnapshot;
      case Case::kLeaveRoom:
      case Case::kGoodbye:
        return event == Event::kLeft;
      case Case::kListGames:
        return event == Event::kGameList;
      case Case::kGetGame:
        return event == Event::kGameFound;
      case Case::kHint:
        return event == Event::kHinted;
      case Case::kInvite:
      case Case::kSayInLobby:
        return event == Event::kDone;
      case Case::kWatchLobby:
        return event == Event::kLobbyUpdate;
      case Case::kMove:
        return event == Event::kUpdate || event == Event::kSnapshot;
      default:
        return event == Event::kUpdate;
    }
  };
  require(fits(), Checker::protocol, [&] {
    return "an answer of the wrong kind: " + message.ShortDebugString() + " to " +
           request.message.ShortDebugString();
  });
  if (message.has_game_list() && message.game_list().games_size() > 0) {
    games_ = message.game_list().games(0).id();
  }
  if (request.message.has_goodbye()) {
    token_.clear();
    done_ = done_ || world_.finishing;
  }
}

void Client::refused(const Request& request, const v1::Error& error) {
  require(error.code() != v1::Error::CODE_UNSPECIFIED, Checker::protocol, "refused without a code");
  check_fairness(error);
  if (error.retry_after_ms() > 0) {
    wait_until_ = std::max(wait_until_, world_.agenda.now() + milliseconds(error.retry_after_ms()));
    // Nothing was done, so it can be sent again.
    if (request.message.has_move() && request.message.move().has_ply()) {
      to_send_again_.push_back(request.message.move());
    }
  }
  if (error.code() == v1::Error::CODE_NOT_IN_ROOM) {
    require(
        unanswered_.size() > 0 || !view_, Checker::history,
        [&] {
          return "the client is not in the room that it has not left: " +
                 request.message.ShortDebugString();
        },
        view_ ? view_->incarnation() : 0);
  }
}

// Honest clients stay far below every limit.
void Client::check_fairness(const v1::Error& error) {
  if (world_.plan.hostiles == 0) return;
  using Error = v1::Error;
  switch (error.code()) {
    case Error::CODE_SERVER_FULL:
    case Error::CODE_FLOODING:
    case Error::CODE_TOO_MANY_CONNECTIONS:
    case Error::CODE_RATE_LIMITED:
    case Error::CODE_TOO_MANY_ROOMS:
    case Error::CODE_SILENT:
      throw Violation(Checker::fairness, name_ + " was refused: " + error.message());
    default:
      return;
  }
}

// A move that names its position is played there, was played there before, or is stale.
void Client::check_move_answer(const v1::Move& move, const v1::ServerMessage& message) {
  if (!move.has_game() || !move.has_ply() || !view_) return;
  const v1::RoomSnapshot& room = view_->room();
  const std::uint32_t cell = move.cell().row() * room.rules().cols() + move.cell().col();
  const auto incarnation = view_->incarnation();
  const bool is_there = room.game() == move.game() &&
                        move.ply() < static_cast<std::uint32_t>(room.moves_size()) &&
                        room.moves(static_cast<int>(move.ply())) == cell;
  if (message.has_update() || message.has_snapshot()) {
    require(is_there, Checker::permanence, "a move was granted and is not there", incarnation);
  }
  if (message.has_update()) {
    require(message.update().has_move_played() &&
                message.update().move_played().ply() == move.ply() + 1,
            Checker::answers, "a different move was played", incarnation);
  }
  if (message.has_error() && message.error().code() == v1::Error::CODE_STALE_MOVE) {
    require(message.error().has_state(), Checker::protocol, "stale, but no state", incarnation);
    require(
        room.game() != move.game() || move.ply() != static_cast<std::uint32_t>(room.moves_size()),
        Checker::answers, "a move for the current position was called stale", incarnation);
  }
}

}  // namespace tictactoe::simulation
