// Takes a person's name out of a record store that no server uses.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "server/records/backend.hpp"
#include "server/records/record_store.hpp"

namespace tictactoe::records {

/// What was changed.
struct Forgotten {
  std::string name;  // instead of the person's; empty: nobody of that name was found
  std::size_t players = 0;
  std::size_t games = 0;
  std::size_t rooms = 0;
  std::size_t lines = 0;                      // of chat
  std::size_t deleted = 0;                    // damaged or refused rows that contained the name
  std::vector<std::string> damaged_journals;  // whole files that were set aside and not looked at
};

/// Replaces a name by a neutral one, as in "forgotten-17": as the name of a player, and as a word
/// in chat and in names of rooms. Rewrites the database, so that the name's bytes are nowhere in
/// it. Takes O(size of the database) time and space. A fault's reason is a sentence; if the fault
/// is in_use, a server has the store.
Result<Forgotten> forget_player(const std::filesystem::path& folder, const std::string& name);

/// The same in the database of that URL. Its tables are rewritten; the write-ahead log and backups
/// of the database, and its standbys until they have followed, still contain the name.
Result<Forgotten> forget_player_in_database(const std::string& url, const std::string& name);

/// `text` with `neutral` instead of each `name` that is a whole word: no letter or digit of an
/// alphabet with spaces between words stands beside it.
std::string without_name(std::string_view text, std::string_view name, std::string_view neutral);

/// Takes the name out of everything in a store, whose records are all compacted. Leaves
/// `damaged_journals` empty. O(size of the store), with the rows that contain the name in memory.
Forgotten forget_name(Backend& backend, std::string_view name);

}  // namespace tictactoe::records
