#include "tests/bench/load/link.hpp"

#include "tests/bench/load/failure.hpp"

namespace tictactoe::load {

Link::Link(const Transport& transport) {
  if (transport.tls != nullptr) tls_ = std::make_unique<TlsClient>(*transport.tls);
  if (transport.framing == Framing::raw) return;
  const bool is_json = transport.framing == Framing::websocket_json;
  websocket_ = std::make_unique<WebSocketClient>(
      is_json ? test::Opcode::text : test::Opcode::binary, transport.host);
}

void Link::begin(std::string& out) {
  if (tls_) return tls_->shake_hands(out);
  if (websocket_) out += websocket_->upgrade();
}

bool Link::is_open() const {
  return (!tls_ || tls_->is_ready()) && (!websocket_ || websocket_->is_open());
}

void Link::send(std::string_view bytes, std::string& out) {
  if (tls_) {
    tls_->write(bytes, out);
  } else {
    out += bytes;
  }
}

void Link::append(std::string_view body, std::string& out) {
  if (!tls_ && !websocket_) return wire::append_frame(out, body);
  if (!tls_) return websocket_->append(body, out);
  plain_.clear();
  if (websocket_) {
    websocket_->append(body, plain_);
  } else {
    wire::append_frame(plain_, body);
  }
  tls_->write(plain_, out);
}

std::size_t Link::receive(std::string_view bytes) {
  if (tls_) {
    tls_->receive(bytes);
    return bytes.size();
  }
  const std::span<char> space = prepare();
  const std::size_t count = bytes.copy(space.data(), space.size());
  commit(count);
  return count;
}

void Link::commit(std::size_t count) {
  if (websocket_) return websocket_->commit(count);
  frames_.commit(count);
}

std::optional<std::string_view> Link::next(std::string& out) {
  if (tls_ && !tls_->is_ready()) {
    tls_->shake_hands(out);
    if (!tls_->is_ready()) return std::nullopt;
    if (websocket_) tls_->write(websocket_->upgrade(), out);
  }
  do {
    if (const auto body = next_inside(out)) return body;
  } while (tls_ && decrypt());
  return std::nullopt;
}

std::optional<std::string_view> Link::next_inside(std::string& out) {
  if (websocket_) {
    std::string answers;
    const auto body = websocket_->next(answers);
    if (!answers.empty()) send(answers, out);
    return body;
  }
  const wire::NextFrame next = frames_.next();
  if (next.state == wire::NextFrame::State::fault) {
    throw Failure("What the server sends is no frame.");
  }
  if (next.state == wire::NextFrame::State::need_more) return std::nullopt;
  return next.body;
}

bool Link::decrypt() {
  const std::size_t count = tls_->read(prepare());
  commit(count);
  return count > 0;
}

}  // namespace tictactoe::load
