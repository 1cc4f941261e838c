// Small files in the user's state folder.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace tictactoe::client {

/// The first `most` bytes of a file; empty if it can't be read.
std::string read_limited(const std::string& path, std::size_t most);

/// Makes a folder that only its owner can use (0700), and those above it. True if it is there;
/// otherwise errno says why not.
bool make_private_folder(const std::string& path);

/// A change of a file that several programs may change at the same time: the file stays as it was
/// read while this lives, until replace(). The lock is the file `.lock` in the same
/// folder, which must exist.
class FileChange {
 public:
  /// Waits for the changes of other programs, at most lock_patience. Removes the unfinished text of
  /// a program that crashed. Follows a symbolic link, and changes the file that it points to.
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
  int lock_ = -1;
  std::string fault_;
};

/// Changes take milliseconds.
inline constexpr std::chrono::seconds lock_patience{2};

/// Removes the unfinished new text that a program left when it crashed while changing this file.
void remove_leftover(const std::string& path);

}  // namespace tictactoe::client
