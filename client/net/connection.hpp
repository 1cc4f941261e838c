// The connection to a server: over TLS or TCP, or to one in the same process (client/local).
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
#include "client/net/protection.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::client {

/// Time limit for each of a server's addresses before the next one is tried.
inline constexpr std::chrono::seconds connect_timeout{5};

/// One connection: opened once, read and written until it fails or is closed. All calls and all
/// callbacks are made in the thread that runs the io_context, and no callback from within a call.
/// Makes no callbacks after close(), so its owner may be gone by then.
class Connection {
 public:
  /// The result of opening.
  struct Opened {
    /// Empty on success. Otherwise a cause in a few words or, if `is_refused`, sentences.
    std::string fault;
    /// The server is not the intended one, so trying again is pointless.
    bool is_refused = false;
    /// A line for people about the server's key; may be empty.
    std::string note;
    /// The key that the server proved to have; nothing without TLS.
    std::optional<tls::Fingerprint> key = std::nullopt;
  };
  using OnOpened = std::function<void(const Opened& opened)>;
  using OnRead = std::function<void(std::size_t count, const std::string& fault)>;

  Connection() = default;
  virtual ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  virtual void open(OnOpened on_opened) = 0;
  /// Reads available bytes into `space`, which must stay valid. One read at a time.
  virtual void read(std::span<char> space, OnRead on_read) = 0;
  /// Sends these bytes after earlier ones. read() reports faults.
  virtual void write(std::string_view bytes) = 0;
  virtual void close() = 0;
};

/// Makes a connection that is not open yet: to the server that the person named or, if `elsewhere`
/// is not null, to one that a server of the same lobby has named.
using Connect = std::function<std::shared_ptr<Connection>(const v1::ServerAddress* elsewhere)>;

/// Operations in progress keep it alive.
class TcpConnection final : public Connection, public std::enable_shared_from_this<TcpConnection> {
 public:
  /// `resolve` finds the addresses of a host, and `timeout` is for each of them, once to connect
  /// and once for the TLS handshake; tests replace both.
  static std::shared_ptr<TcpConnection> create(boost::asio::io_context& context, Address address,
                                               Protection protection,
                                               Lookup::Resolve resolve = Lookup::resolve_by_system,
                                               milliseconds timeout = connect_timeout);
  /// A connection that is never tried: open() fails with these sentences.
  static std::shared_ptr<TcpConnection> refused(boost::asio::io_context& context, std::string why);

  /// Resolves the host (close() cancels this at once) and tries its addresses one after the other.
  /// Sends nothing to a server that Protection does not accept.
  void open(OnOpened on_opened) override;
  void read(std::span<char> space, OnRead on_read) override;
  void write(std::string_view bytes) override;
  void close() override;

 private:
  using Tcp = boost::asio::ip::tcp;
  struct Tls;

  TcpConnection(boost::asio::io_context& context, Address address, Protection protection,
                Lookup::Resolve resolve, milliseconds timeout);
  void opened(const Opened& opened);
  void try_next();
  /// Closes the socket when this attempt times out.
  void limit_time();
  /// Ends the time limit. Returns whether the attempt has failed, and keeps the reason.
  bool has_failed(const boost::system::error_code& error);
  void on_connected(const boost::system::error_code& error);
  void shake_hands();
  void on_handshake(const boost::system::error_code& error);
  void write_next();
  /// Calls `use` with the stream that carries the bytes.
  template <class Use>
  void with_stream(const Use& use);

  boost::asio::io_context& context_;
  Address address_;
  Protection protection_;
  Lookup lookup_;
  milliseconds timeout_;
  Tcp::socket socket_;
  std::shared_ptr<Tls> tls_;  // over the socket; null for plain TCP
  boost::asio::steady_timer timer_;
  OnOpened on_opened_;
  bool closed_ = false;
  unsigned attempt_ = 0;                // changes when an attempt to connect begins or ends
  std::vector<Tcp::endpoint> untried_;  // the next one last
  std::string last_fault_ = "no address";
  std::string refusal_;
  std::string waiting_;  // to be written after what is under way
  std::string writing_;
};

/// Connects to that server over TCP, and to others as their lobby names them: with TLS if
/// `protection` says so for that server, and then only to those whose key the lobby names.
/// `context` must outlive the result.
Connect connect_to(boost::asio::io_context& context, Address server, Protection protection);

}  // namespace tictactoe::client
