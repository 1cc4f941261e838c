// Reading and writing whole files.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace tictactoe::posix {

/// Writes all of `text` to an open file, pipe or terminal. Waits, for as long as it takes, if that
/// is full, even if it is in non-blocking mode. Returns false on failure, with the reason in errno.
bool write_all(int file, std::string_view text);

/// Returns the first `max_bytes` of a file, or nothing on failure, with the reason in errno. Of a
/// pipe, waits for its writer to end. An empty pipe without a writer fails with ENXIO, instead of
/// being waited for.
std::optional<std::string> read_file(const std::string& path, std::size_t max_bytes);
/// Like read_file(), for the first line, without its end: does not wait for what follows it.
std::optional<std::string> read_first_line(const std::string& path, std::size_t max_bytes);

/// Why a file that a person names can't be read, in a few words: what it is instead of a file, or
/// else what the system says. `error` is the errno of the failed call.
std::string why_unreadable(const std::string& path, int error);
/// Like why_unreadable(), for a file that is read more than once, which a pipe can't be. Empty if
/// it is such a file. Does not try to read it.
std::string why_not_regular(const std::string& path);

/// Returns the path of the file itself if `path` is a symbolic link to it, also if that file is
/// missing; otherwise, and if the links form a circle, `path`. A file that is replaced by renaming
/// needs this: otherwise the new file takes the place of the link, and the linked one stays old.
std::string target_of(const std::string& path);

/// Makes a new or renamed file or directory survive a crash, by writing its parent to the disk.
/// Ignores parents that can't be opened and file systems without such a function.
std::error_code sync_name(const std::string& path);

/// From now on, a write that exceeds the limit on the size of files (`ulimit -f`, LimitFSIZE=)
/// fails with EFBIG, like one to a full disk, instead of ending the process with SIGXFSZ.
void fail_at_size_limit();

/// Suffix of the temporary file that replace_file() writes before it renames it.
inline constexpr std::string_view new_suffix = ".new";

/// Replaces a file by `text`, or creates it, durably: after a crash or on a full disk the file has
/// either the old or the new text. Only its owner can read it (0600). Follows symbolic links, see
/// target_of(). Calls `before_naming`, if given, with the open new file just before it takes the
/// old one's place; if that returns false, with the reason in errno, nothing changes. Callers
/// ensure that only one program replaces a file at a time. Overwrites a temporary file that a crash
/// has left.
std::error_code replace_file(const std::string& path, std::string_view text,
                             const std::function<bool(int file)>& before_naming = {});

}  // namespace tictactoe::posix
