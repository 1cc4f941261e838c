// The head of an HTTP request, read from bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tictactoe::transport {

/// What the server looks at in a request. A field that is not there is empty.
struct HttpRequest {
  enum class Method : std::uint8_t { get, head, other };

  Method method = Method::other;
  std::string target;
  std::string host;
  std::string origin;
  std::string if_none_match;
  bool has_one_host = false;   ///< there is exactly one Host field
  bool has_one_origin = true;  ///< there is at most one Origin field
  bool accepts_gzip = false;
  bool has_body = false;
  bool keeps_alive = false;  ///< the client may send another request over the same connection

  // For a WebSocket.
  bool is_http_1_1 = false;
  bool wants_upgrade = false;  ///< Upgrade: websocket and Connection: upgrade
  std::string key;             ///< Sec-WebSocket-Key
  std::string version;         ///< Sec-WebSocket-Version
  std::string subprotocols;    ///< Sec-WebSocket-Protocol
};

/// Reads requests, which have no bodies, one after the other. Keeps at most `longest_head` bytes.
class HttpReader {
 public:
  /// With all fields, in bytes. Browsers send less than 1,000, and the cookies of others.
  static constexpr std::size_t longest_head = std::size_t{8} * 1024;

  enum class State : std::uint8_t {
    need_more,
    request,   ///< see request()
    too_long,  ///< the head exceeds its limit
    fault,     ///< that is no HTTP
  };

  HttpReader();
  ~HttpReader();
  HttpReader(HttpReader&&) noexcept;
  HttpReader& operator=(HttpReader&&) noexcept;

  /// Reads the next request, and takes what belongs to it off the front of `bytes`. Nothing can be
  /// read after too_long and fault.
  State read(std::string_view& bytes);
  /// The request that read() has found last.
  const HttpRequest& request() const { return request_; }

 private:
  struct Parser;

  std::string kept_;  // of the head
  HttpRequest request_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace tictactoe::transport
