// Parses the options, checks the configuration, and connects the parts of the server.
#include <fcntl.h>
#include <google/protobuf/stubs/logging.h>
#include <spdlog/spdlog.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <chrono>
#include <csignal>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>

#include "common/program/help.hpp"
#include "common/program/password.hpp"
#include "server/hosting/account_command.hpp"
#include "server/hosting/accounts.hpp"
#include "server/hosting/import.hpp"
#include "server/hosting/journaling.hpp"
#include "server/logging.hpp"
#include "server/net/announcement.hpp"
#include "server/net/discovery.hpp"
#include "server/net/server.hpp"
#include "server/net/system_token.hpp"
#include "server/net/turn_watch.hpp"
#include "server/options.hpp"
#include "server/store/forget.hpp"
#include "server/store/open.hpp"

namespace {

using tictactoe::ServerOptions;
using tictactoe::hosting::AccountFile;
using tictactoe::hosting::AccountWatch;
using tictactoe::hosting::Journaling;
using tictactoe::net::Announcement;
using tictactoe::net::Answerer;
using tictactoe::net::Discovery;
using tictactoe::net::Server;
using tictactoe::program::PasswordRead;
using tictactoe::store::OpenedStore;

// Standard error may be blocked, and that must not keep the server from ending.
void complain(const std::string& sentence) {
  tictactoe::hosting::report_to_standard_error("tictactoe-server: " + sentence + "\n");
}

std::string text(const boost::asio::ip::tcp::endpoint& endpoint) {
  const std::string address = endpoint.address().to_string();
  const std::string host = endpoint.address().is_v6() ? "[" + address + "]" : address;
  return host + ":" + std::to_string(endpoint.port());
}

// Makes the kernel's table as large as it may become. A process with threads waits for many
// milliseconds each time the table grows, on the event loop in an accept().
void reserve_descriptors(rlim_t count) {
  const int last = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, static_cast<int>(count) - 1);
  if (last >= 0) ::close(last);
}

// Every connection needs a file descriptor. The default limit is usually 1,024.
void allow_descriptors(const ServerOptions& options) {
  constexpr rlim_t others = 64;  // listeners, standard streams, files of libraries
  const auto& limits = options.config.limits;
  const std::size_t connections = limits.connections + limits.lingering_connections;
  const std::size_t at_gate = options.trusted_proxies.empty() ? 0 : limits.pending_connections;
  const rlim_t wanted = connections + at_gate + others;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t before = limit.rlim_cur;
  if (before < wanted) {
    limit.rlim_cur = std::min(wanted, limit.rlim_max);
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
  }
  if (limit.rlim_cur < wanted) {
    spdlog::warn("this system allows only {} open files, too few for {} connections",
                 limit.rlim_cur, connections);
  }
  reserve_descriptors(std::min(wanted, limit.rlim_cur));
}

// Opens the store of the journal. Returns nothing, after a message, if that is not possible.
std::optional<OpenedStore> open_journal(const ServerOptions& options) {
  const auto folder = options.data_folder();
  if (!folder) {
    complain("There is no home directory for the journal. Use --data-dir or --no-journal.");
    return std::nullopt;
  }
  auto opened = tictactoe::store::open_store(
      *folder, static_cast<std::uint32_t>(options.config.limits.kept_chat));
  if (!opened) {
    complain(opened.error().reason + " Choose another folder with --data-dir, or --no-journal.");
    return std::nullopt;
  }
  return *std::move(opened);
}

// Restores the journal's state. Returns null, after a message, if that is not possible.
std::unique_ptr<Journaling> start_journaling(boost::asio::io_context& io, Server& server,
                                             OpenedStore opened, const ServerOptions& options) {
  Journaling::Settings settings;
  settings.keep_games = std::chrono::hours(24) * options.keep_games_days;
  auto started = Journaling::start(io, server, options.config.limits, std::move(opened),
                                   std::move(settings), complain);
  if (!started) {
    complain(started.error().reason + " Choose another folder with --data-dir, or --no-journal.");
    return nullptr;
  }
  return *std::move(started);
}

