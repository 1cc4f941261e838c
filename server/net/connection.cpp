#include "server/net/connection.hpp"

namespace tictactoe::net {

wire::NextFrame Connection::next_frame() {
  if (state_ != State::open || paused_ || waits_for_turn_ || write_failed_) return {};
  if (outbox_.is_half_full()) {
    update();
    paused_ = outbox_.is_half_full();
    if (paused_ || write_failed_) return {};
  }
  return wire::take_frame(input_, context_.frame_bytes);
}

// The input is the end of kept_, or kept_ is empty.
void Connection::end_input() {
  const std::string_view rest = std::exchange(input_, {});
  if (rest.empty() || state_ != State::open || write_failed_) {
    if (!kept_.empty()) std::string().swap(kept_);
  } else if (kept_.empty()) {
    kept_.assign(rest);
  } else {
    kept_.erase(0, kept_.size() - rest.size());
  }
}

bool Connection::resume() {
  if (!paused_ || outbox_.is_half_full() || state_ != State::open) return false;
  paused_ = false;
  return true;
}

void Connection::close() {
  if (state_ == State::open) state_ = write_failed_ ? State::closed : State::closing;
}

void Connection::peer_finished() {
  peer_finished_ = true;
  if (outbox_.empty() || write_failed_) return abort();
  close();
}

void Connection::shut_down() {
  sending_side_shut_ = true;
  if (peer_finished_) abort();
}

void Connection::take_over(Connection& old) {
  set_id(old.id_, old.outbox_.address());
  old.abort();
}

void Connection::abort() {
  state_ = State::closed;
  outbox_.clear();
}

}  // namespace tictactoe::net
