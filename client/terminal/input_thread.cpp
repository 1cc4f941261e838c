#include "client/terminal/input_thread.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <system_error>
#include <utility>

namespace tictactoe::client {
namespace {

constexpr std::size_t read_size = 4096;

}  // namespace

InputThread::InputThread(boost::asio::io_context& context, OnBytes on_bytes)
    : context_(context), on_bytes_(std::move(on_bytes)) {
  std::array<int, 2> wake{};
  if (pipe2(wake.data(), O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "pipe");
  }
  wake_read_ = wake[0];
  wake_write_ = wake[1];
  thread_ = std::thread([this] { run(); });
}

InputThread::~InputThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  close(wake_write_);
  thread_.join();
  close(wake_read_);
}

void InputThread::read() {
  {
    const std::lock_guard lock(mutex_);
    asked_ = true;
  }
  changed_.notify_one();
}

bool InputThread::wait_until_asked() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return asked_ || stopping_; });
  return !stopping_;
}

void InputThread::run() {
  while (wait_until_asked()) {
    std::string bytes = read_some();
    const bool ended = bytes.empty();
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) return;
      // Only now, so that asking again while this read was under way did not count.
      asked_ = false;
    }
    boost::asio::post(context_,
                      [this, bytes = std::move(bytes)]() mutable { on_bytes_(std::move(bytes)); });
    if (ended) return;
  }
}

std::string InputThread::read_some() const {
  std::string bytes(read_size, '\0');
  for (;;) {
    std::array<pollfd, 2> wanted{pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{wake_read_, POLLIN, 0}};
    if (poll(wanted.data(), wanted.size(), -1) < 0 && errno != EINTR) return {};
    if (wanted[1].revents != 0) return {};
    if (wanted[0].revents == 0) continue;
    // NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection): the lock was let go by then
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return bytes;
  }
}

}  // namespace tictactoe::client
