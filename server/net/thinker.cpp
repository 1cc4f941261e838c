#include "server/net/thinker.hpp"

#include <boost/asio/post.hpp>
#include <utility>

namespace tictactoe::net {

namespace asio = boost::asio;

Thinker::Thinker(asio::io_context& io, std::size_t threads, std::chrono::milliseconds time,
                 Answer on_answer)
    : io_(io), time_(time), on_answer_(std::move(on_answer)), threads_(threads) {}

Thinker::~Thinker() {
  stop_all();
  threads_.stop();  // what has not begun never will
  threads_.join();
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
  asio::post(threads_, [this, id = think.id, player = think.player,
                        stop = thought.stop.get_token()]() mutable {
    const ai::Choice choice = player->choose({.stop = std::move(stop)});
    // The host may look at the player as soon as it hears of the answer.
    player.reset();
    asio::post(io_, [this, id, choice] {
      if (thoughts_.erase(id) > 0) on_answer_(id, choice);
    });
  });
}

void Thinker::stop(core::ThoughtId id) {
  const auto found = thoughts_.find(id);
  if (found == thoughts_.end()) return;
  found->second.stop.request_stop();
  thoughts_.erase(found);
}

}  // namespace tictactoe::net
