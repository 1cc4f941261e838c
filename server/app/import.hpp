// Imports games from files into the records of a server.
#pragma once

#include <boost/system/result.hpp>
#include <optional>
#include <string>
#include <vector>

#include "server/records/fault.hpp"
#include "tictactoe/v1/types.pb.h"

namespace tictactoe::app {

/// Checks a game read from a file. Returns a sentence about an illegal move or a result that does
/// not fit. Otherwise fills in what follows from the moves, and marks it as imported. O(moves).
std::optional<std::string> check_import(v1::GameRecord& game);

struct Imported {
  std::size_t games = 0;            // added
  std::size_t known = 0;            // already there
  std::vector<std::string> faults;  // a sentence for each file from which nothing was added
};

/// Adds the games of these files to the journal in this folder, or in the database with this URL:
/// all games of a file, or none if anything is wrong with it. Skips games that are already there:
/// with the same players, rules, moves, result and time. A server may be running. A fault's reason
/// is a sentence. O(public games stored + games in the files).
boost::system::result<Imported, records::Fault> import_games(const std::vector<std::string>& files,
                                                             const std::string& place);

}  // namespace tictactoe::app
