// Questions that wait for the database.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

#include "server/base/origin.hpp"
#include "server/limits/fair_queue.hpp"

namespace tictactoe::cluster {

/// Serves networks round robin, and within a network its addresses. A network has at most as many
/// places as it leaves free for others, so no network can fill the queue. O(log size).
template <class Question>
class QuestionQueue {
 public:
  explicit QuestionQueue(std::size_t max_waiting) : max_waiting_(max_waiting) {}

  /// Adds a question. Returns false, and drops it, if there is no place. A question without a peer
  /// is always accepted and goes first: it drops a claim, and there was a place for that.
  bool push(std::optional<server::Origin> from, Question question) {
    if (!from) {
      first_.push_back(std::move(question));
      return true;
    }
    const std::size_t left = max_waiting_ - waiting_.size();
    if (waiting_.weight_of_network(from->network) >= left) return false;
    waiting_.push(*from, std::move(question));
    return true;
  }
  /// Removes and returns the next question; nothing if there is none.
  std::optional<Question> pop() {
    if (first_.empty()) return waiting_.pop();
    Question next = std::move(first_.front());
    first_.pop_front();
    return next;
  }

 private:
  std::size_t max_waiting_;
  std::deque<Question> first_;
  server::FairQueue<Question> waiting_;
};

}  // namespace tictactoe::cluster
