#include "server/records/rows.hpp"

#include <algorithm>
#include <utility>

namespace tictactoe::records {

namespace {

template <typename Message>
std::optional<Message> decode(std::string_view bytes) {
  Message message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  return message;
}

}  // namespace

std::uint32_t sum_of(const journal::v1::Player& player, std::uint64_t stream) {
  return Sum()
      .add(player.id())
      .add(player.name())
      .add(player.token_hash())
      .add(player.last_request_done())
      .add(std::uint64_t{player.played()})
      .add(stream)
      .value();
}

std::uint32_t sum_of_records(std::uint64_t stream, std::uint64_t sequence, std::uint64_t unix_ms,
                             std::string_view records) {
  return Sum().add(stream).add(sequence).add(unix_ms).add(records).value();
}

std::uint32_t sum_of_stream(std::uint64_t stream, std::uint64_t epoch, std::uint64_t sequence,
                            std::uint64_t last_revision) {
  return Sum().add(stream).add(epoch).add(sequence).add(last_revision).value();
}

std::uint32_t sum_of(const journal::v1::Move& move) {
  return Sum()
      .add(move.room())
      .add(std::uint64_t{move.ply()} << 32 | move.cell())
      .add(std::uint64_t{move.spent_ms()} << 32 | move.time_left_ms())
      .value();
}

std::uint32_t sum_of(std::uint64_t first, std::uint64_t second, std::string_view bytes) {
  return Sum().add(first).add(second).add(bytes).value();
}

std::uint32_t sum_of_head(std::string_view head,
                          const std::optional<journal::v1::Readers>& readers) {
  Sum sum;
  sum.add(head);
  if (readers) sum.add(readers->x()).add(readers->o());
  return sum.value();
}

std::optional<journal::v1::Room> decode_room(std::uint64_t serial, std::string_view bytes) {
  auto room = decode<journal::v1::Room>(bytes);
  return room && room->serial() == serial ? std::move(room) : std::nullopt;
}

std::optional<journal::v1::Chat> decode_chat(std::uint64_t room, std::string_view bytes) {
  auto line = decode<journal::v1::Chat>(bytes);
  return line && line->room() == room ? std::move(line) : std::nullopt;
}

std::optional<v1::GameRecord> decode_game(std::uint64_t id, std::string_view bytes) {
  auto game = decode<v1::GameRecord>(bytes);
  if (game) game->set_id(id);
  return game;
}

journal::v1::SavedRoom* find_room(journal::v1::Saved& saved, std::uint64_t serial) {
  auto& rooms = *saved.mutable_rooms();
  const auto found = std::ranges::lower_bound(
      rooms, serial, {}, [](const auto& room) { return room.room().serial(); });
  return found != rooms.end() && found->room().serial() == serial ? &*found : nullptr;
}

SplitGame split(v1::GameRecord head) {
  v1::GameRecord moves;
  head.clear_id();  // which is its row's
  moves.mutable_moves()->Swap(head.mutable_moves());
  moves.mutable_move_ms()->Swap(head.mutable_move_ms());
  if (head.outcome().lines_size() > 0) {
    moves.mutable_outcome()->mutable_lines()->Swap(head.mutable_outcome()->mutable_lines());
  }
  return {head.SerializeAsString(), moves.SerializeAsString()};
}

}  // namespace tictactoe::records
