// The commands of tictactoe-server that look at or change its files and end.
#pragma once

#include "server/options.hpp"

namespace tictactoe {

// Each returns the exit status: 1, after a message, if it failed.

/// `import FILE...`: adds games to the records.
int import_games(const ServerOptions& options);
/// `copy --from DIR|URL --to DIR|URL`: copies all records.
int copy_store(const ServerOptions& options);
/// `forget NAME`: replaces the name in the records and in the journal.
int forget_player(const ServerOptions& options);
/// `account add|list|password|remove`.
int change_accounts(const ServerOptions& options);
/// `--check-config`: reads the files that the options name. Requires options that are right by
/// themselves. Changes nothing. Returns 2, after a message for each problem, if there are any.
int check_configuration(const CLI::App& app, const ServerOptions& options);

}  // namespace tictactoe
