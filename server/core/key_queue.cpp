#include "server/core/key_queue.hpp"

#include <algorithm>
#include <utility>

namespace tictactoe::core {

Problem too_many_passwords() {
  constexpr std::chrono::milliseconds wait{1'000};
  return {v1::Error::CODE_RATE_LIMITED,
          "The server has many passwords to check: try again in a moment.", wait};
}

KeyQueue::Waiting::const_iterator KeyQueue::longest() const {
  return std::ranges::max_element(
      waiting_, {}, [](const Waiting::value_type& jobs) { return jobs.second.size(); });
}

bool KeyQueue::has_place(std::uint64_t address) const {
  const auto own = waiting_.find(address);
  const std::size_t count = own == waiting_.end() ? 0 : own->second.size();
  if (count >= limits_.derivations_per_address) return false;
  return size_ < limits_.derivations || count + 1 < longest()->second.size();
}

void KeyQueue::ask(std::uint64_t address, std::shared_ptr<const KeyRequest> request, Answer answer,
                   Time now, Effects& effects) {
  Answer refused;
  if (size_ >= limits_.derivations) {
    auto& jobs = waiting_.at(longest()->first);
    refused = std::move(jobs.back().answer);
    jobs.pop_back();
    --size_;
  }
  waiting_[address].push_back({std::move(request), std::move(answer)});
  ++size_;
  if (!running_) start_next(effects);
  if (refused) refused(nullptr, now);
}

void KeyQueue::start_next(Effects& effects) {
  if (waiting_.empty()) return;
  auto next = waiting_.upper_bound(last_address_);
  if (next == waiting_.end()) next = waiting_.begin();
  last_address_ = next->first;
  Job job = std::move(next->second.front());
  next->second.pop_front();
  if (next->second.empty()) waiting_.erase(next);
  --size_;
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
