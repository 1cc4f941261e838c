#include "server/app/serve.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/assert.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/program/help.hpp"
#include "common/program/password.hpp"
#include "common/program/wording.hpp"
#include "server/accounts/account_table.hpp"
#include "server/admin/service_manager.hpp"
#include "server/app/clustering.hpp"
#include "server/app/engine_seats.hpp"
#include "server/app/journaling.hpp"
#include "server/app/listening.hpp"
#include "server/app/operation.hpp"
#include "server/app/tls.hpp"
#include "server/base/event_log.hpp"
#include "server/internet/internet.hpp"
#include "server/journal/open.hpp"
#include "server/logging/logging.hpp"
#include "server/transport/lan/discovery.hpp"
#include "server/transport/server.hpp"
#include "server/transport/system_token.hpp"
#include "server/transport/web/http_rules.hpp"

namespace tictactoe::app {

namespace {

using program::PasswordRead;
using records::OpenedStore;
using transport::Answerer;
using transport::Discovery;
using transport::Server;

// Waits for the database between two lives of a server, unless a signal ends it. No effect until
// begin(). Not thread-safe, and only the first signal counts.
class DatabaseWait {
 public:
  // From now on SIGINT and SIGTERM end the wait instead of the process.
  void begin() {
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
    signals_.async_wait([this](const boost::system::error_code& error, int) { ended_ = !error; });
    began_ = true;
  }
  bool has_begun() const { return began_; }
  // Waits for `time` or until a signal. Returns whether one has come since begin().
  bool pass(std::chrono::milliseconds time) {
    if (!ended_) context_.run_for(time);
    return ended_;
  }

 private:
  boost::asio::io_context context_;
  boost::asio::signal_set signals_{context_};
  bool began_ = false;
  bool ended_ = false;
};

// The names by which browsers may reach the server.
transport::PublicNames names_of(const ServerOptions& options) {
  transport::PublicNames names;
  for (const std::string& address : options.public_addresses) {
    names.emplace_back(transport::split_host(address)->name);
  }
  return names;
}

// Trying again makes no sense if a newer version has written the records.
int status_of(const records::Fault& fault) {
  return fault.kind == records::Fault::Kind::other_version ? program::bad_options : 1;
}

// Joins the servers that share the database, if the options say so. Returns the exit status, after
// a message, on failure. If `waiting` has begun, waits until the database can be reached.
std::optional<int> join_others(boost::asio::io_context& io, const ServerOptions& options,
                               DatabaseWait& waiting, std::unique_ptr<Clustering>& clustering) {
  if (!options.is_clustered()) return std::nullopt;
  std::string told;
  while (!waiting.pass(std::chrono::milliseconds(0))) {
    auto joined =
        Clustering::join(io, options.store_url, options.public_place(options.port), options.config);
    if (joined) {
      clustering = *std::move(joined);
      return std::nullopt;
    }
    const records::Fault& fault = joined.error();
    if (!waiting.has_begun() || fault.kind == records::Fault::Kind::other_version) {
      complain(fault.reason);
      return status_of(fault);
    }
    if (fault.reason != std::exchange(told, fault.reason)) spdlog::error("{}", fault.reason);
    admin::feed_watchdog();
    waiting.pass(std::chrono::seconds(1));
  }
  spdlog::info("stopping");
  return 0;
}

// Opens the store of the journal.
records::Result<OpenedStore> open_journal(const ServerOptions& options) {
  const auto kept_chat = static_cast<std::uint32_t>(options.config.limits.kept_chat);
  if (!options.store_url.empty()) return records::open_postgres(options.store_url, kept_chat);
  auto opened = records::open_store(*options.data_folder(), kept_chat);  // mistakes_of_files()
  if (!opened) {
    return records::Fault{
        opened.error().kind,
        opened.error().reason + " Choose another directory with --data-dir, or use --no-journal."};
  }
  return opened;
}

// Restores the journal's state. Returns null, after a message, on failure.
std::unique_ptr<Journaling> start_journaling(boost::asio::io_context& io, Server& server,
                                             OpenedStore opened, const ServerOptions& options) {
  Journaling::Settings settings;
  settings.keep_games = std::chrono::hours(24) * options.keep_games_days;
  auto started = Journaling::start(io, server, options.config.limits, std::move(opened),
                                   std::move(settings), complain);
  if (!started) {
    const bool is_file = options.store_url.empty();
    complain(started.error().reason +
             (is_file ? " Choose another directory with --data-dir, or use --no-journal." : ""));
    return nullptr;
  }
  return *std::move(started);
}

std::unique_ptr<Discovery> answer_discovery(boost::asio::io_context& io, const Server& server,
                                            std::uint64_t server_id, const ServerOptions& options,
                                            Endpoints listening) {
  if (options.no_discovery) return nullptr;
  const auto describe = [&](v1::ServerInfo& info, int rooms) {
    server.host().describe_to(info, rooms);
  };
  Answerer answerer(server_id, describe, {}, transport::system_seed());
  return std::make_unique<Discovery>(io, std::move(answerer), options.discovery_port,
                                     std::move(listening));
}

// Accounts may have been created before the records moved to the database.
void warn_of_unused_accounts(const ServerOptions& options) {
  const auto folder = options.data_folder();
  if (options.store_url.empty() || !folder) return;
  AccountFile file(*folder);
  if (const auto logins = file.read(); logins && !logins->empty()) {
    spdlog::warn("ignoring the accounts in {}: the database has none", file.path().string());
  }
}

// The accounts beside the journal, or in its database. Returns null, after a message, on failure.
std::unique_ptr<AccountWatch> follow_accounts(boost::asio::io_context& io, Server& server,
                                              const ServerOptions& options,
                                              const std::string& where) {
  auto place = account_place(where);
  const auto logins = place ? (*place)->read() : place.error();
  if (!logins) {
    complain(logins.error());
    return nullptr;
  }
  if (logins->empty()) warn_of_unused_accounts(options);
  auto watch = std::make_unique<AccountWatch>(
      io, *std::move(place),
      [&server, had_some = false](server::Logins found) mutable {
        // A server without accounts does not mention them.
        if (had_some || found.size() > 0) {
          spdlog::info("{}", program::counted(found.size(), "account", "accounts"));
        }
        had_some = found.size() > 0;
        server.shell().set_logins(std::move(found));
      },
      [](const std::string& sentence) { spdlog::error("{}", sentence); });
  watch->start();
  return watch;
}

// The steady clock has an arbitrary epoch. Its offset to Unix time is determined once, so setting
// the system's clock changes no hold.
std::chrono::milliseconds unix_time_of_zero() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch() -
      std::chrono::steady_clock::now().time_since_epoch());
}

