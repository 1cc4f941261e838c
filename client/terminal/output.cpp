#include "client/terminal/output.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "common/posix/file.hpp"

namespace tictactoe::client {

Look Output::look() const {
  // Rows that are left free on a terminal for the sentences round a board.
  constexpr std::uint32_t rows_for_text = 4;
  Look look;
  look.colours = colours_;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
    look.columns = size.ws_col;
    look.rows = size.ws_row > rows_for_text ? size.ws_row - rows_for_text : 1u;
  }
  return look;
}

void Output::show(std::string_view text) {
  if (text.empty() || closed_ || !fault_.empty()) return;
  if (posix::write_all(STDOUT_FILENO, text)) return;
  // EPIPE means that a pipe has lost its reader, EIO and ENXIO that the terminal has been closed.
  // Other errors are faults, such as a full disk.
  closed_ = errno == EPIPE || errno == EIO || errno == ENXIO;
  if (!closed_) fault_ = std::generic_category().message(errno);
}

void fill_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // A new descriptor is the lowest that is free, so this one.
    if (fcntl(stream, F_GETFD) < 0) static_cast<void>(open("/dev/null", O_RDWR));
  }
}

}  // namespace tictactoe::client
