// A connection to a host in the same process.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "client/net/connection.hpp"
#include "server/net/server.hpp"

namespace tictactoe::local {

/// The client's end. Both ends copy into the other's buffer; every report of one end to its owner
/// is posted to the io_context. The buffers have no limit of their own: the host's outbox and the
/// session's requests have.
class Connection final : public client::Connection,
                         public std::enable_shared_from_this<Connection> {
 public:
  /// `context` must outlive the result. If the server is gone, the connection ends.
  static std::shared_ptr<Connection> create(boost::asio::io_context& context,
                                            std::weak_ptr<net::Server> server);

  void open(OnOpened on_opened) override;
  void read(std::span<char> space, OnRead on_read) override;
  void write(std::string_view bytes) override;
  void close() override;

 private:
  class HostEnd;

  Connection(boost::asio::io_context& context, std::weak_ptr<net::Server> server)
      : context_(context), server_(std::move(server)) {}
  void deliver_later();
  void deliver();

  boost::asio::io_context& context_;
  std::weak_ptr<net::Server> server_;
  std::shared_ptr<HostEnd> host_end_;  // null before open() is done
  std::string received_;
  bool ended_ = false;  // by the host
  bool closed_ = false;
  std::span<char> space_;
  OnRead on_read_;  // empty: nobody reads
};

}  // namespace tictactoe::local
