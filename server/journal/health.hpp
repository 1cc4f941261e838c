// How well records reach the disk.
#pragma once

#include <cstdint>

namespace tictactoe::records {

enum class Health : std::uint8_t {
  good,
  low_space,  // the disk is nearly full
  stalled,    // commits fail, or are slower than records arrive
  fenced,     // another server owns the stream: nothing is recorded any more. Final
  failed,     // see Fault::Kind::sync_failed: nothing is recorded any more. Final
};

}  // namespace tictactoe::records
