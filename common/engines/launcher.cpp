#include "common/engines/launcher.hpp"

#include <exception>
#include <utility>

namespace tictactoe::engines {

Launcher::Launcher() : thread_([this] { serve(); }) {}

Launcher::~Launcher() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Launcher::run(const std::function<void()>& task) {
  const std::lock_guard turn(one_at_a_time_);
  std::exception_ptr thrown;
  std::unique_lock lock(mutex_);
  task_ = [&] {
    try {
      task();
    } catch (...) {
      thrown = std::current_exception();
    }
  };
  changed_.notify_all();
  changed_.wait(lock, [this] { return !task_; });
  if (thrown) std::rethrow_exception(thrown);
}

void Launcher::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ends_ || task_; });
    if (!task_) return;
    task_();
    task_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace tictactoe::engines
