// The levels 1 to 8: how well a person of that strength sees and calculates.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "common/ai/player.hpp"

namespace tictactoe::ai {

/// All shares are per mille.
struct Skill {
  /// Moves that are calculated, as the level strong does; the others are chosen at a glance.
  int calculated = 0;
  /// Plies that a calculation may take. Not a time: a slow machine plays as well as a fast one.
  std::uint64_t nodes = 0;
  /// Overlooked at a glance: wins in one and their blocks, and likewise open threes and fours. Own
  /// ones are overlooked half as often.
  int overlooked_wins = 0;
  int overlooked_threats = 0;
  /// How far the judgement of a cell may be off.
  int blur = 0;
};

/// Plays near existing marks: a glance takes the cell that looks best for both sides together
/// in the patterns around it (pattern_board.hpp). It overlooks a threat now and then, but never
/// plays at random. For k over 8 a glance is that of the suggester.
///
/// Each glance depends on the seed and the moves alone, so that a player that has taken plies back
/// sees what a new one sees. A graded level never claims that it can't lose. A glance costs about
/// 0.1 ms on 15 x 15.
std::unique_ptr<Player> make_graded_player(const Skill& skill, const rules::Game& so_far,
                                           std::uint64_t seed);

/// Like max_choice_memory() in player.hpp.
std::size_t graded_choice_memory(const Skill& skill, const rules::Rules& rules);

/// The skills of the levels 1 to 8. docs/engine.md says how they were measured.
extern const std::array<Skill, 8> skills;

}  // namespace tictactoe::ai
