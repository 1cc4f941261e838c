#include "common/program/password.hpp"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <iostream>
#include <string_view>
#include <system_error>
#include <utility>

#include "common/posix/file.hpp"
#include "common/wire/text.hpp"

namespace tictactoe::program {

namespace {

constexpr std::size_t max_bytes = 4096;

PasswordRead checked(std::string line, const std::string& where) {
  line = std::string(wire::without_byte_order_mark(line));
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (line.empty()) return {{}, where + ": the first line must contain the password."};
  if (line.size() > max_bytes) return {{}, where + ": the first line is too long for a password."};
  if (wire::check_text(line).fault == wire::TextFault::not_utf8)
    return {{}, where + ": the first line is not UTF-8. Save the file as UTF-8."};
  // A password with such a character could not be typed, as in a file in UTF-16.
  if (line.find('\0') != std::string::npos) {
    return {{}, where + ": the first line contains a zero byte. Save the file as UTF-8."};
  }
  return {std::move(line), {}};
}

constexpr char interrupt = '\x03';  // Ctrl-C

/// Turns the echo of a terminal off as long as it lives. Signals that end the process wait until
/// the echo is on again.
class Silence {
 public:
  explicit Silence(int terminal) : terminal_(terminal) {
    sigset_t ending;
    sigemptyset(&ending);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP}) {
      sigaddset(&ending, signal);
    }
    pthread_sigmask(SIG_BLOCK, &ending, &before_);
    if (::tcgetattr(terminal_, &shown_) != 0) return;
    termios silent = shown_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO | ISIG);
    silent.c_lflag |= ICANON | ECHONL;
    silent.c_cc[VEOL] = interrupt;  // ends the line, as Enter does
    is_silent_ = ::tcsetattr(terminal_, TCSAFLUSH, &silent) == 0;
  }
  ~Silence() {
    if (is_silent_) ::tcsetattr(terminal_, TCSAFLUSH, &shown_);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  bool is_silent() const { return is_silent_; }

 private:
  int terminal_;
  termios shown_{};
  sigset_t before_{};
  bool is_silent_ = false;
};

// One line; nothing at the end of input, or if Ctrl-C was typed.
std::string read_line(int terminal) {
  std::string line;
  for (char byte = 0;;) {
    const ssize_t count = ::read(terminal, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 || byte == '\n') return line;
    if (byte == interrupt) return {};
    if (line.size() <= max_bytes) line.push_back(byte);
  }
}

}  // namespace

PasswordRead read_password_file(const std::string& path) {
  constexpr std::size_t marks = 4;  // a byte order mark and a CR
  auto line = posix::read_first_line(path, max_bytes + marks + 1);
  if (!line) return {{}, path + ": can't be read: " + posix::why_unreadable(path, errno) + "."};
  return checked(*std::move(line), path);
}

PasswordRead read_password_line() {
  std::string line;
  std::getline(std::cin, line);
  return checked(std::move(line), "standard input");
}

bool can_ask_password() {
  return ::isatty(STDIN_FILENO) == 1;
}

PasswordRead ask_password(const std::string& prompt) {
  const int terminal = ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0) {
    return {{},
            "There is no terminal to ask for a password: " +
                std::generic_category().message(errno) + "."};
  }
  std::string line;
  bool was_silent = false;
  {
    const Silence silence(terminal);
    was_silent = silence.is_silent();
    if (was_silent && ::write(terminal, prompt.data(), prompt.size()) >= 0) {
      line = read_line(terminal);
    }
  }
  ::close(terminal);
  if (!was_silent)
    return {{}, "The terminal would show the password: its echo can't be turned off."};
  return checked(std::move(line), "the terminal");
}

}  // namespace tictactoe::program
