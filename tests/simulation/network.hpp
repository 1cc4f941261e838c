// A network in one thread: connections whose bytes come late, in pieces, or not at all.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/simulation/agenda.hpp"
#include "tests/simulation/plan.hpp"

namespace tictactoe::simulation {

/// Identifies a connection. Never reused.
using Link = std::uint32_t;

/// What a server gets of its connections. Must outlive the network.
class ServerEnd {
 public:
  /// `client` is the number that the client has connected with.
  virtual void accept(Link link, std::uint32_t client) = 0;
  virtual void got(Link link, std::string_view bytes) = 0;
  virtual void heard_end(Link link) = 0;
  virtual void can_write(Link link) = 0;
  /// Both ends have closed it.
  virtual void forget(Link link) = 0;

 protected:
  ~ServerEnd() = default;
};

/// What a client gets of its connections. Must outlive the network.
class ClientEnd {
 public:
  virtual void got(Link link, std::string_view bytes) = 0;
  virtual void heard_end(Link link) = 0;

 protected:
  ~ClientEnd() = default;
};

/// How a fault ends a connection.
enum class Cut : std::uint8_t {
  both,         ///< both ends notice
  server_deaf,  ///< only the client notices
  client_deaf,  ///< only the server notices
};

/// Like TCP: the bytes of one direction arrive in order and once, or never from some byte on. The
/// bytes in transit are bounded, and a write returns the number of accepted bytes.
class Network {
 public:
  Network(const Plan& plan, Agenda& agenda, Random random, Digest& digest)
      : plan_(plan), agenda_(agenda), random_(random), digest_(digest) {}
  /// Servers are numbered in the order of these calls, from 0 on.
  void add(ServerEnd& server) { servers_.push_back(&server); }

  // The client's end.
  /// Requires that the server listens. It accepts a little later.
  Link connect(ClientEnd& client, std::uint32_t number, std::uint32_t server = 0);
  void client_sends(Link link, std::string_view bytes);
  /// Sent bytes arrive before the end.
  void client_closes(Link link);
  /// The same, but the client goes on reading.
  void client_shuts(Link link);
  /// Whether a fault has ended the connection, or it is gone.
  bool is_broken(Link link);

  // The server's end.
  /// Accepts as many bytes as there is space for, and returns their number.
  std::size_t server_writes(Link link, std::string_view bytes);
  /// While false, the server gets nothing.
  void server_reads(Link link, bool reads);
  /// The server writes nothing more. Written bytes are delivered.
  void server_shuts(Link link);
  void server_closes(Link link);
  /// Ends all its connections at once. Bytes in transit arrive in part or not at all.
  void server_dies(std::uint32_t server);

  // Faults.
  void cut(Link link, Cut how);
  /// Cuts all connections of a server.
  void cut_all(std::uint32_t server, Cut how);
  /// The client does not read until then.
  void stall(Link link, Time until);
  void no_more_stalls();
  /// The number of the client of a connection. Requires that it exists.
  std::uint32_t client_of(Link link) const { return links_.at(link).client; }
  /// A random connection; 0 if there is none.
  Link some_link();

 private:
  struct Pipe {
    std::string bytes;
    bool delivering = false;  // an event for it is planned
    bool ends = false;        // nothing more is written
    bool closed = false;      // the reader is gone or has seen the end
  };
  struct Connection {
    ClientEnd* reader = nullptr;
    ServerEnd* server = nullptr;
    std::uint32_t client = 0;
    bool accepted = false;
    bool broken = false;       // the server's bytes are lost
    bool server_deaf = false;  // the server gets nothing from the client any more
    Pipe up;                   // to the server
    Pipe down;                 // to the client
    bool server_reads = true;
    bool server_closed = false;
    bool half_closed = false;   // the client has only shut its side
    bool server_waits = false;  // to write more
    Time stalled_until{0};
  };

  Connection* find(Link link);
  Time delay();
  std::size_t piece(std::size_t bytes);
  void pump_up(Link link, Connection& connection);
  void pump_down(Link link, Connection& connection);
  void deliver_up(Link link);
  void deliver_down(Link link);
  /// Whether what the client has sent has to wait until the server reads.
  static bool waits_for_reader(const Connection& connection);
  void break_pipe(Pipe& pipe);
  static void reset(Connection& connection);
  void forget_if_gone(Link link);
  std::vector<Link> links_of(std::uint32_t server) const;

  const Plan& plan_;
  Agenda& agenda_;
  Random random_;
  Digest& digest_;
  std::vector<ServerEnd*> servers_;
  std::map<Link, Connection> links_;
  Link last_ = 0;
  bool calm_ = false;
};

}  // namespace tictactoe::simulation
