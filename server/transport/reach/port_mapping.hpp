// Keeps one TCP port of this host open on its router. No I/O.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/udp.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/transport/reach/port_control.hpp"
#include "server/transport/reach/step.hpp"

namespace tictactoe::transport {

/// Asks the router by PCP, and if it does not speak that, by NAT-PMP (IPv4 only). Renews the
/// mapping at half of its lifetime, and makes it again when the router has lost it. That is checked
/// every `check_period`: by the router's epoch or, if the router is too young for its epoch to show
/// a restart or was silent, by asking for the mapping again. Takes another port if the wanted one
/// is taken. remove() ends the mapping.
///
/// The owner sends what next_datagram() returns to the gateway, passes what it receives to
/// handle_datagram(), and calls handle_timeout() at deadline(). Time comes from outside. A router
/// causes at most one datagram per answer, and an answer counts only while one is awaited, so
/// replayed and forged ones cause no traffic. Uses constant memory.
class PortMapping {
 public:
  using Time = std::chrono::steady_clock::time_point;

  static constexpr std::chrono::seconds max_lifetime{3600};
  static constexpr std::chrono::seconds check_period{20};
  /// After a refusal or silence.
  static constexpr std::chrono::seconds retry_period{30};

  struct Wanted {
    boost::asio::ip::udp::endpoint gateway;  ///< where answers come from
    boost::asio::ip::address client;         ///< this host's address
    std::uint16_t internal_port = 0;
    std::uint16_t external_port = 0;  ///< preferred
    MappingNonce nonce{};             ///< random
  };
  struct Mapping {
    boost::asio::ip::address external;  ///< of an IPv6 host its own address
    std::uint16_t external_port = 0;
    Time until;  ///< the router closes it then, unless it is renewed
  };

  PortMapping(Wanted wanted, Time now);

  /// A datagram to send to the gateway; empty if there is none.
  std::string next_datagram();
  void handle_datagram(std::string_view datagram, const boost::asio::ip::udp::endpoint& source,
                       Time now);
  void handle_timeout(Time now);
  /// When to call handle_timeout().
  Time deadline() const { return deadline_; }

  /// Asks the router to close the port. has_ended() is true when it has confirmed that, or after
  /// at most 600 ms.
  void remove(Time now);
  bool has_ended() const { return task_ == Task::end; }

  const std::optional<Mapping>& mapping() const { return mapping_; }
  /// Whether the router has neither answered nor been given up yet.
  bool is_asking() const { return !has_concluded_; }
  /// Whether PCP has not been answered at once, so that others may be asked as well.
  bool is_slow() const;
  /// That of the mapping: "PCP" or "NAT-PMP".
  std::string protocol_name() const { return protocol_ == PortProtocol::pcp ? "PCP" : "NAT-PMP"; }
  /// What was tried last by each protocol.
  const std::vector<Step>& steps() const { return steps_; }

 private:
  enum class Task : std::uint8_t { map, check, remove, rest, end };

  void begin(Task task, Time now);
  void send(Time now);
  void give_up(Time now);
  void rest_until_due(Time now);
  void handle_other_version(Time now);
  void handle_map(const PortAnswer& answer, Time now);
  void handle_address(const PortAnswer& answer, Time now);
  void open_if_complete(Time now);
  void refused(const PortAnswer& answer, Time now);
  bool belongs_to_request(const PortAnswer& answer) const;
  bool has_lost_state(std::uint32_t epoch, Time now);
  bool shows_restarts() const;
  Step& note(std::string answer, bool worked, Time now);

  Wanted wanted_;
  PortProtocol protocol_ = PortProtocol::pcp;
  Task task_ = Task::rest;
  Time deadline_;
  Time began_;  // the current task, for the time it took
  Time check_at_;
  Time renew_at_;
  std::size_t sent_ = 0;  // times, in the current task
  std::vector<std::string> output_;
  std::optional<Mapping> mapping_;
  bool is_known_ = false;  // the router has answered in this protocol
  bool suggests_ = true;   // the wanted port, which the router has not refused
  bool has_concluded_ = false;
  // NAT-PMP says in two answers what PCP says in one.
  std::optional<PortAnswer> mapped_;
  std::optional<boost::asio::ip::address> external_;
  // The last answer's epoch, and when it came (RFC 6887, 8.5).
  std::optional<std::uint32_t> epoch_;
  Time epoch_at_;
  std::vector<Step> steps_;
};

}  // namespace tictactoe::transport
