// Chooses what a client does next.
#include <algorithm>

#include "tests/simulation/client.hpp"

namespace tictactoe::simulation {

using Request = v1::ClientMessage;

namespace {

/// Each of some possibilities takes a number of faces.
class Die {
 public:
  Die(Random& random, std::uint64_t faces) : left_(random.below(faces)) {}
  bool shows(std::uint64_t faces) {
    const bool is_it = left_ < faces;
    left_ -= std::min(left_, faces);
    return is_it;
  }

 private:
  std::uint64_t left_;
};

}  // namespace

Request Client::choose() {
  if (random_.per_mille(10)) {
    Request message;
    message.mutable_ping();
    return message;
  }
  if (!view_) return choose_in_lobby();
  return view_->seated() ? choose_seated() : choose_watching();
}

Request Client::create_room() {
  static constexpr std::uint32_t sides[][3] = {{3, 3, 3}, {3, 3, 3}, {3, 3, 3}, {4, 4, 3},
                                               {4, 4, 4}, {5, 5, 4}, {3, 6, 3}, {15, 15, 5}};
  Request message;
  v1::CreateRoom& create = *message.mutable_create_room();
  create.set_name("room " + std::to_string(number_) + "-" + std::to_string(random_.below(3)));
  const auto& [rows, cols, k] = sides[random_.below(std::size(sides))];
  create.mutable_rules()->set_rows(rows);
  create.mutable_rules()->set_cols(cols);
  create.mutable_rules()->set_k(k);
  create.mutable_rules()->set_exact(random_.percent(20));
  if (random_.percent(10)) create.set_password("secret");
  create.set_seat(some_mark());
  v1::RoomOptions& options = *create.mutable_options();
  const auto some = [&](std::uint64_t min, std::uint64_t max) {
    return static_cast<std::uint32_t>(random_.between(min, max));
  };
  if (random_.percent(30)) {
    if (random_.percent(50)) {
      options.mutable_time()->set_move_ms(some(500, 30'000));
    } else {
      options.mutable_time()->set_game_ms(some(500, 30'000));
      options.mutable_time()->set_increment_ms(some(0, 2'000));
    }
  }
  if (random_.percent(15)) {
    options.mutable_from()->set_game(1 + random_.below(games_ + 10));
    options.mutable_from()->set_moves(some(0, 7));
  }
  options.set_unlisted(random_.percent(10));
  options.set_open_ai_seats(random_.percent(30));
  options.set_away(static_cast<v1::AwayPolicy>(random_.below(3)));
  if (random_.percent(70)) options.set_grace_ms(some(500, random_.percent(50) ? 5'000 : 60'000));
  constexpr std::size_t known_names = 200;
  if (world_.room_names.size() < known_names) {
    world_.room_names.push_back(create.name());
  } else {
    world_.room_names[random_.below(known_names)] = create.name();
  }
  return message;
}

Request Client::choose_in_lobby() {
  Request message;
  Die die(random_, 20);
  if (die.shows(4)) return create_room();
  if (die.shows(3)) {
    message.mutable_watch_room()->set_name(world_.some_room(random_));
    if (random_.percent(20)) message.mutable_watch_room()->set_password("secret");
  } else if (die.shows(4)) {
    message.mutable_join_room()->set_name(world_.some_room(random_));
    message.mutable_join_room()->set_seat(some_mark());
    if (random_.percent(20)) message.mutable_join_room()->set_password("secret");
  } else if (die.shows(1)) {
    message.mutable_list_rooms()->set_open_only(random_.percent(50));
    if (random_.percent(50)) message.mutable_list_rooms()->set_after(world_.some_room(random_));
  } else if (die.shows(1)) {
    if (random_.percent(50)) {
      message.mutable_list_games()->set_before(random_.below(games_ + 2));
      if (random_.percent(50)) message.mutable_list_games()->set_player(name_);
    } else {
      message.mutable_get_game()->set_id(random_.below(games_ + 2));
    }
  } else if (die.shows(1)) {
    if (random_.percent(50)) return a_move(false);
    if (random_.percent(50)) {
      message.mutable_watch_lobby();
    } else {
      message.mutable_say_in_lobby()->set_text("Who plays, asks " + name_);
    }
  } else if (die.shows(1)) {
    random_.percent(80) ? static_cast<void>(message.mutable_leave_room())
                        : static_cast<void>(message.mutable_goodbye());
  } else {
    message.mutable_play();
  }
  return message;
}

Request Client::choose_watching() {
  Request message;
  Die die(random_, 17);
  if (die.shows(2)) {
    message.mutable_leave_room();
  } else if (die.shows(3)) {
    message.mutable_join_room()->set_name(view_->room().name());
    message.mutable_join_room()->set_seat(some_mark());
  } else if (die.shows(2)) {
    message.mutable_add_ai()->set_seat(some_mark());
    if (random_.percent(50)) message.mutable_add_ai()->set_level("strong");
  } else if (die.shows(1)) {
    message.mutable_remove_ai()->set_seat(some_mark());
  } else if (die.shows(1)) {
    message.mutable_hint();
  } else if (die.shows(1)) {
    message.mutable_rematch();
  } else if (die.shows(1)) {
    message.mutable_resign();
  } else if (die.shows(1)) {
    return choose_in_lobby();
  } else if (die.shows(2)) {
    message.mutable_get_snapshot();
  } else {
    return chat();
  }
  return message;
}

Request Client::choose_seated() {
  const v1::RoomSnapshot& room = view_->room();
  Request message;
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
  Die die(random_, 24);
  if (die.shows(1)) {
    if (room.phase() == v1::PHASE_PLAYING && random_.percent(70)) return a_move(false);
    message.mutable_leave_room();
    if (random_.percent(70)) return message;
    // And creates a room of the same name at once, without waiting for an answer.
    send(message);
    message.mutable_create_room()->set_name(room.name());
  } else if (die.shows(1)) {
    about_this_game(*message.mutable_resign());
  } else if (die.shows(2)) {
    about_this_game(*message.mutable_offer_draw());
  } else if (die.shows(3)) {
    about_this_game(*message.mutable_ask_takeback());
  } else if (die.shows(1)) {
    message.mutable_decline();
  } else if (die.shows(1)) {
    message.mutable_add_ai()->set_seat(random_.percent(30) ? room.your_seat() : some_mark());
  } else if (die.shows(1)) {
    message.mutable_remove_ai();
  } else if (die.shows(1)) {
    message.mutable_hint();
  } else if (die.shows(2)) {
    message.mutable_get_snapshot();
  } else if (die.shows(1)) {
    return a_move(false);
  } else if (die.shows(1)) {
    if (random_.percent(70)) return choose_in_lobby();
    message.mutable_invite()->set_player("client" + std::to_string(random_.below(8)));
  } else if (die.shows(3)) {
    return chat();
  } else if (room.draw_offered_by() != v1::MARK_NONE && die.shows(1)) {
    message.mutable_offer_draw()->set_game(room.game());
  } else if (room.takeback_asked_by() != v1::MARK_NONE && die.shows(2)) {
    message.mutable_ask_takeback()->set_game(room.game());
  } else if (view_->my_turn() && !patient) {
    return choose_on_turn();
  } else {
    message.mutable_ping();
  }
  return message;
}

Request Client::choose_on_turn() {
  Request message = a_move(true);
  if (world_.plan.happens(Fault::repeats, random_)) send(message);
  return message;
}

// Each line has another text: see World::said.
Request Client::chat() {
  Request message;
  message.mutable_chat()->set_text("line " + std::to_string(++lines_) + " of " +
                                   std::to_string(number_) + " " +
                                   std::string(random_.between(1, 80), 'x'));
  return message;
}

// A move for the known position; `to_the_point`: a legal one.
Request Client::a_move(bool to_the_point) {
  Request message;
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
  auto cell = static_cast<std::uint32_t>(random_.below(cells));
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
std::optional<Request> Client::choose_to_finish() {
  Request message;
  if (!view_) {
    message.mutable_goodbye();
  } else if (!view_->seated() || view_->room().phase() == v1::PHASE_FINISHED) {
    message.mutable_leave_room();
  } else if (view_->my_turn()) {
    return a_move(true);
  } else if (view_->room().phase() == v1::PHASE_WAITING) {
    message.mutable_add_ai();
  } else if (random_.percent(97)) {
    return std::nullopt;  // the other side's turn
  } else {
    message.mutable_ping();
  }
  return message;
}

void Client::misbehave() {
  is_garbled_ = true;
  std::string bytes;
  Die die(random_, 4);
  if (die.shows(1)) {  // no frame at all; the rest of the connection is unreadable
    world_.network.client_sends(link_, random_.bytes(random_.between(1, 300)));
    abandon();
  } else if (die.shows(1)) {  // a frame, but no message
    sent_garbage_ = true;
    wire::append_frame(bytes, random_.bytes(random_.below(60)));
    world_.network.client_sends(link_, bytes);
  } else if (die.shows(1)) {  // a truncated message
    wire::append_frame(bytes, choose().SerializeAsString());
    bytes.resize(random_.below(bytes.size()));
    world_.network.client_sends(link_, bytes);
    abandon();
  } else {  // a request that is invalid in this state
    Request message;
    if (random_.percent(50)) {
      message.mutable_hello()->add_protocol_versions(1);
    } else {
      message.mutable_chat()->set_text(random_.percent(50) ? "" : std::string(400, 'y'));
    }
    send(std::move(message));
  }
}

}  // namespace tictactoe::simulation
