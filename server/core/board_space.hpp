// The memory that the boards of rooms may take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "server/core/config.hpp"
#include "server/core/origin.hpp"
#include "server/core/parse.hpp"

namespace tictactoe::core {

/// At least the bytes that a game by these rules can come to take, with its history.
std::size_t most_board_bytes(const rules::Rules& rules, int max_moves);

/// Counts the memory of large boards: of all, and of those whose rooms somebody from one address or
/// one network has created. Memory is reserved for the whole life of a room, so that no move is
/// ever refused for it. Boards of up to Limits::small_board_bytes are not counted and always
/// possible: the number of rooms limits them. All operations cost O(1).
class BoardSpace {
 public:
  /// `limits` must outlive it.
  explicit BoardSpace(const Limits& limits) : limits_(limits) {}

  /// Why somebody from `creator` can't create a room with such a board; nothing if they can.
  Refused too_little(const rules::Rules& rules, const std::optional<Origin>& creator) const;

  /// There is a room with such a board, also over the limits. `creator`: unknown in rooms of old
  /// journals.
  void hold(const rules::Rules& rules, const std::optional<Origin>& creator);
  /// It was held, with the same values.
  void release(const rules::Rules& rules, const std::optional<Origin>& creator);

 private:
  using Bytes = std::unordered_map<std::uint64_t, std::size_t>;  // none is 0

  /// 0 for a small board.
  std::size_t counted(const rules::Rules& rules) const;

  const Limits& limits_;
  std::size_t all_ = 0;
  Bytes of_address_;
  Bytes of_network_;
};

}  // namespace tictactoe::core
