#include "client/terminal/line_input.hpp"

#include <utility>

namespace tictactoe::client {
namespace {

constexpr char backspace = '\x08';
constexpr char ctrl_d = '\x04';
constexpr char ctrl_u = '\x15';
constexpr char ctrl_w = '\x17';
constexpr char escape_key = '\x1B';
constexpr char delete_key = '\x7F';

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u;
}

}  // namespace

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
  return std::exchange(line_, {});
}

std::vector<std::string> LineEditor::feed(std::string_view bytes) {
  std::vector<std::string> lines;
  for (const char byte : bytes) {
    if (escape_ != Escape::none) {
      take_escaped(byte);
    } else {
      take(byte, lines);
    }
  }
  return lines;
}

void LineEditor::take(char byte, std::vector<std::string>& lines) {
  if (byte == '\r' || byte == '\n') {
    if (!content_.empty() && (history_.empty() || history_.back() != content_)) {
      history_.push_back(content_);
      if (history_.size() > max_history) history_.erase(history_.begin());
    }
    recalled_ = history_.size();
    lines.push_back(std::exchange(content_, {}));
  } else if (byte == escape_key) {
    escape_ = Escape::escape;
  } else if (byte != '\t' && (static_cast<unsigned char>(byte) < 0x20 || byte == delete_key)) {
    take_control(byte);
  } else if (content_.size() <= max_bytes_) {
    content_.push_back(byte == '\t' ? ' ' : byte);
  }
}

// ESC [ ... letter, or ESC O letter, or ESC and one key.
void LineEditor::take_escaped(char byte) {
  if (escape_ == Escape::escape) {
    escape_ = byte == '[' || byte == 'O' ? Escape::sequence : Escape::none;
    return;
  }
  if (byte < '@' || byte > '~') return;
  escape_ = Escape::none;
  if (byte == 'A' && recalled_ > 0) recall(recalled_ - 1);
  if (byte == 'B' && recalled_ < history_.size()) recall(recalled_ + 1);
}

void LineEditor::take_control(char byte) {
  switch (byte) {
    case backspace:
    case delete_key:
      erase_character();
      break;
    case ctrl_u:
      content_.clear();
      break;
    case ctrl_w:
      while (content_.ends_with(' ')) content_.pop_back();
      while (!content_.empty() && !content_.ends_with(' ')) content_.pop_back();
      break;
    case ctrl_d:
      ended_ = ended_ || content_.empty();
      break;
    default:
      break;
  }
}

void LineEditor::erase_character() {
  while (!content_.empty() && continues_character(content_.back())) content_.pop_back();
  if (!content_.empty()) content_.pop_back();
}

void LineEditor::recall(std::size_t index) {
  recalled_ = index;
  content_ = index < history_.size() ? history_[index] : std::string();
}

}  // namespace tictactoe::client
