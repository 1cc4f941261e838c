// The tables of a journal, version by version.
#pragma once

#include <span>
#include <string_view>

namespace tictactoe::store {

/// SQL that takes a journal from one schema version to the next: the first entry makes version 1
/// out of an empty file. Entries are added and never changed; `PRAGMA user_version` is the number
/// of entries that were applied to a file.
using Migrations = std::span<const std::string_view>;

/// The migrations of this program.
Migrations migrations();

}  // namespace tictactoe::store
