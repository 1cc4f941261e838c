// The commands of tictactoe-server that look at or change its files and end.
#pragma once

#include <string>
#include <vector>

#include "server/app/options.hpp"

namespace tictactoe::app {

// Each returns the exit status: 1, after a message, if it failed.

/// `import FILE...`: adds games to the records.
int import_games(const ServerOptions& options);
/// `copy --from DIR|URL --to DIR|URL`: copies all records.
int copy_store(const ServerOptions& options);
/// `forget NAME`: replaces the name in the records and in the journal.
int forget_player(const ServerOptions& options);
/// `account add|list|password|remove`.
int change_accounts(const ServerOptions& options);
/// The mistakes in the files that the options name and in the data directory, if there is
/// `--check-config`. Root looks with the eyes of the directory's owner, who runs the server.
/// Options with mistakes of their own are left out.
std::vector<std::string> mistakes_of_files(const ServerOptions& options);

}  // namespace tictactoe::app
