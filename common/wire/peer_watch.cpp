#include "common/wire/peer_watch.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>

namespace tictactoe::wire {

std::error_code watch_peer(int socket) {
  struct Option {
    int level;
    int name;
    int value;
  };
  constexpr Option options[] = {
      {IPPROTO_TCP, TCP_NODELAY, 1},
      {SOL_SOCKET, SO_KEEPALIVE, 1},
      {IPPROTO_TCP, TCP_KEEPIDLE, 30},   // seconds of silence before the first probe
      {IPPROTO_TCP, TCP_KEEPINTVL, 10},  // seconds between probes
      {IPPROTO_TCP, TCP_KEEPCNT, 3},
      {IPPROTO_TCP, TCP_USER_TIMEOUT, 60'000},  // milliseconds that data may go unanswered
  };
  for (const auto& [level, name, value] : options) {
    if (setsockopt(socket, level, name, &value, sizeof(value)) != 0) {
      return {errno, std::system_category()};
    }
  }
  return {};
}

}  // namespace tictactoe::wire
