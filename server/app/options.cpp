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
#include "server/journal/unused.hpp"
#include "server/limits/parse.hpp"
#include "server/transport/tcp/networks.hpp"
#include "server/transport/web/http_rules.hpp"

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
             : "\"" + text + "\" is neither an IP address nor a range such as 10.0.0.0/8";
}

std::string is_endpoint(const std::string& text) {
  return admin::parse_endpoint(text) ? std::string()
                                     : "\"" + text +
                                           "\" is not an address with a port, such as "
                                           "127.0.0.1:9464, localhost:9464 or :9464";
}

std::string is_name(const std::string& text) {
  const auto parsed = server::parse_name(text, "server", Limits{});
  return parsed ? std::string() : parsed.error().message;
}

std::string is_public_address(const std::string& text) {
  const auto parts = transport::split_host(text);
  const bool is_place = parts && !parts->name.empty() &&
                        parts->name.find_first_of(" /@#?\"'%") == std::string_view::npos;
  return is_place ? std::string() : "\"" + text + "\" is not HOST, HOST:PORT or [IPV6]:PORT";
}

std::string lower_case(std::string text) {
  for (char& letter : text) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return text;
}

void declare_config(CLI::App& app, ServerOptions& options) {
  options.file = program::ConfigFile::declare(
      app, "", "Read options from this file, such as name = \"the den\"");
  app.add_flag("--check-config", options.check_config,
               "Check the options and the files they name, and exit")
      ->configurable(false);
}

void declare_tls(CLI::App& app, ServerOptions& options) {
  CLI::Option* const certificate =
      app.add_option(
             "--tls-cert", options.tls_certificate,
             "TLS certificate chain in PEM, the server's own certificate first; reloaded on SIGHUP")
          ->type_name("FILE")
          ->default_str("self-signed, created at the first start");
  CLI::Option* const key =
      app.add_option("--tls-key", options.tls_key, "Key of --tls-cert in PEM, without a passphrase")
          ->type_name("FILE");
  certificate->needs(key);
  key->needs(certificate);
  CLI::Option* const required =
      app.add_flag("--require-tls", options.require_tls, "Refuse unencrypted connections");
  app.add_flag("--allow-plain-http", options.allow_plain_http,
               "Also serve browsers on other machines without TLS; anyone on the network path can "
               "then read passwords and chat")
      ->excludes(required);
}

