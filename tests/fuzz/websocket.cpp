// Any bytes after the upgrade to a WebSocket, and any answers of the server between them: what
// comes out are frames of the raw protocol within their limit, and frames of RFC 6455.
#include <string>

#include "common/wire/frame.hpp"
#include "server/net/websocket.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/support/websocket_bytes.hpp"

namespace tictactoe::fuzz {
namespace {

constexpr std::size_t longest_message = 4096;

void check_frames(std::string_view frames) {
  for (;;) {
    const wire::NextFrame next = wire::take_frame(frames, longest_message);
    if (next.state == wire::NextFrame::State::need_more) break;
    if (next.state == wire::NextFrame::State::fault) return;
  }
  require(frames.empty(), "a part of a frame");
}

/// Of whole messages.
std::size_t count_messages(std::string output) {
  std::size_t count = 0;
  while (const auto frame = test::take_websocket_frame(output)) {
    const bool is_control = frame->opcode >= test::Opcode::close;
    require(!is_control || frame->payload.size() < 126, "a long control frame");
    if (!is_control && frame->is_last) ++count;
  }
  require(output.empty(), "a part of a WebSocket frame");
  return count;
}

}  // namespace
}  // namespace tictactoe::fuzz

FUZZ_TARGET(websocket, data, size) {
  using namespace tictactoe;
  fuzz::Input input(data, size);
  static boost::asio::io_context io;
  net::JsonMemo json;
  net::HttpRequest request;
  request.target = "/ws";
  request.host = "localhost";
  request.key = "dGhlIHNhbXBsZSBub25jZQ==";
  request.version = "13";
  net::WebSocket socket(
      io, request,
      net::chosen_subprotocol(input.below(2) == 0 ? "tictactoe.v1.protobuf" : "tictactoe.v1.json"),
      fuzz::longest_message, json);
  fuzz::require(socket.is_open(), "no WebSocket");
  std::string output = std::exchange(socket.output(), {});
  fuzz::require(output.starts_with("HTTP/1.1 101 "), "no upgrade");
  output.clear();
  std::string frames;
  std::size_t written = 0;
  while (!input.empty()) {
    switch (input.below(6)) {
      case 0:
        socket.ping();
        break;
      case 1:
        socket.close();
        break;
      case 2: {
        std::string bytes;
        wire::append_frame(bytes, input.text());
        if (socket.is_open()) ++written;
        const std::size_t cut = input.word() % (bytes.size() + 1);
        socket.write(std::string_view(bytes).substr(0, cut));
        socket.write(std::string_view(bytes).substr(cut));
        break;
      }
      default:
        socket.receive(input.text());
    }
    while (socket.has_text()) input.below(8) == 0 ? socket.drop_text() : socket.read_text();
    frames += std::exchange(socket.frames(), {});
    output += std::exchange(socket.output(), {});
  }
  fuzz::check_frames(frames);
  fuzz::require(fuzz::count_messages(output) == written, "not one message for each frame");
}
