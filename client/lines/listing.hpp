// The servers on this network, for people and for programs.
#pragma once

#include <google/protobuf/message.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/net/address.hpp"
#include "client/net/servers_found.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::client {

/// How long to collect servers for a list, and for the choice of a server.
inline constexpr std::chrono::milliseconds listing_time{900};
inline constexpr std::chrono::milliseconds choosing_time{500};
/// A table names at most this many open rooms per server and counts the others.
inline constexpr int max_named_rooms = 3;

/// A message as JSON by protobuf's rules, on one line without a newline, with every field.
std::string json_line(const google::protobuf::Message& message);
/// The JSON of a list of games without their empty lists of moves, which servers leave out.
std::string game_list_json(const v1::GameList& games);

/// One line for each server; each line ended by a newline.
std::string draw_server_table(const std::vector<FoundServer>& servers);
/// A v1::FoundServers as JSON by protobuf's rules, on one line.
std::string server_json(const std::vector<FoundServer>& servers);

/// Prints the servers found. Returns the exit status: 1 if there are none or writing fails.
int list_servers(std::uint16_t port, bool json);

/// The server to play on if the person names none. `note` explains the choice: whole lines, or
/// nothing.
struct Choice {
  std::optional<Address> address;  ///< none: there are several
  std::string note;
};
/// The server that was found; this machine if there is none.
Choice choose(const std::vector<FoundServer>& found);
/// Looks for choosing_time, then chooses.
Choice choose_server(std::uint16_t port);

}  // namespace tictactoe::client
