#include "server/transport/shell/slice_watch.hpp"

#include <ctime>

namespace tictactoe::transport {

namespace {

std::chrono::nanoseconds cpu_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

void SliceWatch::run(boost::asio::io_context& io) {
  if (!report_) {
    while (run_one(io)) {
    }
    return;
  }
  // run_one() first waits for a handler. The wait takes hardly any CPU time, but wall-clock time.
  // So only the CPU time of all handlers is measured.
  for (;;) {
    const std::chrono::nanoseconds began = cpu_time();
    if (!run_one(io)) return;
    const std::chrono::nanoseconds took = cpu_time() - began;
    if (std::exchange(left_out_, false)) continue;
    handlers_.add(took);
    if (took > limit_) {
      report_(event_ == nullptr ? "other" : event_,
              std::chrono::duration_cast<std::chrono::microseconds>(took));
    }
  }
}

bool SliceWatch::run_one(boost::asio::io_context& io) {
  event_ = nullptr;
  const bool has_run = io.run_one() > 0;
  if (event_ != nullptr) {
    const auto took = Clock::now() - began_;
    slices_.add(took);
    if (report_) fine_slices_.add(took);
  }
  return has_run;
}

}  // namespace tictactoe::transport
