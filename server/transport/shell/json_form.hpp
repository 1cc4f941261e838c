// Messages in protobuf's JSON form. See proto/README.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tictactoe/v1/client.pb.h"

namespace tictactoe::transport {

/// Reads a request into the empty `request`. Returns false, with any content in it, if the text is
/// no ClientMessage. Ignores unknown fields, as protobuf's own form does. Protobuf limits the depth
/// of nesting. Takes up to a hundred nanoseconds a byte.
bool request_from_json(std::string_view text, v1::ClientMessage& request);

/// Finds the request id in such a text without parsing the rest; 0 if there is none. The result may
/// be wrong if the text is not a valid request.
std::uint64_t request_id_in_json(std::string_view text);

/// The JSON form of what the server sends. Remembers the last message: an update is converted once
/// for all its receivers.
class JsonMemo {
 public:
  /// `body` is an encoded ServerMessage without its request id. Empty if it can't be converted.
  /// Valid until the next call. Takes some nanoseconds a byte.
  std::string_view to_json(std::string_view body);

 private:
  std::string body_;
  std::string json_;
};

/// What replaces the first character of that form so that it has that request id; empty if `id` is
/// 0.
std::string json_beginning(std::uint64_t id, std::string_view json);

}  // namespace tictactoe::transport
