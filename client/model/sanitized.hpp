// Text from the wire, made fit for a screen.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tictactoe::client {

/// Longest name of a person, a room or an AI level that is shown, in code points, whatever a server
/// says its limit is.
inline constexpr std::size_t max_shown_name = 64;
/// Likewise for sentences: chat and a server's reasons.
inline constexpr std::size_t max_shown_sentence = 1000;

/// `raw` without anything that acts on a terminal, cut (with "...") to at most `most` code points.
/// Everything a server sends passes through here once, on arrival.
std::string sanitized(std::string_view raw, std::size_t most = max_shown_name);

}  // namespace tictactoe::client
