// Passwords that wait for their keys.
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

/// One key is derived at a time, for the networks in turn (see FairQueue), so that one network
/// delays another by one key at most. Each network has a limited number of places, and all together
/// have Limits::derivations. If all are taken, a request of a network with fewer places than the
/// one with the most takes one of these: the newest request of the address with the most is
/// refused. The request of a closed connection keeps its place until its turn. O(log requests).
class KeyQueue {
 public:
  /// Called once with the key, or with null if another request took its place or there was no
  /// memory.
  using Answer = std::function<void(const std::string* key, Time now)>;

  /// `limits` must outlive it.
  explicit KeyQueue(const Limits& limits) : limits_(limits) {}

  bool has_place(Origin from) const;
  /// Requires has_place(). `answer` is called later, or never if the queue ends before.
  void ask(Origin from, std::shared_ptr<const KeyRequest> request, Answer answer, Time now,
           Effects& effects);
  /// The answer to a DeriveKey. An id that is not awaited is ignored.
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
  Answer running_;  // empty: none is being derived
};

/// The answer to a request for which there was no place.
Problem too_many_passwords();

}  // namespace tictactoe::server
