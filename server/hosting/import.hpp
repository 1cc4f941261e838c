// Games from files into the records of a server.
#pragma once

#include <boost/system/result.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "server/store/fault.hpp"
#include "tictactoe/v1/types.pb.h"

namespace tictactoe::hosting {

/// What is wrong with a game that was read from a file: an illegal move, or a result that does not
/// fit; a sentence. Where nothing is, fills in what follows from its moves, and marks it as
/// imported. O(moves).
std::optional<std::string> check_import(v1::GameRecord& game);

struct Imported {
  std::size_t games = 0;            // that were added
  std::vector<std::string> faults;  // a sentence for each file that nothing was added from
};

/// Adds the games of these files to the journal in that folder, of each file all or, where anything
/// is wrong with it, none. A server may run there meanwhile. The fault's reason is a whole
/// sentence.
boost::system::result<Imported, store::Fault> import_games(const std::vector<std::string>& files,
                                                           const std::filesystem::path& folder);

}  // namespace tictactoe::hosting
