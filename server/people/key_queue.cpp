#include "server/people/key_queue.hpp"

#include <utility>

namespace tictactoe::server {

Problem too_many_passwords() {
  constexpr std::chrono::milliseconds wait{1'000};
  return {v1::Error::CODE_RATE_LIMITED,
          "The server is busy checking passwords. Try again in a moment.", wait};
}

bool KeyQueue::has_place(Origin from) const {
  const std::size_t own = waiting_.weight_of_network(from.network);
  if (own >= limits_.derivations_per_network) return false;
  return size() < limits_.derivations ||
         own + 1 < waiting_.weight_of_network(waiting_.heaviest().network);
}

void KeyQueue::ask(Origin from, std::shared_ptr<const KeyRequest> request, Answer answer, Time now,
                   Effects& effects) {
  Answer refused;
  if (size() >= limits_.derivations) refused = waiting_.pop_last(waiting_.heaviest()).answer;
  waiting_.push(from, {std::move(request), std::move(answer)});
  if (!running_) start_next(effects);
  if (refused) refused(nullptr, now);
}

void KeyQueue::start_next(Effects& effects) {
  std::optional<Job> job = waiting_.pop();
  if (!job) return;
  running_ = std::move(job->answer);
  effects.derive_key(++last_id_, std::move(job->request));
}

void KeyQueue::derived(std::uint64_t id, const std::string& key, Time now, Effects& effects) {
  if (!running_ || id != last_id_) return;
  const Answer answer = std::exchange(running_, nullptr);
  start_next(effects);
  answer(key.empty() ? nullptr : &key, now);
}

}  // namespace tictactoe::server
