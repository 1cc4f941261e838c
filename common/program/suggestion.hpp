// Suggestions for mistyped words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tictactoe::program {

/// The known word that is most like `word`, or empty if none is: a third of its letters may be
/// wrong, missing, superfluous, or swapped with their neighbour. O(letters of all words times
/// letters).
std::string similar_word(std::string_view word, const std::vector<std::string>& known);

}  // namespace tictactoe::program
