// Reading and writing whole files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace tictactoe::posix {

/// Writes all of `text` to an open file, pipe or terminal. Waits, for as long as it takes, if that
/// is full, even if it is in non-blocking mode. Returns false on failure, with the reason in errno.
bool write_all(int file, std::string_view text);

/// Returns the first `max_bytes` of a file, or nothing on failure, with the reason in errno.
std::optional<std::string> read_file(const std::string& path, std::size_t max_bytes);

/// Suffix of the temporary file that replace_file() writes before it renames it.
inline constexpr std::string_view new_suffix = ".new";

/// Replaces a file by `text`, or creates it, durably: after a crash or on a full disk the file has
/// either the old or the new text. Only its owner can read it (0600). Callers ensure that only one
/// program replaces a file at a time. Overwrites a temporary file that a crash has left.
std::error_code replace_file(const std::string& path, std::string_view text);

}  // namespace tictactoe::posix
