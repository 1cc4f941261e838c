// The folder with a server's journal.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include "common/posix/file.hpp"
#include "server/records/record_store.hpp"

namespace tictactoe::records {

/// A folder that no other process can use during the life of this object.
class Folder {
 public:
  /// Creates the folder if it is missing, accessible only to its owner, and takes its lock. The
  /// fault's reason is a sentence that names the folder.
  static Result<Folder> claim(const std::filesystem::path& path) { return claim(path, path); }
  /// Like claim(path), for a process that can use the folder only by `place`, see AsOwner::place().
  static Result<Folder> claim(const std::filesystem::path& path,
                              const std::filesystem::path& place);
  Folder(Folder&& other) noexcept;
  Folder& operator=(Folder&&) = delete;
  ~Folder();

  /// The journal itself, if there is a symbolic link to it.
  static std::string journal_in(const std::filesystem::path& folder) {
    return posix::target_of((folder / "journal.db").string());
  }
  std::string journal() const { return journal_in(path_); }
  /// Whether the journal's write-ahead log exists without the journal.
  bool has_only_a_log() const;
  /// Renames the journal and its helper files to a name with the time, and returns that name.
  Result<std::string> move_away(std::chrono::system_clock::time_point now);

 private:
  Folder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  int lock_;
};

/// Free bytes in the file system of that file; the largest number if unknown.
std::uint64_t free_bytes(const std::string& file);

}  // namespace tictactoe::records
