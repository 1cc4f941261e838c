#include "client/net/others_address.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>

namespace tictactoe::client {
namespace {

using boost::asio::ip::udp;

// The source that the system would use for packets to other networks: connecting a UDP socket only
// looks up the route. The address is one for documentation (RFC 5737).
std::string own_address() {
  boost::asio::io_context context;
  udp::socket socket(context);
  boost::system::error_code error;
  socket.connect({boost::asio::ip::make_address_v4("192.0.2.1"), 9}, error);
  if (error) return {};
  const auto local = socket.local_endpoint(error).address();
  return error || local.is_loopback() ? std::string() : local.to_string();
}

bool is_this_machine(const std::string& host) {
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(host, error);
  return host == "localhost" || (!error && address.is_loopback());
}

}  // namespace

std::string address_for_others(const Address& server) {
  std::string host = is_this_machine(server.host) ? own_address() : server.host;
  if (host.empty()) return {};
  const bool has_port = server.port != default_port;
  if (has_port && host.find(':') != std::string::npos) host = "[" + host + "]";
  return has_port ? host + ":" + std::to_string(server.port) : host;
}

}  // namespace tictactoe::client
