// Games from files into the records of a server.
#pragma once

#include <boost/system/result.hpp>
#include <optional>
#include <string>
#include <vector>

#include "server/records/fault.hpp"
#include "tictactoe/v1/types.pb.h"

namespace tictactoe::app {

/// Checks a game that was read from a file. Returns a sentence about an illegal move or a result
/// that does not fit. If there is none, fills in what follows from the moves, and marks the game as
/// imported. O(moves).
std::optional<std::string> check_import(v1::GameRecord& game);

struct Imported {
  std::size_t games = 0;            // that were added
  std::size_t known = 0;            // that were there already
  std::vector<std::string> faults;  // a sentence for each file that nothing was added from
};

/// Adds the games of these files to the journal in that folder, or in the database of that URL: all
/// games of a file, or none if anything is wrong with it. A game that is there already is not added
/// again: one of the same players, rules, moves, result and time. A server may be running there.
/// The fault's reason is a sentence. O(public games that are there + games of the files).
boost::system::result<Imported, records::Fault> import_games(const std::vector<std::string>& files,
                                                             const std::string& place);

}  // namespace tictactoe::app
