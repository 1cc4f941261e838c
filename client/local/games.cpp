#include "client/local/games.hpp"

#include <algorithm>
#include <chrono>
#include <ranges>
#include <utility>

#include "server/game/start_position.hpp"

namespace tictactoe::local {

void Games::add(v1::GameRecord game) {
  using std::chrono::milliseconds;
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  game.set_id(++last_id_);
  game.set_ended_unix_ms(
      static_cast<std::uint64_t>(std::chrono::duration_cast<milliseconds>(since_1970).count()));
  moves_ += game.moves_size();
  games_.push_back(std::move(game));
  while (games_.size() > 1 && (games_.size() > max_games || moves_ > max_moves)) {
    moves_ -= games_.front().moves_size();
    games_.pop_front();
  }
}

v1::ServerMessage Games::answer(const v1::ClientMessage& question, std::size_t max_listed) const {
  v1::ServerMessage message;
  if (question.has_list_games()) {
    *message.mutable_game_list() = list(question.list_games(), max_listed);
    return message;
  }
  const auto found =
      std::ranges::find(games_, server::game_asked_for(question), &v1::GameRecord::id);
  if (found == games_.end()) {
    message.mutable_error()->set_code(v1::Error::CODE_GAME_NOT_FOUND);
    message.mutable_error()->set_message("There is no such game. `history` lists your games.");
    return message;
  }
  *message.mutable_game_found()->mutable_game() = *found;
  return message;
}

v1::GameList Games::list(const v1::ListGames& request, std::size_t max_listed) const {
  v1::GameList list;
  for (const v1::GameRecord& game : std::views::reverse(games_)) {
    const bool wanted = request.player().empty() || game.x().name() == request.player() ||
                        game.o().name() == request.player();
    if (!wanted || (request.before() != 0 && game.id() >= request.before())) continue;
    if (list.games_size() == static_cast<int>(max_listed)) {
      list.set_more(true);
      break;
    }
    v1::GameRecord& listed = *list.add_games();
    listed = game;
    listed.clear_moves();
    listed.clear_move_ms();
    listed.mutable_outcome()->clear_lines();
  }
  return list;
}

}  // namespace tictactoe::local
