// Snapshots of long games, whose moves are encoded apart.
#include "server/core/encoded_moves.hpp"

#include <gtest/gtest.h>

namespace tictactoe::core::encoded_moves_tests {
namespace {

constexpr int cols = 1000;

std::vector<rules::Cell> some_moves(int count) {
  std::vector<rules::Cell> moves;
  for (int i = 0; i < count; ++i) moves.push_back({i % 1000, i / 1000});
  return moves;
}

v1::ServerMessage snapshot() {
  v1::ServerMessage message;
  message.mutable_snapshot()->set_name("den");
  message.mutable_snapshot()->set_takebacks(300);
  return message;
}

v1::ServerMessage with_moves(v1::ServerMessage message, const std::vector<rules::Cell>& moves) {
  auto& target =
      message.has_error() ? *message.mutable_error()->mutable_state() : *message.mutable_snapshot();
  for (const rules::Cell cell : moves) {
    target.add_moves(static_cast<std::uint32_t>(cell.row * cols + cell.col));
  }
  return message;
}

std::string decoded(const Effects& effects, Body body) {
  v1::ServerMessage message;
  EXPECT_TRUE(message.ParseFromString(effects.whole(body)));
  return message.ShortDebugString();
}

void expect_same(const v1::ServerMessage& message, const std::vector<rules::Cell>& moves,
                 const EncodedMoves& encoded) {
  Effects effects;
  const Body body = encode_with_moves(effects, message, encoded);
  // An empty field would be left out.
  EXPECT_EQ(effects.whole(body).size(),
            with_moves(message, moves).ByteSizeLong() + (moves.empty() ? 2 : 0));
  EXPECT_TRUE(decoded(effects, body) == with_moves(message, moves).ShortDebugString());
}

TEST(EncodedMoves, read_as_the_moves_of_a_snapshot) {
  EncodedMoves encoded;
  for (const int count : {0, 1, 127, 5'000, 50'000, 100'000}) {
    const auto moves = some_moves(count);
    encoded.update(moves, cols);
    expect_same(snapshot(), moves, encoded);
  }
}

TEST(EncodedMoves, read_as_the_moves_of_the_state_in_an_error) {
  EncodedMoves encoded;
  const auto moves = some_moves(30'000);
  encoded.update(moves, cols);
  v1::ServerMessage message;
  message.mutable_error()->set_code(v1::Error::CODE_STALE_MOVE);
  message.mutable_error()->set_message("That move is for another position.");
  *message.mutable_error()->mutable_state() = snapshot().snapshot();
  expect_same(message, moves, encoded);
}

TEST(EncodedMoves, can_be_taken_back_through_full_blocks) {
  EncodedMoves encoded;
  auto moves = some_moves(50'000);
  for (const std::size_t left : {49'999u, 49'990u, 30'000u, 21'000u, 1u, 0u}) {
    encoded.update(moves, cols);
    moves.resize(left);
    encoded.truncate(left);
    expect_same(snapshot(), moves, encoded);
  }
}

TEST(EncodedMoves, are_shared_by_snapshots_that_follow_each_other) {
  EncodedMoves encoded;
  auto moves = some_moves(50'000);
  encoded.update(moves, cols);
  const auto before = encoded.blocks();
  moves.push_back({1, 1});
  encoded.update(moves, cols);
  const auto after = encoded.blocks();
  ASSERT_GT(after.size(), 2u);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i + 1 < after.size(); ++i) {
    EXPECT_EQ(before[i].bytes, after[i].bytes);
    EXPECT_TRUE(after[i].is_of_room);
  }
  EXPECT_FALSE(after.back().is_of_room) << "a copy";
}

std::size_t bytes_of_room(const std::vector<SharedBytes>& blocks) {
  std::size_t bytes = 0;
  for (const SharedBytes& block : blocks) bytes += block.is_of_room ? block.bytes->size() : 0;
  return bytes;
}

// Otherwise a takeback and a move at the end of a block would give each outbox memory that nobody
// pays for, again and again.
TEST(EncodedMoves, are_paid_by_outboxes_while_these_keep_blocks_that_were_dropped) {
  EncodedMoves encoded;
  const auto moves = some_moves(50'000);
  encoded.update(moves, cols);
  const std::size_t whole = bytes_of_room(encoded.blocks());
  std::vector<SharedBytes> outbox = encoded.blocks();
  for (const std::size_t left : {0u, 10u}) {
    encoded.truncate(left);
    encoded.update(moves, cols);
    EXPECT_EQ(bytes_of_room(encoded.blocks()), 0u);
    const auto blocks = encoded.blocks();
    outbox.insert(outbox.end(), blocks.begin(), blocks.end());
  }
  EXPECT_LE(bytes_of_room(outbox), whole);
  outbox.clear();
  encoded.truncate(0);
  encoded.update(moves, cols);
  EXPECT_EQ(bytes_of_room(encoded.blocks()), whole);
}

TEST(EncodedMoves, are_paid_by_outboxes_while_these_keep_blocks_of_closed_rooms) {
  const auto moves = some_moves(50'000);
  std::vector<SharedBytes> outbox;
  EncodedMoves next;
  {
    EncodedMoves closed;
    closed.update(moves, cols);
    outbox = closed.blocks();
    next.inherit(closed.drop_all());
  }
  next.update(moves, cols);
  EXPECT_EQ(bytes_of_room(next.blocks()), 0u);
  EXPECT_TRUE(next.drop_all().empty()) << "the table of rooms knows them already";
  next.update(moves, cols);
  outbox.clear();
  next.truncate(0);
  next.update(moves, cols);
  EXPECT_GT(bytes_of_room(next.blocks()), 0u);
}

}  // namespace
}  // namespace tictactoe::core::encoded_moves_tests