// The configuration of the options, including the password from its file, or a sentence.
std::variant<server::Config, std::string> read_config(const ServerOptions& options) {
  server::Config config = config_of(options);
  if (options.password_file.empty()) return config;
  const PasswordRead read = program::read_password_file(options.password_file);
  if (!read.fault.empty()) return read.fault;
  config.server_password_hash = server::digest(read.password);
  return config;
}

// The configuration of a server that has opened this store. Prints a message and returns nothing if
// the password can't be read.
std::optional<server::Config> complete_config(const ServerOptions& options,
                                              const std::optional<OpenedStore>& opened) {
  auto read = read_config(options);
  if (const auto* fault = std::get_if<std::string>(&read)) {
    complain(*fault);
    return std::nullopt;
  }
  server::Config& config = std::get<server::Config>(read);
  config.server_id = opened ? opened->server_id : transport::system_seed();
  config.unix_time_of_zero = unix_time_of_zero();
  return std::move(config);
}

// Reads the files that the options name, on a thread, and returns how to apply them.
std::variant<Reload::Apply, std::vector<std::string>> read_again(Server& server, Tls& tls,
                                                                 Clustering* clustering,
                                                                 const ServerOptions& options) {
  using Problems = std::vector<std::string>;
  auto config = read_config(options);
  if (const auto* fault = std::get_if<std::string>(&config)) return Problems{*fault};
  auto identity = tls.read_again();
  if (identity && !*identity) {
    return Problems{identity->error() + " The server keeps the previous certificate."};
  }
  return [&, clustering, config = std::get<server::Config>(std::move(config)),
          identity = std::move(identity)] {
    if (identity) tls.use_again(**identity);
    if (clustering != nullptr) clustering->set_key(tls::to_bytes(tls.fingerprint()));
    server.shell().change_settings(config);
  };
}

