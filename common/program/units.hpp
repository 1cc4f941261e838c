// Values of options with units.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>

namespace tictactoe::program {

/// For CLI::Option::transform(): converts a time such as 90, 90s, 5m, 1h30m or 7d into a number of
/// `unit`, which a bare number has already. Refuses values that are not a whole number of `unit`,
/// or not within [min, max].
CLI::Validator time_in(std::chrono::milliseconds unit, std::int64_t min, std::int64_t max);

/// Like time_in(), for an amount of memory in MiB: 512, 512M, 2G or 2GiB.
CLI::Validator memory_in_mib(std::int64_t min, std::int64_t max);

}  // namespace tictactoe::program
