#include "server/app/commands.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "common/posix/file.hpp"
#include "common/program/help.hpp"
#include "common/program/password.hpp"
#include "common/program/wording.hpp"
#include "server/accounts/account_command.hpp"
#include "server/accounts/account_table.hpp"
#include "server/app/import.hpp"
#include "server/journal/copy.hpp"
#include "server/journal/folder.hpp"
#include "server/journal/owner.hpp"
#include "server/journal/unused.hpp"
#include "server/logging/logging.hpp"
#include "server/transport/tls/identity.hpp"

namespace tictactoe::app {

namespace {

// The directory or the URL; nothing, after a message, if this user has neither.
std::optional<std::string> place_of_records(const ServerOptions& options) {
  if (!options.store_url.empty()) return options.store_url;
  if (const auto folder = options.data_folder()) return folder->string();
  complain("No data directory: HOME is not set. Use --data-dir.");
  return std::nullopt;
}

// For people: a URL may contain a password.
std::string place_name(const ServerOptions& options, const std::string& place) {
  return options.store_url.empty() ? place : "the database";
}

// Like place_of_records(), for a command that writes there. Refuses a directory that no server
// uses: most likely another one was meant.
std::optional<std::string> place_to_change(const ServerOptions& options) {
  auto place = place_of_records(options);
  if (!place || !options.store_url.empty() || options.creates_place) return place;
  std::error_code error;
  const std::filesystem::path folder = *place;
  for (const auto& file :
       {std::filesystem::path(records::Folder::journal_in(folder)), AccountFile(folder).path()}) {
    if (std::filesystem::exists(file, error)) return place;
    if (error) {
      complain("Can't read " + *place + ": " + error.message() + ".");
      return std::nullopt;
    }
  }
  complain("No server has used " + *place +
           ". Give the server's directory with --data-dir, or create this one with --create.");
  return std::nullopt;
}

std::string summary(const records::Copied& copied) {
  return program::counted(copied.players, "player", "players") + ", " +
         program::counted(copied.rooms, "room", "rooms") + " with " +
         program::counted(copied.moves, "move", "moves") + " and " +
         program::counted(copied.lines, "line of chat", "lines of chat") + ", " +
         program::counted(copied.games, "finished game", "finished games");
}

// At most one line a second.
class ProgressLines {
 public:
  void show(const records::Copied& done, bool comparing) {
    const auto now = std::chrono::steady_clock::now();
    if (now - shown_ < std::chrono::seconds(1)) return;
    shown_ = now;
    std::cerr << (comparing ? "verified: " : "copied: ") << summary(done) << '\n';
  }

 private:
  std::chrono::steady_clock::time_point shown_ = std::chrono::steady_clock::now();
};

// Copies the accounts after the records.
class AccountCopy {
 public:
  /// Returns a sentence if a copy is impossible. Changes nothing.
  static OrSentence<AccountCopy> prepare(const std::string& from, const std::string& to) {
    AccountCopy copy;
    for (auto& [place, where] : {std::pair(&copy.from_, from), std::pair(&copy.to_, to)}) {
      auto opened = account_place(where);
      if (!opened) return opened.error();
      *place = *std::move(opened);
      const auto logins = (*place)->read();
      if (!logins) return logins.error();
      if (place == &copy.to_ && !logins->empty()) {
        return "The target already contains accounts. It must be empty.";
      }
    }
    return copy;
  }
  OrSentence<std::size_t> copy() const { return copy_accounts(*from_, *to_); }

