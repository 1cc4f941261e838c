// The TCP connection to a server.
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
/// callbacks are made in the thread that runs the io_context. What is under way keeps it alive.
/// After close() it makes no callbacks, so that its owner may be gone by then.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  /// `fault` is a cause in a few words, or empty.
  using OnDone = std::function<void(const std::string& fault)>;
  using OnRead = std::function<void(std::size_t count, const std::string& fault)>;

  /// `resolve` finds the addresses of a host, and `timeout` is for each of them; tests replace
  /// both.
  static std::shared_ptr<Connection> create(boost::asio::io_context& context,
                                            Lookup::Resolve resolve = Lookup::resolve_by_system,
                                            milliseconds timeout = connect_timeout);

  /// Resolves the host, which close() gives up at once, and tries its addresses one after the
  /// other.
  void open(const Address& address, OnDone on_done);
  /// Reads what is there into `space`, which must stay. One read at a time.
  void read(std::span<char> space, OnRead on_read);
  /// Sends these bytes after those before. Faults are reported by read().
  void write(std::string_view bytes);
  void close();

 private:
  using Tcp = boost::asio::ip::tcp;

  Connection(boost::asio::io_context& context, Lookup::Resolve resolve, milliseconds timeout);
  void opened(const std::string& fault);
  void try_next();
  void on_connected(const boost::system::error_code& error);
  void write_next();

  boost::asio::io_context& context_;
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

}  // namespace tictactoe::client
