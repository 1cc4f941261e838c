// Small messages from protobuf's JSON form, faster than protobuf reads it.
#pragma once

#include <google/protobuf/message.h>

#include <string_view>

namespace tictactoe::json {

/// Reads what programs usually send into the empty `message`, which becomes what
/// google::protobuf::util::JsonStringToMessage() makes of it. Returns false, with any content in
/// `message`, if the text is not JSON or contains something rare, which is left to that function: a
/// field that is unknown or occurs twice, a list, null, bytes, a number with a fraction, an enum by
/// number, or a string with escapes or characters other than ASCII.
bool read_message(std::string_view text, google::protobuf::Message& message);

}  // namespace tictactoe::json
