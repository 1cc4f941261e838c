// Ways to find a win, behind one interface, so that tests and benchmarks can exchange them.
//
//   detector          a move   memory             which games
//   LineCounters      O(1)     4n + 4 counters    square
//   RunLengths        O(1)     8 bytes a cell     all others
//   SparseRunLengths  O(1)     what was played    large boards
//
// Game uses these.
#pragma once

#include <concepts>

#include "common/rules/types.hpp"

namespace tictactoe::rules {

/// Follows the marks of one game. A detector does not check its arguments: cells are on the board,
/// `place` gets an empty one, `take_back` the latest one that is still placed. It is built from
/// valid rules that it `supports`.
template <class D>
concept Detector = std::copyable<D> && std::constructible_from<D, const Rules&> &&
                   requires(D detector, const Rules& rules, Cell cell, Mark mark) {
                     /// Whether it can decide games of these rules.
                     { D::supports(rules) } -> std::same_as<bool>;
                     /// Places a mark. Returns whether it completes a winning line.
                     { detector.place(cell, mark) } -> std::same_as<bool>;
                     { detector.take_back(cell, mark) } -> std::same_as<void>;
                   };

}  // namespace tictactoe::rules
