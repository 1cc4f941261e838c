// tictactoe-engine: the engine on the command line. Options in, a command out.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "client/engine/commands.hpp"
#include "common/ai/levels.hpp"
#include "common/ai/perfect.hpp"
#include "common/posix/file.hpp"
#include "common/program/help.hpp"
#include "common/program/units.hpp"
#include "common/rules/perft.hpp"

namespace {

using namespace tictactoe;  // NOLINT(google-build-using-namespace): this file is the program
using engine::Limits;
using rules::Mark;
using rules::Rules;

/// Names and their values, in the order in which people read them.
template <class Value>
using Choices = std::vector<std::pair<std::string, Value>>;
const Choices<Mark> marks{{"x", Mark::x}, {"o", Mark::o}};
const Choices<ai::Level> levels = [] {
  Choices<ai::Level> made;
  for (const ai::Level level : ai::levels) made.emplace_back(ai::name(level), level);
  return made;
}();

/// The value of a name in either case; nothing if there is no such name.
template <class Value>
std::optional<Value> value_of(const Choices<Value>& choices, const std::string& word) {
  const auto found =
      std::ranges::find(choices, CLI::detail::to_lower(word), &Choices<Value>::value_type::first);
  return found == choices.end() ? std::nullopt : std::optional(found->second);
}

/// What to do once the options are parsed.
using Action = std::function<int(const engine::Streams&)>;

/// An option that takes one of these names, in either case. CLI11's transformers would show people
/// the numbers behind the names.
template <class Value, class Chosen>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Chosen& chosen,
                        const Choices<Value>& choices, const std::string& description) {
  std::vector<std::string> names;
  for (const auto& [known, value] : choices) names.push_back(known);
  const auto choose = [&chosen, choices](const std::string& word) {
    chosen = *value_of(choices, word);
  };
  return command.add_option_function<std::string>(name, choose, description)
      ->check(CLI::IsMember(names, CLI::ignore_case));
}

[[noreturn]] void refuse_board(const std::string& text) {
  throw CLI::ValidationError("'" + text + "' is not a board; write 3, 6x7 or 15x15x5");
}

/// The board of `3`, `6x7` or `15x15x5`: rows, columns, marks in a row that win.
Rules parse_size(const std::string& text) {
  std::vector<int> numbers;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, 'x');) {
    const auto number = program::parse_number(part);
    // More is refused by the rules.
    constexpr std::uint64_t most = 1'000'000;
    if (!number) refuse_board(text);
    numbers.push_back(static_cast<int>(std::min(*number, most)));
  }
  if (numbers.empty() || numbers.size() > 3 || text.ends_with('x')) refuse_board(text);
  Rules rules;
  rules.rows = numbers[0];
  rules.cols = numbers.size() > 1 ? numbers[1] : rules.rows;
  rules.k = numbers.size() > 2 ? numbers[2] : std::min(rules.rows, rules.cols);
  if (const auto problem = rules.problem()) throw CLI::ValidationError(*problem);
  return rules;
}

/// Declares an option or argument that is a board.
CLI::Option* add_size(CLI::App& command, const std::string& name, Rules& rules,
                      const std::string& description) {
  const auto set = [&rules](const std::string& text) {
    const bool overline_wins = rules.overline_wins;
    rules = parse_size(text);
    rules.overline_wins = overline_wins;
  };
  return command.add_option_function<std::string>(name, set, description)->type_name("BOARD");
}

void add_exact(CLI::App& command, bool& overline_wins) {
  command.add_flag(
      "--exact,!--freestyle", [&overline_wins](std::int64_t count) { overline_wins = count <= 0; },
      "Only exactly k in a row wins; with --freestyle, the default, longer rows win too");
}

void add_rules(CLI::App& command, engine::PositionRules& rules) {
  const auto set = [&rules](const std::string& text) {
    rules.size = parse_size(text);
    rules.text.k = rules.size->k;
  };
  CLI::Option* const size =
      command
          .add_option_function<std::string>(
              "--size", set,
              "Board of every position, as 15x15x5; default: the size of each position")
          ->type_name("BOARD");
  command.add_option("--k", rules.text.k, "Number in a row that wins, on boards of any size")
      ->transform(program::number_in(3, Rules::max_side))
      ->excludes(size);
  add_exact(command, rules.text.overline_wins);
}

