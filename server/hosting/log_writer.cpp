#include "server/hosting/log_writer.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

namespace tictactoe::hosting {

struct LogWriter::State {
  State(Write how, std::size_t limit, Report wording)
      : write(std::move(how)), report(std::move(wording)), queue_bytes(limit) {}

  const Write write;
  const Report report;
  const std::size_t queue_bytes;
  std::mutex mutex;  // never held while `write` runs
  std::condition_variable changed;
  std::string queue;
  std::uint64_t dropped = 0;  // lines, since the queue was taken last
  bool ending = false;
  bool ended = false;
};

std::string LogWriter::dropped_lines(std::uint64_t dropped) {
  return std::to_string(dropped) +
         (dropped == 1 ? " log line was dropped" : " log lines were dropped") +
         ": the log was not read fast enough";
}

LogWriter::LogWriter(Write write, std::size_t queue_bytes, Report report)
    : state_(std::make_shared<State>(std::move(write), queue_bytes, std::move(report))) {
  // Detached, because a thread that is blocked in a write can't be joined.
  std::thread([state = state_] { run(*state); }).detach();
}

LogWriter::~LogWriter() {
  finish(std::chrono::milliseconds(0));
}

void LogWriter::push(std::string_view line) {
  const std::lock_guard lock(state_->mutex);
  if (state_->ending) return;
  // After a dropped line the rest is dropped too, until its count is taken: the order stays true.
  if (state_->dropped > 0 || state_->queue.size() + line.size() > state_->queue_bytes) {
    ++state_->dropped;
    state_->changed.notify_all();  // the queue is empty if the line alone is too long
    return;
  }
  state_->queue += line;
  state_->changed.notify_all();
}

bool LogWriter::finish(std::chrono::milliseconds patience) {
  std::unique_lock lock(state_->mutex);
  state_->ending = true;
  state_->changed.notify_all();
  return state_->changed.wait_for(lock, patience, [this] { return state_->ended; });
}

void LogWriter::run(State& state) {
  std::string text;  // swapped with the queue: no allocation once both have grown
  std::unique_lock lock(state.mutex);
  for (;;) {
    state.changed.wait(lock,
                       [&] { return !state.queue.empty() || state.dropped > 0 || state.ending; });
    if (state.queue.empty() && state.dropped == 0) break;
    text.swap(state.queue);
    if (state.dropped > 0) text += state.report(std::exchange(state.dropped, 0));
    lock.unlock();
    state.write(text);
    text.clear();
    lock.lock();
  }
  state.ended = true;
  state.changed.notify_all();
}

void write_to_standard_error(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {  // somebody else has made it non-blocking
      pollfd writable{STDERR_FILENO, POLLOUT, 0};
      ::poll(&writable, 1, -1);
    } else if (errno != EINTR) {
      return;
    }
  }
}

void report_to_standard_error(std::string_view text, std::chrono::milliseconds patience) {
  LogWriter writer(write_to_standard_error);
  writer.push(text);
  writer.finish(patience);
}

}  // namespace tictactoe::hosting
