// Requests out of a fuzzer's bytes: of every kind, and mostly such as make sense.
#pragma once

#include <array>
#include <string>

#include "tests/fuzz/input.hpp"
#include "tictactoe/v1/client.pb.h"

namespace tictactoe::fuzz {

inline void some_room(v1::CreateRoom& create, Input& input) {
  create.set_name(std::string(1, static_cast<char>('a' + input.below(4))));
  create.mutable_rules()->set_rows(2 + input.below(5));
  create.mutable_rules()->set_cols(2 + input.below(5));
  create.mutable_rules()->set_k(2 + input.below(4));
  create.mutable_rules()->set_exact(input.below(2) == 1);
  create.set_seat(static_cast<v1::Mark>(input.below(4)));
  if (input.below(8) == 7) create.set_password("pw");
  v1::RoomOptions& options = *create.mutable_options();
  const unsigned kind = input.below(8);
  options.set_unlisted(kind == 7);
  options.set_open_ai_seats(kind == 1 || kind == 2);
  if (kind == 3) {
    options.mutable_from()->set_game(1 + input.below(4));
    options.mutable_from()->set_moves(input.below(8));
  }
  options.set_away(static_cast<v1::AwayPolicy>(input.below(4)));
  if (input.below(4) > 0) options.set_grace_ms(input.word());
  const unsigned time = input.below(8);
  if (time == 1 || time == 3) options.mutable_time()->set_move_ms(input.word());
  if (time == 2 || time == 3) options.mutable_time()->set_game_ms(input.word());
  if (time == 2) options.mutable_time()->set_increment_ms(input.word());
}

/// `game` and `ply` of a request that may name them.
template <class Request>
void some_game(Request& request, Input& input) {
  if (input.below(2) == 1) request.set_game(input.below(4));
}

inline v1::ClientMessage some_request(Input& input) {
  v1::ClientMessage message;
  const auto name = [&] { return std::string(1, static_cast<char>('a' + input.below(4))); };
  const auto mark = [&] { return static_cast<v1::Mark>(input.below(4)); };
  switch (input.below(32)) {
    case 0:
      message.mutable_ping();
      break;
    case 1:
      message.mutable_list_rooms()->set_open_only(input.below(2) == 1);
      break;
    case 2:
    case 3:
      some_room(*message.mutable_create_room(), input);
      break;
    case 4:
    case 5:
      message.mutable_join_room()->set_name(name());
      message.mutable_join_room()->set_seat(mark());
      if (input.below(4) == 3) message.mutable_join_room()->set_password("pw");
      break;
    case 6:
      message.mutable_watch_room()->set_name(name());
      break;
    case 7:
      message.mutable_play();
      break;
    case 8:
      message.mutable_leave_room();
      break;
    case 9:
      message.mutable_get_snapshot();
      break;
    case 10:
      message.mutable_list_games()->set_before(input.byte());
      break;
    case 11:
      message.mutable_get_game()->set_id(input.byte());
      break;
    case 12:
      message.mutable_goodbye();
      break;
    case 13:
      message.mutable_rematch();
      break;
    case 14:
      message.mutable_add_ai()->set_seat(mark());
      message.mutable_add_ai()->set_level(
          std::array{"", "3", "perfect"}[static_cast<std::size_t>(input.below(3))]);
      break;
    case 15:
      message.mutable_remove_ai()->set_seat(mark());
      break;
    case 16:
      message.mutable_chat()->set_text(std::string(input.below(64), 'a'));
      break;
    case 17:
      message.mutable_hint();
      break;
    case 18:
      some_game(*message.mutable_resign(), input);
      break;
    case 19:
      some_game(*message.mutable_offer_draw(), input);
      break;
    case 20:
    case 21:
      some_game(*message.mutable_ask_takeback(), input);
      break;
    case 22:
      message.mutable_decline();
      break;
    case 24:
      message.mutable_invite()->set_player(input.below(4) == 0 ? "nobody" : "somebody");
      break;
    case 25:
      message.mutable_say_in_lobby()->set_text(std::string(input.below(16), 'a'));
      break;
    case 26:
      message.mutable_watch_lobby()->set_stop(input.below(4) == 0);
      message.mutable_watch_lobby()->set_boards(input.below(2) == 0);
      break;
    case 23:
      message.mutable_hello()->add_protocol_versions(1);
      break;
    default: {
      v1::Move& move = *message.mutable_move();
      move.mutable_cell()->set_row(input.below(4));
      move.mutable_cell()->set_col(input.below(4));
      some_game(move, input);
      if (input.below(4) == 3) move.set_ply(input.below(10));
    }
  }
  return message;
}

}  // namespace tictactoe::fuzz
