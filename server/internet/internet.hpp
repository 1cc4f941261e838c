// --internet: the server's port on the router, and what its owner is told about it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "server/internet/upnp_process.hpp"
#include "server/transport/reach/internet_access.hpp"
#include "tictactoe/admin/v1/admin.pb.h"

namespace tictactoe::app {

/// Does nothing unless it is wanted. Logs each change as an event or a warning. One thread, that of
/// the io_context, whose last run it must outlive.
class Internet {
 public:
  struct Settings {
    bool is_wanted = false;
    bool has_password = false;  ///< players need one
    /// The host by which guests come, with this port unless it has its own; empty: the router's.
    std::function<std::string(std::uint16_t port)> public_place;
    std::vector<boost::asio::ip::tcp::endpoint> listening;  ///< where players are accepted
  };
  /// HOST:PORT of each way in, the one for most guests first. Called when they change.
  using Found = std::function<void(const std::vector<std::string>& places)>;

  Internet(boost::asio::io_context& io, Settings settings, Found found);

  /// Says what will be open and whether a password protects it, and asks the router.
  void start();
  /// Closes the port. Keeps the io_context busy for at most 0.6 s.
  void remove();
  void describe(admin::v1::Reach& reach) const;

 private:
  void changed(const transport::Reachability& reach);
  std::vector<std::string> places(const transport::Reachability& reach) const;

  Settings settings_;
  Found found_;
  std::uint16_t port_;
  std::optional<UpnpProcess> upnp_;
  std::optional<transport::InternetAccess> access_;
  std::vector<transport::Reachability::Opening> openings_;
  std::vector<std::string> places_;
  std::string problem_;
};

}  // namespace tictactoe::app
