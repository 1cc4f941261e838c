// Names to try when a name is taken.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

namespace tictactoe::server {

/// The name to try at this attempt, counted from 1: `base`, then base-2 to base-9, then base with a
/// random number below a million. `base` is shortened, but not within an emoji, so that the result
/// has at most `length` code points. Requires a `length` of at least 8.
std::string similar_name(std::string_view base, std::size_t length, int attempt,
                         std::mt19937_64& random);

}  // namespace tictactoe::server
