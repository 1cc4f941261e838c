#include "client/terminal/raw_mode.hpp"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <utility>

#include "common/posix/file.hpp"

namespace tictactoe::client {
namespace {

// What a signal handler needs to restore the terminal. It is complete before the handler is
// installed, as a handler may neither allocate nor lock.
struct Rescue {
  std::array<char, RawMode::max_rescue_bytes> bytes{};
  std::size_t count = 0;
  termios mode{};
  bool is_terminal = false;
  std::atomic<bool> armed = false;
};
Rescue rescue;

// SIGQUIT is what Ctrl-\ sends.
constexpr std::array fatal_signals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGQUIT};
std::array<struct sigaction, fatal_signals.size()> former_actions;

void on_fatal_signal(int signal) {
  rescue_terminal();
  for (std::size_t i = 0; i < fatal_signals.size(); ++i) {
    if (fatal_signals[i] == signal) sigaction(signal, &former_actions[i], nullptr);
  }
  // Takes effect when this handler returns.
  raise(signal);
}

void arm_rescue(const std::string& bytes) {
  if (rescue.armed) return;
  rescue.count = std::min(bytes.size(), rescue.bytes.size());
  std::copy_n(bytes.begin(), rescue.count, rescue.bytes.begin());
  rescue.armed = true;
  struct sigaction action{};
  action.sa_handler = on_fatal_signal;
  for (std::size_t i = 0; i < fatal_signals.size(); ++i) {
    sigaction(fatal_signals[i], &action, &former_actions[i]);
  }
}

void disarm_rescue() {
  if (!rescue.armed.exchange(false)) return;
  for (std::size_t i = 0; i < fatal_signals.size(); ++i) {
    sigaction(fatal_signals[i], &former_actions[i], nullptr);
  }
}

}  // namespace

RawMode::RawMode() {
  rescue.is_terminal = tcgetattr(STDIN_FILENO, &rescue.mode) == 0;
}

RawMode::~RawMode() {
  leave();
}

void RawMode::enter() {
  termios mode{};
  if (!rescue.is_terminal || tcgetattr(STDIN_FILENO, &mode) != 0) return;
  arm_rescue(bytes_.off_after_crash);
  mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | IEXTEN);
  mode.c_lflag |= static_cast<tcflag_t>(ISIG | NOFLSH);
  mode.c_iflag &= ~static_cast<tcflag_t>(IXON | IXOFF);
  mode.c_cc[VMIN] = 1;
  mode.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSADRAIN, &mode);
  posix::write_all(STDOUT_FILENO, bytes_.on);
  entered_ = true;
}

void RawMode::leave() {
  if (!std::exchange(entered_, false)) return;
  // The terminal may belong to the shell, which has set its own mode.
  if (in_foreground()) {
    posix::write_all(STDOUT_FILENO, bytes_.off);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &rescue.mode);
  }
  disarm_rescue();
}

bool in_foreground() {
  const pid_t group = tcgetpgrp(STDIN_FILENO);
  // A terminal that does not control this session has no foreground.
  return group == getpgrp() || group < 0;
}

bool terminal_is_gone() {
  termios mode{};
  return tcgetattr(STDIN_FILENO, &mode) != 0 && errno == EIO;
}

void rescue_terminal() {
  if (!rescue.armed.exchange(false) || !in_foreground()) return;
  tcflush(STDIN_FILENO, TCIFLUSH);
  tcsetattr(STDIN_FILENO, TCSANOW, &rescue.mode);
  // The description may be shared with other programs.
  const int flags = fcntl(STDOUT_FILENO, F_GETFL);
  fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK);
  static_cast<void>(write(STDOUT_FILENO, rescue.bytes.data(), rescue.count));
  fcntl(STDOUT_FILENO, F_SETFL, flags);
}

void stop_program() {
  if (in_foreground()) tcflush(STDIN_FILENO, TCIFLUSH);
  struct sigaction by_default{};
  by_default.sa_handler = SIG_DFL;
  struct sigaction former{};
  sigaction(SIGTSTP, &by_default, &former);
  raise(SIGTSTP);
  sigaction(SIGTSTP, &former, nullptr);
}

}  // namespace tictactoe::client
