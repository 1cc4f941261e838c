// Messages in protobuf's JSON form. See proto/README.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tictactoe::net {

/// The encoded ClientMessage that this text describes; nothing if it describes none. Unknown fields
/// are ignored, as in the raw protocol. Nesting is limited by protobuf.
std::optional<std::string> request_from_json(std::string_view text);

/// The request id in such a text, found without reading the rest; 0 if there is none. May be wrong
/// if the text is no request.
std::uint64_t request_id_in_json(std::string_view text);

/// The JSON form of an encoded ServerMessage. Empty if it can't be converted. Takes some hundred
/// nanoseconds a byte.
std::string json_from_message(std::string_view body);

/// The JSON form of what the server sends. Remembers the latest small messages, without their
/// request ids: an update is converted once for all its receivers.
class JsonMemo {
 public:
  /// `body` is an encoded ServerMessage. Empty if it can't be converted.
  std::string to_json(std::string_view body);

 private:
  static constexpr std::size_t longest_kept = std::size_t{4} * 1024;
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
