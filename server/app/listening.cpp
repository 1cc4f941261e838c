#include "server/app/listening.hpp"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "common/network/lan_addresses.hpp"
#include "common/program/help.hpp"
#include "common/qr/qr_code.hpp"
#include "server/admin/service_manager.hpp"
#include "server/logging/logging.hpp"
#include "server/transport/web/guest_address.hpp"

namespace tictactoe::app {

namespace {

void print(const boost::asio::ip::tcp::endpoint& bound) {
  std::cout << "tictactoe-server " TICTACTOE_VERSION " listening on " << to_text(bound) << '\n'
            << std::flush;
}

void print_with_code(const std::string& link) {
  std::cout << link << '\n';
  const auto code = qr::QrCode::of(transport::without_key(link));
  if (code) std::cout << qr::to_terminal(*code);
}

// Grows the kernel's table of descriptors to its final size. Later, in a process with threads, each
// growth would block the event loop in an accept() for many milliseconds.
void grow_descriptor_table(rlim_t count) {
  const int last = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, static_cast<int>(count) - 1);
  if (last >= 0) ::close(last);
}

}  // namespace

std::string to_text(const boost::asio::ip::tcp::endpoint& endpoint) {
  const std::string address = endpoint.address().to_string();
  const std::string host = endpoint.address().is_v6() ? "[" + address + "]" : address;
  return host + ":" + std::to_string(endpoint.port());
}

std::string to_text(const Endpoints& endpoints) {
  std::string all;
  for (const auto& endpoint : endpoints) all += (all.empty() ? "" : ", ") + to_text(endpoint);
  return all;
}

void raise_descriptor_limit(const ServerOptions& options) {
  constexpr rlim_t others = 64;  // listeners, standard streams, files of libraries
  const auto& limits = options.config.limits;
  const std::size_t sockets = limits.connections + limits.lingering_connections;
  const std::size_t at_gate = options.trusted_proxies.empty() ? 0 : limits.pending_connections;
  const rlim_t wanted = sockets + at_gate + others;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t before = limit.rlim_cur;
  if (before < wanted) {
    limit.rlim_cur = std::min(wanted, limit.rlim_max);
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
  }
  if (limit.rlim_cur < wanted) {
    spdlog::warn(
        "this system allows only {} open files, too few for {} connections; raise that"
        " (`ulimit -n`, or LimitNOFILE= of a service)",
        limit.rlim_cur, limits.connections);
  }
  grow_descriptor_table(std::min(wanted, limit.rlim_cur));
}

std::optional<int> listen(transport::Server& server, const ServerOptions& options,
                          Endpoints& listening) {
  const auto add = [&](const transport::Listening& bound,
                       const char* advice) -> std::optional<int> {
    if (!bound) {
      complain(bound.error().sentence + advice);
      return bound.error().may_pass ? 1 : program::bad_options;
    }
    listening.push_back(*bound);
    print(*bound);
    return std::nullopt;
  };
  for (const int socket : admin::take_passed_sockets()) {
    if (const auto status = add(server.listen_on(socket), "")) return status;
  }
  if (!listening.empty()) return std::nullopt;
  for (const std::string& address : options.addresses) {
    const auto bound = server.listen(address, options.port);
    if (const auto status = add(bound, " Choose another with --port or --listen.")) return status;
  }
  return std::nullopt;
}

Guests::Guests(transport::Server& server, const Tls& tls, const ServerOptions& options,
               const Endpoints& listening)
    : server_(server),
      tls_(tls),
      options_(options),
      guests_(transport::guest_endpoints(listening, network::lan_addresses())),
      port_(listening.front().port()) {
  // A certificate that browsers trust is issued for a name.
  const bool has_certificate = !options.tls_certificate.empty();
  const bool is_encrypted = has_certificate || options.internet || !options.allow_plain_http;
  for (const auto& endpoint : guests_) {
    std::string address = has_certificate && !options.public_addresses.empty()
                              ? "https://" + options.place_in_links(port_)
                              : transport::guest_address(endpoint, "", is_encrypted);
    if (std::ranges::count(addresses_, address) == 0) addresses_.push_back(std::move(address));
  }
  server_.invite_to(addresses_);
}

std::string Guests::link(const std::string& address) const {
  return transport::guest_link(address, "", tls::to_text(tls_.fingerprint()));
}

bool Guests::shows_codes() const {
  return options_.qr || ::isatty(STDOUT_FILENO) == 1;
}

void Guests::print() const {
  const char* begin = "Guests play in a browser or on a phone at ";
  for (const std::string& address : addresses_) {
    if (!shows_codes()) break;
    std::cout << std::exchange(begin, "or, on another network of this machine, at ");
    print_with_code(link(address));
  }
  const auto print_line = [&](const char* who, const std::string& address) {
    std::cout << who << " join with tictactoe " << address << " --server-key "
              << tls::to_text(tls_.fingerprint()) << '\n';
  };
  for (const auto& endpoint : guests_) print_line("others", to_text(endpoint));
  if (guests_.empty()) print_line("players on this machine", "localhost:" + std::to_string(port_));
  if (shows_codes()) {
    std::cout << "from a clone of the project, it is ./run join instead of tictactoe\n";
  }
  std::cout << std::flush;
}

void Guests::come_from_outside(const std::vector<std::string>& places) {
  const std::vector<std::string> before = std::exchange(outside_, {});
  for (const std::string& place : places) {
    const std::string& address = outside_.emplace_back("https://" + place);
    if (std::ranges::count(before, address) > 0) continue;
    std::cout << "Guests anywhere play at ";
    if (shows_codes()) {
      print_with_code(outside_link(address));
    } else {
      std::cout << outside_link(address) << '\n';
    }
  }
  std::cout << std::flush;
  server_.invite_from_outside(outside_);
}

std::vector<std::string> Guests::outside_links() const {
  std::vector<std::string> links;
  for (const std::string& address : outside_) links.push_back(outside_link(address));
  return links;
}

// A proxy has a key of its own.
std::string Guests::outside_link(const std::string& address) const {
  return options_.trusted_proxies.empty() ? link(address) : transport::guest_link(address, "", "");
}

}  // namespace tictactoe::app
