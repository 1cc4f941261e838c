// Small files in the user's state folder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tictactoe::client {

/// The first `most` bytes of a file; empty if it can't be read.
std::string read_limited(const std::string& path, std::size_t most);

/// Writes all of `text`. False on failure, with the reason in errno.
bool write_to_file(int file, std::string_view text);

/// Replaces a file by `text`, so that after a crash it has either the former or the new text. Only
/// its owner can read it (0600). Several programs may replace one file at the same time: the last
/// one wins. Returns why it can't, in a few words; empty on success.
std::string replace_file(const std::string& path, std::string_view text);

}  // namespace tictactoe::client
