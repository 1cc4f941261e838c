// tictactoe: the console client. Options in, exit status out.
#include <google/protobuf/stubs/logging.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "client/console/inquiry.hpp"
#include "client/console/notation.hpp"
#include "client/console/records.hpp"
#include "client/console/shell.hpp"
#include "client/console/shown.hpp"
#include "common/wire/text.hpp"

namespace {

using namespace tictactoe;

constexpr int bad_options = 2;

std::string default_name() {
  const char* const user = std::getenv("USER");
  if (user == nullptr || *user == '\0' || wire::check_text(user).fault) return "player";
  // As much of it as servers take by default.
  constexpr std::size_t longest = 24;
  return std::string(wire::first_code_points(user, longest));
}

std::string name_fault(const std::string& name) {
  if (name.empty()) return "--name: the name is empty";
  if (wire::check_text(name).fault) return "--name: not UTF-8, or with control characters in it";
  return {};
}

int report(const std::vector<std::string>& problems) {
  for (const std::string& problem : problems) std::cerr << "tictactoe: " << problem << "\n";
  std::cerr << "Run with --help for the options.\n";
  return bad_options;
}

// What the command line says.
struct Line {
  console::Shell::Options play;
  std::string server = "localhost:" + std::to_string(console::default_port);
  std::optional<int> retry_seconds;
  std::string player;
  std::size_t limit = 20;
  std::string game;  // a number, or a file
  std::optional<double> speed;
};

void declare_play(CLI::App& app, Line& line) {
  app.set_version_flag("--version", line.play.software);
  app.add_option("--server", line.server, "Where the server is; [IPV6]:PORT works as well")
      ->type_name("HOST[:PORT]")
      ->default_str(line.server);
  app.add_option("--name", line.play.name, "How you want to be called")
      ->type_name("NAME")
      ->default_str(line.play.name);
  app.add_option("--command", line.play.commands,
                 "A line to begin with, as if it were typed; may be given several times")
      ->type_name("LINE")
      ->allow_extra_args(false);
  app.add_option("--retry", line.retry_seconds,
                 "How long a server that was lost is looked for; 0 for not at all")
      ->type_name("SECONDS")
      ->check(CLI::Range(0, 1'000'000))
      ->default_str("600 at a terminal, 60 elsewhere");
  app.add_flag("--guest", line.play.guest,
               "Keep nothing on disk; your seat and your name are given up at the end");
  app.add_flag("--plain", line.play.plain, "No colour, no prompt");
  app.footer(
      "Type `help` once it runs. Exit status: 0 after `quit` or the end of input, 1 where\n"
      "the server can't be reached or is lost, 2 for bad options or a refused name.");
}

void declare_server(CLI::App& command, Line& line) {
  command.add_option("--server", line.server, "Where the server is")
      ->type_name("HOST[:PORT]")
      ->default_str(line.server);
  command.footer(
      "Exit status: 1 where the server or the file can't be read or there is no such game, 2 for\n"
      "bad options.");
}

void declare_records(CLI::App& app, Line& line) {
  app.require_subcommand(0, 1);
  CLI::App* const history = app.add_subcommand("history", "List finished games, the latest first");
  declare_server(*history, line);
  history->add_option("--player", line.player, "Only games of this player")->type_name("NAME");
  history->add_option("--limit", line.limit, "At most so many games")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, console::max_inquired_games))
      ->capture_default_str();

  CLI::App* const replay = app.add_subcommand("replay", "Show a finished game move by move");
  declare_server(*replay, line);
  replay->add_option("GAME", line.game, "Its number, as `history` tells it, or a file of games")
      ->type_name("NUMBER|FILE")
      ->required();
  replay
      ->add_option("--speed", line.speed, "Time for each move; otherwise Enter shows the next one")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 3600.0));
  replay->add_flag("--plain", line.play.plain, "No colour");

  CLI::App* const exports =
      app.add_subcommand("export", "Write a finished game to standard output, as text");
  declare_server(*exports, line);
  exports->add_option("GAME", line.game, "Its number, as `history` tells it")
      ->type_name("NUMBER")
      ->required();
}

std::vector<std::string> problems_of(const CLI::App& app, Line& line) {
  std::vector<std::string> problems;
  console::AddressRead address = console::parse_address(line.server);
  if (!address.fault.empty()) problems.push_back("--server " + line.server + ": " + address.fault);
  line.play.server = std::move(address.address);
  if (std::string fault = name_fault(line.play.name); !fault.empty()) problems.push_back(fault);
  if (wire::check_text(line.player).fault) {
    problems.push_back("--player: not UTF-8, or with control characters in it");
  }
  if (app.got_subcommand("export") && !console::parse_id(line.game)) {
    problems.push_back("export: \"" + console::shown(line.game) + "\" is no game's number");
  }
  return problems;
}

int carry_out(const CLI::App& app, Line line) {
  const console::RecordsServer server{line.play.server, line.play.name, line.play.software};
  const auto id = console::parse_id(line.game);
  if (app.got_subcommand("history")) return console::show_history(server, line.player, line.limit);
  if (app.got_subcommand("export")) return console::export_game(server, *id);
  if (app.got_subcommand("replay")) {
    console::ReplayOptions options{{}, line.play.plain};
    if (line.speed) {
      options.speed = std::chrono::milliseconds(static_cast<int>(*line.speed * 1000));
    }
    return id ? console::replay_game(server, *id, options)
              : console::replay_file(line.game, options);
  }
  if (line.retry_seconds) line.play.patience = std::chrono::seconds(*line.retry_seconds);
  return console::Shell(std::move(line.play)).run();
}

int run(int argc, char** argv) {
  Line line;
  line.play.name = default_name();
  line.play.software = "tictactoe " TICTACTOE_VERSION;
  CLI::App app("Plays tic-tac-toe on a server, typed or from a script on standard input.",
               "tictactoe");
  declare_play(app, line);
  declare_records(app, line);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return 0;
  } catch (const CLI::CallForVersion&) {
    std::cout << line.play.software << "\n";
    return 0;
  } catch (const CLI::ParseError& error) {
    return report({error.what()});
  }
  const std::vector<std::string> problems = problems_of(app, line);
  if (!problems.empty()) return report(problems);
  // Protobuf writes what it can't parse to standard error; the conversation tells of it already.
  google::protobuf::SetLogHandler(nullptr);
  return carry_out(app, std::move(line));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    console::fill_standard_streams();
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "tictactoe: " << error.what() << "\n";
    return 1;
  }
}
