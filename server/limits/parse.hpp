// Turns messages into domain values. The results are valid: a name is text of a legal length, and
// rules can be played.
#pragma once

#include <boost/system/result.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "common/rules/types.hpp"
#include "server/limits/config.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::server {

/// Why a request is refused: a code for programs, and a sentence for people that says what to do.
struct Problem {
  v1::Error::Code code = v1::Error::CODE_UNSPECIFIED;
  std::string message;
  std::chrono::milliseconds retry_after{0};
};

inline Problem problem(v1::Error::Code code, std::string message) {
  return {code, std::move(message), {}};
}

/// Why a request is refused; nothing if it was done. A refused request changes nothing and sends
/// nothing.
using Refused = std::optional<Problem>;

template <class T>
using Parsed = boost::system::result<T, Problem>;

/// A name of a person or a room, normalized: 1 to Limits::name_length code points that the rules of
/// name_rules.hpp allow. `what` says in the sentence what it names ("room", "server").
Parsed<std::string> parse_name(std::string_view name, std::string_view what, const Limits& limits);
/// The same of a player, whose name must not look like a role either.
Parsed<std::string> parse_player_name(std::string_view name, const Limits& limits);
/// A name in a journal: UTF-8, 1 to Limits::name_length code points, no control characters. It need
/// not follow the other rules, which change with ICU's version of Unicode.
Parsed<std::string> parse_saved_name(std::string_view name, std::string_view what,
                                     const Limits& limits);
/// Empty for none.
Parsed<std::string> parse_password(std::string_view password, const Limits& limits);
Parsed<std::string> parse_chat(std::string_view text, const Limits& limits);
Parsed<rules::Rules> parse_rules(const v1::Rules& rules, const Limits& limits);
/// Time that the sides have; all zero for no clock.
struct TimeControl {
  std::chrono::milliseconds move{0};       ///< for each move, alone
  std::chrono::milliseconds game{0};       ///< for all moves of a side
  std::chrono::milliseconds increment{0};  ///< what each of them adds
  bool none() const { return move.count() == 0 && game.count() == 0; }
};

/// See v1::GamePosition.
struct GamePosition {
  std::uint64_t game = 0;
  std::uint32_t moves = 0;
};

/// What a room is like beside its rules.
struct RoomOptions {
  TimeControl time;
  v1::AwayPolicy away = v1::AWAY_FORFEIT;
  std::chrono::milliseconds grace{0};
  bool unlisted = false;
  bool open_ai_seats = false;
  bool hints = false;  ///< between two people, too
  /// Where its first game begins; nothing: with an empty board.
  std::optional<GamePosition> from = {};  // NOLINT(readability-redundant-member-init)
};

Parsed<RoomOptions> parse_options(const v1::RoomOptions& options, const Limits& limits);
/// `none` for MARK_NONE and for values that this version does not know.
rules::Mark parse_mark(v1::Mark mark);

}  // namespace tictactoe::server