transport::Networks networks_of(const std::vector<std::string>& texts) {
  transport::Networks networks;
  for (const std::string& text : texts) {
    const bool added = networks.add(text);
    BOOST_ASSERT_MSG(added, "the options are checked");
  }
  return networks;
}

server::LogEvent restored(const Server& server, std::chrono::steady_clock::time_point began) {
  const auto took =
      std::chrono::floor<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
  server::LogEvent event{"restored", {}};
  event.add("players", server.host().players()).add("rooms", server.host().rooms());
  event.add("took_ms", static_cast<std::uint64_t>(took.count()));
  return event;
}

// With the options that were given.
server::LogEvent started(const CLI::App& app, const std::string& places) {
  server::LogEvent event{"started", {}};
  event.add("version", TICTACTOE_VERSION).add("listening", places);
  for (const CLI::Option* option : app.get_options()) {
    const std::string& name = option->get_single_name();
    if (option->empty() || option->get_name().empty()) continue;
    const bool has_password = name == "store";
    std::string value;
    for (const std::string& part : option->results()) value += (value.empty() ? "" : " ") + part;
    event.add(name, has_password ? "(not shown)" : value);
  }
  return event;
}

// Closes the journal. Returns the exit status of the server.
int finish(Journaling& journaling) {
  const std::uint64_t lost = journaling.close();
  if (journaling.is_fenced()) {
    complain("Another server has taken over the journal. This one has stopped.");
    return 1;
  }
  const std::string losses = lost == 0 ? ""
                                       : program::counted(lost, "change", "changes") +
                                             " could not be recorded, and no client has seen " +
                                             (lost == 1 ? "it." : "them.");
  if (journaling.has_failed()) {
    complain("The disk has failed, so the server has stopped. " + losses + (lost == 0 ? "" : " ") +
             "Check the disk before restarting the server.");
    return 1;
  }
  if (lost == 0) return 0;
  complain(losses);
  return 1;
}

