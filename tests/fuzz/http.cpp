// Any bytes as HTTP requests: however they are split, the responses are the same, up to a
// WebSocket.
#include <string>

#include "server/transport/web/exchange.hpp"
#include "tests/fuzz/input.hpp"

namespace tictactoe::fuzz {
namespace {

struct Peer final : transport::WebPeer {
  explicit Peer(std::size_t tokens) : left(tokens) {}
  bool pay() override { return left > 0 && left-- > 0; }
  bool is_encrypted() const override { return false; }
  bool must_encrypt() const override { return false; }
  void ping() override {}
  std::size_t left;
};

transport::WebContext& context() {
  static boost::asio::io_context io;
  static transport::WebContext context{io};
  return context;
}

/// The responses, until the exchange ends or becomes a WebSocket. `next_piece` tells how many bytes
/// come at a time.
template <class NextPiece>
std::string responses(std::string_view bytes, std::size_t tokens, NextPiece next_piece) {
  Peer peer(tokens);
  transport::WebExchange exchange(context(), peer);
  std::string all;
  while (!bytes.empty() && !exchange.wants_end() && !exchange.is_upgraded()) {
    const std::size_t count = std::min<std::size_t>(bytes.size(), next_piece());
    exchange.keep(bytes.substr(0, count));
    exchange.answer_next();
    bytes.remove_prefix(count);
    while (!exchange.output().empty()) {
      const std::string output(exchange.output());
      all += output;
      exchange.sent(output.size());
      if (exchange.output().empty() && exchange.has_requests()) exchange.answer_next();
    }
  }
  return all;
}

std::size_t find_fault(std::string_view responses) {
  return std::min(responses.find("HTTP/1.1 400"), responses.find("HTTP/1.1 431"));
}

// Beast finds some faults of a head at once, and others only at its end. By then a long head is too
// long.
void compare(std::size_t size, std::string_view one, std::string_view other) {
  if (size <= transport::HttpReader::max_head_bytes)
    return require(one == other, "the pieces matter");
  const std::size_t fault = find_fault(one);
  require(fault == find_fault(other), "a fault or a response, depending on the pieces");
  require(one.substr(0, fault) == other.substr(0, fault), "the pieces matter");
}

}  // namespace
}  // namespace tictactoe::fuzz

FUZZ_TARGET(http, data, size) {
  using namespace tictactoe;
  fuzz::Input input(data, size);
  const std::size_t tokens = input.byte();
  const std::string splits(input.text());
  // Ends a head that is not whole, so that each has its response.
  const std::string bytes = std::string(input.rest()) + "\r\n\r\n";
  fuzz::Input lengths(reinterpret_cast<const std::uint8_t*>(splits.data()), splits.size());
  // After their end it goes on byte by byte.
  const std::string in_pieces =
      fuzz::responses(bytes, tokens, [&lengths] { return std::size_t{1} + lengths.word(); });
  const std::string in_bytes = fuzz::responses(bytes, tokens, [] { return 1; });
  const std::string at_once = fuzz::responses(bytes, tokens, [&bytes] { return bytes.size(); });
  fuzz::compare(bytes.size(), in_pieces, in_bytes);
  fuzz::compare(bytes.size(), at_once, in_bytes);
  fuzz::require(in_bytes.empty() || in_bytes.starts_with("HTTP/1.1 "), "a response that is none");
}
