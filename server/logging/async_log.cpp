#include "server/logging/async_log.hpp"

#include <spdlog/async_logger.h>
#include <spdlog/details/null_mutex.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <future>
#include <thread>
#include <utility>

#include "common/posix/file.hpp"
#include "common/program/wording.hpp"

namespace tictactoe::app {

namespace {

/// Used only by the pool's thread, while the pool lives.
class LineSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  LineSink(AsyncLog::Write write, LogFormat format, spdlog::details::thread_pool& pool)
      : write_(std::move(write)), format_(format), pool_(pool) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    std::string lines = lost_lines(message.time);
    lines += to_line(format_, message.level, message.time,
                     {message.payload.data(), message.payload.size()});
    write_(lines);
  }
  void flush_() override {}

  std::string lost_lines(spdlog::log_clock::time_point time) {
    const std::size_t lost = pool_.overrun_counter();
    const std::size_t more = lost - std::exchange(lost_, lost);
    if (more == 0) return {};
    return to_line(format_, spdlog::level::warn, time,
                   program::counted(more, "log line was dropped", "log lines were dropped") +
                       ": the log was not read fast enough");
  }

  const AsyncLog::Write write_;
  const LogFormat format_;
  spdlog::details::thread_pool& pool_;
  std::size_t lost_ = 0;
};

// On a thread that is detached if it takes longer, as a thread blocked in a write can't be joined.
bool runs_within(std::chrono::milliseconds patience, std::function<void()> job) {
  std::promise<void> ended;
  const std::future<void> end = ended.get_future();
  std::thread([job = std::move(job), ended = std::move(ended)]() mutable {
    job();
    ended.set_value();
  }).detach();
  return end.wait_for(patience) == std::future_status::ready;
}

}  // namespace

AsyncLog::AsyncLog(Write write, LogFormat format, std::size_t max_lines)
    : pool_(std::make_shared<spdlog::details::thread_pool>(max_lines, 1)),
      logger_(std::make_shared<spdlog::async_logger>(
          "tictactoe-server", std::make_shared<LineSink>(std::move(write), format, *pool_), pool_,
          spdlog::async_overflow_policy::overrun_oldest)) {}

// NOLINTNEXTLINE(bugprone-exception-escape): without a thread to spare the program ends here anyway
AsyncLog::~AsyncLog() {
  finish(std::chrono::milliseconds(0));
}

bool AsyncLog::finish(std::chrono::milliseconds patience) {
  if (pool_ == nullptr) return true;
  // The last reference joins the thread of the pool.
  return runs_within(patience, [pool = std::exchange(pool_, nullptr)]() mutable { pool.reset(); });
}

void write_to_standard_error(std::string_view text) {
  static_cast<void>(posix::write_all(STDERR_FILENO, text));  // a failure can't be reported
}

void report_to_standard_error(const std::string& text, std::chrono::milliseconds patience) {
  runs_within(patience, [text] { write_to_standard_error(text); });
}

}  // namespace tictactoe::app
