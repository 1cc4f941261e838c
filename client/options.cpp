#include "client/options.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "client/local/start.hpp"
#include "client/model/sanitized.hpp"
#include "client/net/invitation.hpp"
#include "client/session/session.hpp"
#include "client/words/narration.hpp"
#include "client/words/typed.hpp"
#include "common/program/folders.hpp"
#include "common/program/help.hpp"
#include "common/program/units.hpp"
#include "common/wire/text.hpp"

namespace tictactoe {
namespace {

constexpr const char* default_server = "the one on this network, else localhost:7654";
constexpr const char* server_variable = "TICTACTOE_SERVER";
constexpr const char* name_variable = "TICTACTOE_NAME";

std::string default_name() {
  const char* const user = std::getenv("USER");
  if (user == nullptr || *user == '\0' || wire::check_text(user).fault) return "player";
  // As much of it as servers take by default.
  constexpr std::size_t longest = 24;
  return std::string(wire::first_code_points(user, longest));
}

// A check for CLI11: it returns the error, or an empty string.
std::string is_key(const std::string& text) {
  return tls::fingerprint_from_text(text)
             ? std::string()
             : "\"" + text + "\" is not a key. A key is SHA256: followed by 43 characters";
}

std::string name_fault(const std::string& name) {
  if (name.empty()) return "--name: the name is empty";
  const std::string fault = wire::fault_text(name);
  return fault.empty() ? fault : "--name: the name " + fault;
}

void declare_config(CLI::App& app, ClientOptions& options) {
  const auto folder = program::user_folder("XDG_CONFIG_HOME", ".config");
  options.file =
      program::ConfigFile::declare(app, folder ? (*folder / "config.toml").string() : std::string(),
                                   "Read options from this file, such as name = \"alice\"");
  app.get_config_ptr()->option_text("~/.config/tictactoe/config.toml");
}

void declare_play(CLI::App& app, ClientOptions& options) {
  app.add_option("HOST", options.host,
                 "Address of the server, as HOST or HOST:PORT; short for --server")
      ->type_name("")
      ->configurable(false);
  app.add_option("--server", options.server, "Address of the server; [IPV6]:PORT works too")
      ->type_name("HOST[:PORT]")
      ->default_str(default_server)
      ->envname(server_variable);
  app.add_option("--name", options.play.name, "Your name in games")
      ->type_name("NAME")
      ->default_str(options.play.name)
      ->envname(name_variable);
  app.add_option("--command", options.play.commands,
                 "Line to run first, as if typed; may be repeated")
      ->type_name("LINE")
      ->allow_extra_args(false);
  app.add_flag(
      "--fail", options.play.fail,
      "Exit with status 1 at the first line that is refused or not understood; implies --lines");
  app.add_flag("--exit-result", options.play.exit_result,
               "Report your last game in the exit status: 0 won, 3 lost, 4 draw, 5 no finished "
               "game; for a watcher 0 if X won, 3 if O won; implies --lines");
  app.add_option("--retry", options.retry_seconds,
                 "How long to try to reconnect, in seconds or as 10m; 0 disables this")
      ->type_name("TIME")
      ->transform(program::time_in(std::chrono::seconds(1), 0, 1'000'000))
      ->default_str("600 at a terminal, 60 elsewhere");
  app.add_option("--server-password-file", options.server_password_file,
                 "File whose first line is the server's password")
      ->type_name("FILE");
  app.add_option("--account-password-file", options.account_password_file,
                 "File whose first line is the password of the account with your name")
      ->type_name("FILE");
  app.add_flag_callback(
      "--no-tls", [&options] { options.play.tls = false; },
      "Do not encrypt the connection: anyone on the network path can read what you send, including "
      "passwords");
  app.add_option_function<std::string>(
         "--server-key",
         [&options](const std::string& text) {
           options.play.required_key = tls::fingerprint_from_text(text);
         },
         "Key the server must have, as printed by the server; default: the one it had at the first "
         "connection")
      ->type_name("SHA256:...")
      ->check(is_key);
  app.add_flag("--guest", options.play.guest,
               "Store nothing on disk; you give up your seat and name when you quit");
  app.add_flag("--hosting", options.play.hosting,
               "Before quitting, warn that the server will stop too; used by ./run");
  app.add_flag("--lines", options.lines, "Line mode, instead of the full screen");
  app.add_option("--alert", options.alert, "How the full screen signals your turn")
      ->check(CLI::IsMember({"both", "bell", "title", "none"}))
      ->capture_default_str();
  app.add_option("--discovery-port", options.discovery_port,
                 "UDP port for finding servers on this network")
      ->type_name("PORT")
      ->transform(program::number_in(1, 65'535))
      ->capture_default_str();
  app.footer(
      "Examples:\n"
      "  tictactoe                                 join the server on this network\n"
      "  tictactoe 192.0.2.2 --name alice          join a server by address\n"
      "  tictactoe local                           play against an AI, without a server\n"
      "  printf 'play\\nb2\\nwait\\n' | tictactoe     play from a script\n"
      "\n"
      "Type `help` in the program. Exit status: 0 after `quit` or at the end of input; 1 "
      "if the server can't be reached, the connection is lost or the output can't be "
      "written; 2 for bad options, or if the server refuses the name or password.");
}

void declare_records(CLI::App& app, ClientOptions& options) {
  constexpr const char* footer =
      "The options of `tictactoe` itself, such as --server, work here too. Exit status: 1 "
      "if the server can't be reached, the file can't be read or the game does not exist; "
      "2 for bad options.";
  CLI::App* const history = app.add_subcommand("history", "List finished games, newest first");
  history->footer(footer);
  history->add_option("--player", options.player, "Show only this player's games")
      ->type_name("NAME");
  history->add_option("--limit", options.limit, "Show at most N games")
      ->type_name("N")
      ->transform(program::number_in(1, client::max_listed_games))
      ->capture_default_str();
  history->add_flag("--json", options.json,
                    "Print JSON with all details except the moves, which `export` prints");

  CLI::App* const replay = app.add_subcommand("replay", "Show a finished game move by move");
  replay->footer(footer);
  replay->add_option("GAME", options.game, "Number of the game, from `history`, or a file of games")
      ->type_name("NUMBER|FILE")
      ->required();

  CLI::App* const exports = app.add_subcommand("export", "Print a finished game as text");
  exports->footer(footer);
  exports->add_option("GAME", options.game, "Number of the game, from `history`")
      ->type_name("NUMBER")
      ->required();
}

void declare_lan(CLI::App& app, ClientOptions& options) {
  CLI::App* const lan = app.add_subcommand("lan", "List the servers on this network");
  lan->add_flag("--json", options.json, "Print JSON with all details");
  lan->footer("Exit status: 0 if a server was found, 1 if none was, 2 for bad options.");
}

void declare_local(CLI::App& app, ClientOptions& options) {
  CLI::App* const local = app.add_subcommand("local", "Play without a server");
  local
      ->add_option("--size", options.size,
                   "Board: 5 (five in a row), 7x6 (six in a row), or 7x6x4 (four in a row)")
      ->type_name("SIZE")
      ->capture_default_str();
  local->add_flag("--exact", options.exact, "Longer rows do not win");
  const std::vector<std::string> levels = local::levels();
  CLI::Option* const ai =
      local
          ->add_option("--ai", options.level,
                       "Level of the AI: 1 (beginner), 3 (casual) to 8 (master), or by name")
          ->check(CLI::IsMember(levels))
          ->type_name("LEVEL")
          ->default_str(local::default_level());
  CLI::Option* const two =
      local->add_flag("--two", options.two, "Two people take turns at this terminal");
  local->add_option("--second", options.second, "Name of the second player")
      ->type_name("NAME")
      ->needs(two)
      ->capture_default_str();
  two->excludes(ai);
  local->add_option("--seat", options.seat, "Your seat; x moves first")
      ->check(CLI::IsMember({"x", "o"}))
      ->capture_default_str();
  CLI::Option* const from =
      local->add_option("--from", options.from, "Continue a finished game; see --after")
          ->type_name("NUMBER|FILE");
  local->add_option("--after", options.after, "Start after the first N moves of that game")
      ->type_name("N")
      ->transform(program::any_number())
      ->needs(from)
      ->capture_default_str();
  local->footer("Finished games can be replayed until you quit. Exit status as for `tictactoe`.");
}

}  // namespace

ClientOptions::ClientOptions() {
  play.name = default_name();
  level = local::default_level();
  play.software = "tictactoe " TICTACTOE_VERSION;
}

bool names_server(int argc, const char* const* argv) {
  constexpr std::string_view name = "--server";
  return std::any_of(argv, argv + argc, [&](std::string_view argument) {
    return argument == name ||
           (argument.starts_with(name) && argument.substr(name.size()).starts_with('='));
  });
}

void declare(CLI::App& app, ClientOptions& options) {
  app.require_subcommand(0, 1);
  app.fallthrough();  // subcommands know its options, wherever they stand
  program::declare_common(app, options.play.software);
  declare_config(app, options);
  declare_play(app, options);
  declare_local(app, options);
  declare_lan(app, options);
  declare_records(app, options);
}

void take_invitation(ClientOptions& options) {
  std::string& server = options.host.empty() ? options.server : options.host;
  if (!client::is_invitation(server)) return;
  const client::Invited invited = client::read_invitation(server);
  if (!invited.fault.empty()) return;  // problems_of() reports it
  server = invited.address.text;
  if (invited.key && !options.play.required_key) options.play.required_key = invited.key;
  if (!invited.room.empty()) {
    options.play.commands.push_back("join " + client::quoted_word(invited.room));
  }
}

local::Start local_start(const ClientOptions& options) {
  local::Start start;
  start.name = options.play.name;
  if (options.two) start.second = options.second;
  start.level = options.level;
  start.seat = options.seat == "o" ? client::Mark::o : client::Mark::x;
  start.rules = client::parse_size(options.size).value_or(v1::Rules());
  start.rules.set_exact(options.exact);
  return start;
}

std::vector<std::string> problems_of(const CLI::App& app, const ClientOptions& options) {
  std::vector<std::string> problems = options.file->problems();
  if (!options.host.empty()) {
    const std::string fault = client::parse_address(options.host).fault;
    if (!fault.empty()) problems.push_back(client::sanitized(options.host) + ": " + fault);
    if (options.server_typed) {
      problems.push_back("two servers given: use either HOST or --server");
    }
    const auto unexpected = [&](const std::string& why) {
      problems.push_back("unexpected argument \"" + client::sanitized(options.host) + "\": " + why);
    };
    if (app.got_subcommand("local")) unexpected("`local` plays without a server");
    if (app.got_subcommand("lan")) unexpected("`lan` lists all servers on this network");
  }
  if (!options.server.empty()) {
    const std::string fault = client::parse_address(options.server).fault;
    if (!fault.empty())
      problems.push_back(options.file->place_of("--server") + "--server " + options.server + ": " +
                         fault);
  }
  if (const std::string fault = name_fault(options.play.name); !fault.empty()) {
    problems.push_back(options.file->place_of("--name") + fault);
  }
  if (options.play.required_key && !options.play.tls) {
    problems.push_back("--server-key can't be used with --no-tls: only TLS has keys");
  }
  if (const std::string fault = wire::fault_text(options.player); !fault.empty()) {
    problems.push_back("--player: the name " + fault);
  }
  if (app.got_subcommand("export") && !client::parse_id(options.game)) {
    problems.push_back("export: \"" + client::sanitized(options.game) +
                       "\" is not the number of a game");
  }
  if (app.got_subcommand("local")) {
    const bool needs_server = client::parse_id(options.from).has_value();
    if (!needs_server && options.server_typed) {
      problems.push_back("--server: `local` plays without a server; only --from NUMBER needs one");
    }
    if (const std::string fault = local::fault_of(local_start(options)); !fault.empty()) {
      problems.push_back("local: " + fault);
    }
  }
  return problems;
}

}  // namespace tictactoe
