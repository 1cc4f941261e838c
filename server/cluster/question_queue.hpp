// Questions that wait for the database.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

#include "server/base/origin.hpp"
#include "server/limits/fair_queue.hpp"

namespace tictactoe::cluster {

/// Networks take turns, and within a network its addresses. A network has at most as many places as
/// it leaves for others, so that no network can fill the queue. O(log size).
template <class Question>
class QuestionQueue {
 public:
  explicit QuestionQueue(std::size_t max_waiting) : max_waiting_(max_waiting) {}

  /// Returns false, and drops the question, if there is no place for it. A question for nobody is
  /// always taken and is the next one: it drops a claim, and there was a place for that.
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
  /// Nothing if there is none.
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
