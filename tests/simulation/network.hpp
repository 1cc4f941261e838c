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

/// Names one connection; never used again.
using Link = std::uint32_t;

/// Who is told what happens at the two ends of connections. Must outlive the network.
class NetworkEvents {
 public:
  virtual void server_accepts(Link link, std::uint32_t client) = 0;
  virtual void server_gets(Link link, std::string_view bytes) = 0;
  virtual void server_hears_end(Link link) = 0;
  virtual void server_can_write(Link link) = 0;
  virtual void client_gets(Link link, std::uint32_t client, std::string_view bytes) = 0;
  virtual void client_hears_end(Link link, std::uint32_t client) = 0;
  /// Neither end has it any more.
  virtual void link_is_gone(Link link) = 0;

 protected:
  ~NetworkEvents() = default;
};

/// How a connection is ended by a fault.
enum class Cut : std::uint8_t {
  both,         ///< both ends hear of it
  server_deaf,  ///< only the client does: its machine was off for a moment
  client_deaf,  ///< only the server does
};

/// As TCP does it: the bytes of one direction come in order and once, or, from some byte on, never;
/// what is under way is bounded, and writers are told how much was taken.
class Network {
 public:
  Network(const Plan& plan, Agenda& agenda, Random random, Digest& digest, NetworkEvents& events)
      : plan_(plan), agenda_(agenda), random_(random), digest_(digest), events_(events) {}

  // The client's end.
  /// The server must listen. It accepts a little later.
  Link connect(std::uint32_t client);
  void client_sends(Link link, std::string_view bytes);
  /// What was sent arrives before the end.
  void client_closes(Link link);

  // The server's end.
  /// Takes as many of the bytes as there is room for, and says how many.
  std::size_t server_writes(Link link, std::string_view bytes);
  /// While false, nothing is handed to the server.
  void server_reads(Link link, bool reads);
  /// Nothing more will be written; what was is delivered.
  void server_shuts(Link link);
  void server_closes(Link link);
  /// All ends at once, and what is under way comes in part or not at all.
  void server_dies();

  // Faults.
  void cut(Link link, Cut how);
  /// The client does not read until then.
  void stall(Link link, Time until);
  void no_more_stalls();
  /// Whose it is; requires that it is there.
  std::uint32_t client_of(Link link) const { return links_.at(link).client; }
  /// One of those that there are; 0 where there is none.
  Link some_link();
  std::size_t size() const { return links_.size(); }

 private:
  struct Pipe {
    std::string bytes;
    bool delivering = false;  // an event for it is on the agenda
    bool ends = false;        // nothing more is written
    bool closed = false;      // nobody reads or has read the end
  };
  struct Connection {
    std::uint32_t client = 0;
    bool accepted = false;
    bool broken = false;       // what the server writes goes nowhere
    bool server_deaf = false;  // the server never hears of the client again
    Pipe up;                   // to the server
    Pipe down;                 // to the client
    bool server_reads = true;
    bool server_closed = false;
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
  void break_pipe(Pipe& pipe);
  void forget_if_gone(Link link);

  const Plan& plan_;
  Agenda& agenda_;
  Random random_;
  Digest& digest_;
  NetworkEvents& events_;
  std::map<Link, Connection> links_;
  Link last_ = 0;
  bool calm_ = false;
};

}  // namespace tictactoe::simulation
