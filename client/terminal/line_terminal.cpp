#include "client/terminal/line_terminal.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "client/text/table.hpp"

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

KeyMode::KeyMode() {
  termios mode{};
  if (tcgetattr(STDIN_FILENO, &mode) == 0) before_ = mode;
  enter();
}

KeyMode::~KeyMode() {
  if (before_) tcsetattr(STDIN_FILENO, TCSADRAIN, &*before_);
}

void KeyMode::enter() const {
  if (!before_) return;
  termios mode = *before_;
  mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | IEXTEN);
  mode.c_cc[VMIN] = 1;
  mode.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSADRAIN, &mode);
}

Look Screen::look() const {
  Look look;
  look.colour = options_.colour;
  if (const auto size = window_size()) {
    look.columns = size->ws_col;
    look.rows = size->ws_row > rows_for_text ? size->ws_row - rows_for_text : 1u;
  }
  return look;
}

void Screen::show(std::string_view text, const std::string& prompt, const std::string& typed) {
  if (!options_.prompt) return write(text);
  const std::string line = prompt + typed;
  if (text.empty() && line == line_) return;
  std::string out = erase_prompt();
  out.append(text).append(line);
  line_ = line;
  write(out);
}

void Screen::keep_line(const std::string& prompt, const std::string& typed) {
  if (!options_.prompt) return;
  write(erase_prompt() + prompt + typed + "\n");
}

void Screen::finish() {
  if (!line_.empty()) write(erase_prompt());
  options_.prompt = false;
}

void Screen::forget() {
  line_.clear();
}

std::string Screen::erase_prompt() {
  if (line_.empty()) return "\r";
  const auto size = window_size();
  const std::size_t columns = size ? size->ws_col : Look{}.columns;
  // A line that fills its row to the end leaves the cursor there, not on the next row.
  const std::size_t wrapped = (std::max<std::size_t>(width_of(line_), 1) - 1) / columns;
  line_.clear();
  return (wrapped > 0 ? "\033[" + std::to_string(wrapped) + "A" : "") + "\r\033[J";
}

void Screen::write(std::string_view text) {
  while (!text.empty() && !closed_) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      closed_ = true;
    }
  }
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
