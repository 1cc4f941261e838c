// Messages as JSON for other programs.
#pragma once

#include <google/protobuf/message.h>

#include <string>

namespace tictactoe::client {

/// By protobuf's rules, on one line without a newline; every field is there.
std::string json_line(const google::protobuf::Message& message);

}  // namespace tictactoe::client
