#include "server/net/connection.hpp"

namespace tictactoe::net {

std::string encoded_request_id(std::uint64_t request_id) {
  if (request_id == 0) return {};
  constexpr char tag = v1::ServerMessage::kRequestIdFieldNumber << 3;
  std::string prefix(1, tag);  // short enough to need no memory of the heap
  wire::append_varint(prefix, request_id);
  return prefix;
}

Received Connection::next() {
  if (state_ != State::open || paused_ || waits_for_turn_ || write_failed_) return {};
  if (outbox_.is_half_full()) {
    update();
    paused_ = outbox_.is_half_full();
    if (paused_ || write_failed_) return {};
  }
  return next_message();
}

bool Connection::resume() {
  if (!paused_ || outbox_.is_half_full() || state_ != State::open) return false;
  paused_ = false;
  return true;
}

void Connection::append(std::string& out, std::uint64_t request_id, std::string_view body) const {
  wire::append_frame(out, encoded_request_id(request_id), body);
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

void Connection::abort() {
  state_ = State::closed;
  outbox_.clear();
}

Received FramedConnection::next_message() {
  const wire::NextFrame next = wire::take_frame(rest_, context().frame_bytes);
  switch (next.state) {
    case wire::NextFrame::State::frame:
      return {.kind = Received::Kind::message, .body = next.body};
    case wire::NextFrame::State::fault:
      return {.kind = Received::Kind::fault, .fault = next.fault};
    case wire::NextFrame::State::need_more:
      break;
  }
  return {};
}

void FramedConnection::end_input(bool is_kept) {
  if (!is_kept || !is_open()) rest_ = {};
  if (rest_.empty()) {
    rest_ = {};
    if (!kept_.empty()) std::string().swap(kept_);
    return;
  }
  if (kept_.empty()) {
    kept_.assign(rest_);
  } else {
    kept_.erase(0, kept_.size() - rest_.size());
  }
  rest_ = kept_;
}

}  // namespace tictactoe::net
