#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "client/engine/tournament.hpp"

namespace tictactoe::engine {

namespace {

double logistic(double score) {
  constexpr double least = 1e-4;
  score = std::clamp(score, least, 1 - least);
  return 400 * std::log10(score / (1 - score));
}

}  // namespace

int PairResults::count() const {
  return std::accumulate(pairs.begin(), pairs.end(), 0);
}

double PairResults::points() const {
  double points = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) points += pairs[i] * static_cast<double>(i) / 2;
  return points;
}

PairResults PairResults::reversed() const {
  PairResults other = *this;
  std::ranges::reverse(other.pairs);
  return other;
}

Elo elo(const PairResults& results) {
  std::array<double, 5> weights{};
  std::ranges::copy(results.pairs, weights.begin());
  constexpr double prior = 0.25;
  weights.front() += prior;
  weights.back() += prior;
  const double pairs = std::accumulate(weights.begin(), weights.end(), 0.0);
  double mean = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) mean += weights[i] * static_cast<double>(i) / 4;
  mean /= pairs;
  double variance = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double distance = static_cast<double>(i) / 4 - mean;
    variance += weights[i] * distance * distance;
  }
  variance /= pairs;
  constexpr double sigmas = 1.96;
  const double error = sigmas * std::sqrt(variance / pairs);
  return {logistic(mean), logistic(mean - error), logistic(mean + error)};
}

std::string text(const Elo& elo) {
  std::ostringstream out;
  out << std::showpos << std::lround(elo.value) << " (" << std::lround(elo.low) << " to "
      << std::lround(elo.high) << ")";
  return out.str();
}

}  // namespace tictactoe::engine
