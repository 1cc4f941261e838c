// Writing whole files.
#pragma once

#include <string>
#include <string_view>
#include <system_error>

namespace tictactoe::posix {

/// Writes all of `text` to an open file. False on failure, with the reason in errno.
bool write_all(int file, std::string_view text);

/// What replace_file() appends to the name of a file for the new text, until that is complete.
inline constexpr std::string_view new_suffix = ".new";

/// Replaces a file by `text`, or creates it: after a crash, or on a full disk, the file has either
/// the former or the new text, on the disk. Only its owner can read it (0600). The callers make
/// sure that one program at a time replaces a file. What a crash has left beside it is overwritten.
std::error_code replace_file(const std::string& path, std::string_view text);

}  // namespace tictactoe::posix
