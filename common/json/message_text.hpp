// Protobuf's JSON form of messages, faster than protobuf writes it.
#pragma once

#include <google/protobuf/message.h>

#include <string>

namespace tictactoe::json {

/// Appends the text that google::protobuf::util::MessageToJsonString() makes of this message, byte
/// for byte, in a fraction of its time. Returns false, and leaves `out` as it was, if the message
/// contains something rare, which is left to that function: a string with other characters than
/// letters, digits, spaces and plain punctuation, bytes, a map, a number with a fraction.
bool append_message(std::string& out, const google::protobuf::Message& message);

}  // namespace tictactoe::json
