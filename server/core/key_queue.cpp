#include "server/core/key_queue.hpp"

#include <algorithm>
#include <utility>

namespace tictactoe::core {

Problem too_many_passwords() {
  constexpr std::chrono::milliseconds wait{1'000};
  return {v1::Error::CODE_RATE_LIMITED,
          "The server has many passwords to check: try again in a moment.", wait};
}

std::pair<std::uint64_t, std::size_t> KeyQueue::longest() const {
  const auto longest = std::ranges::max_element(
      waiting_.queues(), {}, [](const auto& jobs) { return jobs.second.size(); });
  return {longest->first, longest->second.size()};
}

bool KeyQueue::has_place(std::uint64_t network) const {
  const auto own = waiting_.queues().find(network);
  const std::size_t count = own == waiting_.queues().end() ? 0 : own->second.size();
  if (count >= limits_.derivations_per_network) return false;
  return size() < limits_.derivations || count + 1 < longest().second;
}

void KeyQueue::ask(std::uint64_t network, std::shared_ptr<const KeyRequest> request, Answer answer,
                   Time now, Effects& effects) {
  Answer refused;
  if (size() >= limits_.derivations) refused = waiting_.pop_last(longest().first).answer;
  waiting_.push(network, {std::move(request), std::move(answer)});
  if (!running_) start_next(effects);
  if (refused) refused(nullptr, now);
}

void KeyQueue::start_next(Effects& effects) {
  if (waiting_.empty()) return;
  Job job = waiting_.pop(waiting_.take_turn());
  running_ = std::move(job.answer);
  effects.derive_key(++last_id_, std::move(job.request));
}

void KeyQueue::derived(std::uint64_t id, const std::string& key, Time now, Effects& effects) {
  if (!running_ || id != last_id_) return;
  const Answer answer = std::exchange(running_, nullptr);
  start_next(effects);
  answer(key.empty() ? nullptr : &key, now);
}

}  // namespace tictactoe::core
