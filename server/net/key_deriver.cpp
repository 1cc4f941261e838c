#include "server/net/key_deriver.hpp"

#include <fcntl.h>
#include <semaphore.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <array>
#include <boost/asio/post.hpp>
#include <boost/assert.hpp>
#include <system_error>
#include <thread>
#include <utility>

namespace tictactoe::net {

namespace asio = boost::asio;
using boost::system::error_code;

/// The request, and the key once it is there.
struct KeyDeriver::Job {
  core::DeriveKey derive;
  std::string key;
};

class KeyDeriver::Worker {
 public:
  explicit Worker(int wake_loop) : wake_loop_(wake_loop) {
    ::sem_init(&wake_, 0, 0);
    thread_ = std::thread([this] { run(); });
  }
  ~Worker() {
    ends_ = true;
    ::sem_post(&wake_);
    thread_.join();
    ::sem_destroy(&wake_);
    delete todo_.load();
    delete done_.load();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void give(std::unique_ptr<Job> job) {
    BOOST_ASSERT_MSG(todo_ == nullptr, "there is one password at a time");
    todo_ = job.release();
    ::sem_post(&wake_);
  }
  /// Null if it is not done yet.
  std::unique_ptr<Job> take() { return std::unique_ptr<Job>(done_.exchange(nullptr)); }

 private:
  void run() {
    for (;;) {
      while (::sem_wait(&wake_) != 0) {
      }
      if (ends_) return;
      Job* job = todo_.exchange(nullptr);
      job->key = core::derive_key(*job->derive.request);
      done_ = job;
      const char byte = 0;
      // A full pipe has woken the loop already.
      static_cast<void>(::write(wake_loop_, &byte, 1));
    }
  }

  int wake_loop_;
  sem_t wake_{};
  std::atomic<bool> ends_ = false;
  std::atomic<Job*> todo_ = nullptr;
  std::atomic<Job*> done_ = nullptr;
  std::thread thread_;
};

KeyDeriver::KeyDeriver(asio::io_context& io, Answer on_answer)
    : io_(io), on_answer_(std::move(on_answer)), wake_(io) {}

// NOLINTNEXTLINE(bugprone-exception-escape): it throws only without memory, which ends the program
KeyDeriver::~KeyDeriver() {
  cancel();
  worker_.reset();
  if (wake_loop_ >= 0) ::close(wake_loop_);
}

void KeyDeriver::cancel() {
  stopping_ = true;
  error_code ignored;  // nothing depends on it any more
  wake_.cancel(ignored);
}

void KeyDeriver::derive(const core::DeriveKey& derive) {
  if (stopping_) return;
  auto job = std::make_unique<Job>(Job{derive, {}});
  if (start_thread()) {
    worker_->give(std::move(job));
    return await_key();
  }
  asio::post(io_, [this, job = std::move(job)]() mutable {
    job->key = core::derive_key(*job->derive.request);
    deliver(std::move(job));
  });
}

bool KeyDeriver::start_thread() {
  if (worker_) return true;
  if (wake_loop_ < 0) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) {
      spdlog::warn("a password is checked without a thread: {}",
                   std::generic_category().message(errno));
      return false;
    }
    for (const int end : ends) {
      static_cast<void>(::fcntl(end, F_SETFL, O_NONBLOCK));
      static_cast<void>(::fcntl(end, F_SETFD, FD_CLOEXEC));
    }
    wake_.assign(ends[0]);
    wake_loop_ = ends[1];
  }
  try {
    worker_ = std::make_unique<Worker>(wake_loop_);
  } catch (const std::system_error& error) {
    spdlog::warn("a password is checked without a thread: {}", error.what());
  }
  return worker_ != nullptr;
}

void KeyDeriver::await_key() {
  wake_.async_wait(asio::posix::stream_descriptor::wait_read, [this](const error_code& cancelled) {
    if (cancelled || stopping_) return;
    std::array<char, 8> bytes{};
    while (::read(wake_.native_handle(), bytes.data(), bytes.size()) > 0) {
    }
    if (auto job = worker_->take()) return deliver(std::move(job));
    await_key();
  });
}

void KeyDeriver::deliver(std::unique_ptr<Job> job) {
  if (!stopping_) on_answer_(job->derive.id, job->key);
}

}  // namespace tictactoe::net
