// Passwords that wait until their keys are derived.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "server/base/effects.hpp"
#include "server/limits/config.hpp"
#include "server/limits/fair_queue.hpp"
#include "server/limits/parse.hpp"

namespace tictactoe::server {

/// One key is derived at a time. Networks are served round robin (see FairQueue), so one network
/// delays another by one key at most. There are Limits::derivations places, and a limit for each
/// network. If all places are taken, a request of a network that has fewer places than the one with
/// the most takes one of its places: the newest request of the address with the most is refused.
/// The request of a closed connection keeps its place. O(log requests).
class KeyQueue {
 public:
  /// Called once: with the key, or null if another request took its place or there was no memory.
  using Answer = std::function<void(const std::string* key, Time now)>;

  /// `limits` must outlive it.
  explicit KeyQueue(const Limits& limits) : limits_(limits) {}

  bool has_place(Origin from) const;
  /// Requires has_place(). Calls `answer` later, or never if the queue is destroyed first.
  void ask(Origin from, std::shared_ptr<const KeyRequest> request, Answer answer, Time now,
           Effects& effects);
  /// The answer to a DeriveKey. Ignores an id that is not awaited.
  void derived(std::uint64_t id, const std::string& key, Time now, Effects& effects);

  std::size_t size() const { return waiting_.size(); }

 private:
  struct Job {
    std::shared_ptr<const KeyRequest> request;
    Answer answer;
  };
  void start_next(Effects& effects);

  const Limits& limits_;
  FairQueue<Job> waiting_;
  std::uint64_t last_id_ = 0;
  Answer running_;  // empty: none is running
};

/// The refusal of a request for which there is no place.
Problem too_many_passwords();

}  // namespace tictactoe::server
