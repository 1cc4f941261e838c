// Messages as JSON for other programs.
#pragma once

#include <google/protobuf/message.h>

#include <string>

#include "tictactoe/v1/server.pb.h"

namespace tictactoe::client {

/// By protobuf's rules, on one line without a newline; every field is there.
std::string json_line(const google::protobuf::Message& message);

/// The same of a list of games, which servers send without their moves: without the empty lists.
std::string game_list_json(const v1::GameList& games);

}  // namespace tictactoe::client
