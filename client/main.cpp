// tictactoe: the client. Options in, exit status out.
#include <google/protobuf/stubs/logging.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/lines/listing.hpp"
#include "client/lines/records.hpp"
#include "client/lines/shell.hpp"
#include "client/local/table.hpp"
#include "client/model/room.hpp"
#include "client/model/sanitized.hpp"
#include "client/net/lookup.hpp"
#include "client/options.hpp"
#include "client/paint/terminal.hpp"
#include "client/screen/program.hpp"
#include "common/posix/file.hpp"
#include "common/program/help.hpp"
#include "common/program/password.hpp"

namespace {

using namespace tictactoe;

constexpr int failed = 1;

// The server that was named, or else found. If there are several, prints so and returns nothing.
std::optional<client::Address> choose_server(const ClientOptions& options) {
  if (!options.server.empty()) return client::parse_address(options.server).address;
  client::Choice choice = client::choose_server(options.discovery_port);
  std::cerr << choice.note << std::flush;
  return std::move(choice.address);
}

// Asks for the password that a server wants; false if there is none to be had.
bool ask_password(client::Asks asks, ClientOptions& options, const std::string& server,
                  bool again = false) {
  if (asks == client::Asks::nothing || !program::can_ask_password()) return false;
  if (again) std::cerr << "tictactoe: Wrong password. Try again.\n";
  const bool of_server = asks == client::Asks::server_password;
  program::PasswordRead read = program::ask_password(
      of_server ? "Password for the server " + server + ": "
                : "Password for the account " + client::sanitized(options.play.name) + ": ");
  if (!read.fault.empty()) {
    std::cerr << "tictactoe: " << read.fault << "\n";
    return false;
  }
  (of_server ? options.play.passwords.server : options.play.passwords.account) = read.password;
  return true;
}

// Asks once for the password of the account that has the name. Without it, the person plays by
// another name.
void ask_account_password(ClientOptions& options) {
  options.play.asks_account = false;
  options.play.passwords.account =
      program::ask_password("Its password, or Enter to play under another name: ").password;
}

// The passwords that were given in files; false after saying why not.
bool read_passwords(ClientOptions& options) {
  const auto read_file = [](const std::string& file, std::string& password) {
    if (file.empty()) return true;
    program::PasswordRead read = program::read_password_file(file);
    if (!read.fault.empty()) std::cerr << "tictactoe: " << read.fault << "\n";
    password = read.password;
    return read.fault.empty();
  };
  return read_file(options.server_password_file, options.play.passwords.server) &&
         read_file(options.account_password_file, options.play.passwords.account);
}

// Finds the server that is to be asked, and the passwords. The exit status if there are none.
std::optional<int> prepare_to_ask(ClientOptions& options) {
  if (!read_passwords(options)) return program::bad_options;
  auto address = choose_server(options);
  if (!address) return failed;
  options.play.server = *std::move(address);
  return std::nullopt;
}

int read_records(const CLI::App& app, ClientOptions options) {
  const auto id = client::parse_id(options.game);
  const client::PlayOptions& play = options.play;
  if (app.got_subcommand("replay") && !id) return client::replay_file(options.game);
  if (const auto status = prepare_to_ask(options)) return *status;
  if (app.got_subcommand("history")) {
    return client::show_history(play, options.player, options.limit, options.json);
  }
  if (app.got_subcommand("export")) return client::export_game(play, *id);
  return client::replay_game(play, *id);
}

screen::Alert alert_of(const std::string& word) {
  if (word == "bell") return screen::Alert::bell;
  if (word == "title") return screen::Alert::title;
  return word == "none" ? screen::Alert::none : screen::Alert::bell_and_title;
}

// Starts games in this process. Scripts do not wait for the AI to be followed.
client::StartLocalGame start_with(local::Start start) {
  if (isatty(STDIN_FILENO) == 0) start.ai_delay = {};
  return [start = std::move(start)](boost::asio::io_context& context,
                                    std::function<void()> on_change) {
    return std::make_unique<local::Table>(context, start, std::move(on_change));
  };
}

// Whether the full screen is wanted and possible. Its exit status does not tell of lines or
// results.
bool wants_screen(const ClientOptions& options) {
  const bool by_lines = options.lines || options.play.fail || options.play.exit_result;
  return !by_lines && screen::full_screen_possible();
}

int play_on_screen(ClientOptions& options) {
  screen::Program::Options program;
  program.choose = options.server.empty() && !options.play.local;
  if (!options.server.empty()) {
    options.play.server = client::parse_address(options.server).address;
  }
  program.discovery_port = options.discovery_port;
  program.alert = alert_of(options.alert);
  for (;;) {
    program.play = options.play;
    screen::Program screen(program);
    const int status = screen.run();
    if (!ask_password(screen.asks(), options, screen.server().text, screen.password_was_wrong())) {
      return status;
    }
    program.choose = false;
    options.play.server = screen.server();
    if (screen.server_key()) options.play.required_key = screen.server_key();
  }
}

int play_by_lines(ClientOptions& options) {
  for (;;) {
    client::Shell shell(options.play);
    const int status = shell.run();
    if (shell.wants_account_password()) {
      ask_account_password(options);
    } else if (!ask_password(shell.asks(), options, options.play.server.text,
                             shell.password_was_wrong())) {
      return status;
    }
  }
}

int play(ClientOptions options) {
  if (!read_passwords(options)) return program::bad_options;
  if (options.retry_seconds) options.play.patience = std::chrono::seconds(*options.retry_seconds);
  if (wants_screen(options)) return play_on_screen(options);
  auto address = choose_server(options);
  if (!address) return failed;
  options.play.server = *std::move(address);
  return play_by_lines(options);
}

// Begins in the middle of a finished game. False after saying why that can't be.
bool begin_in_game(ClientOptions& options, local::Start& start) {
  std::optional<v1::GameRecord> game;
  if (const auto id = client::parse_id(options.from)) {
    if (prepare_to_ask(options)) return false;
    game = client::find_game(options.play, *id);
  } else {
    game = client::find_game(options.from);
  }
  if (!game) return false;
  std::string fault = local::play_on(start, *game, options.after);
  if (fault.empty()) fault = local::fault_of(start);
  if (!fault.empty()) std::cerr << "tictactoe: " << fault << "\n";
  return fault.empty();
}

int play_locally(ClientOptions options) {
  local::Start start = local_start(options);
  if (!options.from.empty() && !begin_in_game(options, start)) return failed;
  options.server.clear();
  options.play.guest = true;
  options.play.local = start_with(std::move(start));
  options.play.server.text = "this terminal";
  return wants_screen(options) ? play_on_screen(options) : play_by_lines(options);
}

int carry_out(const CLI::App& app, ClientOptions options) {
  if (app.got_subcommand("local")) return play_locally(std::move(options));
  if (app.got_subcommand("lan")) {
    return client::list_servers(options.discovery_port, options.json);
  }
  if (!app.get_subcommands().empty()) return read_records(app, std::move(options));
  return play(std::move(options));
}

int run(int argc, char** argv) {
  ClientOptions options;
  CLI::App app(
      "Play tic-tac-toe with others on a server, at a terminal or from a script on "
      "standard input.",
      "tictactoe");
  declare(app, options);
  if (const auto status = program::parse(app, argc, argv)) return *status;
  options.server_typed = names_server(argc, argv);
  take_invitation(options);
  const std::vector<std::string> problems = problems_of(app, options);
  if (!problems.empty()) return program::complain(app, problems);
  if (!options.host.empty()) options.server = options.host;
  // Protobuf writes what it can't parse to standard error; the conversation reports it already.
  google::protobuf::SetLogHandler(nullptr);
  return carry_out(app, std::move(options));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    posix::fail_at_size_limit();
    client::fill_standard_streams();
    // Only this user can read what the program keeps.
    umask(S_IRWXG | S_IRWXO);
    const int status = program::finish("tictactoe", run(argc, argv));
    // The thread of a lookup that was given up may still use the system's libraries.
    if (client::Lookup::any_running()) std::_Exit(status);
    return status;
  } catch (const std::exception& error) {
    std::cerr << "tictactoe: " << error.what() << "\n";
    return failed;
  }
}