// Returns nothing if it has lost its lease. `waiting` covers the time from its last life to this
// one, and `next` the time to the next one.
std::optional<int> serve_once(ParsedOptions& parsed, const std::vector<std::string>& arguments,
                              DatabaseWait& waiting, DatabaseWait& next) {
  const ServerOptions& options = parsed.options;
  raise_descriptor_limit(options);
  const auto began = std::chrono::steady_clock::now();
  // Only this thread uses the sockets; other threads may post work.
  boost::asio::io_context io(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO);
  std::unique_ptr<Clustering> clustering;
  if (const auto status = join_others(io, options, waiting, clustering)) return status;
  std::optional<OpenedStore> opened;
  if (clustering) {
    opened = clustering->take_journal();
  } else if (!options.no_journal) {
    auto journal = open_journal(options);
    if (!journal) {
      complain(journal.error().reason);
      return status_of(journal.error());
    }
    opened = *std::move(journal);
  }
  const auto config = complete_config(options, opened);
  if (!config) return program::bad_options;
  Server server(
      io, *config, transport::system_seed(),
      {options.ai_threads, std::chrono::milliseconds(options.ai_time_ms), player_maker(options)},
      clustering ? clustering->choose_directory() : server::Host::ChooseDirectory());
  if (!options.trusted_proxies.empty()) {
    server.trust_proxies(networks_of(options.trusted_proxies));
  }
  server.allow_names(names_of(options));
  std::unique_ptr<Journaling> journaling;
  std::unique_ptr<AccountWatch> accounts;
  std::vector<server::LogEvent> events;  // logged if the server can listen
  if (opened) {
    const auto folder = options.data_folder();
    if (folder || !options.store_url.empty()) {
      accounts = follow_accounts(io, server, options,
                                 options.store_url.empty() ? folder->string() : options.store_url);
      // A file with a mistake stays wrong; a database may come back.
      if (accounts == nullptr) return options.store_url.empty() ? program::bad_options : 1;
    }
    journaling = start_journaling(io, server, *std::move(opened), options);
    if (journaling == nullptr) return 1;
    events.push_back(restored(server, began));
  }
  Tls tls(io, server, options);
  // There may be no space for a new key yet.
  if (!tls.start()) return options.tls_key.empty() ? 1 : program::bad_options;
  Operation operation(io, server, journaling.get(), options);
  Reload reload(io, parsed, arguments, [&](const ServerOptions& changed) {
    return read_again(server, tls, clustering.get(), changed);
  });
  reload.start();
  if (clustering) clustering->start(server, tls::to_bytes(tls.fingerprint()));
  // Before the server prints that it listens, because a program that reads this may end it at once.
  boost::asio::signal_set signals(io, SIGINT, SIGTERM);
  next.begin();  // it gets the signals as well, so that none is lost between two lives
  std::function<void(std::chrono::seconds)> end;
  std::function<void(admin::v1::Reach&)> describe_reach = [](admin::v1::Reach&) {};
  const auto usual_time = [&reload] { return std::chrono::seconds(reload.options().drain_s); };
  operation.take_commands({[&end](std::chrono::seconds within) { end(within); },
                           [&reload](const Reload::Done& done) { reload.run(done); }, usual_time,
                           [&describe_reach](admin::v1::Reach& reach) { describe_reach(reach); }});
  Endpoints listening;
  if (const auto status = listen(server, options, listening)) return status;
  Guests guests(server, tls, options, listening);
  Internet internet(
      io,
      {options.internet, !options.password_file.empty(),
       [&options](std::uint16_t port) { return options.public_place(port); }, listening},
      [&guests](const std::vector<std::string>& places) { guests.come_from_outside(places); });
  guests.print();
  const std::string public_place = options.place_in_links(listening.front().port());
  // With --internet the router's port is not known yet.
  if (!public_place.empty() && !options.internet) guests.come_from_outside({public_place});
  tls.print_key();
  internet.start();
  if (const auto status = operation.start()) return status;
  const std::string places = to_text(listening);
  const std::uint16_t port = listening.front().port();
  events.push_back(started(parsed.app, places));
  for (const server::LogEvent& event : events) spdlog::info("{}", server::to_payload(event));
  const auto discovery = answer_discovery(io, server, config->server_id, options, listening);

  describe_reach = [&](admin::v1::Reach& reach) {
    internet.describe(reach);
    for (const std::string& link : guests.outside_links()) reach.add_links(link);
  };
  operation.when_stopped([&internet] { internet.remove(); });

  // Called once: by the first signal or by the owner's command.
  bool is_ending = false;
  end = [&](std::chrono::seconds within) {
    if (std::exchange(is_ending, true)) return;
    spdlog::info("stopping");
    operation.tell_stopping();
    if (accounts) accounts->stop();
    tls.stop();
    reload.stop();
    if (discovery) discovery->stop();
    // A second signal ends the process at once.
    signals.cancel();
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    if (within.count() > 0 && clustering) {
      clustering->drain(
          server, [&journaling] { journaling->close(); },
          [&server, within] { server.shell().drain(within); });
    } else if (within.count() > 0) {
      server.shell().drain(within);
    } else {
      if (clustering) clustering->drain();
      server.shell().stop();
    }
  };
  operation.tell_ready("listening on " + places);
  signals.async_wait([&](const boost::system::error_code& error, int) {
    if (!error) end(usual_time());
  });
  if (waiting.pass(std::chrono::milliseconds(0))) end(usual_time());
  operation.run();
  // Statements that the database does not answer are waited for below.
  if (clustering && clustering->is_lost()) server.cut_off();
  if (clustering) clustering->wait();
  const int status = journaling == nullptr ? 0 : finish(*journaling);
  if (!clustering) return status;
  clustering->leave();
  // A server that its owner has ended does not start again.
  if (!clustering->is_lost() || is_ending) return status;
  parsed.options.port = port;
  return std::nullopt;
}

}  // namespace

int serve(ParsedOptions& parsed, const std::vector<std::string>& arguments) {
  const bool has_passed_sockets = std::getenv("LISTEN_FDS") != nullptr;
  auto waiting = std::make_unique<DatabaseWait>();
  for (;;) {
    auto next = std::make_unique<DatabaseWait>();
    const auto status = serve_once(parsed, arguments, *waiting, *next);
    if (status || has_passed_sockets) return status.value_or(1);
    spdlog::warn("starting again");
    waiting = std::move(next);
  }
}

}  // namespace tictactoe::app
