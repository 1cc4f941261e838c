// Small files in the user's state folder.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace tictactoe::client {

/// Creates a folder that only its owner can use (0700), and its parents. Returns true if it exists
/// afterwards; otherwise errno says why not.
bool make_private_folder(const std::string& path);

/// A change of a file that several programs may change at the same time. Until replace() or the end
/// of its life no other program changes the file. The lock is the file `.lock` in the same folder,
/// which must exist.
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
  /// Replaces the file with `text`: after a crash or on a full disk it has either the old or the
  /// new text. Only its owner can read it (0600). Returns the fault in a few words; empty on
  /// success.
  std::string replace(std::string_view text);

 private:
  std::string path_;
  int lock_ = -1;
  std::string fault_;
};

/// Changes take milliseconds.
inline constexpr std::chrono::seconds lock_patience{2};

}  // namespace tictactoe::client
