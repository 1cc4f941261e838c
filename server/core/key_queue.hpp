// Passwords that wait for their keys.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "server/core/config.hpp"
#include "server/core/effects.hpp"
#include "server/core/parse.hpp"
#include "server/core/turns.hpp"

namespace tictactoe::core {

/// A bounded queue for each network (see Origin), so that the many addresses of one network can't
/// take all places. See Limits::derivations. The networks take turns, and one key is derived at a
/// time, so one network delays another by one key at most. If all places are taken and a network
/// asks that has fewer than the one with the most, the last of that one is refused instead. A
/// connection that is closed keeps its place until its turn. O(networks that wait).
class KeyQueue {
 public:
  /// Called once with the key, or with null if there was no place or no memory for it.
  using Answer = std::function<void(const std::string* key, Time now)>;

  /// `limits` must outlive it.
  explicit KeyQueue(const Limits& limits) : limits_(limits) {}

  /// Whether ask() would find a place for that network.
  bool has_place(std::uint64_t network) const;
  /// Requires has_place(). `answer` is called later, or never if the queue ends before.
  void ask(std::uint64_t network, std::shared_ptr<const KeyRequest> request, Answer answer,
           Time now, Effects& effects);
  /// The answer to a DeriveKey. An id that is not awaited is ignored.
  void derived(std::uint64_t id, const std::string& key, Time now, Effects& effects);

  std::size_t size() const { return waiting_.size(); }

 private:
  struct Job {
    std::shared_ptr<const KeyRequest> request;
    Answer answer;
  };
  /// The network with the most, and how many. Requires that there is one.
  std::pair<std::uint64_t, std::size_t> longest() const;
  void start_next(Effects& effects);

  const Limits& limits_;
  Turns<Job> waiting_;
  std::uint64_t last_id_ = 0;
  Answer running_;  // empty: none is being derived
};

/// The answer to a request for which there was no place.
Problem too_many_passwords();

}  // namespace tictactoe::core
