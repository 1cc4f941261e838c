// Times as people read and write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "client/model/time.hpp"
#include "tictactoe/v1/types.pb.h"

namespace tictactoe::client {

/// Reads "90s", "5m", "1h30m", "2d": whole numbers, each with its unit, the larger units first.
/// Nothing if it is something else, or more milliseconds than 32 bits hold (49 days).
std::optional<std::uint32_t> parse_duration(std::string_view text);

/// For a sentence: "0.5 s", "45 s", "5 min", "1 min 30 s", "3 h", "12 days"; at most two units.
std::string duration_text(milliseconds duration);

/// As a clock shows it: "0:09", "4:32", "1:02:03". Seconds that have begun count as whole ones.
std::string clock_text(milliseconds left);

/// "5 min + 3 s a move", "30 s a move"; empty if there is no clock.
std::string time_control_text(const v1::TimeControl& time);

/// "2026-05-17 20:15" in the time zone of the user; empty for 0 and after the year 9999.
std::string date_text(std::uint64_t unix_ms);

}  // namespace tictactoe::client
