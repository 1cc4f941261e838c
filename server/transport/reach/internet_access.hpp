// Opens the server's port on the router, and closes it again.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "server/transport/reach/port_mapping.hpp"
#include "server/transport/reach/reachability.hpp"
#include "server/transport/reach/uplink.hpp"
#include "server/transport/reach/upnp.hpp"

namespace tictactoe::transport {

/// Asks the router for the port by PCP or NAT-PMP over IPv4, and by PCP to let it through a
/// firewall over IPv6. If the IPv4 router does not open it within a moment, also asks by UPnP.
/// Keeps it open while the server runs, follows the machine to another network, and repeats what
/// failed. Waits for nothing: start() returns at once.
///
/// One thread, that of the io_context. Must outlive its last run. Keeps the io_context busy until
/// remove() has closed the port, which takes at most 600 ms, or stop() is called.
class InternetAccess {
 public:
  /// Within this time is_settled is true, and what is wrong is known.
  static constexpr std::chrono::seconds patience{5};

  struct Settings {
    std::uint16_t port = 0;           ///< where the server listens
    std::uint16_t external_port = 0;  ///< preferred
    MappingNonce nonce{};             ///< random
    bool over_ipv4 = true;
    bool over_ipv6 = true;
    UpnpCall upnp = {};  ///< empty: UPnP is not tried
  };
  /// Called when the openings change, when one fails for another reason, and once it is settled.
  using Changed = std::function<void(const Reachability& reach)>;

  InternetAccess(boost::asio::io_context& io, Settings settings, Changed changed);
  ~InternetAccess();
  InternetAccess(const InternetAccess&) = delete;
  InternetAccess& operator=(const InternetAccess&) = delete;

  void start();
  /// Closes the port, and then stops. Returns whether UPnP is needed for that.
  bool remove();
  /// The present state, with the last attempt of each kind.
  Reachability state() const;

 private:
  class Router;
  struct Upnp {
    std::optional<UpnpMapping> mapping;
    std::chrono::steady_clock::time_point until;
    UpnpService service;
    std::optional<Step> step;
    bool is_busy = false;
    bool has_concluded = false;
  };

  void look_at_uplinks();
  void follow(std::shared_ptr<Router>& router, const std::optional<Uplink>& uplink);
  void router_changed();
  void ask_upnp();
  void upnp_answered(const UpnpAnswer& answer, std::chrono::steady_clock::time_point began);
  bool close_upnp();
  void tell();
  bool is_settled() const;

  boost::asio::io_context& io_;
  Settings settings_;
  Changed changed_;
  boost::asio::steady_timer uplink_timer_;
  boost::asio::steady_timer upnp_timer_;
  boost::asio::steady_timer patience_timer_;
  std::shared_ptr<Router> v4_;
  std::shared_ptr<Router> v6_;
  Upnp upnp_;
  bool patience_is_over_ = false;
  bool is_ending_ = false;
  std::optional<Reachability> told_;
};

}  // namespace tictactoe::transport
