#include "server/app/descriptors.hpp"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace tictactoe::app {

namespace {

// Grows the kernel's table of descriptors to its final size. Later, in a process with threads, each
// growth would block the event loop in an accept() for many milliseconds.
void grow_descriptor_table(rlim_t count) {
  const int last = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, static_cast<int>(count) - 1);
  if (last >= 0) ::close(last);
}

}  // namespace

void raise_descriptor_limit(const ServerOptions& options) {
  constexpr rlim_t others = 64;  // listeners, standard streams, files of libraries
  const auto& limits = options.config.limits;
  const std::size_t sockets = limits.connections + limits.lingering_connections;
  const std::size_t at_gate = options.trusted_proxies.empty() ? 0 : limits.pending_connections;
  const rlim_t wanted = sockets + at_gate + others;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t before = limit.rlim_cur;
  if (before < wanted) {
    limit.rlim_cur = std::min(wanted, limit.rlim_max);
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
  }
  if (limit.rlim_cur < wanted) {
    spdlog::warn("this system allows only {} open files, too few for {} connections",
                 limit.rlim_cur, limits.connections);
  }
  grow_descriptor_table(std::min(wanted, limit.rlim_cur));
}

}  // namespace tictactoe::app
