#include "server/records/rows.hpp"

#include <string>
#include <utility>

namespace tictactoe::records {

namespace {

std::optional<std::string> name_of(const v1::Occupant& seat) {
  if (seat.kind() != v1::Occupant::KIND_PERSON) return std::nullopt;
  return seat.name();
}

}  // namespace

StoredGame stored(v1::GameRecord game, std::uint64_t unix_ms,
                  std::optional<journal::v1::Readers> readers) {
  if (!game.imported()) game.set_ended_unix_ms(unix_ms);
  StoredGame row;
  row.unix_ms = unix_ms;
  row.readers = std::move(readers);
  v1::GameRecord moves;
  moves.mutable_moves()->Swap(game.mutable_moves());
  moves.mutable_move_ms()->Swap(game.mutable_move_ms());
  if (game.outcome().lines_size() > 0) {
    moves.mutable_outcome()->mutable_lines()->Swap(game.mutable_outcome()->mutable_lines());
  }
  row.moves = moves.SerializeAsString();
  game.clear_id();  // which is its row's
  put_head(row, game);
  return row;
}

void put_head(StoredGame& stored, const v1::GameRecord& game) {
  stored.head = game.SerializeAsString();
  stored.x_name = name_of(game.x());
  stored.o_name = name_of(game.o());
}

std::optional<v1::GameRecord> decode_game(std::uint64_t id, std::string_view bytes) {
  std::optional<v1::GameRecord> game(std::in_place);
  if (!game->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  game->set_id(id);
  return game;
}

}  // namespace tictactoe::records
