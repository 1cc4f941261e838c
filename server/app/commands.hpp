// The commands of tictactoe-server that work on its files and then end.
#pragma once

#include <string>
#include <vector>

#include "server/app/options.hpp"

namespace tictactoe::app {

// Each returns the exit status: 1, after a message, on failure.

/// `import FILE...`: adds games to the records.
int import_games(const ServerOptions& options);
/// `copy --from DIR|URL --to DIR|URL`: copies all records.
int copy_store(const ServerOptions& options);
/// `forget NAME`: replaces the name in the records and in the journal.
int forget_player(const ServerOptions& options);
/// `account add|list|password|remove`.
int change_accounts(const ServerOptions& options);
/// The mistakes in the data directory and in the files named by valid options, which trying again
/// does not mend. With `--check-config` root reads them as the directory's owner, who runs the
/// server.
std::vector<std::string> mistakes_of_files(const ServerOptions& options);

}  // namespace tictactoe::app
