#include "tests/bench/load/stranger.hpp"

#include <algorithm>

#include "tests/bench/load/failure.hpp"

namespace tictactoe::load {

void Stranger::measure(Histogram& times, Histogram& delays) {
  if (!measures_) due_ = Clock::now() + interval_;
  measures_ = true;
  times_ = &times;
  delays_ = &delays;
}

void Stranger::send_due(Clock::time_point now) {
  for (; measures_ && due_ <= now; due_ += interval_) {
    protocol_.ping(++connection_.last_request, exchange_);
    fleet_.send(connection_, exchange_.request);
    delays_->add(Clock::now() - due_);
    sent_.push_back({connection_.last_request, due_, times_});
  }
}

Clock::duration Stranger::until_due(Clock::time_point now) const {
  return std::max(due_ - now, Clock::duration::zero());
}

void Stranger::received(std::string_view body, Clock::time_point now) {
  if (sent_.empty())
    throw Failure("A client outside the room was sent this: " + protocol_.text(body));
  const Sent sent = sent_.front();
  sent_.pop_front();
  protocol_.ping(sent.request_id, exchange_);
  if (body != exchange_.answer && !protocol_.same(exchange_.answer, body)) {
    throw Failure("A ping was answered by this: " + protocol_.text(body));
  }
  sent.times->add(now - sent.due);
}

}  // namespace tictactoe::load
