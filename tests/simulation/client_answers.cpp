// Checks the answers to a client's requests.
#include <algorithm>

#include "tests/simulation/client.hpp"

namespace tictactoe::simulation {

using std::chrono::milliseconds;

namespace {

// Whether doing it counts in last_request_done, for ever.
bool counts(const v1::ClientMessage& request, const v1::ServerMessage& answer) {
  switch (request.request_case()) {
    case v1::ClientMessage::kMove:
    case v1::ClientMessage::kChat:
    case v1::ClientMessage::kResign:
      return answer.has_update();
    case v1::ClientMessage::kCreateRoom:
      return answer.has_snapshot();
    case v1::ClientMessage::kJoinRoom:
    case v1::ClientMessage::kPlay:
      return answer.has_snapshot() && answer.snapshot().your_seat() != v1::MARK_NONE;
    default:
      return false;
  }
}

// Whether nothing that others do can be the reason.
bool is_lasting(v1::Error::Code code) {
  using Error = v1::Error;
  return code == Error::CODE_INVALID_NAME || code == Error::CODE_INVALID_TEXT ||
         code == Error::CODE_INVALID_RULES || code == Error::CODE_INVALID_OPTIONS ||
         code == Error::CODE_GAME_NOT_FOUND || code == Error::CODE_NO_RECORDS;
}

// Whether it is answered from the records, or after some thought.
bool is_answered_later(const v1::ClientMessage& request) {
  return request.has_list_games() || request.has_get_game() || request.has_hint();
}

}  // namespace

std::optional<v1::ClientMessage> Client::take_answered(const v1::ServerMessage& message,
                                                       Incarnation room) {
  const auto found = unanswered_.find(message.request_id());
  if (found == unanswered_.end() && sent_garbage_) return std::nullopt;  // it was a request
  require(
      found != unanswered_.end(), Checker::answers,
      [&] {
        return "an answer without a request, or a second answer: " + message.ShortDebugString();
      },
      room);
  const auto passed_over = std::find_if_not(
      unanswered_.begin(), found, [](const auto& each) { return is_answered_later(each.second); });
  require(
      passed_over == found || is_answered_later(found->second), Checker::answers,
      [&] { return "a request was skipped: " + passed_over->second.ShortDebugString(); }, room);
  std::optional<Request> request = std::move(found->second);
  unanswered_.erase(found);
  const auto code = message.has_error() ? static_cast<std::uint64_t>(message.error().code()) : 0;
  ++world_.answers[static_cast<std::uint64_t>(request->request_case()) * 1000 + code];
  return request;
}

void Client::answered(std::uint64_t id, const Request& request, const v1::ServerMessage& message) {
  if (request.has_move()) check_move_answer(request.move(), message);
  if (message.has_error()) {
    const auto code = message.error().code();
    require(!judged_.contains(id) || !is_lasting(code), Checker::answers,
            [&] { return "called in order, and refused now: " + message.ShortDebugString(); });
    return refused(request, message.error());
  }
  if (counts(request, message)) acknowledged_ = std::max(acknowledged_, id);
  using Case = v1::ClientMessage::RequestCase;
  using Event = v1::ServerMessage::EventCase;
  const Event event = message.event_case();
  const auto fits = [&] {
    switch (request.request_case()) {
      case Case::kHello:
        return event == Event::kWelcome;
      case Case::kPing:
        return event == Event::kPong;
      case Case::kListRooms:
        return event == Event::kRoomList;
      case Case::kCreateRoom:
        return event == Event::kSnapshot &&
               static_cast<std::uint32_t>(message.snapshot().moves_size()) ==
                   request.create_room().options().from().moves();
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
           request.ShortDebugString();
  });
  if (message.has_game_list() && message.game_list().games_size() > 0) {
    games_ = message.game_list().games(0).id();
  }
  if (request.has_chat() && view_) {
    require(message.update().chat_said().text() == request.chat().text(), Checker::answers,
            "something else was said", room());
    acknowledged_chat_ = {room(), request.chat().text()};
  }
  if (request.has_goodbye()) {
    world_.names.erase(name_);
    token_.clear();
    done_ = world_.finishing;
  }
}

void Client::refused(const Request& request, const v1::Error& error) {
  require(error.code() != v1::Error::CODE_UNSPECIFIED, Checker::protocol, "refused without a code");
  check_fairness(error);
  if (request.has_goodbye()) says_goodbye_ = false;
  if (error.retry_after_ms() > 0) {
    wait_until_ = std::max(wait_until_, world_.agenda.now() + milliseconds(error.retry_after_ms()));
    // Some try another server.
    if (world_.plan.is_shared() && request.has_hello() && random_.percent(50)) abandon();
  }
  const bool is_in_another =
      error.code() == v1::Error::CODE_ALREADY_IN_ROOM && !request.has_invite();
  if (is_in_another && !world_.finishing && !says_goodbye_ && random_.percent(50)) {
    move_to(request);
  }
  require(
      error.code() != v1::Error::CODE_NOT_IN_ROOM || !view_ || !unanswered_.empty(),
      Checker::history,
      [&] {
        return name_ + " is not in the room that it has not left: " + request.ShortDebugString();
      },
      room());
}

// Nothing else is wrong with the request: leaves the room for the other one.
void Client::move_to(const Request& request) {
  Request leave;
  leave.mutable_leave_room();
  send(std::move(leave));
  send(request);
  judged_.insert(next_request_);
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
