#include "server/app/options.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <variant>

#include "common/program/folders.hpp"
#include "common/program/help.hpp"
#include "common/program/units.hpp"
#include "server/admin/metrics_server.hpp"
#include "server/game/ai_levels.hpp"
#include "server/limits/parse.hpp"
#include "server/transport/tcp/networks.hpp"

namespace tictactoe::app {

namespace {

using server::Config;
using server::Limits;

constexpr std::chrono::seconds seconds{1};
constexpr std::chrono::milliseconds milliseconds{1};

// Checks for CLI11: they return the error, or an empty string.
std::string is_address(const std::string& text) {
  boost::system::error_code error;
  boost::asio::ip::make_address(text, error);
  return error ? "\"" + text + "\" is not an IP address" : std::string();
}

std::string is_network(const std::string& text) {
  return transport::Networks().add(text)
             ? std::string()
             : "\"" + text + "\" is not an IP address, nor a range of them such as 10.0.0.0/8";
}

std::string is_endpoint(const std::string& text) {
  return admin::parse_endpoint(text)
             ? std::string()
             : "\"" + text + "\" is not an IP address and a port, such as 127.0.0.1:9464";
}

std::string is_name(const std::string& text) {
  const auto parsed = server::parse_name(text, "server", Limits{});
  return parsed ? std::string() : parsed.error().message;
}

void declare_config(CLI::App& app, ServerOptions& options) {
  options.file = std::make_shared<program::ConfigFile>(app);
  app.config_formatter(options.file);
  app.set_config("--config", "", "A file of options, as name = \"the den\"")->type_name("FILE");
  app.add_flag("--check-config", options.check_config,
               "Check the options and the files that they name, and exit")
      ->configurable(false);
}

void declare_tls(CLI::App& app, ServerOptions& options) {
  CLI::Option* const certificate =
      app.add_option(
             "--tls-cert", options.tls_certificate,
             "A certificate for TLS in PEM, followed by those that lead to its issuer; read "
             "again at SIGHUP")
          ->type_name("FILE")
          ->default_str("a self-signed one, made at the first start");
  CLI::Option* const key =
      app.add_option("--tls-key", options.tls_key, "Its key in PEM, without a passphrase")
          ->type_name("FILE");
  certificate->needs(key);
  key->needs(certificate);
  CLI::Option* const required = app.add_flag("--require-tls", options.require_tls,
                                             "Refuse clients that do not encrypt their connection");
  app.add_flag(
         "--allow-plain-http", options.allow_plain_http,
         "Serve browsers of other machines without TLS, too, so that others can read passwords "
         "and chat on the way")
      ->excludes(required);
}

void declare_place(CLI::App& app, ServerOptions& options) {
  Config& config = options.config;
  app.option_defaults()->group("Network");
  app.add_option("--listen", options.addresses, "Address to listen on; may be given several times")
      ->type_name("ADDRESS")
      ->allow_extra_args(false)
      ->check(is_address)
      ->default_str("::, which is every IPv6 and IPv4 address");
  app.add_option("--port", options.port, "TCP port; 0 takes any free port")->capture_default_str();
  app.add_option("--name", config.server_name, "Name of the server, for players")
      ->check(is_name)
      ->capture_default_str();
  app.add_option("--trusted-proxy", options.trusted_proxies,
                 "Address or range of a proxy, whose connections must begin with a PROXY protocol "
                 "v2 header; may be given several times")
      ->type_name("CIDR")
      ->allow_extra_args(false)
      ->check(is_network);
  app.add_option("--public-name", options.public_names,
                 "Name by which browsers may reach the server, beside addresses, localhost and "
                 ".local names; may be given several times")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->transform([](std::string name) {
        for (char& letter : name) {
          if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
        }
        return name;
      });
  declare_tls(app, options);
  app.add_flag("--qr", options.qr,
               "Print the address for browsers and its QR code even if standard output is no "
               "terminal");
  app.add_option("--discovery-port", options.discovery_port,
                 "UDP port on which clients of the same network find this server")
      ->type_name("PORT")
      ->check(CLI::Range(1, 65'535))
      ->capture_default_str();
  app.add_flag("--no-discovery", options.no_discovery,
               "Do not answer clients that look for servers: they need the address")
      ->excludes("--discovery-port");
  app.add_option("--password-file", options.password_file,
                 "A file whose first line is the password that players need to come in")
      ->type_name("FILE");
  app.add_option("--metrics", options.metrics,
                 "Serve metrics for Prometheus over HTTP there, to everybody who reaches it")
      ->type_name("ADDRESS:PORT")
      ->check(is_endpoint);
}

void add_engines(const std::vector<std::string>& texts, ServerOptions& options) {
  constexpr std::size_t max_engines = 16;
  for (const std::string& text : texts) {
    const auto parsed = engines::parse_command(text);
    const auto* fault = std::get_if<std::string>(&parsed);
    if (fault != nullptr) throw CLI::ValidationError("--engine", *fault);
    const auto& command = std::get<engines::Command>(parsed);
    if (const auto problem = server::engine_name_problem(command.name)) {
      throw CLI::ValidationError("--engine", *problem);
    }
    if (std::ranges::find(options.engines, command.name, &engines::Command::name) !=
        options.engines.end()) {
      throw CLI::ValidationError("--engine", "there are two engines " + command.name);
    }
    if (options.engines.size() == max_engines) {
      throw CLI::ValidationError("--engine", "there are more than 16 engines");
    }
    options.engines.push_back(command);
  }
}

void declare_games(CLI::App& app, ServerOptions& options) {
  Limits& limits = options.config.limits;
  app.option_defaults()->group("Games");
  app.add_option("--max-side", limits.max_side, "Largest number of rows and columns")
      ->check(CLI::Range(3, 1000))
      ->capture_default_str();
  app.add_option("--grace", options.grace_s,
                 "How long the seat of an absent player is held, in seconds or as 5m; a room can "
                 "have its own time")
      ->type_name("TIME")
      ->transform(program::time_in(seconds, 0, 2'592'000))
      ->capture_default_str();
  app.add_option(
         "--keep-names", options.keep_names_s,
         "How long the name of an absent player without a seat is kept, in seconds or as 12h")
      ->type_name("TIME")
      ->transform(program::time_in(seconds, 0, 31'536'000))
      ->capture_default_str();
  app.add_option(
         "--drain", options.drain_s,
         "How long running games have to finish after SIGTERM or SIGINT, in seconds or as 5m; a "
         "second signal ends the server at once")
      ->type_name("TIME")
      ->transform(program::time_in(seconds, 0, 86'400))
      ->capture_default_str();
  app.add_flag_callback(
      "--no-lobby-chat", [&options] { options.config.lobby_chat = false; },
      "Let players talk only in rooms, not in the lobby");
  app.add_option("--ai-delay", options.ai_delay_ms,
                 "Pause before an AI moves, in milliseconds or as 1s")
      ->type_name("TIME")
      ->transform(program::time_in(milliseconds, 0, 60'000))
      ->capture_default_str();
  app.add_option("--ai-time", options.ai_time_ms,
                 "Longest time that an AI thinks about a hard position, in milliseconds or as 2s")
      ->type_name("TIME")
      ->transform(program::time_in(milliseconds, 1, 600'000))
      ->capture_default_str();
  app.add_option("--ai-threads", options.ai_threads, "Number of AIs that think at the same time")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option_function<std::vector<std::string>>(
         "--engine", [&options](const auto& texts) { add_engines(texts, options); },
         "A program that speaks the Gomocup protocol, as a further level of AI for five in a row; "
         "may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=COMMAND");
  app.add_option("--engine-memory", options.engine_memory_mib,
                 "Most memory of one process of an engine, in MiB or as 1G")
      ->type_name("SIZE")
      ->transform(program::memory_in_mib(16, 16'384))
      ->capture_default_str();
  app.add_option("--engine-start", options.engine_start_s,
                 "How long an engine may take to load before its first move, in seconds or as 1m")
      ->type_name("TIME")
      ->transform(program::time_in(seconds, 1, 600))
      ->capture_default_str();
}

void declare_journal(CLI::App& app, ServerOptions& options) {
  app.option_defaults()->group("Records");
  app.add_option("--data-dir", options.data_dir,
                 "Directory of the journal: the state of the server, and every finished game")
      ->type_name("DIR")
      ->default_str("$XDG_DATA_HOME/tictactoe or ~/.local/share/tictactoe");
  app.add_flag("--no-journal", options.no_journal,
               "Keep no records: rooms and games end with the server")
      ->excludes("--data-dir");
  app.add_option("--store", options.store_url,
                 "PostgreSQL database with the journal, instead of a file")
      ->type_name("URL")
      ->excludes("--no-journal");
  app.add_option("--public-address", options.public_address,
                 "Share the database of --store with other servers, as one lobby; clients that "
                 "are sent here connect to this address")
      ->type_name("HOST:PORT")
      ->needs("--store");
  app.add_option("--keep-games", options.keep_games_days,
                 "How long finished games are kept, in days or as 30d; 0 keeps them forever")
      ->type_name("TIME")
      ->transform(program::time_in(std::chrono::hours(24), 0, 36'500))
      ->capture_default_str();
  app.add_option("--log", options.log_level, "Level of the log on standard error")
      ->check(CLI::IsMember({"debug", "info", "warn", "error", "off"}))
      ->capture_default_str();
  app.add_option("--log-format", options.log_format,
                 "Format of its lines: for people, for programs, or for systemd")
      ->check(CLI::IsMember({"text", "json", "journal"}))
      ->default_str("text, or journal if systemd reads it");
  app.add_flag("--core-dumps", options.core_dumps,
               "Allow core dumps, which contain passwords and tokens, to find a fault");
}

void declare_limits(CLI::App& app, ServerOptions& options) {
  Limits& limits = options.config.limits;
  app.option_defaults()->group("Limits");
  app.add_option("--max-connections", limits.connections, "Most connections")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option(
         "--max-per-address", limits.connections_per_address,
         "Most connections from one IPv4 address or IPv6 /64 network; 0 for no limit of any "
         "kind by address")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  app.add_option("--max-pending", limits.pending_connections,
                 "Most connections that have not sent a hello")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--silence", options.silence_s,
                 "Time after which a silent connection is closed, in seconds or as 1m; 0 for never")
      ->type_name("TIME")
      ->transform(program::time_in(seconds, 0, 86'400))
      ->capture_default_str();
  app.add_option("--rate", limits.requests_per_second,
                 "Tokens that a player gains each second and pays requests with; a move costs 1; 0 "
                 "for no limit")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  app.add_option("--burst", limits.request_burst, "Most tokens of a player")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--max-rooms", limits.rooms, "Most rooms")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--max-rooms-per-player", limits.rooms_per_player,
                 "Most rooms that one player has created")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--max-watchers", limits.watchers_per_room, "Most watchers in one room")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
}

// Of a subcommand.
void declare_place_of_records(CLI::App& command, ServerOptions& options) {
  command.add_option("--data-dir", options.data_dir, "Directory of the journal")
      ->type_name("DIR")
      ->default_str("$XDG_DATA_HOME/tictactoe or ~/.local/share/tictactoe");
  command
      .add_option("--store", options.store_url,
                  "PostgreSQL database with the journal, instead of a file")
      ->type_name("URL")
      ->excludes("--data-dir");
}

// Of a command that can prepare the directory of a server.
void declare_new_place(CLI::App& command, ServerOptions& options) {
  declare_place_of_records(command, options);
  command.add_flag("--create", options.creates_place,
                   "Make the directory if no server has used it yet");
}

void declare_import(CLI::App& app, ServerOptions& options) {
  options.import = app.add_subcommand(
      "import", "Add games from files to the records; a server may run meanwhile");
  options.import->add_option("files", options.import_files, "Games as text, as clients export them")
      ->type_name("FILE ...")
      ->required();
  declare_new_place(*options.import, options);
}

void declare_copy(CLI::App& app, ServerOptions& options) {
  options.copy = app.add_subcommand(
      "copy", "Copy all records between a directory and a database; stop the servers first");
  options.copy
      ->add_option("--from", options.copy_from,
                   "Directory with the journal, or URL of a PostgreSQL database")
      ->type_name("DIR|URL")
      ->required();
  options.copy
      ->add_option("--to", options.copy_to, "The same for the copy. It must have no records")
      ->type_name("DIR|URL")
      ->required();
}

void declare_forget(CLI::App& app, ServerOptions& options) {
  options.forget = app.add_subcommand(
      "forget", "Replace a player's name in the records by a neutral one; stop the server first");
  options.forget
      ->add_option("player", options.forgotten_player, "Name of the player, as it is shown")
      ->type_name("PLAYER")
      ->required();
  declare_place_of_records(*options.forget, options);
}

void declare_account(CLI::App& app, ServerOptions& options) {
  options.account =
      app.add_subcommand("account", "Reserve names with a password. Works while the server runs");
  options.account
      ->add_option("action", options.account_action,
                   "What to do. `add` and `password` ask for the password at the terminal, or read "
                   "it from standard input")
      ->type_name("add|list|password|remove")
      ->check(CLI::IsMember({"add", "list", "password", "remove"}))
      ->required();
  options.account->add_option("name", options.account_name, "Name of the account")
      ->type_name("NAME");
  declare_new_place(*options.account, options);
}

}  // namespace

void declare(CLI::App& app, ServerOptions& options) {
  program::declare_common(app, "tictactoe-server " TICTACTOE_VERSION);
  const std::string usual_group = app.option_defaults()->get_group();
  declare_config(app, options);
  declare_place(app, options);
  declare_games(app, options);
  declare_journal(app, options);
  declare_limits(app, options);
  app.option_defaults()->group(usual_group);
  declare_import(app, options);
  declare_copy(app, options);
  declare_forget(app, options);
  declare_account(app, options);
  declare_ctl(app, options.ctl, options.data_dir);
  app.footer(
      "Examples:\n"
      "  tictactoe-server --name \"the den\"             for everybody on this network\n"
      "  tictactoe-server --listen 127.0.0.1 --port 0  for this machine alone\n"
      "  tictactoe-server import games.txt\n"
      "  tictactoe-server copy --from /var/lib/tictactoe --to postgresql://db/tictactoe\n"
      "  tictactoe-server forget alice\n"
      "  tictactoe-server account add ann\n"
      "  tictactoe-server ctl kick bob \"please be quiet\"\n"
      "\n"
      "Exit status: 0 after SIGTERM or Ctrl-C, 1 if it can't listen or can't use its\n"
      "journal or accounts, if a file to import has errors, if records can't be\n"
      "copied, if nobody has the name to forget, or if no server does what ctl asks,\n"
      "2 for bad options.");
}

std::optional<std::filesystem::path> ServerOptions::data_folder() const {
  if (!data_dir.empty()) return data_dir;
  return program::user_folder("XDG_DATA_HOME", ".local/share");
}

Config config_of(const ServerOptions& options) {
  Config config = options.config;
  config.ai_delay = std::chrono::milliseconds(options.ai_delay_ms);
  config.limits.default_grace = std::chrono::seconds(options.grace_s);
  config.limits.silence_timeout = std::chrono::seconds(options.silence_s);
  config.limits.name_hold = std::chrono::seconds(options.keep_names_s);
  for (const engines::Command& engine : options.engines) config.engines.push_back(engine.name);
  if (!config.engines.empty()) {
    // In addition to our own AIs: two engines per room, and four in total.
    config.ai.engine_bytes = static_cast<std::size_t>(options.engine_memory_mib) << 20;
    config.ai.room_bytes += 2 * config.ai.engine_bytes;
    config.ai.total_bytes += 4 * config.ai.engine_bytes;
  }
  config.software = "tictactoe-server " TICTACTOE_VERSION;
  config.keeps_records = !options.no_journal;
  return config;
}

}  // namespace tictactoe::app
