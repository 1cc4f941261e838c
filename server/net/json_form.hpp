// Messages in protobuf's JSON form. See proto/README.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tictactoe::net {

/// Converts a ClientMessage in JSON to its encoded form; nothing if the text is no such message.
/// Ignores unknown fields, as the raw protocol does. Protobuf limits the depth of nesting. O(size).
std::optional<std::string> request_from_json(std::string_view text);

/// Finds the request id in such a text without parsing the rest; 0 if there is none. The result may
/// be wrong if the text is not a valid request.
std::uint64_t request_id_in_json(std::string_view text);

/// The JSON form of what the server sends. Remembers the latest messages, without their request
/// ids: an update is converted once for all its receivers. Takes some MB at most.
class JsonMemo {
 public:
  /// `body` is an encoded ServerMessage. Empty if it can't be converted.
  std::string to_json(std::string_view body);

 private:
  static constexpr std::size_t kept = 8;

  struct Entry {
    std::string body;
    std::string json;
  };

  /// The JSON form of a body without a request id.
  std::string convert(std::string_view body);

  std::array<Entry, kept> entries_;
  std::size_t next_ = 0;  // to be replaced
};

}  // namespace tictactoe::net
