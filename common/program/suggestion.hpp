// Suggestions for mistyped words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tictactoe::program {

/// The known word most similar to `word`. Empty if no word is similar: at most a third of its
/// letters may be wrong, missing, superfluous, or swapped with their neighbour. O(letters of `word`
/// times letters of all known words).
std::string similar_word(std::string_view word, const std::vector<std::string>& known);

}  // namespace tictactoe::program
