#include "server/net/turn_watch.hpp"

#include <ctime>

namespace tictactoe::net {

namespace {

std::chrono::nanoseconds cpu_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

void TurnWatch::run(boost::asio::io_context& io) {
  for (;;) {
    event_ = "other";
    const std::chrono::nanoseconds began = cpu_time();
    if (io.run_one() == 0) return;
    const std::chrono::nanoseconds took = cpu_time() - began;
    if (took > longest_) {
      report_(event_, std::chrono::duration_cast<std::chrono::microseconds>(took));
    }
  }
}

}  // namespace tictactoe::net
