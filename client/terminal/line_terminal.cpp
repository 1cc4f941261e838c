#include "client/terminal/line_terminal.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "common/posix/file.hpp"
#include "common/unicode/letters.hpp"

namespace tictactoe::client {
namespace {

// Rows that are left free on a terminal for the sentences round a board and the prompt.
constexpr std::uint32_t rows_for_text = 4;

bool is_capable_terminal(int stream) {
  const char* const terminal = std::getenv("TERM");
  return isatty(stream) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::optional<winsize> window_size() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
    return std::nullopt;
  }
  return size;
}

}  // namespace

Look LineTerminal::look() const {
  Look look;
  look.colour = options_.colour;
  if (const auto size = window_size()) {
    look.columns = size->ws_col;
    look.rows = size->ws_row > rows_for_text ? size->ws_row - rows_for_text : 1u;
  }
  return look;
}

void LineTerminal::show(std::string_view text, const std::string& prompt, const LineEditor& typed) {
  if (!options_.prompt) return show(text);
  // One row, so that it can be erased whatever is in it.
  constexpr int least = 8;
  const int prompt_columns = unicode::columns_of(prompt);
  const int room = static_cast<int>(columns()) - prompt_columns - 1;
  const LineWindow window = window_of(typed, std::max(room, least));
  const std::string line = prompt + window.text;
  const int column = prompt_columns + window.cursor;
  const auto cursor = static_cast<std::size_t>(column);
  if (text.empty() && line == line_ && cursor == cursor_) return;
  std::string out = erase_prompt();
  out.append(text).append(line);
  if (column < unicode::columns_of(line)) {
    out.append("\r");
    if (cursor > 0) out.append("\033[" + std::to_string(cursor) + "C");
  }
  line_ = line;
  cursor_ = cursor;
  write(out);
}

void LineTerminal::show(std::string_view text) {
  if (!text.empty()) write(erase_prompt() + std::string(text));
}

void LineTerminal::keep_line(const std::string& prompt, const std::string& typed) {
  if (options_.prompt) write(erase_prompt() + prompt + typed + "\n");
}

void LineTerminal::finish() {
  if (!line_.empty()) write(erase_prompt());
  options_.prompt = false;
}

void LineTerminal::forget() {
  line_.clear();
  cursor_ = 0;
}

std::size_t LineTerminal::columns() const {
  const auto size = window_size();
  return size ? size->ws_col : Look{}.columns;
}

std::string LineTerminal::erase_prompt() {
  if (!options_.prompt) return {};
  // A window that has become narrow has wrapped the line. A line that fills its row leaves the
  // cursor there and not on the next row.
  const std::size_t above = (std::max<std::size_t>(cursor_, 1) - 1) / columns();
  forget();
  return (above > 0 ? "\033[" + std::to_string(above) + "A" : "") + "\r\033[J";
}

void LineTerminal::write(std::string_view text) {
  if (closed_ || !fault_.empty()) return;
  if (posix::write_all(STDOUT_FILENO, text)) return;
  // EPIPE means that a pipe has lost its reader, EIO and ENXIO that the terminal has been closed.
  // Other errors are faults, such as a full disk.
  closed_ = errno == EPIPE || errno == EIO || errno == ENXIO;
  if (!closed_) fault_ = std::generic_category().message(errno);
}

bool colour_wanted() {
  const char* const no_colour = std::getenv("NO_COLOR");
  return is_capable_terminal(STDOUT_FILENO) && (no_colour == nullptr || *no_colour == '\0');
}

bool editing_possible() {
  return isatty(STDIN_FILENO) != 0 && is_capable_terminal(STDOUT_FILENO);
}

void fill_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // A new descriptor is the lowest that is free, so this one.
    if (fcntl(stream, F_GETFD) < 0) static_cast<void>(open("/dev/null", O_RDWR));
  }
}

}  // namespace tictactoe::client
