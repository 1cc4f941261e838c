#include "server/commands.hpp"

#include <iostream>
#include <string>

#include "server/hosting/account_command.hpp"
#include "server/hosting/accounts.hpp"
#include "server/hosting/import.hpp"
#include "server/logging.hpp"
#include "server/store/forget.hpp"

namespace tictactoe {

namespace {

std::string count(std::size_t number, const char* singular, const char* plural) {
  return std::to_string(number) + " " + (number == 1 ? singular : plural);
}

}  // namespace

int import_games(const ServerOptions& options) {
  const auto folder = options.data_folder();
  if (!folder) {
    complain("There is no home directory for the records. Use --data-dir.");
    return 1;
  }
  const auto imported = hosting::import_games(options.import_files, *folder);
  if (!imported) {
    complain(imported.error().reason);
    return 1;
  }
  for (const std::string& fault : imported->faults) complain(fault);
  std::cout << imported->games << (imported->games == 1 ? " game" : " games") << " added\n";
  return imported->faults.empty() ? 0 : 1;
}

int forget_player(const ServerOptions& options) {
  const auto folder = options.data_folder();
  if (!folder) {
    complain("There is no home directory for the records. Use --data-dir.");
    return 1;
  }
  const std::string& name = options.forgotten_player;
  const auto forgotten = store::forget_player(*folder, name);
  if (!forgotten) {
    complain(forgotten.error().reason);
    return 1;
  }
  if (forgotten->name.empty()) {
    complain("Nobody is called \"" + name + "\" in the records in " + folder->string() +
             ". Give the name exactly as clients show it, and quote it if it has blanks.");
    return 1;
  }
  std::cout << name << " is now " << forgotten->name << ", in "
            << count(forgotten->games, "game", "games") << ", "
            << count(forgotten->players, "player", "players") << ", "
            << count(forgotten->rooms, "room", "rooms") << " and "
            << count(forgotten->lines, "line of chat", "lines of chat") << '\n';
  if (forgotten->deleted > 0) {
    std::cout << count(forgotten->deleted, "damaged record", "damaged records")
              << " with the name deleted\n";
  }
  for (const std::string& journal : forgotten->damaged_journals) {
    std::cout << journal << " was not changed: delete it if it may contain the name\n";
  }
  return 0;
}

int change_accounts(const ServerOptions& options) {
  const auto folder = options.data_folder();
  if (!folder) {
    complain("There is no home directory for the accounts. Use --data-dir.");
    return 1;
  }
  const auto fault = hosting::change_accounts({options.account_action, options.account_name},
                                              hosting::AccountFile(*folder), std::cout);
  if (fault) complain(*fault);
  return fault ? 1 : 0;
}

}  // namespace tictactoe
