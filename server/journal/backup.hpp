// Copies of a server's directory: made while a server uses it, and put into another one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/records/record_store.hpp"

namespace tictactoe::records {

/// Names of the small files beside the journal that a backup takes along, such as the accounts and
/// the server's key.
using Companions = std::span<const std::string_view>;

/// Copies the journal in `folder` to a new file that only this user can read, as of one moment: all
/// that was durable when it began, and nothing that came later. The companions that are there go
/// into a table of that file, at most 64 MiB each. Then reads the copy, and checks
/// that the database in it is whole. A server may use the journal meanwhile, in another process,
/// and is not delayed; until the copy is complete its write-ahead log grows. Returns the bytes of
/// the file. If there is a fault, no file is left; its reason is a sentence. O(size of the
/// journal).
Result<std::uint64_t> back_up(const std::filesystem::path& folder,
                              const std::filesystem::path& file, Companions companions);

struct Restored {
  int players = 0;
  int rooms = 0;
  std::vector<std::string> companions;  // that were in the backup
};

/// Makes a copy of a backup the journal of `folder`, which is created if it is not there, must have
/// no journal, and must not be used by a server. First the copy is checked, and all players and
/// rooms in it are read as at the start of a server; a backup with damaged records is refused. The
/// companions are written beside it, readable only by their owner; a folder that has other ones is
/// refused. Files that root creates belong to the owner of the folder. If there is a fault, the
/// folder has no journal, as before; its reason is a sentence. O(size of the backup).
Result<Restored> restore(const std::filesystem::path& file, const std::filesystem::path& folder,
                         Companions companions);

}  // namespace tictactoe::records
