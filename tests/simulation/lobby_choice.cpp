// Chooses what a client of several servers does next, and judges what they see together.
#include <algorithm>

#include "tests/simulation/lobby_client.hpp"

namespace tictactoe::simulation {

using Request = v1::ClientMessage;

std::string key_of_game(const std::string& room, const std::vector<std::uint32_t>& moves) {
  std::string key = room;
  for (const std::uint32_t move : moves) key += " " + std::to_string(move);
  return key;
}

void LobbyWorld::observe(const View& view, bool ending) {
  history.observe(view, ending);
  const v1::RoomSnapshot& room = view.room();
  const Incarnation serial = view.incarnation();
  trace.note(serial, [&] { return room.ShortDebugString(); });
  if (room.has_outcome()) {
    ended.emplace(std::pair(serial, room.game()),
                  key_of_game(room.name(), {room.moves().begin(), room.moves().end()}));
  }
}

void LobbyWorld::hear(const std::string& text, Said said_at) {
  require(
      !not_said.contains(text), Checker::answers,
      [&] { return "said, and counts as not done: " + text; }, said_at.room);
  const auto [known, is_new] = said.emplace(text, said_at);
  if (is_new) return;
  if (known->second.revision == 0) known->second.revision = said_at.revision;
  require(
      known->second.room == said_at.room &&
          (said_at.revision == 0 || known->second.revision == said_at.revision),
      Checker::answers, [&] { return "said twice: " + text; }, said_at.room);
}

Request LobbyClient::choose() {
  if (random_.per_mille(20)) {
    Request message;
    message.mutable_ping();
    return message;
  }
  return view_ ? choose_in_room() : choose_in_lobby();
}

Request LobbyClient::choose_in_lobby() {
  Request message;
  const auto some_room = [&]() -> std::string {
    return world_.room_names.empty() ? "nowhere"
                                     : world_.room_names[random_.below(world_.room_names.size())];
  };
  switch (random_.below(20)) {
    case 0:
    case 1:
    case 2: {
      v1::CreateRoom& create = *message.mutable_create_room();
      create.set_name("room " + std::to_string(number_) + "-" + std::to_string(random_.below(3)));
      create.mutable_rules()->set_rows(random_.percent(70) ? 3 : 4);
      create.mutable_rules()->set_cols(random_.percent(70) ? 3 : 5);
      create.mutable_rules()->set_k(3);
      create.mutable_options()->set_away(v1::AWAY_HOLD);
      create.mutable_options()->set_unlisted(random_.percent(10));
      constexpr std::size_t known_names = 40;
      if (world_.room_names.size() < known_names) {
        world_.room_names.push_back(create.name());
      } else {
        world_.room_names[random_.below(known_names)] = create.name();
      }
      break;
    }
    case 3:
    case 4:
      message.mutable_watch_room()->set_name(some_room());
      break;
    case 5:
    case 6:
    case 7:
    case 8:
      message.mutable_join_room()->set_name(some_room());
      break;
    case 9:
      message.mutable_list_rooms();
      break;
    case 10:
      message.mutable_list_games();
      break;
    default:
      message.mutable_play();
  }
  return message;
}

Request LobbyClient::choose_in_room() {
  const v1::RoomSnapshot& room = view_->room();
  Request message;
  const bool patient = !unanswered_.empty() && random_.percent(80);
  if (!view_->seated()) {
    switch (random_.below(8)) {
      case 0:
        message.mutable_leave_room();
        return message;
      case 1:
        message.mutable_join_room()->set_name(room.name());
        return message;
      case 2:
        message.mutable_get_snapshot();
        return message;
      default:
        return chat();
    }
  }
  if (view_->my_turn() && !patient && random_.percent(85)) return a_move();
  if (room.phase() == v1::PHASE_FINISHED && !patient && random_.percent(60)) {
    message.mutable_rematch();
    return message;
  }
  switch (random_.below(30)) {
    case 0:
      message.mutable_leave_room();
      break;
    case 1:
      message.mutable_resign()->set_game(room.game());
      break;
    case 2:
      message.mutable_get_snapshot();
      break;
    case 3:
      if (room.phase() != v1::PHASE_WAITING) return chat();
      message.mutable_add_ai()->set_level("random");
      break;
    case 4:
    case 5:
      if (room.phase() == v1::PHASE_PLAYING) return chat();
      message.mutable_leave_room();
      break;
    case 6:
      return choose_in_lobby();
    case 7:
    case 8:
    case 9:
    case 10:
      message.mutable_ping();
      break;
    default:
      return view_->my_turn() && !patient ? a_move() : chat();
  }
  return message;
}

Request LobbyClient::chat() {
  Request message;
  message.mutable_chat()->set_text("line " + std::to_string(++lines_) + " of " +
                                   std::to_string(number_));
  return message;
}

// A legal one for the known position.
Request LobbyClient::a_move() {
  const v1::RoomSnapshot& room = view_->room();
  const std::uint32_t cols = room.rules().cols();
  const std::uint32_t cells = room.rules().rows() * cols;
  auto cell = static_cast<std::uint32_t>(random_.below(cells));
  while (std::ranges::find(room.moves(), cell) != room.moves().end()) cell = (cell + 1) % cells;
  Request message;
  v1::Move& move = *message.mutable_move();
  move.mutable_cell()->set_row(cell / cols);
  move.mutable_cell()->set_col(cell % cols);
  move.set_game(room.game());
  move.set_ply(static_cast<std::uint32_t>(room.moves_size()));
  return message;
}

}  // namespace tictactoe::simulation
