#include "server/net/key_deriver.hpp"

#include <spdlog/spdlog.h>

#include <boost/asio/post.hpp>
#include <system_error>
#include <utility>

namespace tictactoe::net {

namespace asio = boost::asio;

void KeyDeriver::Task::run() {
  key = core::derive_key(*derive.request);
}

KeyDeriver::KeyDeriver(asio::io_context& io, Answer on_answer)
    : io_(io), on_answer_(std::move(on_answer)), waker_(io) {}

void KeyDeriver::cancel() {
  stopping_ = true;
  waker_.cancel();
}

void KeyDeriver::derive(const core::DeriveKey& derive) {
  if (stopping_) return;
  auto task = std::make_unique<Task>(Task{derive, {}});
  if (start_thread()) {
    thread_->give(std::move(task));
    return await_key();
  }
  asio::post(io_, [this, task = std::move(task)] {
    task->run();
    deliver(*task);
  });
}

bool KeyDeriver::start_thread() {
  if (thread_) return true;
  std::error_code error = waker_.open();
  try {
    if (!error) thread_.emplace(waker_);
  } catch (const std::system_error& no_thread) {
    error = no_thread.code();
  }
  if (error) spdlog::warn("a password is checked without a thread: {}", error.message());
  return !error;
}

void KeyDeriver::await_key() {
  waker_.await([this] {
    if (stopping_) return;
    if (const auto task = thread_->take()) return deliver(*task);
    await_key();
  });
}

void KeyDeriver::deliver(const Task& task) {
  if (!stopping_) on_answer_(task.derive.id, task.key);
}

}  // namespace tictactoe::net
