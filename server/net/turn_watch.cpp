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

void TurnWatch::on_event(const char* name) {
  event_ = name;
  began_ = cpu_time();
}

void TurnWatch::on_event_end() {
  const std::chrono::nanoseconds took = cpu_time() - began_;
  if (took > longest_) report_(event_, std::chrono::duration_cast<std::chrono::microseconds>(took));
}

}  // namespace tictactoe::net
