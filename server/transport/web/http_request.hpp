// Parses the head of an HTTP request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tictactoe::transport {

/// The parts of a request that the server uses. A missing field is empty.
struct HttpRequest {
  enum class Method : std::uint8_t { get, head, other };

  Method method = Method::other;
  std::string target;
  std::string host;
  std::string origin;
  std::string if_none_match;
  bool has_one_host = false;   ///< exactly one Host field
  bool has_one_origin = true;  ///< at most one Origin field
  bool accepts_gzip = false;
  bool has_body = false;
  bool keeps_alive = false;  ///< the connection can carry another request

  // For a WebSocket.
  bool is_http_1_1 = false;
  bool wants_upgrade = false;  ///< Upgrade: websocket and Connection: upgrade
  std::string key;             ///< Sec-WebSocket-Key
  std::string version;         ///< Sec-WebSocket-Version
  std::string subprotocols;    ///< Sec-WebSocket-Protocol
};

/// Reads requests without bodies, one after another. Keeps at most `max_head_bytes` bytes.
class HttpReader {
 public:
  /// Including all fields. Browsers send less than 1,000 bytes, and cookies of others on the host.
  static constexpr std::size_t max_head_bytes = std::size_t{8} * 1024;

  enum class State : std::uint8_t {
    need_more,
    request,   ///< see request()
    too_long,  ///< the head exceeds its limit
    fault,     ///< not HTTP
  };

  HttpReader();
  ~HttpReader();
  HttpReader(HttpReader&&) noexcept;
  HttpReader& operator=(HttpReader&&) noexcept;

  /// Reads the next request and removes its bytes from the front of `bytes`. Nothing can be read
  /// after too_long and fault.
  State read(std::string_view& bytes);
  /// The request last read.
  const HttpRequest& request() const { return request_; }

 private:
  struct Parser;

  std::string kept_;  // an incomplete head
  HttpRequest request_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace tictactoe::transport
