// tictactoe: the client. Options in, exit status out.
#include <google/protobuf/stubs/logging.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/console/notation.hpp"
#include "client/console/records.hpp"
#include "client/console/shell.hpp"
#include "client/lan/listing.hpp"
#include "client/options.hpp"
#include "client/screen/program.hpp"
#include "client/screen/terminal.hpp"
#include "common/program/help.hpp"

namespace {

using namespace tictactoe;

constexpr int failed = 1;
// The server that was named, or else found; nothing, after saying why, where there are several.
std::optional<console::Address> choose_server(const ClientOptions& options) {
  if (!options.server.empty()) return console::parse_address(options.server).address;
  lan::Choice choice = lan::choose_server(options.discovery_port);
  std::cerr << choice.note << std::flush;
  return std::move(choice.address);
}

int read_records(const CLI::App& app, const ClientOptions& options) {
  const auto id = console::parse_id(options.game);
  console::ReplayOptions replay{{}, options.play.plain};
  if (options.speed) {
    replay.speed = std::chrono::milliseconds(static_cast<int>(*options.speed * 1000));
  }
  if (app.got_subcommand("replay") && !id) return console::replay_file(options.game, replay);

  const auto address = choose_server(options);
  if (!address) return failed;
  const console::RecordsServer server{*address, options.play.name, options.play.software};
  if (app.got_subcommand("history")) {
    return console::show_history(server, options.player, options.limit);
  }
  if (app.got_subcommand("export")) return console::export_game(server, *id);
  return console::replay_game(server, *id, replay);
}

screen::Alert alert_of(const std::string& word) {
  if (word == "bell") return screen::Alert::bell;
  if (word == "title") return screen::Alert::title;
  return word == "none" ? screen::Alert::none : screen::Alert::bell_and_title;
}

// The full screen; nothing where the terminal has no room for one.
std::optional<int> play_on_screen(const ClientOptions& options) {
  screen::Program::Options program;
  program.play = options.play;
  program.choose = options.server.empty();
  if (!program.choose) program.play.server = console::parse_address(options.server).address;
  program.discovery_port = options.discovery_port;
  program.alert = alert_of(options.alert);
  return screen::Program(std::move(program)).run();
}

int play(ClientOptions options) {
  if (options.retry_seconds) options.play.patience = std::chrono::seconds(*options.retry_seconds);
  if (!options.lines && !options.play.plain && screen::full_screen_possible()) {
    if (const auto status = play_on_screen(options)) return *status;
  }
  auto address = choose_server(options);
  if (!address) return failed;
  options.play.server = *std::move(address);
  return console::Shell(std::move(options.play)).run();
}

int carry_out(const CLI::App& app, ClientOptions options) {
  if (app.got_subcommand("lan")) {
    return lan::list_servers({options.discovery_port, options.json, options.watch});
  }
  if (!app.get_subcommands().empty()) return read_records(app, options);
  return play(std::move(options));
}

int run(int argc, char** argv) {
  ClientOptions options;
  CLI::App app(
      "Plays tic-tac-toe with others on a server, at a terminal or from a script on\n"
      "standard input.",
      "tictactoe");
  declare(app, options);
  if (const auto status = program::parse(app, argc, argv)) return *status;
  const std::vector<std::string> problems = problems_of(app, options);
  if (!problems.empty()) return program::complain(app, problems);
  // Protobuf writes what it can't parse to standard error; the conversation tells of it already.
  google::protobuf::SetLogHandler(nullptr);
  return carry_out(app, std::move(options));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    console::fill_standard_streams();
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "tictactoe: " << error.what() << "\n";
    return failed;
  }
}
