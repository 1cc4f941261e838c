// Parses the options, prepares the process, and runs the command.
#include <google/protobuf/stubs/logging.h>
#include <spdlog/spdlog.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/posix/file.hpp"
#include "common/program/help.hpp"
#include "server/admin/ctl.hpp"
#include "server/app/commands.hpp"
#include "server/app/options.hpp"
#include "server/app/reload.hpp"
#include "server/app/serve.hpp"
#include "server/logging/logging.hpp"

namespace tictactoe::app {

namespace {

// A core dump would contain tokens and passwords.
void forbid_core_dumps() {
  const rlimit none{0, 0};
  static_cast<void>(setrlimit(RLIMIT_CORE, &none));
#ifdef __linux__
  static_cast<void>(prctl(PR_SET_DUMPABLE, 0));
#endif
}

// Runs a command other than serving; nothing if there is none.
std::optional<int> run_command(const ServerOptions& options) {
  if (options.forget->parsed()) return forget_player(options);
  if (options.copy->parsed()) return copy_store(options);
  if (options.import->parsed()) return import_games(options);
  if (options.account->parsed()) return change_accounts(options);
  if (options.ctl.command->parsed()) return control(options.ctl, options.data_folder());
  return std::nullopt;
}

int run(int argc, char** argv) {
  hold_hang_ups();
  const auto parsed = std::make_unique<ParsedOptions>();
  CLI::App& app = parsed->app;
  const ServerOptions& options = parsed->options;
  if (const auto status = program::parse(app, argc, argv)) {
    return program::finish(app.get_name(), *status);
  }
  std::vector<std::string> problems = options.file->problems();
  const bool serves = app.get_subcommands().empty();
  if (serves || options.check_config) {
    std::ranges::copy(mistakes_of_files(options), std::back_inserter(problems));
  }
  if (!problems.empty()) return program::complain(app, problems);
  if (options.check_config) {
    std::cout << "The options are valid.\n";
    return program::finish(app.get_name(), 0);
  }
  // Only this user can read what the server writes.
  umask(S_IRWXG | S_IRWXO);
  if (!options.core_dumps) forbid_core_dumps();
  // The reader of our output may close it. That must not end the games.
  std::signal(SIGPIPE, SIG_IGN);
  // The format applies to the log of a server. Other commands write for people.
  const Logging logging(options.log_level,
                        parse_log_format(serves ? options.log_format : std::string()));
  // Messages about bytes from peers must not fill standard error.
  google::protobuf::SetLogHandler([](google::protobuf::LogLevel, const char*, int,
                                     const std::string& message) { spdlog::debug(message); });
  if (!serves) admit_hang_ups();
  if (const auto status = run_command(options)) return program::finish(app.get_name(), *status);
  return serve(*parsed, {argv + 1, argv + argc});
}

}  // namespace

}  // namespace tictactoe::app

int main(int argc, char** argv) {
  try {
    tictactoe::posix::fail_at_size_limit();
    return tictactoe::app::run(argc, argv);
  } catch (const std::exception& error) {
    tictactoe::app::complain(error.what());
    return 1;
  }
}
