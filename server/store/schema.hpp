// The tables of a journal, version by version.
#pragma once

#include <span>
#include <string_view>

namespace tictactoe::store {

/// SQL that takes a journal from one schema version to the next: the first entry makes version 1
/// out of an empty file. Entries are only ever added; `PRAGMA user_version` says how many of them a
/// file has seen.
using Migrations = std::span<const std::string_view>;

/// Those of this program.
Migrations migrations();

}  // namespace tictactoe::store