void declare_place(CLI::App& app, ServerOptions& options) {
  Config& config = options.config;
  app.option_defaults()->group("Network");
  app.add_option("--listen", options.addresses, "Address to listen on; may be repeated")
      ->type_name("ADDRESS")
      ->allow_extra_args(false)
      ->check(is_address)
      ->default_str("every IPv6 and IPv4 address");
  app.add_option("--port", options.port, "TCP port; 0 picks a free one")
      ->transform(program::number_in(0, 65'535))
      ->capture_default_str();
  app.add_option("--name", config.server_name, "Name of the server, shown to players")
      ->check(is_name)
      ->capture_default_str();
  app.add_option("--trusted-proxy", options.trusted_proxies,
                 "Address or address range of a proxy; its connections must begin with a PROXY "
                 "protocol v2 header; may be repeated")
      ->type_name("CIDR")
      ->allow_extra_args(false)
      ->check(is_network);
  app.add_option("--public-address", options.public_addresses,
                 "Host name or address, and port, by which others reach the server; links show the "
                 "first; may be repeated. With --store, servers with the same database form one "
                 "lobby and redirect clients to this address")
      ->type_name("HOST[:PORT]")
      ->allow_extra_args(false)
      ->transform(lower_case)
      ->check(is_public_address);
  app.add_flag("--internet", options.internet,
               "Open the port on the router until the server stops, so that guests can join from "
               "anywhere. Implies --require-tls");
  declare_tls(app, options);
  app.add_flag(
      "--qr", options.qr,
      "Print the address for browsers and its QR code even if standard output is not a terminal");
  app.add_option("--discovery-port", options.discovery_port,
                 "UDP port for discovery by clients on the same network")
      ->type_name("PORT")
      ->transform(program::number_in(1, 65'535))
      ->capture_default_str();
  app.add_flag("--no-discovery", options.no_discovery,
               "Do not answer discovery queries; players then have to enter the address")
      ->excludes("--discovery-port");
  app.add_option("--password-file", options.password_file,
                 "File whose first line is the password players need to join")
      ->type_name("FILE");
  app.add_option("--metrics", options.metrics,
                 "Serve Prometheus metrics over HTTP at this address, to anyone who can reach it")
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
      throw CLI::ValidationError("--engine", "two engines have the name " + command.name);
    }
    if (options.engines.size() == max_engines) {
      throw CLI::ValidationError("--engine", "at most 16 engines are allowed");
    }
    options.engines.push_back(command);
  }
}

void declare_games(CLI::App& app, ServerOptions& options) {
  Limits& limits = options.config.limits;
  app.option_defaults()->group("Games");
  app.add_option("--max-side", limits.max_side, "Maximum number of rows and of columns")
      ->transform(program::number_in(3, 1000))
      ->capture_default_str();
  app.add_option("--grace", options.grace_s,
                 "How long an absent player's seat is held, in seconds or as 5m; a room can set "
                 "its own time")
      ->type_name("TIME")
      ->transform(program::time_in(seconds, 0, 2'592'000))
      ->capture_default_str();
  app.add_option("--keep-names", options.keep_names_s,
                 "How long the name of an absent player without a seat stays reserved, in seconds "
                 "or as 12h")
      ->type_name("TIME")
      ->transform(program::time_in(seconds, 0, 31'536'000))
      ->capture_default_str();
  app.add_option("--drain", options.drain_s,
                 "How long running games may continue after SIGTERM or SIGINT, in seconds or as "
                 "5m; a second signal stops the server at once")
      ->type_name("TIME")
      ->transform(program::time_in(seconds, 0, 86'400))
      ->capture_default_str();
  app.add_flag_callback(
      "--no-lobby-chat", [&options] { options.config.lobby_chat = false; },
      "Allow chat only in rooms, not in the lobby");
  app.add_option("--ai-delay", options.ai_delay_ms,
                 "Pause before an AI moves, in milliseconds or as 1s; up to twice that before "
                 "hard moves")
      ->type_name("TIME")
      ->transform(program::time_in(milliseconds, 0, 60'000))
      ->capture_default_str();
  app.add_flag_callback(
      "--no-ai-pace", [&options] { options.config.ai_pace = false; },
      "Make AIs pause equally long before every move");
  app.add_option("--ai-time", options.ai_time_ms,
                 "Maximum thinking time of an AI per move, in milliseconds or as 2s; ten times "
                 "that for levels 1 to 8")
      ->type_name("TIME")
      ->transform(program::time_in(milliseconds, 1, 600'000))
      ->capture_default_str();
  app.add_option("--ai-threads", options.ai_threads,
                 "Number of AIs that can think at the same time")
      ->transform(program::number_in(1, 64))
      ->capture_default_str();
  app.add_option_function<std::vector<std::string>>(
         "--engine", [&options](const auto& texts) { add_engines(texts, options); },
         "Add a program that speaks the Gomocup protocol as an AI level for five in a row; may be "
         "repeated. It needs a free core while it thinks")
      ->allow_extra_args(false)
      ->type_name("NAME=COMMAND");
  app.add_option("--engine-memory", options.engine_memory_mib,
                 "Memory limit of each engine process, in MiB or as 1G")
      ->type_name("SIZE")
      ->transform(program::memory_in_mib(16, 16'384))
      ->capture_default_str();
  app.add_option("--engine-start", options.engine_start_s,
                 "Time an engine has to load before its first move, in seconds or as 1m")
      ->type_name("TIME")
      ->transform(program::time_in(seconds, 1, 600))
      ->capture_default_str();
}

void declare_journal(CLI::App& app, ServerOptions& options) {
  app.option_defaults()->group("Records");
  app.add_option("--data-dir", options.data_dir,
                 "Directory of the journal, which holds the server's state and all finished games")
      ->type_name("DIR")
      ->default_str("$XDG_DATA_HOME/tictactoe or ~/.local/share/tictactoe");
  app.add_flag("--no-journal", options.no_journal,
               "Keep no records: rooms and games are lost when the server stops")
      ->excludes("--data-dir");
  app.add_option("--store", options.store_url,
                 "Keep the journal in this PostgreSQL database, instead of a file")
      ->type_name("URL")
      ->check(records::fault_of_url)
      ->excludes("--no-journal");
  app.add_option("--keep-games", options.keep_games_days,
                 "How long to keep finished games, in days or as 30d; 0 keeps them forever")
      ->type_name("TIME")
      ->transform(program::time_in(std::chrono::hours(24), 0, 36'500))
      ->capture_default_str();
  app.add_option("--log", options.log_level, "Level of the log, which goes to standard error")
      ->check(CLI::IsMember({"debug", "info", "warn", "error", "off"}))
      ->capture_default_str();
  app.add_option("--log-format", options.log_format,
                 "Format of the log: for people, for programs or for systemd")
      ->check(CLI::IsMember({"text", "json", "journal"}))
      ->default_str("text, or journal under systemd");
  app.add_flag("--core-dumps", options.core_dumps,
               "Allow core dumps, for debugging; they contain passwords and tokens");
}

void declare_limits(CLI::App& app, ServerOptions& options) {
  Limits& limits = options.config.limits;
  app.option_defaults()->group("Limits");
  app.add_option("--max-connections", limits.connections, "Maximum number of connections")
      ->transform(program::number_in(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--max-per-address", limits.connections_per_address,
                 "Maximum number of connections from one IPv4 address or IPv6 /64 network; 0 turns "
                 "off all limits per address")
      ->transform(program::number_in(0, 1'000'000))
      ->capture_default_str();
  app.add_option("--max-pending", limits.pending_connections,
                 "Maximum number of connections that have not sent a hello")
      ->transform(program::number_in(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--silence", options.silence_s,
                 "Close a connection after this much silence, in seconds or as 1m; 0 disables this")
      ->type_name("TIME")
      ->transform(program::time_in(seconds, 0, 86'400))
      ->capture_default_str();
  app.add_option(
         "--rate", limits.requests_per_second,
         "Tokens a player receives per second; requests cost tokens, a move 1; 0 for no limit")
      ->transform(program::number_in(0, 1'000'000))
      ->capture_default_str();
  app.add_option("--burst", limits.request_burst, "Maximum number of tokens a player can save up")
      ->transform(program::number_in(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--max-rooms", limits.rooms, "Maximum number of rooms")
      ->transform(program::number_in(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--max-rooms-per-player", limits.rooms_per_player,
                 "Maximum number of rooms created by one player")
      ->transform(program::number_in(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--max-watchers", limits.watchers_per_room,
                 "Maximum number of watchers in one room")
      ->transform(program::number_in(0, 1'000'000))
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
      ->check(records::fault_of_url)
      ->excludes("--data-dir");
}

// Of a command that can prepare the directory of a server.
void declare_new_place(CLI::App& command, ServerOptions& options) {
  declare_place_of_records(command, options);
  command.add_flag("--create", options.creates_place,
                   "Create the directory if no server has used it yet");
}

void declare_import(CLI::App& app, ServerOptions& options) {
  options.import = app.add_subcommand(
      "import", "Add games from files to the records. Works while the server runs");
  options.import
      ->add_option("files", options.import_files, "Files of games, as exported by a client")
      ->type_name("FILE ...")
      ->required();
  declare_new_place(*options.import, options);
}

void declare_copy(CLI::App& app, ServerOptions& options) {
  options.copy = app.add_subcommand(
      "copy", "Copy all records between directories and databases. Stop the servers first");
  options.copy
      ->add_option("--from", options.copy_from,
                   "Source: a directory with a journal, or the URL of a PostgreSQL database")
      ->type_name("DIR|URL")
      ->required();
  options.copy
      ->add_option("--to", options.copy_to, "Target, in the same form. It must not contain records")
      ->type_name("DIR|URL")
      ->required();
}

void declare_forget(CLI::App& app, ServerOptions& options) {
  options.forget = app.add_subcommand(
      "forget", "Replace a player's name in the records with a neutral one. Stop the server first");
  options.forget
      ->add_option("player", options.forgotten_player,
                   "Name of the player, exactly as clients show it")
      ->type_name("PLAYER")
      ->required();
  declare_place_of_records(*options.forget, options);
}

void declare_account(CLI::App& app, ServerOptions& options) {
  options.account =
      app.add_subcommand("account", "Reserve names with a password. Works while the server runs");
  options.account
      ->add_option("action", options.account_action,
                   "What to do. `add` and `password` prompt for the password at a terminal; "
                   "otherwise they read it from standard input")
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
      "  tictactoe-server --name \"the den\"             for everyone on this network\n"
      "  tictactoe-server --internet --password-file password   for guests anywhere\n"
      "  tictactoe-server --listen 127.0.0.1 --port 0  for this machine only\n"
      "  tictactoe-server import games.txt\n"
      "  tictactoe-server copy --from /var/lib/tictactoe --to postgresql://db/tictactoe\n"
      "  tictactoe-server forget alice\n"
      "  tictactoe-server account add ann\n"
      "  tictactoe-server ctl kick bob \"please be quiet\"\n"
      "\n"
      "Exit status: 0 on success, or after SIGTERM or Ctrl-C; 2 for bad options and for\n"
      "files that the server can't use as they are; 1 if trying again may help, as with\n"
      "a port in use or a database that does not answer, if a file to import has errors,\n"
      "if records can't be copied, if the player to forget is unknown, or if ctl fails.");
}

std::string ServerOptions::public_place(std::uint16_t listening) const {
  if (public_addresses.empty()) return {};
  const std::string& first = public_addresses.front();
  const bool has_port = !transport::split_host(first)->port.empty();
  return has_port ? first : first + ":" + std::to_string(listening);
}

std::string ServerOptions::place_in_links(std::uint16_t listening) const {
  // Guests reach the proxy, whose port is the usual one unless it is given.
  if (!trusted_proxies.empty() && !public_addresses.empty()) return public_addresses.front();
  return public_place(listening);
}

std::optional<std::filesystem::path> ServerOptions::data_folder() const {
  if (!data_dir.empty()) return data_dir;
  return program::user_folder("XDG_DATA_HOME", ".local/share");
}

Config config_of(const ServerOptions& options) {
  Config config = options.config;
  config.ai_delay = std::chrono::milliseconds(options.ai_delay_ms);
  config.engine_late = std::chrono::milliseconds(options.ai_time_ms) + std::chrono::seconds(1);
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
