// Messages in protobuf's JSON form. See proto/README.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tictactoe/v1/client.pb.h"

namespace tictactoe::transport {

/// Reads a request into the empty `request`. Returns false, with any content in it, if the text is
/// not a ClientMessage. Ignores unknown fields, as protobuf's binary form does. Protobuf limits the
/// nesting. Takes up to 100 ns a byte.
bool request_from_json(std::string_view text, v1::ClientMessage& request);

/// Finds the request id in the text of a request without parsing the rest; 0 if there is none. The
/// result may be wrong if the text is not a valid request.
std::uint64_t request_id_in_json(std::string_view text);

/// Converts what the server sends to JSON. Remembers the last message, so that an update is
/// converted once for all its receivers.
class JsonMemo {
 public:
  /// `body` is an encoded ServerMessage without its request id. Empty if it can't be converted.
  /// Valid until the next call. Takes some nanoseconds a byte.
  std::string_view to_json(std::string_view body);

 private:
  std::string body_;
  std::string json_;
};

/// Replaces the first character of the JSON form to add this request id; empty if `id` is 0.
std::string json_beginning(std::uint64_t id, std::string_view json);

}  // namespace tictactoe::transport
