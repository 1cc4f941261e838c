// From messages to domain values. What has come through here is valid: past this edge a name is
// text of a legal length and rules can be played.
#pragma once

#include <boost/system/result.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "common/ai/player.hpp"
#include "common/rules/types.hpp"
#include "server/core/config.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::core {

/// Why a request is refused: a reason for programs and a sentence for people that says what to do.
struct Problem {
  v1::Error::Code code = v1::Error::CODE_UNSPECIFIED;
  std::string message;
  std::chrono::milliseconds retry_after{0};
};

template <class T>
using Parsed = boost::system::result<T, Problem>;

/// A name without the blanks at its ends, which people do not see and do not mean.
std::string_view trimmed(std::string_view name);
/// A name of a person or a room: blanks at its ends removed, 1 to Limits::name_length code points,
/// UTF-8, no control characters. `what` says in the sentence what it names ("player", "room").
Parsed<std::string> parse_name(std::string_view name, std::string_view what, const Limits& limits);
/// Empty for none.
Parsed<std::string> parse_password(std::string_view password, const Limits& limits);
Parsed<std::string> parse_chat(std::string_view text, const Limits& limits);
/// The 3 x 3 game where `create` names no rules.
Parsed<rules::Rules> parse_rules(const v1::CreateRoom& create, const Limits& limits);
/// An empty name is the default level.
Parsed<ai::Level> parse_ai_level(std::string_view name);
/// The first is the default.
inline constexpr ai::Level ai_levels[] = {ai::Level::suggester, ai::Level::random,
                                          ai::Level::unbeatable};
/// `none` for MARK_NONE and for values that this version does not know.
rules::Mark parse_mark(v1::Mark mark);

}  // namespace tictactoe::core
