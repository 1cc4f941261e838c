// Connections through proxies that are trusted to say where they come from.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <set>

#include "server/transport/shell/limited_log.hpp"
#include "server/transport/tcp/listener.hpp"
#include "server/transport/tcp/networks.hpp"

namespace tictactoe::transport {

/// Reads the PROXY protocol header (version 2) of connections from trusted addresses, and passes
/// them on with the address that it names. A connection without a valid header in time is closed,
/// with a line in the log. One thread. Must outlive its io_context's handlers, or be destroyed
/// after the io_context has stopped running.
class ProxyGate {
 public:
  using Accept = Listener::Accept;
  struct Limits {
    std::chrono::milliseconds max_wait{0};  // for the header
    std::size_t waiting = 0;                // connections that wait for their header
  };

  ProxyGate(boost::asio::io_context& io, Networks trusted, Limits limits, Accept accept);
  ~ProxyGate();

  /// Whether connections from this address begin with a header.
  bool trusts(const boost::asio::ip::address& peer) const { return trusted_.contains(peer); }
  void admit(TcpSocket socket, const boost::asio::ip::address& proxy);
  /// Closes the waiting connections, and passes nothing on any more.
  void close();

 private:
  struct ProxiedConnection;
  using Pointer = std::shared_ptr<ProxiedConnection>;

  void read(const Pointer& waiting);
  void on_read(const Pointer& waiting, std::size_t bytes);
  void refuse(const Pointer& waiting, const char* why);
  void end(const Pointer& waiting);

  boost::asio::io_context& io_;
  Networks trusted_;
  Limits limits_;
  Accept accept_;
  std::set<Pointer> waiting_;
  LimitedLog refused_;
};

}  // namespace tictactoe::transport
