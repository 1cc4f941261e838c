// Messages in protobuf's JSON form. See proto/README.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
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

/// The JSON form of an encoded ServerMessage. Empty if it can't be converted. Takes some hundred
/// nanoseconds a byte.
std::string json_from_message(std::string_view body);

/// Takes the request id off the front of an encoded ServerMessage, where the shell has put it; 0 if
/// it has none. Messages that differ in nothing else have the same JSON form but for
/// json_beginning().
std::uint64_t take_request_id(std::string_view& body);
/// What replaces the first character of the JSON form of a message without its request id, so that
/// it gets this id; empty if `id` is 0.
std::string json_beginning(std::uint64_t id);

/// The JSON form of a large message, which all its receivers share but for their request ids.
struct LongJson {
  std::string beginning;                    ///< replaces the first character, unless it is empty
  std::shared_ptr<const std::string> text;  ///< empty if the message can't be converted
};

/// The JSON form of what the server sends. Remembers the latest messages, without their request
/// ids: an update is converted once for all its receivers. Takes up to 0.5 MB.
class JsonMemo {
 public:
  /// Longest message that is remembered, in bytes.
  static constexpr std::size_t longest = std::size_t{8} * 1024;

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
