// The server's command line.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/engines/command.hpp"
#include "common/program/config_file.hpp"
#include "common/wire/discovery.hpp"
#include "server/admin/ctl.hpp"
#include "server/limits/config.hpp"

namespace tictactoe::app {

struct ServerOptions {
  std::shared_ptr<program::ConfigFile> file;  ///< set by declare()
  bool check_config = false;
  std::vector<std::string> addresses{"::"};
  std::uint16_t port = 7654;
  std::string log_level = "info";
  std::string log_format;  // empty: see usual_log_format()
  int grace_s = 120;
  int silence_s = 30;
  int keep_names_s = 86'400;
  int ai_delay_ms = 600;
  int ai_time_ms = 1000;
  std::size_t ai_threads = 1;
  std::vector<engines::Command> engines;
  int engine_memory_mib = 256;
  int engine_start_s = 30;
  std::string data_dir;   // empty: default_data_dir()
  std::string store_url;  // empty: a file in data_dir
  bool no_journal = false;
  int keep_games_days = 0;
  int drain_s = 0;
  std::uint16_t discovery_port = wire::discovery_port;
  bool no_discovery = false;
  std::string password_file;  // empty: the server has no password
  bool core_dumps = false;
  std::vector<std::string> trusted_proxies;
  std::vector<std::string> public_addresses;  // NAME_OR_ADDRESS[:PORT]; with a store, of a lobby
  bool internet = false;
  std::string tls_certificate;  // empty: the server's own
  std::string tls_key;
  bool require_tls = false;
  bool allow_plain_http = false;
  bool qr = false;
  std::string metrics;  // empty: none
  server::Config config;

  CtlOptions ctl;

  bool creates_place = false;  // `account` and `import` may create a directory of records

  CLI::App* import = nullptr;  // the subcommand
  std::vector<std::string> import_files;
  CLI::App* copy = nullptr;  // the subcommand
  std::string copy_from;     // a directory or a URL
  std::string copy_to;
  CLI::App* forget = nullptr;  // the subcommand
  std::string forgotten_player;

  CLI::App* account = nullptr;  // the subcommand
  std::string account_action;
  std::string account_name;

  /// The first of `public_addresses` with this port unless it has one; empty: none.
  std::string public_place(std::uint16_t listening) const;
  /// Like public_place(), but without a port that is only this server's, not that of its proxy.
  std::string place_in_links(std::uint16_t listening) const;
  /// Whether the database is shared with other servers, as one lobby.
  bool is_clustered() const { return !store_url.empty() && !public_addresses.empty(); }
  /// The directory of the journal; nothing if this user has no home directory for it.
  std::optional<std::filesystem::path> data_folder() const;
};

/// Adds every option to `app`. Both must live until it has parsed, and `options` must not move.
void declare(CLI::App& app, ServerOptions& options);

/// The configuration that these options describe.
server::Config config_of(const ServerOptions& options);

}  // namespace tictactoe::app
