// The connection to a server: over TCP, or to one in the same process (client/local).
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "client/model/time.hpp"
#include "client/net/address.hpp"
#include "client/net/lookup.hpp"

namespace tictactoe::client {

/// Time for one of a server's addresses to answer before the next one is tried.
inline constexpr std::chrono::seconds connect_timeout{5};

/// One connection: opened once, read and written until it fails or is closed. All calls and all
/// callbacks are made in the thread that runs the io_context, and no callback from within a call.
/// After close() it makes no callbacks, so that its owner may be gone by then.
class Connection {
 public:
  /// `fault` is empty if it has worked, else a cause in a few words.
  using OnDone = std::function<void(const std::string& fault)>;
  using OnRead = std::function<void(std::size_t count, const std::string& fault)>;

  Connection() = default;
  virtual ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  virtual void open(OnDone on_done) = 0;
  /// Reads what is there into `space`, which must stay. One read at a time.
  virtual void read(std::span<char> space, OnRead on_read) = 0;
  /// Sends these bytes after those before. Faults are reported by read().
  virtual void write(std::string_view bytes) = 0;
  virtual void close() = 0;
};

/// Makes a connection that is not open yet.
using Connect = std::function<std::shared_ptr<Connection>()>;

/// What is under way keeps it alive.
class TcpConnection final : public Connection, public std::enable_shared_from_this<TcpConnection> {
 public:
  /// `resolve` finds the addresses of a host, and `timeout` is for each of them; tests replace
  /// both.
  static std::shared_ptr<TcpConnection> create(boost::asio::io_context& context, Address address,
                                               Lookup::Resolve resolve = Lookup::resolve_by_system,
                                               milliseconds timeout = connect_timeout);

  /// Resolves the host, which close() gives up at once, and tries its addresses one after the
  /// other.
  void open(OnDone on_done) override;
  void read(std::span<char> space, OnRead on_read) override;
  void write(std::string_view bytes) override;
  void close() override;

 private:
  using Tcp = boost::asio::ip::tcp;

  TcpConnection(boost::asio::io_context& context, Address address, Lookup::Resolve resolve,
                milliseconds timeout);
  void opened(const std::string& fault);
  void try_next();
  void on_connected(const boost::system::error_code& error);
  void write_next();

  boost::asio::io_context& context_;
  Address address_;
  Lookup lookup_;
  milliseconds timeout_;
  Tcp::socket socket_;
  boost::asio::steady_timer timer_;
  OnDone on_opened_;
  bool closed_ = false;
  unsigned attempt_ = 0;                // changes when an attempt to connect begins or ends
  std::vector<Tcp::endpoint> untried_;  // the next one last
  std::string last_fault_ = "no address";
  std::string waiting_;  // to be written after what is under way
  std::string writing_;
};

/// Connects to that server over TCP. `context` must outlive the result.
Connect connect_to(boost::asio::io_context& context, Address server);

}  // namespace tictactoe::client
