#include "client/player/driver.hpp"

#include <utility>

namespace tictactoe::client {

Driver::Driver(boost::asio::io_context& context, Session& session, Connect connect,
               IdentityKeeper identity, OnChange on_change, OnNote on_note)
    : session_(session),
      connect_(std::move(connect)),
      identity_(std::move(identity)),
      on_change_(std::move(on_change)),
      on_note_(std::move(on_note)),
      alarm_(context) {}

Driver::~Driver() {
  if (connection_) connection_->close();
}

void Driver::update() {
  keep_token();
  keep_address();
  update_connection();
  if (const std::string bytes = session_.take_bytes(); !bytes.empty() && connection_) {
    connection_->write(bytes);
  }
  set_alarm();
}

// Opens a connection if the session wants one, and closes one that it no longer wants.
void Driver::update_connection() {
  if (session_.wants_connection() && !connection_) {
    connection_ = connect_(session_.elsewhere());
    connection_->open([this](const Connection::Opened& opened) { on_opened(opened); });
  } else if (!session_.wants_connection() && connection_ && !session_.ending()) {
    std::exchange(connection_, nullptr)->close();
  }
}

void Driver::on_opened(const Connection::Opened& opened) {
  if (!opened.note.empty()) note(opened.note);
  key_ = opened.key;
  if (session_.elsewhere() == nullptr) server_key_ = opened.key;
  if (!opened.fault.empty()) {
    if (opened.is_refused) {
      session_.refuse_server(opened.fault, Clock::now());
    } else {
      session_.cannot_connect(opened.fault, Clock::now());
    }
    return on_change_();
  }
  if (session_.elsewhere() == nullptr) {
    if (auto token = identity_.reached(opened.key)) session_.use_token(*std::move(token));
  }
  session_.connected(Clock::now());
  if (!std::exchange(noted_, true) && !identity_.note().empty()) note(identity_.note());
  read_server();
  on_change_();
}

void Driver::read_server() {
  connection_->read(session_.prepare(), [this](std::size_t count, const std::string& fault) {
    const Time now = Clock::now();
    session_.received(count, now);
    if (session_.wants_connection()) {
      if (fault.empty()) {
        read_server();
      } else {
        session_.connection_lost(fault, now);
      }
    }
    on_change_();
  });
}

void Driver::keep_token() {
  const auto token = session_.take_token();
  if (!token) return;
  if (const std::string fault = identity_.save(*token); !fault.empty()) note(fault);
}

// The person may name that server next time.
void Driver::keep_address() {
  const v1::ServerAddress* const elsewhere = session_.elsewhere();
  if (elsewhere == nullptr || session_.link() != Session::Link::up) return;
  if (std::exchange(kept_address_, elsewhere->address()) == elsewhere->address()) return;
  identity_.also_at(parse_address(elsewhere->address()).address.host_and_port(), key_);
}

void Driver::note(const std::string& line) const {
  if (on_note_) on_note_(line);
}

void Driver::set_alarm() {
  const auto at = session_.next_deadline();
  if (!at) {
    alarm_.cancel();
    return;
  }
  alarm_.expires_at(*at);
  // It may be about to ring as this is destroyed.
  alarm_.async_wait([this, alive = std::weak_ptr(alive_)](const boost::system::error_code& error) {
    if (error || alive.expired()) return;
    session_.deadline_reached(Clock::now());
    on_change_();
  });
}

}  // namespace tictactoe::client