// Returns the endpoints on which the server listens; none, after a message, if that is not
// possible.
std::vector<boost::asio::ip::tcp::endpoint> listen(Server& server, const ServerOptions& options) {
  std::vector<boost::asio::ip::tcp::endpoint> listening;
  for (const std::string& address : options.addresses) {
    const auto bound = server.listen(address, options.port);
    if (!bound) {
      complain(bound.error() + " Choose another with --port or --listen.");
      return {};
    }
    listening.push_back(*bound);
    std::cout << "tictactoe-server " TICTACTOE_VERSION " listening on " << text(*bound) << '\n'
              << std::flush;
  }
  return listening;
}

std::unique_ptr<Discovery> answer_discovery(boost::asio::io_context& io, const Server& server,
                                            std::uint64_t server_id, const ServerOptions& options,
                                            std::vector<boost::asio::ip::tcp::endpoint> listening) {
  if (options.no_discovery) return nullptr;
  Answerer answerer(server_id, [&server](tictactoe::v1::ServerInfo& info, int rooms) {
    server.host().describe_to(info, rooms);
  });
  return std::make_unique<Discovery>(io, std::move(answerer), options.discovery_port,
                                     std::move(listening));
}

// Avahi announces all addresses of this machine, so announce the server only if it listens on all
// of them.
std::unique_ptr<Announcement> announce(
    const ServerOptions& options, const std::vector<boost::asio::ip::tcp::endpoint>& listening) {
  for (const boost::asio::ip::tcp::endpoint& endpoint : listening) {
    if (!options.no_discovery && endpoint.address().is_unspecified()) {
      return tictactoe::net::announce(options.config.server_name, endpoint.port());
    }
  }
  return nullptr;
}

// A core dump would contain tokens and passwords.
void forbid_core_dumps() {
  const rlimit none{0, 0};
  static_cast<void>(setrlimit(RLIMIT_CORE, &none));
#ifdef __linux__
  static_cast<void>(prctl(PR_SET_DUMPABLE, 0));
#endif
}

// The accounts beside the journal. Returns null, after a message, if they can't be read.
std::unique_ptr<AccountWatch> follow_accounts(boost::asio::io_context& io, Server& server,
                                              const std::filesystem::path& folder) {
  const AccountFile file(folder);
  if (const auto logins = file.read(); !logins) {
    complain(logins.error());
    return nullptr;
  }
  auto watch = std::make_unique<AccountWatch>(
      io, file,
      [&server, had_some = false](std::vector<tictactoe::core::Login> found) mutable {
        // A server without accounts says nothing of them.
        if (had_some || !found.empty()) spdlog::info("{} accounts", found.size());
        had_some = !found.empty();
        server.set_logins(std::move(found));
      },
      [](const std::string& sentence) { spdlog::error("{}", sentence); });
  watch->start();
  return watch;
}

// The steady clock counts from any time. Its distance to the Unix time is taken once, so setting
// the system's clock changes no hold.
std::chrono::milliseconds unix_time_of_zero() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch() -
      std::chrono::steady_clock::now().time_since_epoch());
}

