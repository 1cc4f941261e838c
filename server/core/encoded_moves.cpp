#include "server/core/encoded_moves.hpp"

#include <cstdint>
#include <memory>
#include <utility>

#include "common/wire/frame.hpp"

namespace tictactoe::core {

namespace {

constexpr std::uint32_t length_delimited = 2;

// The beginning of a field whose value has `size` bytes.
std::string begin_field(int number, std::size_t size) {
  std::string begin;
  wire::append_varint(begin, static_cast<std::uint32_t>(number) << 3 | length_delimited);
  wire::append_varint(begin, size);
  return begin;
}

// A message field that begins with `head` and goes on with `rest` more bytes.
std::string nest(int number, const std::string& head, std::size_t rest) {
  return begin_field(number, head.size() + rest) + head;
}

}  // namespace

void EncodedMoves::update(std::span<const rules::Cell> moves, int cols) {
  for (; plies_ < moves.size(); ++plies_) {
    const rules::Cell cell = moves[plies_];
    wire::append_varint(last_, static_cast<std::uint32_t>(cell.row * cols + cell.col));
    if (last_.size() >= block_bytes) seal();
  }
}

void EncodedMoves::seal() {
  remove_expired(dropped_);
  remove_expired(inherited_);
  full_bytes_ += last_.size();
  full_.push_back({std::make_shared<const std::string>(std::exchange(last_, {})),
                   /*is_of_room=*/dropped_.empty() && inherited_.empty()});
}

void EncodedMoves::drop_full() {
  const SharedBytes& block = full_.back();
  full_bytes_ -= block.bytes->size();
  if (block.is_of_room) dropped_.push_back(block.bytes);
  full_.pop_back();
}

DroppedBlocks EncodedMoves::drop_all() {
  truncate(0);
  remove_expired(dropped_);
  return std::exchange(dropped_, {});
}

void EncodedMoves::truncate(std::size_t plies) {
  if (plies == 0) {
    while (!full_.empty()) drop_full();
    last_.clear();
    plies_ = 0;
  }
  for (; plies_ > plies; --plies_) drop_last();
}

// The last byte of a varint is the only one below 0x80.
void EncodedMoves::drop_last() {
  if (last_.empty()) {
    last_ = *full_.back().bytes;
    drop_full();
  }
  do {
    last_.pop_back();
  } while (!last_.empty() && (static_cast<unsigned char>(last_.back()) & 0x80) != 0);
}

std::vector<SharedBytes> EncodedMoves::blocks() const {
  std::vector<SharedBytes> all = full_;
  all.push_back({std::make_shared<const std::string>(last_), false});
  return all;
}

void remove_expired(DroppedBlocks& blocks) {
  std::erase_if(blocks, [](const auto& block) { return block.expired(); });
}

Body encode_with_moves(Effects& effects, const v1::ServerMessage& message,
                       const EncodedMoves& moves) {
  const bool is_error = message.has_error();
  const v1::RoomSnapshot& snapshot = is_error ? message.error().state() : message.snapshot();
  std::string head =
      snapshot.SerializeAsString() + begin_field(v1::RoomSnapshot::kMovesFieldNumber, moves.size());
  if (is_error) {
    v1::Error error = message.error();
    error.clear_state();
    head = nest(v1::Error::kStateFieldNumber, head, moves.size());
    head = error.SerializeAsString() + head;
  }
  const int field =
      is_error ? v1::ServerMessage::kErrorFieldNumber : v1::ServerMessage::kSnapshotFieldNumber;
  return effects.share(nest(field, head, moves.size()), moves.blocks());
}

}  // namespace tictactoe::core
