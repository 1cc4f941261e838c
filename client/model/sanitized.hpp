// Text from the wire, made fit for a screen.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tictactoe::client {

/// Longest name of a person, a room or an AI level that is shown, in code points, whatever a server
/// says its limit is.
inline constexpr std::size_t max_shown_name = 64;
/// The same of sentences: chat and the reasons that a server gives.
inline constexpr std::size_t max_shown_sentence = 1000;

/// `raw` with nothing in it that acts on a terminal, and cut (with "...") to at most `most` code
/// points. Everything that a server sent passes through here, once, when it is taken in.
std::string sanitized(std::string_view raw, std::size_t most = max_shown_name);

}  // namespace tictactoe::client
