#include "server/transport/socket_connection.hpp"

#include <boost/asio/error.hpp>
#include <utility>

#include "server/transport/shell/json_form.hpp"

namespace tictactoe::transport {

namespace asio = boost::asio;

namespace {

// A fatal alert, internal_error: the only one in TLS for a server that can't do more now.
constexpr std::string_view tls_refusal("\x15\x03\x03\x00\x02\x02\x50", 7);

// Is not a ClientMessage.
constexpr std::string_view unreadable_message = "\xff";

// A message in JSON is usually two to four times as long as its encoding.
constexpr std::size_t json_expansion = 4;

}  // namespace

void SocketConnection::begin() {
  if (!is_closed() && !watch()) {
    // Handled as if the system had no descriptors or memory left.
    return shell_.broken(*this, Error(asio::error::no_buffer_space).message());
  }
  update();
}

void SocketConnection::update() {
  // Refused at once: only the first bytes of the peer say how to tell it.
  if (!std::exchange(has_begun_, true) && is_closing()) refusal_waits_ = true;
  if (!refusal_waits_) {
    if (is_closing() && websocket_ != nullptr) say_goodbye();
    if (!is_writing_) write();
    if (wants_shutdown()) {
      shut();
      shut_down();
    }
  }
  if (is_closed()) {
    place_.leave();
    return close_socket();
  }
  if (wants_bytes()) read_on();
}

bool SocketConnection::fits(std::size_t bytes) const {
  return Connection::fits(form_ == MessageForm::json ? json_expansion * bytes : bytes);
}

void SocketConnection::append_for_transport(std::string& out, std::uint64_t request_id,
                                            std::string_view body) const {
  if (websocket_ == nullptr) return;  // nobody would understand it
  if (form_ == MessageForm::protobuf) {
    return WebSocket::append_message(out, encoded_request_id(request_id), body, false);
  }
  const std::string_view json = context_.web.json.to_json(body);
  if (json.empty()) return;
  const std::string beginning = json_beginning(request_id, json);
  WebSocket::append_message(out, beginning, json.substr(beginning.empty() ? 0 : 1), true);
}

// Reading -----------------------------------------------------------------------------------------

bool SocketConnection::wants_bytes() const {
  return wants_read() && !step_is_due_ && (http_ == nullptr || http_->output().empty());
}

void SocketConnection::can_read() {
  if (!wants_bytes()) return;
  const std::span<char> space = context().input;
  Error error;
  const std::string_view bytes(space.data(), read(space, error));
  if (const std::size_t key_updates = take_key_updates(); key_updates > 0) {
    charge(key_updates);
    shell_.received(*this);
  }
  if (is_closed()) return;
  if (error) {
    failed(error);
  } else if (!is_decided_) {
    begin_protocol(bytes);
  } else if (http_ != nullptr && is_open()) {
    http_->keep(bytes);
    await_step(context_.web.requests);
  } else {
    take(bytes);
    shell_.received(*this);
  }
  if (!is_closed() && wants_bytes()) read_on();
}

void SocketConnection::can_shake_hands() {
  if (!wants_bytes()) return;
  Error error;
  fetch(error);
  error ? failed(error) : await_step(context_.tls->handshakes);
}

void SocketConnection::failed(const Error& error) {
  if (error == asio::error::would_block) return;
  if (error != asio::error::eof) return shell_.broken(*this, error.message());
  shell_.peer_finished(*this);
  if (std::exchange(refusal_waits_, false)) update();
}

// Writing -----------------------------------------------------------------------------------------

void SocketConnection::write() {
  std::string_view bytes = output();
  for (std::size_t left = max_bytes_in_a_slice; !bytes.empty(); bytes = output()) {
    if (left == 0) {
      is_writing_ = true;
      return write_on();
    }
    Error error;
    const std::size_t count = Link::write(bytes.substr(0, left), error);
    if (error == asio::error::would_block) is_writing_ = true;
    if (error && !is_writing_) write_failed();
    if (error) return;
    http_ == nullptr ? written(count) : http_->sent(count);
    left -= count;
  }
}

void SocketConnection::can_write() {
  is_writing_ = false;
  if (is_closed()) return;
  http_ == nullptr ? shell_.wrote(*this) : go_on_with_http();
}

// The first bytes ---------------------------------------------------------------------------------

void SocketConnection::begin_protocol(std::string_view bytes) {
  const std::string first =
      first_byte_ ? std::string(1, *first_byte_).append(bytes) : std::string(bytes);
  const std::optional<Protocol> protocol = protocol_of(first);
  if (!protocol) return (void)first_byte_.emplace(first.front());
  first_byte_.reset();
  is_decided_ = true;
  if (refusal_waits_) return refuse_at_once(*protocol, first);
  if (!is_open()) return;
  const bool is_plain = !has_tls() && context_.tls != nullptr;
  if (*protocol == Protocol::http) return begin_http(first);
  if (*protocol == Protocol::tls && is_plain) return begin_tls(first);
  if (is_plain && !context_.tls->refusal_of_raw.empty()) {
    return refuse(context_.tls->refusal_of_raw);
  }
  take(first);
  shell_.received(*this);
}

void SocketConnection::begin_tls(std::string_view bytes) {
  if (!shell_.begin_handshake(*this)) return refuse(tls_refusal);
  is_decided_ = false;
  set_kind(Kind::tls);
  Link::begin_tls(*context_.tls->context->native_handle(), bytes);
  await_step(context_.tls->handshakes);
}

void SocketConnection::begin_http(std::string_view bytes) {
  context_.on_http();
  set_kind(has_tls() ? Kind::web_tls : Kind::web);
  have_own_form();
  WebPeer& self = *this;
  http_ = std::make_unique<WebExchange>(context_.web, self);
  http_->keep(bytes);
  await_step(context_.web.requests);
}

void SocketConnection::refuse(std::string_view answer) {
  send_first(answer);
  shell_.refused(*this);
}

void SocketConnection::refuse_at_once(Protocol protocol, std::string_view bytes) {
  refusal_waits_ = false;
  std::string answer;
  if (protocol == Protocol::http) answer = unavailable_response(bytes.starts_with("HE"));
  if (protocol == Protocol::tls && context_.tls != nullptr) answer = tls_refusal;
  if (!answer.empty()) {
    discard_output();
    send_first(answer);
  }
  update();
}

// Slices ------------------------------------------------------------------------------------------

void SocketConnection::await_step(SliceQueue& queue) {
  if (std::exchange(step_is_due_, true)) return;
  queue.push(network(), [waiting = weak_from_this()] {
    if (const auto session = waiting.lock()) session->run_step();
  });
}

void SocketConnection::run_step() {
  step_is_due_ = false;
  if (is_closed()) return;
  if (is_shaking_hands()) return shake_hands();
  if (http_ == nullptr || !is_open()) return read_on();
  if (http_->has_requests() && http_->output().empty()) http_->answer_next();
  go_on_with_http();
}

void SocketConnection::shake_hands() {
  can_read();
  // Earlier output could not be sent.
  if (!is_closed() && !is_shaking_hands() && is_writing_) can_write();
}

void SocketConnection::go_on_with_http() {
  if (!is_writing_) write();
  if (is_writing_) return;
  if (!http_->output().empty()) return shell_.broken(*this, "a response can't be written");
  if (http_->is_upgraded()) return become_websocket();
  if (http_->has_requests()) return await_step(context_.web.requests);
  if (http_->wants_end() && !std::exchange(has_shut_, true)) shut();
  if (http_->has_answered() && is_open()) shell_.served(*this);
  if (wants_bytes()) read_on();
}

bool SocketConnection::must_encrypt() const {
  if (context_.tls == nullptr || has_tls()) return false;
  if (!context_.tls->refusal_of_raw.empty()) return true;
  return !context_.allows_plain_http && !may_be_clear_;
}

// WebSockets --------------------------------------------------------------------------------------

void SocketConnection::become_websocket() {
  const std::string rest = http_->take_rest();
  form_ = http_->form();
  http_.reset();
  websocket_ = std::make_unique<WebSocket>(context().frame_bytes);
  place_.join(context_.web.open, *this);
  take(rest);
  shell_.received(*this);
  if (!is_closed() && wants_bytes()) read_on();
}

Received SocketConnection::next_of_transport(std::string_view& input) {
  if (websocket_ == nullptr) return {};
  const WebSocket::Frame frame = websocket_->next(input, context_.web.space);
  switch (frame.kind) {
    case WebSocket::Kind::nothing:
      return {};
    case WebSocket::Kind::message:
      if (frame.is_text != (form_ == MessageForm::json)) {
        return {.kind = Received::Kind::message, .body = unreadable_message};
      }
      return {.kind = frame.is_text ? Received::Kind::text : Received::Kind::message,
              .body = frame.payload};
    case WebSocket::Kind::fragment:
      return {.kind = Received::Kind::control, .is_charged = true};
    case WebSocket::Kind::ping:
      // A peer that does not read gets no further answers.
      if (ready().empty()) send_first(WebSocket::pong(frame.payload));
      return {.kind = Received::Kind::control, .is_charged = true, .is_alive = true};
    case WebSocket::Kind::pong: {
      // A pong to no ping is no sign of life, or it would keep a connection open for nothing.
      const bool is_answer = unanswered_ > 0;
      if (is_answer) --unanswered_;
      return {.kind = Received::Kind::control, .is_charged = !is_answer, .is_alive = is_answer};
    }
    case WebSocket::Kind::close:
      say_goodbye();
      return {.kind = Received::Kind::end};
    case WebSocket::Kind::fault:
      break;
  }
  const bool is_too_long = websocket_->close_code() == CloseCode::too_big;
  return {.kind = Received::Kind::fault,
          .fault = is_too_long ? wire::FrameFault::too_long : wire::FrameFault::bad_websocket};
}

void SocketConnection::say_goodbye() {
  if (outbox().is_held()) return;  // what is held may be discarded, and the close frame with it
  if (std::exchange(has_said_goodbye_, true)) return;
  send_last(WebSocket::close(websocket_->close_code()));
}

void SocketConnection::ping() {
  if (!is_open() || !ready().empty()) return;
  send_first(WebSocket::ping());
  ++unanswered_;
  update();
}

}  // namespace tictactoe::transport
