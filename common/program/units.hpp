// Values of options with units.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>

namespace tictactoe::program {

/// For CLI::Option::transform(): takes a time such as 90, 90s, 5m, 1h30m or 7d, and makes it a
/// number of `unit`, which is also that of a number alone. Refuses what is no whole number of them
/// or outside of [min, max].
CLI::Validator time_in(std::chrono::milliseconds unit, std::int64_t min, std::int64_t max);

/// The same for an amount of memory in MiB: 512, 512M, 2G, 2GiB.
CLI::Validator memory_in_mib(std::int64_t min, std::int64_t max);

}  // namespace tictactoe::program