void add_limits(CLI::App& command, Limits& limits) {
  command.add_option("--nodes", limits.nodes, "Maximum number of nodes per search; 0 for no limit")
      ->transform(program::any_number())
      ->capture_default_str();
  command.add_option("--seconds", limits.seconds, "Time limit per search, in seconds")
      ->transform(program::decimal_in(0.0, 86'400.0))
      ->capture_default_str();
}

void add_player(CLI::App& command, std::optional<Mark>& player) {
  add_choice(command, "--player", player, marks,
             "Side to move; default: from the number of marks, X first");
}

void add_solve(CLI::App& app, Action& action) {
  auto options = std::make_shared<engine::SolveOptions>();
  CLI::App* command = app.add_subcommand(
      "solve", "Print the best move for each position on standard input: SCORE ROW COL");
  command->footer(
      "The score is 1, 0 or -1 for the side to move; rows and columns count from 1.\n"
      "`unknown` means that the search reached its limits, or met lines of play that are\n"
      "too long for its memory or longer than 400 moves; standard error then says so.");
  add_rules(*command, options->rules);
  add_player(*command, options->player);
  add_limits(*command, options->limits);
  command->add_flag("--stats", options->stats,
                    "Also print nodes, seconds and the size of the table in bytes");
  command
      ->add_option_function<int>(
          "--memory", [options](int mib) { options->memory = static_cast<std::size_t>(mib) << 20; },
          "Memory limit of the table and of the move lists, in MiB")
      ->transform(program::number_in(1, 65'536))
      ->default_str("64");
  command->callback([options, &action] {
    action = [options](const auto& streams) { return engine::solve(streams, *options); };
  });
}

void add_judge(CLI::App& app, Action& action) {
  auto options = std::make_shared<engine::JudgeOptions>();
  CLI::App* command = app.add_subcommand(
      "judge", "Print the winner and the winning lines of each position on standard input");
  add_rules(*command, options->rules);
  add_choice(*command, "--starter", options->starter, marks, "Side that moved first; default: X");
  command->callback([options, &action] {
    action = [options](const auto& streams) { return engine::judge(streams, *options); };
  });
}

void add_suggest(CLI::App& app, Action& action) {
  auto options = std::make_shared<engine::SuggestOptions>();
  CLI::App* command = app.add_subcommand(
      "suggest", "Print a move for each position on standard input: ROW COL [cannot lose]");
  add_choice(*command, "--level", options->level, levels, "Level to play at")->required();
  command->add_option("--seed", options->seed, "Seed of the levels that use chance")
      ->transform(program::any_number())
      ->capture_default_str();
  add_rules(*command, options->rules);
  add_player(*command, options->player);
  add_limits(*command, options->limits);
  command->callback([options, &action] {
    action = [options](const auto& streams) { return engine::suggest(streams, *options); };
  });
}

void require_offered(ai::Level level, const Rules& rules) {
  const auto why = level == ai::Level::perfect ? ai::why_not_perfect(rules) : std::nullopt;
  if (why) throw CLI::ValidationError(*why + " The strongest level here is strong.");
}

void add_perft(CLI::App& app, Action& action) {
  auto rules = std::make_shared<Rules>();
  CLI::App* command = app.add_subcommand("perft", "Count all positions and games");
  add_size(*command, "BOARD", *rules, "Board, as 3 or 4x5x3")->required();
  add_exact(*command, rules->overline_wins);
  command->callback([rules, &action] {
    if (rules->cells() > rules::max_perft_cells) {
      throw CLI::ValidationError("perft counts boards of up to " +
                                 std::to_string(rules::max_perft_cells) + " cells, not " +
                                 std::to_string(rules->cells()));
    }
    action = [rules](const auto& streams) { return engine::perft(streams, *rules); };
  });
}

void add_match(CLI::App& app, Action& action) {
  auto options = std::make_shared<engine::MatchOptions>();
  CLI::App* command = app.add_subcommand(
      "match", "Play games between two levels and print the results of the first");
  add_choice(*command, "LEVEL", options->first, levels, "Level whose results are printed")
      ->required();
  add_choice(*command, "OTHER", options->second, levels, "Its opponent")->required();
  command->add_option("--games", options->games, "Number of games")
      ->transform(program::number_in(1, 1'000'000'000))
      ->capture_default_str();
  add_size(*command, "--size", options->rules, "Board, as 3, 6x7 or 15x15x5")->default_str("3");
  add_exact(*command, options->rules.overline_wins);
  command->add_option("--seed", options->seed, "Seed of the first game")
      ->transform(program::any_number())
      ->capture_default_str();
  add_limits(*command, options->limits);
  command->callback([options, &action] {
    for (const ai::Level level : {options->first, options->second}) {
      require_offered(level, options->rules);
    }
    action = [options](const auto& streams) { return engine::match(streams, *options); };
  });
}

/// A level, or an engine as NAME=COMMAND.
engine::Competitor competitor(const std::string& text, const Rules& rules) {
  if (text.find('=') == std::string::npos) {
    const auto level = value_of(levels, text);
    if (!level) throw CLI::ValidationError("'" + text + "' is neither a level nor NAME=COMMAND");
    require_offered(*level, rules);
    return {std::string(ai::name(*level)), *level, {}};
  }
  const auto parsed = engines::parse_command(text);
  if (const auto* fault = std::get_if<std::string>(&parsed)) throw CLI::ValidationError(*fault);
  const auto& command = std::get<engines::Command>(parsed);
  if (rules.k != 5 || rules.rows != rules.cols) {
    throw CLI::ValidationError("engines only play five in a row on square boards");
  }
  return {command.name, ai::Level::strong, command};
}

void add_tournament(CLI::App& app, Action& action) {
  auto options = std::make_shared<engine::TournamentOptions>();
  auto players = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand(
      "tournament",
      "Play a round robin, with the same openings for every pair, and print a table with Elo");
  command
      ->add_option("PLAYER", *players,
                   "Levels, or NAME='COMMAND' for programs that speak the Gomocup protocol")
      ->required()
      ->expected(2, 64);
  add_size(*command, "--size", options->rules, "Board, as 15x15x5")->default_str("15x15x5");
  add_exact(*command, options->rules.overline_wins);
  command
      ->add_option("--games", options->games,
                   "Games per pair; even, as both players begin each opening")
      ->transform(program::number_in(2, 2'000'000))
      ->capture_default_str();
  command
      ->add_option("--opening", options->opening, "Number of random marks placed before each game")
      ->transform(program::number_in(0, 20))
      ->capture_default_str();
  command->add_option("--output", options->output, "Write all games to this new file")
      ->type_name("FILE");
  command->add_option("--seed", options->seed, "Seed of the first opening")
      ->transform(program::any_number())
      ->capture_default_str();
  add_limits(*command, options->limits);
  command->callback([options, players, &action] {
    if (options->games % 2 != 0) {
      throw CLI::ValidationError("--games " + std::to_string(options->games) +
                                 ": must be even, so that both players begin each opening");
    }
    for (const std::string& text : *players) {
      options->players.push_back(competitor(text, options->rules));
      const auto has_name = [&](const auto& other) {
        return other.name == options->players.back().name;
      };
      if (std::ranges::count_if(options->players, has_name) > 1) {
        throw CLI::ValidationError("two players have the name " + options->players.back().name);
      }
    }
    action = [options](const auto& streams) {
      std::signal(SIGPIPE, SIG_IGN);  // a program that plays may end at any time
      return engine::tournament(streams, *options);
    };
  });
}

void add_gomocup(CLI::App& app, Action& action) {
  auto options = std::make_shared<engine::GomocupOptions>();
  options->version = TICTACTOE_VERSION;
  CLI::App* command = app.add_subcommand(
      "gomocup", "Play five in a row over standard input and output, using the Gomocup protocol");
  command->add_option("--nodes", options->nodes, "Maximum number of nodes per move")
      ->transform(program::any_number())
      ->default_str("0: no limit");
  command->callback([options, &action] {
    action = [options](const auto& streams) { return engine::gomocup(streams, *options); };
  });
}

int run(int argc, char** argv) {
  CLI::App app("Solve, judge and play tic-tac-toe on any board, with k in a row to win.",
               "tictactoe-engine");
  program::declare_common(app, "tictactoe-engine " TICTACTOE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Positions are rows of X, O and _, with optional spaces, separated by blank lines.\n"
      "Exit status: 0 on success, 1 if a position is invalid, 2 for bad options.");
  Action action;
  add_solve(app, action);
  add_judge(app, action);
  add_suggest(app, action);
  add_perft(app, action);
  add_match(app, action);
  add_tournament(app, action);
  add_gomocup(app, action);
  if (const auto status = program::parse(app, argc, argv)) return *status;
  return action({std::cin, std::cout, std::cerr});
}

}  // namespace

int main(int argc, char** argv) {
  try {
    posix::fail_at_size_limit();
    return program::finish("tictactoe-engine", run(argc, argv));
  } catch (const std::exception& error) {
    std::cerr << "tictactoe-engine: " << error.what() << '\n';
    return 1;
  }
}
