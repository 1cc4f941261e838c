#include "server/net/thinker.hpp"

#include <sched.h>
#include <spdlog/spdlog.h>

#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

namespace tictactoe::net {

namespace asio = boost::asio;

namespace {

// Whoever plays comes first: thinking takes the time that nobody else has a use for, so that a
// server on one core answers as fast as without. Once a thread; where it is refused, thinking
// competes.
void stand_back() {
  thread_local const int stands_back = [] {
    const sched_param none{};
    return ::sched_setscheduler(0, SCHED_IDLE, &none);
  }();
  static_cast<void>(stands_back);
}

}  // namespace

Thinker::Thinker(asio::io_context& io, std::size_t threads, std::chrono::milliseconds time,
                 Answer on_answer)
    : io_(io), time_(time), on_answer_(std::move(on_answer)), most_threads_(threads) {}

Thinker::~Thinker() {
  stop_all();
  if (!threads_) return;
  threads_->stop();  // what has not begun never will
  threads_->join();
}

void Thinker::stop_all() {
  for (auto& [id, thought] : thoughts_) thought.stop.request_stop();
  thoughts_.clear();
}

void Thinker::think(const core::Think& think) {
  auto [entry, added] =
      thoughts_.try_emplace(think.id, Thought{std::stop_source(), asio::steady_timer(io_, time_)});
  Thought& thought = entry->second;
  thought.timer.async_wait(
      [stop = thought.stop](const boost::system::error_code& cancelled) mutable {
        if (!cancelled) stop.request_stop();
      });
  auto choose = [this, id = think.id, player = think.player,
                 stop = thought.stop.get_token()]() mutable {
    const ai::Choice choice = player->choose({.stop = std::move(stop)});
    // The host may look at the player as soon as it hears of the answer.
    player.reset();
    asio::post(io_, [this, id, choice] {
      if (thoughts_.erase(id) > 0) on_answer_(id, choice);
    });
  };
  if (start_threads()) {
    asio::post(*threads_, [choose = std::move(choose)]() mutable {
      stand_back();
      choose();
    });
  } else {
    // Without a thread there is no time to think, but a move must come.
    thought.stop.request_stop();
    choose();
  }
}

bool Thinker::start_threads() {
  if (threads_) return true;
  try {
    threads_ = std::make_unique<asio::thread_pool>(most_threads_);
    return true;
  } catch (const boost::system::system_error& error) {
    spdlog::warn("no thread to be had, so an AI plays without thinking: {}", error.what());
    return false;
  }
}

void Thinker::stop(core::ThoughtId id) {
  const auto found = thoughts_.find(id);
  if (found == thoughts_.end()) return;
  found->second.stop.request_stop();
  thoughts_.erase(found);
}

}  // namespace tictactoe::net
