// Values of options: numbers, times and amounts.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace tictactoe::program {

/// Parses a whole decimal number without a sign: 020 is twenty. Nothing if it is none, or too
/// large.
std::optional<std::uint64_t> parse_number(std::string_view text);

/// For CLI::Option::transform(): refuses what is not a whole decimal number within [min, max].
/// Every number of an option needs this or decimal_in(), because CLI11 reads 020 as sixteen, and
/// 0x14 and 1'000 as well.
CLI::Validator number_in(std::uint64_t min, std::uint64_t max);
/// Any whole decimal number.
inline CLI::Validator any_number() {
  return number_in(0, std::numeric_limits<std::uint64_t>::max());
}
/// Like number_in(), for a number that may have decimals, such as 0.5.
CLI::Validator decimal_in(double min, double max);

/// For CLI::Option::transform(): converts a time such as 90, 90s, 5m, 1h30m or 7d into a number of
/// `unit`, which a bare number has already. Refuses values that are not a whole number of `unit`,
/// or not within [min, max].
CLI::Validator time_in(std::chrono::milliseconds unit, std::int64_t min, std::int64_t max);

/// Like time_in(), for an amount of memory in MiB: 512, 512M, 2G or 2GiB.
CLI::Validator memory_in_mib(std::int64_t min, std::int64_t max);

}  // namespace tictactoe::program
