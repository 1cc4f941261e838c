// `tictactoe-server ctl`: controls a running server through its control socket.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tictactoe::app {

struct CtlOptions {
  CLI::App* command = nullptr;  // the subcommand
  std::string action;
  std::vector<std::string> arguments;
  bool json = false;
  bool watch = false;
};

/// Adds the subcommand to `app`. Both must live until it has parsed, and `options` must not move.
/// `data_dir` is set to the directory of the server.
void declare_ctl(CLI::App& app, CtlOptions& options, std::string& data_dir);

/// Carries out the command and prints the result. `data_folder` is that of the server; nothing if
/// there is no home directory for it. Returns the exit status: 1, after a message, on failure, and
/// 2 for wrong arguments.
int control(const CtlOptions& options, const std::optional<std::filesystem::path>& data_folder);

}  // namespace tictactoe::app
