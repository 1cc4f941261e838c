// Chooses what a client does next.
#include <algorithm>

#include "tests/simulation/client.hpp"

namespace tictactoe::simulation {

using std::chrono::milliseconds;
using std::chrono::seconds;

v1::ClientMessage Client::choose() {
  if (random_.per_mille(10)) {
    v1::ClientMessage message;
    message.mutable_ping();
    return message;
  }
  if (!view_) return choose_in_lobby();
  return view_->seated() ? choose_seated() : choose_watching();
}

std::string Client::some_room() {
  return world_.room_names.empty() ? "nowhere"
                                   : world_.room_names[random_.below(world_.room_names.size())];
}

v1::ClientMessage Client::create_room() {
  static constexpr int sides[][3] = {{3, 3, 3}, {3, 3, 3}, {3, 3, 3}, {4, 4, 3},
                                     {4, 4, 4}, {5, 5, 4}, {3, 6, 3}, {15, 15, 5}};
  v1::ClientMessage message;
  v1::CreateRoom& create = *message.mutable_create_room();
  create.set_name("room " + std::to_string(number_) + "-" + std::to_string(random_.below(3)));
  const auto& [rows, cols, k] = sides[random_.below(std::size(sides))];
  create.mutable_rules()->set_rows(static_cast<std::uint32_t>(rows));
  create.mutable_rules()->set_cols(static_cast<std::uint32_t>(cols));
  create.mutable_rules()->set_k(static_cast<std::uint32_t>(k));
  create.mutable_rules()->set_exact(random_.percent(20));
  if (random_.percent(10)) create.set_password("secret");
  create.set_seat(some_mark());
  v1::RoomOptions& options = *create.mutable_options();
  if (random_.percent(30)) {
    const auto some_time = [&] { return static_cast<std::uint32_t>(random_.between(500, 30'000)); };
    if (random_.percent(50)) {
      options.mutable_time()->set_move_ms(some_time());
    } else {
      options.mutable_time()->set_game_ms(some_time());
      options.mutable_time()->set_increment_ms(static_cast<std::uint32_t>(random_.below(2000)));
    }
  }
  if (random_.percent(15)) {
    options.mutable_from()->set_game(1 + random_.below(games_ + 10));
    options.mutable_from()->set_moves(static_cast<std::uint32_t>(random_.below(8)));
  }
  options.set_unlisted(random_.percent(10));
  options.set_open_ai_seats(random_.percent(30));
  options.set_away(static_cast<v1::AwayPolicy>(random_.below(3)));
  if (random_.percent(70)) {
    options.set_grace_ms(
        static_cast<std::uint32_t>(random_.between(500, random_.percent(50) ? 5'000 : 60'000)));
  }
  constexpr std::size_t known_names = 200;
  if (world_.room_names.size() < known_names) {
    world_.room_names.push_back(create.name());
  } else {
    world_.room_names[random_.below(known_names)] = create.name();
  }
  return message;
}

v1::ClientMessage Client::choose_in_lobby() {
  v1::ClientMessage message;
  switch (random_.below(20)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return create_room();
    case 4:
    case 5:
    case 6:
      message.mutable_watch_room()->set_name(some_room());
      if (random_.percent(20)) message.mutable_watch_room()->set_password("secret");
      break;
    case 7:
    case 8:
    case 9:
    case 10:
      message.mutable_join_room()->set_name(some_room());
      message.mutable_join_room()->set_seat(some_mark());
      if (random_.percent(20)) message.mutable_join_room()->set_password("secret");
      break;
    case 11:
      message.mutable_list_rooms()->set_open_only(random_.percent(50));
      if (random_.percent(50)) message.mutable_list_rooms()->set_after(some_room());
      break;
    case 12:
      if (random_.percent(50)) {
        message.mutable_list_games()->set_before(random_.below(games_ + 2));
        if (random_.percent(50)) message.mutable_list_games()->set_player(name_);
      } else {
        message.mutable_get_game()->set_id(random_.below(games_ + 2));
      }
      break;
    case 13:
      if (random_.percent(50)) return a_move(false);
      if (random_.percent(50)) {
        message.mutable_watch_lobby();
      } else {
        message.mutable_say_in_lobby()->set_text("Who plays, asks " + name_);
      }
      break;
    case 14:
      if (random_.percent(80)) {
        message.mutable_leave_room();
      } else {
        message.mutable_goodbye();
      }
      break;
    default:
      message.mutable_play();
  }
  return message;
}

v1::ClientMessage Client::choose_watching() {
  v1::ClientMessage message;
  switch (random_.below(16)) {
    case 0:
    case 1:
      message.mutable_leave_room();
      break;
    case 2:
    case 3:
    case 4:
      message.mutable_join_room()->set_name(view_->room().name());
      message.mutable_join_room()->set_seat(some_mark());
      break;
    case 5:
    case 6:
      message.mutable_add_ai()->set_seat(some_mark());
      if (random_.percent(50)) message.mutable_add_ai()->set_level("unbeatable");
      break;
    case 7:
      message.mutable_remove_ai()->set_seat(some_mark());
      break;
    case 8:
      message.mutable_hint();
      break;
    case 9:
      message.mutable_rematch();
      break;
    case 10:
      message.mutable_resign();
      break;
    case 11:
    case 12:
      message.mutable_get_snapshot();
      break;
    default:
      message.mutable_chat()->set_text("I see " + std::to_string(view_->room().moves_size()) +
                                       " marks, says " + std::to_string(random_.below(1000)));
  }
  return message;
}

v1::ClientMessage Client::choose_seated() {
  const v1::RoomSnapshot& room = view_->room();
  v1::ClientMessage message;
  // Rarely more than one at a time: the others would be stale.
  const bool patient = !unanswered_.empty() && random_.percent(80);
  if (view_->my_turn() && !patient && random_.percent(85)) return choose_on_turn();
  if (room.phase() == v1::PHASE_FINISHED && !patient && random_.percent(50)) {
    message.mutable_rematch();
    return message;
  }
  if (room.phase() == v1::PHASE_WAITING && random_.percent(7)) {
    message.mutable_add_ai();
    if (random_.percent(30)) message.mutable_add_ai()->set_level("random");
    return message;
  }
  const auto about_this_game = [&](auto& request) {
    if (random_.percent(90)) request.set_game(room.game() - (random_.percent(10) ? 1 : 0));
  };
  switch (random_.below(24)) {
    case 0:
      if (room.phase() == v1::PHASE_PLAYING && random_.percent(70)) return a_move(false);
      message.mutable_leave_room();
      if (random_.percent(70)) break;
      // And creates a room of the same name at once, without waiting for an answer.
      send(message);
      message.mutable_create_room()->set_name(room.name());
      break;
    case 1:
      about_this_game(*message.mutable_resign());
      break;
    case 2:
    case 3:
      about_this_game(*message.mutable_offer_draw());
      break;
    case 4:
    case 5:
    case 6:
      about_this_game(*message.mutable_ask_takeback());
      break;
    case 7:
      message.mutable_decline();
      break;
    case 8:
      message.mutable_add_ai()->set_seat(random_.percent(30) ? room.your_seat() : some_mark());
      break;
    case 9:
      message.mutable_remove_ai();
      break;
    case 10:
      message.mutable_hint();
      break;
    case 11:
    case 12:
      message.mutable_get_snapshot();
      break;
    case 13:
      return a_move(false);
    case 14:
      if (random_.percent(50)) return choose_in_lobby();
      message.mutable_invite()->set_player("client" + std::to_string(random_.below(8)));
      break;
    case 15:
    case 16:
    case 17:
      message.mutable_chat()->set_text(std::string(random_.between(1, 80), 'x') +
                                       std::to_string(random_.below(1000)));
      break;
    case 18:
      if (room.draw_offered_by() != v1::MARK_NONE) {
        message.mutable_offer_draw()->set_game(room.game());
        break;
      }
      [[fallthrough]];
    case 19:
      if (room.takeback_asked_by() != v1::MARK_NONE) {
        message.mutable_ask_takeback()->set_game(room.game());
        break;
      }
      [[fallthrough]];
    default:
      if (view_->my_turn() && !patient) return choose_on_turn();
      message.mutable_ping();
  }
  return message;
}

v1::ClientMessage Client::choose_on_turn() {
  v1::ClientMessage message = a_move(true);
  if (world_.plan.has(Fault::repeats) && random_.per_mille(world_.plan.repeat)) send(message);
  return message;
}

// A move for the known position; `to_the_point`: a legal one.
v1::ClientMessage Client::a_move(bool to_the_point) {
  v1::ClientMessage message;
  v1::Move& move = *message.mutable_move();
  if (!view_ || !to_the_point) {
    move.mutable_cell()->set_row(static_cast<std::uint32_t>(random_.below(4)));
    move.mutable_cell()->set_col(static_cast<std::uint32_t>(random_.below(4)));
    if (view_ && random_.percent(90)) {
      move.set_game(view_->room().game());
      move.set_ply(static_cast<std::uint32_t>(random_.below(5)));
    }
    return message;
  }
  const v1::RoomSnapshot& room = view_->room();
  const std::uint32_t cols = room.rules().cols();
  const std::uint32_t cells = room.rules().rows() * cols;
  std::uint32_t cell = static_cast<std::uint32_t>(random_.below(cells));
  // Near the last mark on a large board, so that games end.
  if (cells > 30 && room.moves_size() > 1 && random_.percent(80)) {
    cell =
        (room.moves(room.moves_size() - 2) + static_cast<std::uint32_t>(random_.below(3))) % cells;
  }
  while (std::ranges::find(room.moves(), cell) != room.moves().end()) cell = (cell + 1) % cells;
  move.mutable_cell()->set_row(cell / cols);
  move.mutable_cell()->set_col(cell % cols);
  move.set_game(room.game());
  move.set_ply(static_cast<std::uint32_t>(room.moves_size()));
  return message;
}

// After the faults: plays the game to its end, then leaves.
std::optional<v1::ClientMessage> Client::choose_to_finish() {
  v1::ClientMessage message;
  if (!view_) {
    message.mutable_goodbye();
    return message;
  }
  if (!view_->seated() || view_->room().phase() == v1::PHASE_FINISHED) {
    message.mutable_leave_room();
    return message;
  }
  if (view_->my_turn()) return a_move(true);
  if (view_->room().phase() == v1::PHASE_WAITING) {
    message.mutable_add_ai();
    return message;
  }
  if (random_.percent(97)) return std::nullopt;  // the other side's turn
  message.mutable_ping();
  return message;
}

void Client::misbehave() {
  std::string bytes;
  switch (random_.below(4)) {
    case 0:  // no frame at all; the rest of the connection is unreadable
      bytes = random_.bytes(random_.between(1, 300));
      world_.network.client_sends(link_, bytes);
      return abandon();
    case 1:  // a frame, but no message
      sent_garbage_ = true;
      wire::append_frame(bytes, random_.bytes(random_.below(60)));
      world_.network.client_sends(link_, bytes);
      return;
    case 2: {  // a truncated message
      wire::append_frame(bytes, choose().SerializeAsString());
      bytes.resize(random_.below(bytes.size()));
      world_.network.client_sends(link_, bytes);
      return abandon();
    }
    default: {  // a request that is invalid in this state
      v1::ClientMessage message;
      if (random_.percent(50)) {
        message.mutable_hello()->add_protocol_versions(1);
      } else {
        message.mutable_chat()->set_text(random_.percent(50) ? "" : std::string(400, 'y'));
      }
      send(std::move(message));
    }
  }
}

}  // namespace tictactoe::simulation
