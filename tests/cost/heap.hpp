// Counts what the whole program, its libraries included, takes on the heap.
#pragma once

#include <cstddef>

namespace tictactoe::cost {

/// Calls of operator new in any form, and of aligned_alloc, with which Asio allocates.
std::size_t allocations();

/// Bytes that operator new has given out and that are not given back.
std::size_t held();
/// The most of them since reset_peak_held().
std::size_t peak_held();
/// From what is held now.
void reset_peak_held();

}  // namespace tictactoe::cost
