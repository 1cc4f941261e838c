#include "server/app/listening.hpp"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "common/qr/qr_code.hpp"
#include "server/admin/service_manager.hpp"
#include "server/logging/logging.hpp"
#include "server/transport/web/guest_address.hpp"

namespace tictactoe::app {

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

// Grows the kernel's table of descriptors to its final size. Later, in a process with threads, each
// growth would block the event loop in an accept() for many milliseconds.
void grow_descriptor_table(rlim_t count) {
  const int last = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, static_cast<int>(count) - 1);
  if (last >= 0) ::close(last);
}

}  // namespace

std::string to_text(const Endpoints& endpoints) {
  std::string all;
  for (const auto& endpoint : endpoints) all += (all.empty() ? "" : ", ") + text(endpoint);
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
    spdlog::warn("this system allows only {} open files, too few for {} connections",
                 limit.rlim_cur, limits.connections);
  }
  grow_descriptor_table(std::min(wanted, limit.rlim_cur));
}

Endpoints listen(transport::Server& server, const ServerOptions& options) {
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

void invite_guests(transport::Server& server, const ServerOptions& options,
                   const Endpoints& guests) {
  // A certificate that browsers trust is issued for a name.
  const bool has_certificate = !options.tls_certificate.empty();
  const std::string name =
      has_certificate && !options.public_names.empty() ? options.public_names.front() : "";
  std::vector<std::string> addresses;
  for (const auto& endpoint : guests) {
    std::string address =
        transport::guest_address(endpoint, name, has_certificate || !options.allow_plain_http);
    if (std::ranges::count(addresses, address) == 0) addresses.push_back(std::move(address));
  }
  server.invite_to(addresses);
  if (!options.qr && ::isatty(STDOUT_FILENO) != 1) return;
  const char* begin = "Guests play in a browser, on a phone too, at ";
  for (const std::string& guests_address : addresses) {
    const std::string address = guests_address + "/";
    std::cout << std::exchange(begin, "or, on another network of this machine, at ") << address
              << '\n';
    if (const auto code = qr::QrCode::of(address)) std::cout << qr::to_terminal(*code);
  }
  std::cout << std::flush;
}

void print_join_lines(const Tls& tls, const Endpoints& listening, const Endpoints& guests) {
  const auto print_line = [&](const char* who, const std::string& address) {
    std::cout << who << " join with tictactoe " << address << " --server-key "
              << tls::to_text(tls.fingerprint()) << '\n';
  };
  for (const auto& endpoint : guests) print_line("others", text(endpoint));
  if (!guests.empty()) return;
  print_line("players on this machine", "localhost:" + std::to_string(listening.front().port()));
}

}  // namespace tictactoe::app
