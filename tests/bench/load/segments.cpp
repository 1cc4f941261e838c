#include "tests/bench/load/segments.hpp"

// <netinet/tcp.h> has an older tcp_info, and excludes this.
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace tictactoe::load {

std::uint64_t data_segments_in(int socket) {
  tcp_info info{};
  socklen_t size = sizeof(info);
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
  return info.tcpi_data_segs_in;
}

}  // namespace tictactoe::load
