// Small files in the user's state folder.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace tictactoe::client {

/// The first `most` bytes of a file; empty if it can't be read.
std::string read_limited(const std::string& path, std::size_t most);

/// Writes all of `text`. False on failure, with the reason in errno.
bool write_to_file(int file, std::string_view text);

/// A change of a file that several programs may change at the same time: what was read while this
/// lives is still there when replace() replaces it. The lock is the file `.lock` in the same
/// folder, which must exist.
class FileChange {
 public:
  /// Waits for the changes of other programs, at most lock_patience. Removes what a program that
  /// crashed has left of its new text. A symbolic link stays, and what it points to is changed.
  explicit FileChange(const std::string& path);
  ~FileChange();
  FileChange(const FileChange&) = delete;
  FileChange& operator=(const FileChange&) = delete;

  /// Why the file can't be changed, in a few words; empty if it can.
  const std::string& fault() const { return fault_; }
  /// Replaces the file by `text`, so that after a crash, or on a full disk, it has either the
  /// former or the new text. Only its owner can read it (0600). Returns why it can't, in a few
  /// words; empty on success.
  std::string replace(std::string_view text);

 private:
  std::string path_;
  std::string new_path_;
  int lock_ = -1;
  std::string fault_;
};

/// Changes take milliseconds.
inline constexpr std::chrono::seconds lock_patience{2};

/// Removes what a program that crashed while it changed this file has left of its new text.
void remove_leftover(const std::string& path);

}  // namespace tictactoe::client
