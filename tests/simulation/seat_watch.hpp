// Follows the seats of all rooms through the records.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "tests/simulation/violation.hpp"
#include "tictactoe/journal/v1/journal.pb.h"

namespace tictactoe::simulation {

/// Checks that a seat never goes from one person to another without being free in between.
class SeatWatch {
 public:
  void recorded(const journal::v1::Room& room) {
    const std::array<std::uint64_t, 2> now{room.x().player(), room.o().player()};
    const auto [known, is_new] = rooms_.emplace(room.serial(), now);
    if (is_new) return;
    for (const std::size_t seat : {0U, 1U}) {
      const std::uint64_t before = known->second[seat];
      require(before == 0 || now[seat] == 0 || before == now[seat], Checker::history, [&] {
        return "two players have one seat: " + std::to_string(now[seat]) + " got that of " +
               std::to_string(before) + " in \"" + room.name() + "\"";
      });
    }
    known->second = now;
  }
  void closed(std::uint64_t serial) { rooms_.erase(serial); }
  /// Some of the last records may be lost.
  void died() { rooms_.clear(); }

 private:
  std::unordered_map<std::uint64_t, std::array<std::uint64_t, 2>> rooms_;  // players by serial
};

}  // namespace tictactoe::simulation
