#include "client/local/connection.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

namespace tictactoe::local {

/// The host's end: does what net::Session does on a socket.
class Connection::HostEnd final : public net::Connection,
                                  public std::enable_shared_from_this<HostEnd> {
 public:
  HostEnd(boost::asio::io_context& context, std::weak_ptr<net::Server> server,
          net::ConnectionContext& shared, std::weak_ptr<local::Connection> client)
      : Connection(shared),
        context_(context),
        server_(std::move(server)),
        client_(std::move(client)) {}

  void update() override {
    const std::shared_ptr<local::Connection> client = client_.lock();
    for (std::string_view bytes = ready(); !bytes.empty(); bytes = ready()) {
      if (client) client->received_.append(bytes);
      written(bytes.size());
    }
    if (wants_shutdown()) {
      if (client) client->ended_ = true;
      shut_down();
    }
    if (client && is_closed()) client->ended_ = true;
    if (client) client->deliver_later();
    if (!sent_.empty() && wants_read()) take_later();
  }

  void send(std::string_view bytes) {
    sent_.append(bytes);
    take_later();
  }

  void client_closed() {
    boost::asio::post(context_, [self = shared_from_this()] {
      const auto server = self->server_.lock();
      if (server && !self->is_closed()) server->shell().peer_finished(*self);
    });
  }

 private:
  void take_later() {
    if (std::exchange(takes_, true)) return;
    boost::asio::post(context_, [self = shared_from_this()] {
      self->takes_ = false;
      self->take();
    });
  }

  void take() {
    const auto server = server_.lock();
    if (!server || is_closed() || !wants_read() || sent_.empty()) return;
    const std::string bytes = std::exchange(sent_, {});
    server->shell().received(*this, bytes);
  }

  boost::asio::io_context& context_;
  std::weak_ptr<net::Server> server_;
  std::weak_ptr<local::Connection> client_;
  std::string sent_;
  bool takes_ = false;  // take() is posted
};

std::shared_ptr<Connection> Connection::create(boost::asio::io_context& context,
                                               std::weak_ptr<net::Server> server) {
  return std::shared_ptr<Connection>(new Connection(context, std::move(server)));
}

void Connection::open(OnOpened on_opened) {
  boost::asio::post(context_, [self = shared_from_this(), on_opened = std::move(on_opened)] {
    if (self->closed_) return;
    const auto server = self->server_.lock();
    if (!server) return on_opened({"the game has ended", false, {}});
    net::Shell& shell = server->shell();
    self->host_end_ =
        std::make_shared<HostEnd>(self->context_, self->server_, shell.context(), self);
    shell.connected(self->host_end_, core::Origin{});
    self->host_end_->update();
    on_opened({{}, false, {}});
  });
}

void Connection::read(std::span<char> space, OnRead on_read) {
  space_ = space;
  on_read_ = std::move(on_read);
  deliver_later();
}

void Connection::deliver_later() {
  if (!on_read_ || (received_.empty() && !ended_)) return;
  boost::asio::post(context_, [self = shared_from_this()] { self->deliver(); });
}

void Connection::deliver() {
  if (closed_ || !on_read_ || (received_.empty() && !ended_)) return;
  const OnRead on_read = std::exchange(on_read_, {});
  const std::size_t count = std::min(space_.size(), received_.size());
  std::copy_n(received_.begin(), count, space_.begin());
  received_.erase(0, count);
  const bool over = received_.empty() && ended_;
  on_read(count, over ? "it closed the connection" : "");
}

void Connection::write(std::string_view bytes) {
  if (host_end_ && !closed_) host_end_->send(bytes);
}

void Connection::close() {
  if (std::exchange(closed_, true)) return;
  on_read_ = {};
  if (host_end_) host_end_->client_closed();
}

}  // namespace tictactoe::local
