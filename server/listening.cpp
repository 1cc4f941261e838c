#include "server/listening.hpp"

#include <unistd.h>

#include <iostream>
#include <optional>

#include "server/admin/service_manager.hpp"
#include "server/logging.hpp"
#include "server/net/guest_address.hpp"
#include "server/net/qr_code.hpp"

namespace tictactoe {

namespace {

std::string text(const boost::asio::ip::tcp::endpoint& endpoint) {
  const std::string address = endpoint.address().to_string();
  const std::string host = endpoint.address().is_v6() ? "[" + address + "]" : address;
  return host + ":" + std::to_string(endpoint.port());
}

void print(const boost::asio::ip::tcp::endpoint& bound) {
  std::cout << "tictactoe-server " TICTACTOE_VERSION " listening on " << text(bound) << '\n'
            << std::flush;
}

}  // namespace

std::string to_text(const Endpoints& endpoints) {
  std::string all;
  for (const auto& endpoint : endpoints) all += (all.empty() ? "" : ", ") + text(endpoint);
  return all;
}

Endpoints listen(net::Server& server, const ServerOptions& options) {
  Endpoints listening;
  for (const int socket : admin::take_passed_sockets()) {
    const auto bound = server.listen_on(socket);
    if (!bound) {
      complain(bound.error());
      return {};
    }
    listening.push_back(*bound);
    print(*bound);
  }
  if (!listening.empty()) return listening;
  for (const std::string& address : options.addresses) {
    const auto bound = server.listen(address, options.port);
    if (!bound) {
      complain(bound.error() + " Choose another with --port or --listen.");
      return {};
    }
    listening.push_back(*bound);
    print(*bound);
  }
  return listening;
}

void invite_guests(net::Server& server, const ServerOptions& options, const Endpoints& listening) {
  const auto endpoint = net::guest_endpoint(listening);
  if (!endpoint) return;
  // A certificate that browsers trust is for a name.
  const bool has_certificate = !options.tls_certificate.empty();
  const std::string name =
      has_certificate && !options.public_names.empty() ? options.public_names.front() : "";
  const std::string guests =
      net::guest_address(*endpoint, name, has_certificate || !options.allow_plain_http);
  server.invite_to(guests);
  if (!options.qr && ::isatty(STDOUT_FILENO) != 1) return;
  const std::string address = guests + "/";
  std::cout << "Guests play in a browser, on a phone too, at " << address << '\n';
  if (const auto code = net::QrCode::of(address)) std::cout << net::to_terminal(*code);
  std::cout << std::flush;
}

void print_join_line(const Tls& tls, const Endpoints& listening) {
  const auto guests = net::guest_endpoint(listening);
  const std::string address =
      guests ? text(*guests) : "localhost:" + std::to_string(listening.front().port());
  std::cout << "others join with tictactoe " << address << " --server-key "
            << tls::to_text(tls.fingerprint()) << '\n';
}

std::unique_ptr<net::Announcement> announce(const ServerOptions& options,
                                            const Endpoints& listening) {
  for (const boost::asio::ip::tcp::endpoint& endpoint : listening) {
    // Avahi announces all addresses of this machine.
    if (!options.no_discovery && endpoint.address().is_unspecified()) {
      return net::announce(options.config.server_name, endpoint.port());
    }
  }
  return nullptr;
}

}  // namespace tictactoe
