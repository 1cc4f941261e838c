// Thousands of connections that say hello to a server.
#pragma once

#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/bench/load/crowd.hpp"
#include "tests/bench/load/histogram.hpp"
#include "tests/bench/load/link.hpp"
#include "tests/bench/load/protocol.hpp"

namespace tictactoe::load {

/// Where the server is, and how to speak with it.
struct Target {
  sockaddr_storage address{};
  socklen_t length = 0;
  Transport transport{};
};
/// Throws Failure if there is no such host.
Target resolve(const std::string& host, std::uint16_t port);
/// The same for HOST:PORT or [HOST]:PORT, which speaks as `transport` says. Throws Failure also if
/// it is neither.
Target resolve(const std::string& address, Transport transport);

/// One connection of a fleet, which owns it.
struct Connection {
  Connection(std::size_t number, const Target& server)
      : index(number), target(&server), link(server.transport) {}

  std::size_t index;     ///< in the order of opening, from 0
  const Target* target;  ///< its server
  Peer* peer = nullptr;
  bool has_said_hello = false;
  bool welcome = false;
  std::uint64_t last_request = 0;  ///< id of it; the hello's was 1
  Clock::time_point opened;        ///< when connecting began
  Link link;
};

/// Decides what connections send.
class Owner {
 public:
  virtual ~Owner() = default;
  /// The hello was answered.
  virtual void welcomed(Connection& connection) = 0;
  /// The body of any later frame. `now` is when its bytes had been read.
  virtual void received(Connection& connection, std::string_view body, Clock::time_point now) = 0;
};

/// Everything that a server should not do (closing, not reading, bytes that are no message, another
/// answer to the hello than a welcome) throws Failure.
class Fleet : private PeerOwner {
 public:
  /// At most `at_once` connections are on their way to their welcome at a time. There is a target,
  /// and all speak the same way. `protocol` and `owner` outlive the fleet.
  Fleet(const std::vector<Target>& targets, std::size_t at_once, Protocol& protocol, Owner& owner);
  ~Fleet() override = default;
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  /// Connects one more to that target (counted round), says hello, and informs the owner; later, if
  /// too many are connecting.
  Connection& open(std::size_t target = 0);
  /// Ends the connection to its server, and begins one to another, HOST:PORT, as that server has
  /// said. The owner is informed of the welcome there.
  void move(Connection& connection, const std::string& address);
  /// Sends a message with this body in one call of the kernel.
  void send(Connection& connection, std::string_view body) {
    send(connection, std::span(&body, 1));
  }
  /// The same for several messages in one call of the kernel.
  void send(Connection& connection, std::span<const std::string_view> bodies);
  /// Takes in what has come; waits for it for at most so long. 0 spins: who sleeps makes the server
  /// pay for the waking.
  void poll(std::chrono::milliseconds max_wait);

  std::size_t welcomed() const { return welcomed_; }
  /// How often a connection was sent to another server.
  std::uint64_t redirects() const { return redirects_; }
  /// Of the latest bytes that were read, or the latest poll() that found nothing. Asking the clock
  /// again would cost as much as a check.
  Clock::time_point now() const { return now_; }
  /// Time that poll() spent without finding anything.
  Clock::duration idle() const { return idle_; }
  /// From and to all, with what the transport adds.
  std::uint64_t received_bytes() const { return crowd_.received_bytes(); }
  std::uint64_t sent_bytes() const { return sent_bytes_; }
  /// Of all connections: how many TCP segments with data have come. Small writes of a server on
  /// this machine are a segment each. O(connections).
  std::uint64_t received_segments() const;
  /// From connecting to the welcome.
  const Histogram& greetings() const { return greetings_; }

 private:
  void connected(Peer& peer) override;
  void received(Peer& /*peer*/, std::string_view /*body*/, Clock::time_point /*now*/) override {}
  void discarded(Peer& peer, std::string_view bytes) override;
  void ended(Peer& peer) override;
  void connect_next();
  void connect(Connection& connection);
  void say_hello(Connection& connection);
  void transmit(Connection& connection, std::string_view bytes);
  std::optional<std::string_view> next(Connection& connection);
  void take(Connection& connection, std::string_view body);

  std::vector<Target> targets_;           // at least one
  std::map<std::string, Target> others_;  // to which these have redirected, by address
  std::size_t at_once_;
  Protocol& protocol_;
  Owner& owner_;
  std::deque<Connection> connections_;  // addresses stay
  std::size_t begun_ = 0;               // of them, that are connecting or further
  std::size_t welcomed_ = 0;
  std::uint64_t redirects_ = 0;
  Clock::time_point now_ = Clock::now();
  Clock::duration idle_{0};
  std::uint64_t sent_bytes_ = 0;
  Histogram greetings_;
  Exchange hello_;       // reused
  std::string bytes_;    // of one message
  std::string answers_;  // of the transport itself
  Crowd crowd_;
};

}  // namespace tictactoe::load
