// Looks for servers on the networks that this machine is attached to.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "client/net/servers_found.hpp"
#include "common/wire/discovery.hpp"

namespace tictactoe::client {

/// A query is sent at once, again after a moment because datagrams get lost, and then every second.
inline constexpr std::chrono::milliseconds first_repeat{250};
inline constexpr std::chrono::seconds query_period{1};

/// Asks over every interface (IPv4 broadcast and multicast, IPv6 multicast of the link) until it is
/// stopped. All calls and callbacks are made in the thread that runs the io_context. A network that
/// can't be asked is not an error: nothing is found there.
class Finder : public std::enable_shared_from_this<Finder> {
 public:
  /// Starts at once. Calls `on_change` whenever servers() has changed.
  static std::shared_ptr<Finder> start(boost::asio::io_context& context, std::uint16_t port,
                                       std::function<void()> on_change);
  /// Makes no callbacks from now on.
  void stop();

  std::vector<FoundServer> servers() const { return found_.servers(); }

 private:
  using Udp = boost::asio::ip::udp;
  struct Receiver {
    explicit Receiver(boost::asio::io_context& context) : socket(context) {}
    Udp::socket socket;
    Udp::endpoint source;
    bool listening = false;
    std::array<char, wire::max_discovery_bytes + 1> bytes{};  // one more, to detect longer ones
  };

  Finder(boost::asio::io_context& context, std::uint16_t port, std::function<void()> on_change);
  void open(Receiver& receiver, const Udp& protocol);
  void listen(Receiver& receiver);
  void ask();
  void tick();

  boost::asio::steady_timer timer_;
  Receiver v4_;
  Receiver v6_;
  std::uint16_t port_;
  std::function<void()> on_change_;
  std::random_device random_;
  ServersFound found_;
  int asked_ = 0;
  bool stopped_ = false;
};

/// Returns the servers found within that time. Blocks.
std::vector<FoundServer> find_servers(std::uint16_t port, std::chrono::milliseconds within);

}  // namespace tictactoe::client
