// Takes a person's name out of a record store that no server uses.
#pragma once

#include <cstddef>
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

/// `text` with `neutral` instead of each `name` that is a whole word: no letter or digit of an
/// alphabet with spaces between words stands beside it.
std::string without_name(std::string_view text, std::string_view name, std::string_view neutral);

/// Takes the name out of everything in a store, whose records are all compacted. Leaves
/// `damaged_journals` empty. O(size of the store), with the rows that contain the name in memory.
Forgotten forget_name(Backend& backend, std::string_view name);

}  // namespace tictactoe::records
