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
  if (!report_) {
    while (run_one(io)) {
    }
    return;
  }
  for (;;) {
    const std::chrono::nanoseconds began = cpu_time();
    if (!run_one(io)) return;
    const std::chrono::nanoseconds took = cpu_time() - began;
    if (took > longest_) {
      report_(event_ == nullptr ? "other" : event_,
              std::chrono::duration_cast<std::chrono::microseconds>(took));
    }
  }
}

bool TurnWatch::run_one(boost::asio::io_context& io) {
  event_ = nullptr;
  const bool has_run = io.run_one() > 0;
  if (event_ != nullptr) turns_.add(Clock::now() - began_);
  return has_run;
}

}  // namespace tictactoe::net
