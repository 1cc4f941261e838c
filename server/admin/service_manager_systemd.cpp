#include <systemd/sd-daemon.h>

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "server/admin/service_manager.hpp"

namespace tictactoe::admin {

namespace {

// A service manager that can't be told anything can't be told that either.
void tell(const std::string& lines) {
  static_cast<void>(::sd_notify(0, lines.c_str()));
}

}  // namespace

void tell_ready(const std::string& status) {
  tell("READY=1\nSTATUS=" + status);
}

void tell_stopping() {
  tell("STOPPING=1");
}

void feed_watchdog() {
  tell("WATCHDOG=1");
}

std::chrono::microseconds watchdog_timeout() {
  std::uint64_t timeout = 0;
  if (::sd_watchdog_enabled(0, &timeout) <= 0) return {};
  return std::chrono::microseconds(timeout);
}

std::vector<int> take_passed_sockets() {
  const int count = ::sd_listen_fds(1);
  std::vector<int> sockets(static_cast<std::size_t>(std::max(0, count)));
  std::iota(sockets.begin(), sockets.end(), SD_LISTEN_FDS_START);
  return sockets;
}

}  // namespace tictactoe::admin
