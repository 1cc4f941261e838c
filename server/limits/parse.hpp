// Parses messages into valid domain values: a name has a legal length, and rules can be played.
#pragma once

#include <boost/system/result.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "common/rules/types.hpp"
#include "server/limits/config.hpp"
#include "server/limits/errors.hpp"
#include "tictactoe/v1/client.pb.h"

namespace tictactoe::server {

template <class T>
using Parsed = boost::system::result<T, Problem>;

/// A normalized name of a person or a room: 1 to Limits::name_length code points that
/// name_rules.hpp allows. `what` is what the name is of ("room", "server"), for the sentence.
Parsed<std::string> parse_name(std::string_view name, std::string_view what, const Limits& limits);
/// Like parse_name(), for a player: the name must not look like a role either.
Parsed<std::string> parse_player_name(std::string_view name, const Limits& limits);
/// A name in a journal: UTF-8, 1 to Limits::name_length code points, no control characters. The
/// other rules don't apply, because they change with ICU's version of Unicode.
Parsed<std::string> parse_saved_name(std::string_view name, std::string_view what,
                                     const Limits& limits);
/// Empty for none.
Parsed<std::string> parse_password(std::string_view password, const Limits& limits);
Parsed<std::string> parse_chat(std::string_view text, const Limits& limits);
Parsed<rules::Rules> parse_rules(const v1::Rules& rules, const Limits& limits);
/// The time of each side; all zero for no clock.
struct TimeControl {
  std::chrono::milliseconds move{0};       ///< for each move
  std::chrono::milliseconds game{0};       ///< for all moves of a side
  std::chrono::milliseconds increment{0};  ///< added by each move
  bool none() const { return move.count() == 0 && game.count() == 0; }
};

/// See v1::GamePosition.
struct GamePosition {
  std::uint64_t game = 0;
  std::uint32_t moves = 0;
};

/// The options of a room besides its rules.
struct RoomOptions {
  TimeControl time;
  v1::AwayPolicy away = v1::AWAY_FORFEIT;
  std::chrono::milliseconds grace{0};
  bool unlisted = false;
  bool open_ai_seats = false;
  bool hints = false;  ///< also between two people
  /// Where its first game begins; nothing for an empty board.
  std::optional<GamePosition> from = {};  // NOLINT(readability-redundant-member-init)
};

Parsed<RoomOptions> parse_options(const v1::RoomOptions& options, const Limits& limits);
/// `none` for MARK_NONE and for values that this version does not know.
rules::Mark parse_mark(v1::Mark mark);

}  // namespace tictactoe::server
