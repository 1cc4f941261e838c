// Any bytes after the upgrade to a WebSocket: however they are split, the same frames are read, no
// message is longer than its limit, and texts are UTF-8.
#include <string>

#include "common/wire/text.hpp"
#include "server/transport/web/websocket.hpp"
#include "tests/fuzz/input.hpp"

namespace tictactoe::fuzz {
namespace {

constexpr std::size_t max_message_bytes = 4096;

/// What is read, as text. `next_piece` tells how many bytes come at a time.
template <class NextPiece>
std::string frames(std::string_view bytes, NextPiece next_piece) {
  transport::WebSocket socket(max_message_bytes);
  std::string all;
  std::string space;
  std::string kept;
  while (!bytes.empty()) {
    const std::size_t count = std::min<std::size_t>(bytes.size(), next_piece());
    kept.append(bytes.substr(0, count));
    bytes.remove_prefix(count);
    std::string_view rest = kept;
    for (;;) {
      const transport::WebSocket::Frame frame = socket.next(rest, space);
      if (frame.kind == transport::WebSocket::Kind::nothing) break;
      require(frame.payload.size() <= max_message_bytes, "a long message");
      require(!frame.is_text || wire::check_text(frame.payload).fault != wire::TextFault::not_utf8,
              "a text that is not UTF-8");
      all.append(std::to_string(static_cast<int>(frame.kind))).append(frame.payload);
      if (frame.kind >= transport::WebSocket::Kind::close) {
        return all + std::to_string(static_cast<int>(socket.close_code()));
      }
    }
    kept = std::string(rest);
    require(kept.size() <= max_message_bytes + 14, "more than a frame is kept");
  }
  return all;
}

}  // namespace
}  // namespace tictactoe::fuzz

FUZZ_TARGET(websocket, data, size) {
  using namespace tictactoe;
  fuzz::Input input(data, size);
  const std::string splits(input.text());
  const std::string bytes(input.rest());
  fuzz::Input lengths(reinterpret_cast<const std::uint8_t*>(splits.data()), splits.size());
  const std::string in_pieces =
      fuzz::frames(bytes, [&lengths] { return std::size_t{1} + lengths.word(); });
  fuzz::require(in_pieces == fuzz::frames(bytes, [] { return 1; }), "the pieces matter");
}
