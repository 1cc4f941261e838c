// The load generator: options in, a table (and JSON) out. See ../README.md.
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "common/program/help.hpp"
#include "common/program/units.hpp"
#include "tests/bench/load/failure.hpp"
#include "tests/bench/load/games.hpp"
#include "tests/bench/load/json_protocol.hpp"
#include "tests/bench/load/quiet.hpp"
#include "tests/bench/load/relay_protocol.hpp"

namespace tictactoe::load {
namespace {

struct Options {
  std::string host = "127.0.0.1";
  std::uint16_t port = 7654;
  std::vector<std::string> others;
  bool floor = false;
  bool tls = false;
  bool websocket = false;
  bool websocket_json = false;
  pid_t server_pid = 0;
  std::string json;
  bool quiet = false;
  std::string board = "3x3x3";
  bool exact = false;
  GatheringPlan gathering;
  double warm_up = 1;
  double seconds = 5;
  double rate = 0;
  std::size_t in_flight = 1;
  std::size_t connections = 10'000;
  std::uint32_t idle_seconds = 60;
  std::uint32_t between_pings = 10;
};

// Rows, columns and k, as in 15x15x5, of valid rules; otherwise empty, and a sentence.
std::string read_board(const std::string& text, rules::Rules& rules) {
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%dx%d%c", &rules.rows, &rules.cols, &rules.k, &rest) != 3) {
    return "a board is given as rows, columns and marks in a row, as in 15x15x5";
  }
  return rules.problem().value_or("");
}

void add_common(CLI::App& app, Options& options) {
  app.add_option("--host", options.host, "Where the server listens")->capture_default_str();
  app.add_option("--port", options.port, "Its TCP port")
      ->transform(program::number_in(1, 65'535))
      ->capture_default_str();
  app.add_option("--also", options.others,
                 "HOST:PORT of another server of the same lobby, to which a part of the players "
                 "connect; can be given several times");
  app.add_flag("--floor", options.floor,
               "It is no server but tictactoe-relay: frames as long, with nothing in them");
  app.add_flag("--tls", options.tls, "Speak TLS, whatever key the server has");
  CLI::Option* const binary = app.add_flag("--websocket", options.websocket,
                                           "Speak through WebSockets, in binary messages");
  app.add_flag("--websocket-json", options.websocket_json, "The same, in JSON")->excludes(binary);
  app.add_option("--server-pid", options.server_pid,
                 "Process of a server on this machine, whose CPU time and memory are reported")
      ->transform(program::any_number());
  app.add_option("--json", options.json, "File for the figures as JSON; - for standard output");
  app.add_flag("--quiet", options.quiet, "No progress on standard error");
  app.add_option("--at-once", options.gathering.at_once,
                 "Connections that are on their way to their welcome at a time")
      ->transform(program::number_in(1, 100'000))
      ->capture_default_str();
}

void add_rooms(CLI::App& command, Options& options) {
  command.add_option("--rooms", options.gathering.rooms, "Rooms, of two players each")
      ->transform(program::number_in(1, 1'000'000))
      ->capture_default_str();
  command.add_option("--board", options.board, "Rows, columns and marks in a row that win")
      ->capture_default_str();
  command.add_flag("--exact", options.exact, "A longer line does not win");
}

CLI::App& add_games(CLI::App& app, Options& options) {
  CLI::App& games = *app.add_subcommand("games", "Random games in all rooms, back to back");
  add_rooms(games, options);
  games.add_option("--watchers", options.gathering.watchers, "Watchers in each room")
      ->transform(program::number_in(0, 1'000'000))
      ->capture_default_str();
  games
      .add_option("--rate", options.rate,
                  "Moves a second in all rooms together, sent whether or not earlier ones were "
                  "answered in time; 0: as fast as it goes")
      ->transform(program::decimal_in(0.0, 1e9))
      ->capture_default_str();
  games
      .add_option("--in-flight", options.in_flight,
                  "Requests that a player sends in one write and waits for: a move, and pings")
      ->transform(program::number_in(1, 1'000))
      ->capture_default_str();
  games.add_option("--warm-up", options.warm_up, "Seconds before measuring")
      ->transform(program::decimal_in(0.0, 1e6))
      ->capture_default_str();
  games.add_option("--seconds", options.seconds, "Seconds to measure")
      ->transform(program::decimal_in(0.1, 1e6))
      ->capture_default_str();
  games.add_option("--seed", options.gathering.seed, "Of the moves")
      ->transform(program::any_number())
      ->capture_default_str();
  return games;
}

CLI::App& add_storm(CLI::App& app, Options& options) {
  CLI::App& storm = *app.add_subcommand("storm", "Connections that all come at once");
  storm.add_option("--connections", options.connections, "How many")
      ->transform(program::number_in(1, 1'000'000))
      ->capture_default_str();
  return storm;
}

CLI::App& add_idle(CLI::App& app, Options& options) {
  CLI::App& idle = *app.add_subcommand("idle", "Players in rooms who do nothing");
  add_rooms(idle, options);
  idle.add_option("--seconds", options.idle_seconds, "How long")
      ->transform(program::number_in(1, 1'000'000))
      ->capture_default_str();
  idle.add_option("--between-pings", options.between_pings,
                  "Seconds between two signs of life of a connection")
      ->transform(program::number_in(1, 1'000'000))
      ->capture_default_str();
  return idle;
}

// As many as the system allows. Connecting fails if that is not enough.
void allow_many_sockets() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::unique_ptr<Protocol> protocol_of(const Options& options) {
  if (options.floor) return std::make_unique<RelayProtocol>(options.gathering.rules);
  if (options.websocket_json) return std::make_unique<JsonProtocol>(options.gathering.rules);
  return std::make_unique<GameProtocol>(options.gathering.rules);
}

Target target_of(const Options& options) {
  Target target = resolve(options.host, options.port);
  if (options.tls) target.transport.tls = make_tls_context();
  if (options.websocket) target.transport.framing = Framing::websocket;
  if (options.websocket_json) target.transport.framing = Framing::websocket_json;
  return target;
}

std::vector<Target> targets_of(const Options& options) {
  std::vector<Target> targets{target_of(options)};
  for (const std::string& address : options.others) {
    targets.push_back(resolve(address, targets.front().transport));
  }
  return targets;
}

Report run(const CLI::App& command, const Options& options) {
  allow_many_sockets();
  const std::unique_ptr<Protocol> protocol = protocol_of(options);
  const Target target = target_of(options);
  std::optional<ServerProcess> server;
  if (options.server_pid > 0) server.emplace(options.server_pid);
  const ServerProcess* const watched = server ? &*server : nullptr;
  if (command.get_name() == "storm") {
    return storm(target,
                 {.connections = options.connections,
                  .at_once = options.gathering.at_once,
                  .server = watched},
                 *protocol);
  }
  if (command.get_name() == "idle") {
    return idle(target,
                {.gathering = options.gathering,
                 .duration = std::chrono::seconds(options.idle_seconds),
                 .between_pings = std::chrono::seconds(options.between_pings),
                 .server = watched,
                 .progress = !options.quiet},
                *protocol);
  }
  return Games(targets_of(options),
               {.gathering = options.gathering,
                .warm_up = std::chrono::duration<double>(options.warm_up),
                .seconds = std::chrono::duration<double>(options.seconds),
                .rate = options.rate,
                .in_flight = options.in_flight,
                .server = watched,
                .progress = !options.quiet},
               *protocol)
      .run();
}

void show(const Report& report, const std::string& json) {
  if (json == "-") {
    std::cout << report.json();
    return;
  }
  std::cout << report.table();
  if (json.empty()) return;
  std::ofstream file(json);
  file << report.json();
  if (!file.flush()) throw Failure("Can't write " + json + ".");
}

int main(int argc, const char* const* argv) {
  Options options;
  CLI::App app("Puts load on a tictactoe-server, checks every answer and measures.");
  app.formatter(std::make_shared<program::HelpFormatter>());
  app.footer(
      "Start the server with --rate 0, and with room for all connections and rooms. Exit status: "
      "1\n"
      "if it did anything wrong, 2 for bad options.");
  app.set_version_flag("--version", "tictactoe-load " TICTACTOE_VERSION);
  app.require_subcommand(1);
  app.fallthrough();
  add_common(app, options);
  add_games(app, options);
  add_storm(app, options);
  add_idle(app, options);
  try {
    app.parse(argc, argv);
    rules::Rules& rules = options.gathering.rules;
    rules.overline_wins = !options.exact;
    const std::string problem = read_board(options.board, rules);
    if (!problem.empty()) throw CLI::ValidationError("--board", problem);
    if (options.floor && (options.tls || options.websocket || options.websocket_json)) {
      throw CLI::ValidationError("--floor", "a relay speaks only its own protocol over plain TCP");
    }
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    show(run(*app.get_subcommands().front(), options), options.json);
    return 0;
  } catch (const Failure& failure) {
    std::cerr << "tictactoe-load: " << failure.what() << "\n";
    return 1;
  }
}

}  // namespace
}  // namespace tictactoe::load

int main(int argc, char** argv) {
  try {
    return tictactoe::load::main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tictactoe-load: %s\n", error.what());
    return 1;
  }
}
