// A short list in the user's state folder, the latest entry first.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tictactoe::client {

/// Maximum number of bytes that are read.
inline constexpr std::size_t max_latest_bytes = 16'384;

/// A file with a line for each entry: its name, a tab and a text. Several programs may change it.
/// Faults are ignored, so nothing may depend on it. Its contents are not sanitized.
class LatestList {
 public:
  struct Entry {
    std::string name;
    std::string text;
  };

  /// Reads the file. `path` is empty if nothing is stored.
  LatestList(std::string path, std::size_t max_entries);

  const std::vector<Entry>& entries() const { return entries_; }
  /// Reads the file again, puts an entry first, and drops others with its name.
  void put_first(Entry entry);

 private:
  void read();

  std::string path_;
  std::size_t max_entries_;
  std::vector<Entry> entries_;
};

}  // namespace tictactoe::client
