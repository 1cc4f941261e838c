// Any bytes as HTTP requests: however they are split, the responses are the same until bytes come
// that are no request.
#include <string>

#include "server/net/web_exchange.hpp"
#include "tests/fuzz/input.hpp"

namespace tictactoe::fuzz {
namespace {

struct Peer final : net::WebPeer {
  explicit Peer(std::size_t tokens) : left(tokens) {}
  bool pays() override { return left > 0 && left-- > 0; }
  bool is_encrypted() const override { return false; }
  void ping() override {}
  std::size_t left;
};

net::WebContext& context() {
  static boost::asio::io_context io;
  static net::WebContext context{io, 4096};
  return context;
}

/// The responses, until the exchange ends or becomes a WebSocket.
std::string responses(std::string_view bytes, std::size_t tokens, Input& splits) {
  Peer peer(tokens);
  net::WebExchange exchange(context(), peer);
  std::string all;
  while (!bytes.empty() && !exchange.wants_end() && !exchange.is_websocket()) {
    const std::size_t count = std::min(bytes.size(), std::size_t{1} + splits.word());
    exchange.receive(bytes.substr(0, count));
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

// Beast finds some faults of a head only if it has come whole, and waits otherwise.
std::string before_fault(const std::string& responses) {
  const std::size_t end = std::min(responses.find("HTTP/1.1 400"), responses.find("HTTP/1.1 431"));
  return responses.substr(0, end);
}

}  // namespace
}  // namespace tictactoe::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tictactoe;
  fuzz::Input input(data, size);
  const std::size_t tokens = input.byte();
  const std::string splits(input.text());
  const std::string_view bytes = input.rest();
  fuzz::Input whole(nullptr, 0);
  fuzz::Input pieces(reinterpret_cast<const std::uint8_t*>(splits.data()), splits.size());
  // After their end it goes on byte by byte.
  const std::string said = fuzz::responses(bytes, tokens, pieces);
  const std::string other = fuzz::responses(bytes, tokens, whole);
  fuzz::require(fuzz::before_fault(other) == fuzz::before_fault(said), "the pieces matter");
  fuzz::require(said.empty() || said.starts_with("HTTP/1.1 "), "a response that is none");
  return 0;
}
