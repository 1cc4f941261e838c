#include "tests/bench/floor/log.hpp"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace tictactoe::relay {
namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::perror(what);
  std::exit(1);
}

}  // namespace

Log::Log(const char* path)
    : file_(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600)),
      event_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  require(file_ >= 0 && event_ >= 0, "tictactoe-relay: can't open the log");
  const std::string zeros(file_bytes, '\0');
  require(pwrite(file_, zeros.data(), zeros.size(), 0) == static_cast<ssize_t>(zeros.size()) &&
              fsync(file_) == 0,
          "tictactoe-relay: can't fill the log");
  thread_ = std::thread([this] { run(); });
}

bool Log::commit() {
  if (is_committing_ || gathered_.empty()) return false;
  is_committing_ = true;
  {
    const std::lock_guard lock(mutex_);
    batch_.swap(gathered_);
    has_batch_ = true;
  }
  wake_.notify_one();
  gathered_.clear();
  return true;
}

bool Log::take_event() {
  std::uint64_t count = 0;
  if (::read(event_, &count, sizeof(count)) != sizeof(count)) return false;
  is_committing_ = false;
  return true;
}

void Log::run() {
  std::size_t at = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return has_batch_; });
    has_batch_ = false;
    lock.unlock();
    if (at + batch_.size() > file_bytes) at = 0;
    require(pwrite(file_, batch_.data(), batch_.size(), static_cast<off_t>(at)) ==
                    static_cast<ssize_t>(batch_.size()) &&
                fdatasync(file_) == 0,
            "tictactoe-relay: can't write the log");
    at += batch_.size();
    constexpr std::uint64_t one = 1;
    require(write(event_, &one, sizeof(one)) == sizeof(one), "tictactoe-relay: can't wake itself");
    lock.lock();
  }
}

}  // namespace tictactoe::relay
