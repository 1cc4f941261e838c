#include "server/transport/shell/connection.hpp"

namespace tictactoe::transport {

std::string encoded_request_id(std::uint64_t request_id) {
  if (request_id == 0) return {};
  constexpr char tag = v1::ServerMessage::kRequestIdFieldNumber << 3;
  std::string prefix(1, tag);  // short enough not to allocate
  wire::append_varint(prefix, request_id);
  return prefix;
}

Received Connection::next() {
  if (state_ != State::open || paused_ || waits_for_slice_ || write_failed_) return {};
  if (outbox_.is_half_full()) {
    update();
    paused_ = outbox_.is_half_full();
    if (paused_ || write_failed_) return {};
  }
  if (uncharged_ > 0) {
    --uncharged_;
    return {.kind = Received::Kind::control, .is_charged = true};
  }
  if (has_own_form_) return next_of_transport(input_);
  const wire::NextFrame next = wire::take_frame(input_, context_.frame_bytes);
  if (next.state == wire::NextFrame::State::need_more) return {};
  if (next.state == wire::NextFrame::State::frame) {
    return {.kind = Received::Kind::message, .body = next.body};
  }
  return {.kind = Received::Kind::fault, .fault = next.fault};
}

bool Connection::resume() {
  if (!paused_ || outbox_.is_half_full() || state_ != State::open) return false;
  paused_ = false;
  return true;
}

bool Connection::send(std::uint64_t request_id, std::string_view body, std::uint64_t record) {
  return outbox_.push(record, [&](std::string& out) {
    if (has_own_form_) return append_for_transport(out, request_id, body);
    wire::append_frame(out, encoded_request_id(request_id), body);
  });
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

void Connection::end_input(bool is_kept) {
  if (!is_kept || !is_open()) input_ = {};
  if (input_.empty()) {
    input_ = {};
    if (!kept_.empty()) std::string().swap(kept_);
    return;
  }
  if (kept_.empty()) {
    kept_.assign(input_);
  } else {
    kept_.erase(0, kept_.size() - input_.size());
  }
  input_ = kept_;
}

}  // namespace tictactoe::transport
