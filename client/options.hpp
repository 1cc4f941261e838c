// The client's command line.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/local/start.hpp"
#include "client/net/address.hpp"
#include "client/player/play_options.hpp"
#include "common/program/config_file.hpp"
#include "common/wire/discovery.hpp"

namespace tictactoe {

struct ClientOptions {
  client::PlayOptions play;   ///< without its server
  std::string server;         ///< as it was written; empty: none was named
  bool server_typed = false;  ///< on the command line, not in the environment or the file
  std::string host;           ///< the same, without --server
  std::uint16_t discovery_port = wire::discovery_port;
  std::optional<int> retry_seconds;
  std::string player;
  std::size_t limit = 20;
  std::string game;    ///< a number, or a file
  bool lines = false;  ///< line by line, even at a terminal
  std::string server_password_file;
  std::string account_password_file;
  std::string alert = "both";  ///< both, bell, title or none
  bool json = false;
  std::string size = "3";  ///< of the board, for a game without a server
  bool exact = false;
  std::string level;
  bool two = false;
  std::string second = "player 2";
  std::string seat = "x";
  std::string from;  ///< the game to play on from: a number, or a file; empty: none
  std::size_t after = 0;
  std::shared_ptr<program::ConfigFile> file;  ///< set by declare()

  /// The default values.
  ClientOptions();
};

/// Adds every option to `app`, which keeps references to `options`: do not move or destroy them
/// before it has parsed.
void declare(CLI::App& app, ClientOptions& options);

/// Whether the command line has --server.
bool names_server(int argc, const char* const* argv);

/// If the server is named by an invitation, as the link of a page: takes its address, key and room.
void take_invitation(ClientOptions& options);

/// How the game without a server begins.
local::Start local_start(const ClientOptions& options);

/// Every mistake that parsing does not find, each as a sentence.
std::vector<std::string> problems_of(const CLI::App& app, const ClientOptions& options);

}  // namespace tictactoe
