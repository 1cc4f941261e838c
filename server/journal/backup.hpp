// Copies of a server's directory: made while a server uses it, and restored into another one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/records/record_store.hpp"

namespace tictactoe::records {

/// Names of the small files beside the journal that a backup includes, such as the accounts and the
/// server's key.
using Companions = std::span<const std::string_view>;

/// Copies the journal in `folder` to a new file that only this user can read: everything that was
/// durable at the start of the call, and nothing later. Existing companions go into a table of that
/// file, at most 64 MiB each. Then has SQLite check the copy. A server may use
/// the journal meanwhile, in another process; it is not delayed, but its write-ahead log grows
/// until the copy is complete. Returns the size of the file in bytes. After a fault, whose reason
/// is a sentence, there is no file. O(size of the journal).
Result<std::uint64_t> back_up(const std::filesystem::path& folder,
                              const std::filesystem::path& file, Companions companions);

struct Restored {
  int players = 0;
  int rooms = 0;
  std::vector<std::string> companions;  // that were in the backup
};

/// Copies a backup to `folder`, as its journal. Creates the folder if it is missing. The folder
/// must have no journal, and no server may use it. First checks the copy, and reads all players and
/// rooms in it as a server does at its start. Writes the
/// companions beside the journal, readable only by their owner; refuses a folder with different
/// ones. Files that root creates belong to the owner of the folder. After a fault, whose reason is
/// a sentence, the folder still has no journal. O(size of the backup).
Result<Restored> restore(const std::filesystem::path& file, const std::filesystem::path& folder,
                         Companions companions);

}  // namespace tictactoe::records
