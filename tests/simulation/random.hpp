// All chance of a simulation: one stream of numbers a seed, the same on every machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tictactoe::simulation {

/// Time since the simulation began. Nothing in it ever waits for a real clock.
using Time = std::chrono::microseconds;

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). The
/// standard library's distributions may differ from one to the next; these do not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// 0 to `bound` - 1; 0 if `bound` is 0.
  std::uint64_t below(std::uint64_t bound) { return bound == 0 ? 0 : next() % bound; }
  std::uint64_t between(std::uint64_t min, std::uint64_t max) { return min + below(max - min + 1); }
  bool per_mille(std::uint64_t chance) { return below(1000) < chance; }
  bool percent(std::uint64_t chance) { return below(100) < chance; }
  Time between(Time min, Time max) {
    return min + Time(below(static_cast<std::uint64_t>((max - min).count()) + 1));
  }
  /// Short waits often, long ones seldom, up to eight times the mean.
  Time around(Time mean) {
    const Time once = between(Time(1), 2 * mean);
    return percent(90) ? once : once * 4;
  }
  std::string bytes(std::size_t count) {
    std::string all(count, '\0');
    for (char& byte : all) byte = static_cast<char>(next());
    return all;
  }

 private:
  std::uint64_t state_;
};

/// What everything that happened adds up to: equal for two runs with the same seed.
class Digest {
 public:
  void add(std::uint64_t value) {
    sum_ = (sum_ ^ value) * 0x9fb21c651e98df25;
    sum_ ^= sum_ >> 32;
  }
  void add(std::string_view bytes);
  std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_ = 0x243f6a8885a308d3;
};

}  // namespace tictactoe::simulation