int serve(const ServerOptions& options, const tictactoe::Logging& logging) {
  allow_descriptors(options);
  // Only this thread uses the sockets; other threads may post work.
  boost::asio::io_context io(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO);
  std::optional<OpenedStore> opened;
  if (!options.no_journal) {
    opened = open_journal(options);
    if (!opened) return 1;
  }
  tictactoe::core::Config config = config_of(options);
  if (!options.password_file.empty()) {
    PasswordRead read = tictactoe::program::read_password_file(options.password_file);
    if (!read.fault.empty()) {
      complain(read.fault);
      return 1;
    }
    config.server_password_hash = tictactoe::core::digest(read.password);
    tictactoe::core::erase(read.password);
  }
  config.server_id = opened ? opened->server_id : tictactoe::net::system_seed();
  config.unix_time_of_zero = unix_time_of_zero();
  Server server(io, config, tictactoe::net::system_seed(),
                {options.ai_threads, std::chrono::milliseconds(options.ai_time_ms)});
  tictactoe::net::TurnWatch watch(tictactoe::net::TurnWatch::usual_limit,
                                  [](const char* event, std::chrono::microseconds took) {
                                    spdlog::warn("the event \"{}\" took {} us of the loop's time",
                                                 event, took.count());
                                  });
  if (spdlog::should_log(spdlog::level::debug)) server.observe_with(watch);
  if (!options.trusted_proxies.empty()) {
    tictactoe::net::Networks proxies;
    for (const std::string& proxy : options.trusted_proxies) proxies.add(proxy);
    server.trust_proxies(std::move(proxies));
  }
  std::unique_ptr<Journaling> journaling;
  std::unique_ptr<AccountWatch> accounts;
  if (opened) {
    accounts = follow_accounts(io, server, *options.data_folder());
    if (accounts == nullptr) return 1;
    journaling = start_journaling(io, server, *std::move(opened), options);
    if (journaling == nullptr) return 1;
  }
  // Before the server prints that it listens: a program that reads that may end it at once.
  boost::asio::signal_set signals(io, SIGINT, SIGTERM);
  auto listening = listen(server, options);
  if (listening.empty()) return 1;
  auto announcement = announce(options, listening);
  const auto discovery =
      answer_discovery(io, server, config.server_id, options, std::move(listening));

  signals.async_wait([&](const boost::system::error_code& error, int) {
    if (error) return;
    spdlog::info("stopping");
    if (accounts) accounts->stop();
    if (discovery) discovery->stop();
    announcement.reset();
    // A second signal ends the process at once.
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    if (options.drain_s > 0) {
      server.drain(std::chrono::seconds(options.drain_s));
    } else {
      server.stop();
    }
  });
  io.run();
  if (journaling == nullptr) return 0;
  const std::uint64_t lost = journaling->close();
  if (journaling->is_fenced()) {
    logging.report("Another server has taken over the journal. This one has stopped.");
    return 1;
  }
  if (lost == 0) return 0;
  // Through the log's thread: standard error may be blocked, and that must not delay the end.
  logging.report("The last " + std::to_string(lost) +
                 " changes could not be recorded. No client was told of them.");
  return 1;
}

int import_games(const ServerOptions& options) {
  const auto folder = options.data_folder();
  if (!folder) {
    complain("There is no home directory for the records. Use --data-dir.");
    return 1;
  }
  const auto imported = tictactoe::hosting::import_games(options.import_files, *folder);
  if (!imported) {
    complain(imported.error().reason);
    return 1;
  }
  for (const std::string& fault : imported->faults) complain(fault);
  std::cout << imported->games << (imported->games == 1 ? " game" : " games") << " added\n";
  return imported->faults.empty() ? 0 : 1;
}

std::string count(std::size_t number, const char* singular, const char* plural) {
  return std::to_string(number) + " " + (number == 1 ? singular : plural);
}

int forget_player(const ServerOptions& options) {
  const auto folder = options.data_folder();
  if (!folder) {
    complain("There is no home directory for the records. Use --data-dir.");
    return 1;
  }
  const std::string& name = options.forgotten_player;
  const auto forgotten = tictactoe::store::forget_player(*folder, name);
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
  const auto fault = tictactoe::hosting::change_accounts(
      {options.account_action, options.account_name}, AccountFile(*folder), std::cout);
  if (fault) complain(*fault);
  return fault ? 1 : 0;
}

int run(int argc, char** argv) {
  ServerOptions options;
  CLI::App app(
      "Hosts games of tic-tac-toe of any size. Players connect with `tictactoe`, which\n"
      "finds this server by itself on the same network.",
      "tictactoe-server");
  declare(app, options);
  if (const auto status = tictactoe::program::parse(app, argc, argv)) return *status;
  // Only this user can read what the server writes.
  umask(S_IRWXG | S_IRWXO);
  if (!options.core_dumps) forbid_core_dumps();
  // The reader of our output may go away. That must not end the games.
  std::signal(SIGPIPE, SIG_IGN);
  const tictactoe::Logging logging(options.log_level);
  // Messages about bytes from peers must not fill standard error.
  google::protobuf::SetLogHandler([](google::protobuf::LogLevel, const char*, int,
                                     const std::string& message) { spdlog::debug(message); });
  if (options.forget->parsed()) return forget_player(options);
  if (options.import->parsed()) return import_games(options);
  if (options.account->parsed()) return change_accounts(options);
  return serve(options, logging);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    complain(error.what());
    return 1;
  }
}
