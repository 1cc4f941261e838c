// UPnP in a process of its own.
#pragma once

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>

#include "server/transport/reach/upnp.hpp"
#include "server/worker/worker.hpp"

namespace tictactoe::app {

/// The program `tictactoe-upnp`, beside this program or in ../libexec/tictactoe; nothing if it was
/// not built.
std::optional<std::filesystem::path> upnp_program();

/// Runs `tictactoe-upnp`, one process after the other, on a thread. The process has the confinement
/// of an engine, see common/engines/confinement.hpp, and sockets for IPv4. It gets only the
/// request, as arguments, and is read up to the end of its first line, for at most 4 s.
class UpnpProcess {
 public:
  UpnpProcess(boost::asio::io_context& io, std::filesystem::path program);

  /// See transport::UpnpCall. A request to close a port ends one to open it.
  void call(const transport::UpnpRequest& request,
            std::function<void(const transport::UpnpAnswer&)> done);
  /// Closes no port any more, ends the process, and calls nobody.
  void stop();

 private:
  std::filesystem::path program_;
  std::stop_source stop_;
  worker::Worker worker_;
};

}  // namespace tictactoe::app
