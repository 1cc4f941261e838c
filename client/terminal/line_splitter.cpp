#include "client/terminal/line_splitter.hpp"

#include <utility>

#include "common/wire/text.hpp"

namespace tictactoe::client {

std::vector<std::string> LineSplitter::feed(std::string_view bytes) {
  std::vector<std::string> lines;
  for (const char byte : bytes) {
    if (byte == '\n') {
      lines.push_back(take_rest());
    } else if (line_.size() <= max_bytes_) {
      line_.push_back(byte);
    }
  }
  return lines;
}

std::string LineSplitter::take_rest() {
  if (line_.ends_with('\r')) line_.pop_back();
  return std::string(wire::without_byte_order_mark(std::exchange(line_, {})));
}

}  // namespace tictactoe::client
