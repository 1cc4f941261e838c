// Converts values of tags to and from text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tictactoe/v1/types.pb.h"

namespace tictactoe::record {

/// Seconds with up to three decimals: 2, 1.250.
std::string seconds_text(std::uint32_t milliseconds);
std::optional<std::uint32_t> parse_seconds(std::string_view text);

/// 2026-05-17T20:15:09.250Z. Empty for a time after the year 9999.
std::string date_text(std::uint64_t unix_ms);
std::optional<std::uint64_t> parse_date(std::string_view text);

/// 15x15x5, or "15x15x5 exact".
std::string rules_text(const v1::Rules& rules);
/// Numbers from 1 to max_side.
std::optional<v1::Rules> parse_rules(std::string_view text);

/// 30/move, or 300+2; empty for no clock.
std::string time_text(const v1::TimeControl& time);
std::optional<v1::TimeControl> parse_time(std::string_view text);

}  // namespace tictactoe::record
