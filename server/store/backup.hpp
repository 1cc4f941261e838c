// A copy of the journal in a directory, made while a server uses it.
#pragma once

#include <cstdint>
#include <filesystem>

#include "server/store/record_store.hpp"

namespace tictactoe::store {

/// Copies the journal in `folder` to a new file that only this user can read, as of one moment: all
/// that was durable when it began, and nothing that came later. Then reads the copy, and checks
/// that the database in it is whole. A server may use the journal meanwhile, in another process,
/// and is not delayed; until the copy is complete its write-ahead log grows. Returns the bytes of
/// the file. If there is a fault, no file is left; its reason is a sentence. O(size of the
/// journal).
Result<std::uint64_t> back_up(const std::filesystem::path& folder,
                              const std::filesystem::path& file);

}  // namespace tictactoe::store
