#include "client/local/sitting.hpp"

#include <boost/asio/post.hpp>
#include <chrono>
#include <memory>
#include <ranges>
#include <utility>

namespace tictactoe::local {

Sitting::Sitting(boost::asio::io_context& context, const core::Limits& limits,
                 std::function<void(std::uint64_t)> on_durable)
    : context_(context),
      limits_(limits),
      on_durable_(std::make_shared<std::function<void(std::uint64_t)>>(std::move(on_durable))) {}

std::uint64_t Sitting::append(std::span<const std::string_view> records) {
  for (const std::string_view bytes : records) {
    journal::v1::Record record;
    if (record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) &&
        record.has_game_finished()) {
      keep(std::move(*record.mutable_game_finished()));
    }
  }
  ++last_record_;
  boost::asio::post(context_, [alive = std::weak_ptr(on_durable_), record = last_record_] {
    if (const auto on_durable = alive.lock()) (*on_durable)(record);
  });
  return last_record_;
}

void Sitting::keep(v1::GameRecord game) {
  using std::chrono::milliseconds;
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  game.set_id(++last_game_);
  game.set_ended_unix_ms(
      static_cast<std::uint64_t>(std::chrono::duration_cast<milliseconds>(since_1970).count()));
  moves_ += game.moves_size();
  games_.push_back(std::move(game));
  while (games_.size() > 1 && (games_.size() > most_games || moves_ > most_moves)) {
    moves_ -= games_.front().moves_size();
    games_.pop_front();
  }
}

v1::GameList Sitting::list(const v1::ListGames& request) const {
  v1::GameList list;
  for (const v1::GameRecord& game : std::views::reverse(games_)) {
    const bool wanted = request.player().empty() || game.x().name() == request.player() ||
                        game.o().name() == request.player();
    if (!wanted || (request.before() != 0 && game.id() >= request.before())) continue;
    if (list.games_size() == static_cast<int>(limits_.games_per_list)) {
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

void Sitting::look_up(const core::LookUp& question,
                      std::function<void(core::LookUpAnswer)> answer) {
  v1::ServerMessage message;
  if (question.request.has_list_games()) {
    *message.mutable_game_list() = list(question.request.list_games());
  } else {
    for (const v1::GameRecord& game : games_) {
      if (game.id() != question.request.get_game().id()) continue;
      *message.mutable_game_found()->mutable_game() = game;
    }
    if (!message.has_game_found()) {
      message.mutable_error()->set_code(v1::Error::CODE_GAME_NOT_FOUND);
      message.mutable_error()->set_message(
          "There is no such game in this sitting. `history` lists those that there are.");
    }
  }
  boost::asio::post(
      context_, [alive = std::weak_ptr(on_durable_), answer = std::move(answer),
                 encoded = core::encode_answer(std::move(message), limits_.server_frame_bytes)] {
        if (!alive.expired()) answer(encoded);
      });
}

}  // namespace tictactoe::local
