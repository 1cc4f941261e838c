// Where the user's files are, by the XDG Base Directory Specification.
#pragma once

#include <filesystem>
#include <optional>

namespace tictactoe::program {

/// The folder `tictactoe` in the one that `variable` names, as "XDG_CONFIG_HOME", else in `usual`
/// of the user's home, as ".config". Nothing where there is neither: a path that is not absolute
/// does not count. It need not exist.
std::optional<std::filesystem::path> user_folder(const char* variable, const char* usual);

}  // namespace tictactoe::program
