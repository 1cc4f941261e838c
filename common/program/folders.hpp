// The directories of the user's files, by the XDG Base Directory Specification.
#pragma once

#include <filesystem>
#include <optional>

namespace tictactoe::program {

/// Returns the directory `tictactoe` inside the directory that the environment variable names (for
/// example "XDG_CONFIG_HOME"), or else inside `usual` of the user's home (for example ".config").
/// Returns nothing if there is neither; relative paths are ignored. The directory need not exist.
std::optional<std::filesystem::path> user_folder(const char* variable, const char* usual);

}  // namespace tictactoe::program
