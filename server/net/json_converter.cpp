#include "server/net/json_converter.hpp"

#include <spdlog/spdlog.h>

#include <boost/asio/post.hpp>
#include <system_error>
#include <utility>

#include "server/net/json_form.hpp"

namespace tictactoe::net {

namespace asio = boost::asio;

void JsonConverter::Task::run() {
  json = json_from_message(body);
}

std::uint64_t JsonConverter::convert(core::Origin origin, std::string body, Done done) {
  const std::uint64_t id = ++last_id_;
  jobs_.try_emplace(id, Job{origin, std::move(body), std::move(done)});
  waiting_.push(origin, id);
  start_next();
  return id;
}

void JsonConverter::cancel(std::uint64_t id) {
  const auto job = jobs_.find(id);
  if (job == jobs_.end()) return;
  waiting_.erase(job->second.origin, id);
  jobs_.erase(job);
}

void JsonConverter::stop() {
  is_stopped_ = true;
  jobs_.clear();
  waker_.cancel();
}

void JsonConverter::start_next() {
  if (is_running_ || is_stopped_) return;
  const auto anybody = [](std::uint64_t /*id*/) { return true; };
  const auto next = waiting_.pop_first(anybody, anybody);
  if (!next) return;
  is_running_ = true;
  auto task = std::make_unique<Task>(Task{*next, std::move(jobs_.at(*next).body), {}});
  if (start_thread()) {
    thread_->give(std::move(task));
    return await_task();
  }
  asio::post(io_, [this, task = std::move(task)] {
    task->run();
    deliver(*task);
  });
}

bool JsonConverter::start_thread() {
  if (thread_) return true;
  std::error_code error = waker_.open();
  try {
    if (!error) thread_.emplace(waker_);
  } catch (const std::system_error& no_thread) {
    error = no_thread.code();
  }
  if (error) spdlog::warn("a message is converted without a thread: {}", error.message());
  return !error;
}

void JsonConverter::await_task() {
  waker_.await([this] {
    if (is_stopped_) return;
    if (const auto task = thread_->take()) return deliver(*task);
    await_task();
  });
}

void JsonConverter::deliver(Task& task) {
  is_running_ = false;
  if (is_stopped_) return;
  if (const auto job = jobs_.find(task.id); job != jobs_.end()) {
    const Done done = std::move(job->second.done);
    jobs_.erase(job);
    done(task.json);
  }
  start_next();
}

}  // namespace tictactoe::net
