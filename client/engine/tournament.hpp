// What the results of a tournament are worth.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace tictactoe::engine {

/// Results of pairs of games with the same opening and colours swapped, by the points of one side:
/// 0, 1/2, 1, 3/2 and 2 of two games.
struct PairResults {
  std::array<int, 5> pairs{};

  void add(int half_points) { ++pairs[static_cast<std::size_t>(half_points)]; }
  int count() const;
  /// Points of all games.
  double points() const;
  PairResults reversed() const;
};

/// A difference of Elo and its 95 % interval.
struct Elo {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// By the logistic curve from the mean result of a pair, and the interval from the variance of the
/// pairs ("pentanomial"): games of a pair share their opening, so that their results depend on each
/// other and the variance of single games would be too large. See Michel Van den Bergh, "Normalized
/// Elo Practical Guide", https://www.cantate.be/Fishtest/normalized_elo_practical.pdf, and
/// https://www.chessprogramming.org/Match_Statistics. So that all or nothing has an interval too,
/// a quarter of a lost and of a won pair are added. Requires at least one pair.
Elo elo(const PairResults& results);

/// `+120 (+80 to +165)`.
std::string text(const Elo& elo);

}  // namespace tictactoe::engine
