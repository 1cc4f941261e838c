#include "client/net/lookup.hpp"

#include <atomic>
#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace tictactoe::client {
namespace {

using boost::asio::ip::tcp;
using WorkGuard = boost::asio::executor_work_guard<boost::asio::io_context::executor_type>;

std::atomic<std::size_t> running = 0;

}  // namespace

// Shared by the thread of the lookup and the Lookup, which may end before the thread.
struct Lookup::Task {
  std::mutex mutex;
  std::optional<WorkGuard> work;  // none once the lookup is over or given up
  OnResult on_result;             // used only in the thread of the io_context

  void report(const std::shared_ptr<Task>& self, LookupResult result) {
    const std::lock_guard lock(mutex);
    // The io_context exists as long as nobody has given the lookup up.
    if (!work) return;
    boost::asio::post(work->get_executor(), [self, result = std::move(result)]() mutable {
      self->deliver(std::move(result));
    });
  }

  void deliver(LookupResult result) {
    {
      const std::lock_guard lock(mutex);
      if (!work) return;
      work.reset();
    }
    std::exchange(on_result, {})(std::move(result));
  }
};

Lookup::Lookup(boost::asio::io_context& context, Resolve resolve)
    : context_(context), resolve_(std::move(resolve)) {}

Lookup::~Lookup() {
  give_up();
}

void Lookup::give_up() {
  if (!task_) return;
  const std::shared_ptr<Task> task = std::exchange(task_, {});
  // What the callback owns ends here and not in the thread of the lookup.
  const OnResult unused = std::exchange(task->on_result, {});
  const std::lock_guard lock(task->mutex);
  task->work.reset();
}

void Lookup::start(const std::string& host, std::uint16_t port, OnResult on_result) {
  give_up();
  task_ = std::make_shared<Task>();
  task_->work.emplace(context_.get_executor());
  task_->on_result = std::move(on_result);
  if (running.fetch_add(1) >= max_running) {
    --running;
    return task_->report(task_, {{}, "too many name lookups at once"});
  }
  try {
    std::thread([task = task_, resolve = resolve_, host, port] {
      task->report(task, resolve(host, port));
      --running;
    }).detach();
  } catch (const std::system_error& error) {
    --running;
    task_->report(task_, {{}, error.code().message()});
  }
}

bool Lookup::any_running() {
  return running > 0;
}

LookupResult Lookup::resolve_by_system(const std::string& host, std::uint16_t port) {
  boost::asio::io_context context;
  tcp::resolver resolver(context);
  boost::system::error_code error;
  const auto found = resolver.resolve(host, std::to_string(port), error);
  LookupResult result;
  if (error) result.fault = error.message();
  if (error == boost::asio::error::host_not_found ||
      error == boost::asio::error::host_not_found_try_again) {
    result.fault = "there is no host with that name";
  }
  for (const auto& entry : found) result.endpoints.push_back(entry.endpoint());
  return result;
}

}  // namespace tictactoe::client