 private:
  std::shared_ptr<AccountPlace> from_;
  std::shared_ptr<AccountPlace> to_;
};

}  // namespace

int import_games(const ServerOptions& options) {
  const auto place = place_to_change(options);
  if (!place) return 1;
  const auto imported = import_games(options.import_files, *place);
  if (!imported) {
    complain(imported.error().reason);
    return 1;
  }
  for (const std::string& fault : imported->faults) complain(fault);
  std::cout << program::counted(imported->games, "game", "games") << " added to "
            << place_name(options, *place);
  if (imported->known > 0) std::cout << "; " << imported->known << " already there";
  std::cout << '\n';
  return imported->faults.empty() ? 0 : 1;
}

int copy_store(const ServerOptions& options) {
  ProgressLines progress;
  const auto accounts = AccountCopy::prepare(options.copy_from, options.copy_to);
  if (!accounts) {
    complain(accounts.error());
    return 1;
  }
  const auto copied = records::copy_store(
      options.copy_from, options.copy_to,
      [&](const records::Copied& done, bool comparing) { progress.show(done, comparing); });
  if (!copied) {
    complain(copied.error().reason);
    return 1;
  }
  std::cout << summary(*copied)
            << " copied and verified\nSHA-256 of the content: " << copied->digest << '\n';
  const auto names = accounts->copy();
  if (!names) {
    complain("The accounts were not copied. " + names.error());
    return 1;
  }
  if (*names > 0) std::cout << program::counted(*names, "account", "accounts") << " copied\n";
  return 0;
}

int forget_player(const ServerOptions& options) {
  const auto place = place_of_records(options);
  if (!place) return 1;
  const std::string& name = options.forgotten_player;
  const auto forgotten = records::forget_player(*place, name);
  if (!forgotten) {
    complain(forgotten.error().reason);
    return 1;
  }
  if (forgotten->name.empty()) {
    complain("There is no player \"" + name + "\" in the records" +
             (options.store_url.empty() ? " in " + *place : "") +
             ". Type the name exactly as clients show it, in quotes if it contains spaces.");
    return 1;
  }
  std::cout << name << " is now " << forgotten->name << " in "
            << program::counted(forgotten->games, "game", "games")
            << ". Deleted: " << program::counted(forgotten->players, "player", "players") << ", "
            << program::counted(forgotten->seats, "seat", "seats") << " and "
            << program::counted(forgotten->lines, "line of chat", "lines of chat") << '\n';
  for (const std::string& journal : forgotten->damaged_journals) {
    std::cout << journal << " was not changed. Delete it if it might contain the name\n";
  }
  return 0;
}

int change_accounts(const ServerOptions& options) {
  const auto where = place_to_change(options);
  if (!where) return 1;
  const auto place = account_place(*where);
  if (!place) {
    complain(place.error());
    return 1;
  }
  const std::string shown =
      options.store_url.empty() ? AccountFile(*where).path().string() : "the database";
  const auto fault = change_accounts({options.account_action, options.account_name, shown}, **place,
                                     std::cout, std::cerr);
  if (fault) complain(*fault);
  return fault ? 1 : 0;
}

namespace {

std::string unusable(const std::filesystem::path& file, const std::string& why) {
  return "can't use " + file.string() + ": " + why + ".";
}

// Whether the same call will fail again. A disk may be full, or read-only after a fault.
bool is_final(int error) {
  constexpr std::array reasons{EACCES, EPERM,        ENOENT, ENOTDIR,
                               ELOOP,  ENAMETOOLONG, EINVAL, ENOTSUP};
  return std::ranges::find(reasons, error) != reasons.end();
}

// Why nothing can ever be created in this directory; empty if something can, or could later. Only
// trying shows it: /proc, for one, has directories whose permissions promise more.
std::string fault_of_parent(const std::filesystem::path& parent) {
  std::string trial = (parent / ".tictactoe-XXXXXX").string();
  if (::mkdtemp(trial.data()) == nullptr) {
    return is_final(errno) ? std::generic_category().message(errno) : std::string();
  }
  ::rmdir(trial.c_str());
  return {};
}

// Why a directory that is missing can't be created; empty if it can.
std::string fault_of_missing(const std::filesystem::path& folder) {
  const auto sentence = [&](const std::string& why) {
    return "can't create " + folder.string() + ": " + why + ".";
  };
  std::error_code error;
  std::filesystem::path parent = std::filesystem::absolute(folder, error);
  while (!std::filesystem::exists(parent, error) && !error) {
    if (std::filesystem::is_symlink(std::filesystem::symlink_status(parent, error))) {
      const std::string why = posix::why_unreadable(parent.string(), ENOENT);
      return sentence(parent == folder ? why : parent.string() + ": " + why);
    }
    parent = parent.parent_path();
  }
  if (error) return is_final(error.value()) ? sentence(error.message()) : std::string();
  if (!std::filesystem::is_directory(parent, error)) {
    return error ? std::string() : sentence(parent.string() + " is not a directory");
  }
  const std::string why = fault_of_parent(parent);
  return why.empty() ? why : sentence(why);
}

// Why this user can't use the server's files in its directory, which it reaches by `place`; empty
// if there are none or they are usable.
std::string fault_of_folder(const ServerOptions& options, const std::filesystem::path& folder,
                            const std::filesystem::path& place) {
  if (::faccessat(AT_FDCWD, place.c_str(), F_OK, AT_EACCESS) != 0) {
    return errno == ENOENT ? fault_of_missing(folder)
                           : unusable(folder, std::generic_category().message(errno));
  }
  std::error_code error;
  if (!std::filesystem::is_directory(place, error) && !error) {
    return unusable(folder, "it is not a directory");
  }
  const auto fault_of = [&](const char* name, int access) -> std::string {
    const std::filesystem::path used = name == nullptr ? place : place / name;
    if (::faccessat(AT_FDCWD, used.c_str(), access, AT_EACCESS) == 0 || errno == ENOENT) return {};
    const std::string why = std::generic_category().message(errno);
    return unusable(name == nullptr ? folder : folder / name, why);
  };
  std::string fault = fault_of(nullptr, R_OK | W_OK | X_OK);
  for (const char* file : {"lock", "accounts.lock", "journal.db"}) {
    if (fault.empty()) fault = fault_of(file, R_OK | W_OK);
  }
  if (!fault.empty()) return fault;
  if (options.tls_key.empty()) {
    const std::string why = transport::fault_of_own_tls_identity(place);
    if (!why.empty()) return unusable(folder / transport::tls_file_name, why);
  }
  const auto logins = AccountFile(folder).read_in(place);
  return logins ? fault : logins.error();
}

}  // namespace

std::vector<std::string> mistakes_of_files(const ServerOptions& options) {
  std::vector<std::string> problems;
  const auto note = [&](const std::string& option, const std::string& fault) {
    if (!fault.empty()) problems.push_back(options.file->place_of(option) + option + ": " + fault);
  };
  const auto folder = options.data_folder();
  const bool uses_folder = !options.no_journal && options.store_url.empty();
  // Root can read files that the user of the server can't. But it may run the server, too.
  std::optional<records::AsOwner> owner;
  if (folder && options.check_config) owner.emplace(*folder);
  if (uses_folder && folder) {
    note("--data-dir", fault_of_folder(options, *folder, owner ? owner->place() : *folder));
  } else if (uses_folder) {
    note("--data-dir", "HOME is not set. Name a directory, or use --no-journal.");
  }
  if (const std::string& file = options.password_file; !file.empty()) {
    // It is read here, at the start and when the options are reloaded.
    const std::string why = posix::why_not_regular(file);
    note("--password-file", why.empty() ? program::read_password_file(file).fault
                                        : file + ": can't be read: " + why + ".");
  }
  if (!options.tls_key.empty() && !options.tls_certificate.empty()) {
    const auto identity = transport::read_tls_identity(options.tls_certificate, options.tls_key);
    if (!identity) note("--tls-cert", identity.error());
  }
  return problems;
}

}  // namespace tictactoe::app
