#include "client/net/finder.hpp"

#include <ifaddrs.h>
#include <net/if.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/multicast.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

namespace tictactoe::client {
namespace {

namespace asio = boost::asio;
using asio::ip::udp;
using boost::system::error_code;

// Machines with many containers have an interface for each.
constexpr std::size_t max_interfaces = 64;

// Where queries go.
struct Targets {
  struct V4 {
    asio::ip::address_v4 own;
    std::optional<asio::ip::address_v4> broadcast;
  };
  std::vector<V4> v4;
  std::set<unsigned> v6;  // interfaces
};

asio::ip::address_v4 address_v4(const sockaddr* address) {
  sockaddr_in in{};
  std::memcpy(&in, address, sizeof(in));
  return asio::ip::address_v4(ntohl(in.sin_addr.s_addr));
}

void add(Targets& targets, const ifaddrs& interface) {
  if (interface.ifa_addr == nullptr || (interface.ifa_flags & IFF_UP) == 0) return;
  const bool loopback = (interface.ifa_flags & IFF_LOOPBACK) != 0;
  if (interface.ifa_addr->sa_family == AF_INET && targets.v4.size() < max_interfaces) {
    Targets::V4 target{address_v4(interface.ifa_addr), {}};
    // The loopback has no broadcast address of its own, but the kernel knows this one.
    if (loopback) {
      target.broadcast = asio::ip::make_address_v4("127.255.255.255");
    } else if ((interface.ifa_flags & IFF_BROADCAST) != 0 && interface.ifa_broadaddr != nullptr) {
      target.broadcast = address_v4(interface.ifa_broadaddr);
    }
    targets.v4.push_back(target);
  }
  if (interface.ifa_addr->sa_family == AF_INET6 && targets.v6.size() < max_interfaces) {
    targets.v6.insert(if_nametoindex(interface.ifa_name));
  }
}

Targets find_targets() {
  Targets targets;
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return targets;
  for (const ifaddrs* interface = first; interface != nullptr; interface = interface->ifa_next) {
    add(targets, *interface);
  }
  freeifaddrs(first);
  return targets;
}

// An error means that no server can be found on that network, and needs no report.
void send(udp::socket& socket, const std::string& bytes, const asio::ip::address& to,
          std::uint16_t port) {
  error_code unreachable;
  socket.send_to(asio::buffer(bytes), udp::endpoint(to, port), 0, unreachable);
}

void ask_v4(udp::socket& socket, const std::string& query, const Targets& targets,
            std::uint16_t port) {
  const auto group = asio::ip::make_address_v4(wire::discovery_group_v4);
  for (const Targets::V4& target : targets.v4) {
    if (target.broadcast) send(socket, query, *target.broadcast, port);
    error_code error;
    socket.set_option(asio::ip::multicast::outbound_interface(target.own), error);
    if (!error) send(socket, query, group, port);
  }
}

void ask_v6(udp::socket& socket, const std::string& query, const Targets& targets,
            std::uint16_t port) {
  auto group = asio::ip::make_address_v6(wire::discovery_group_v6);
  for (const unsigned interface : targets.v6) {
    group.scope_id(interface);
    send(socket, query, group, port);
  }
}

}  // namespace

Finder::Finder(asio::io_context& context, std::uint16_t port, std::function<void()> on_change)
    : timer_(context), v4_(context), v6_(context), port_(port), on_change_(std::move(on_change)) {}

std::shared_ptr<Finder> Finder::start(asio::io_context& context, std::uint16_t port,
                                      std::function<void()> on_change) {
  std::shared_ptr<Finder> finder(new Finder(context, port, std::move(on_change)));
  finder->open(finder->v4_, udp::v4());
  finder->open(finder->v6_, udp::v6());
  finder->ask();
  return finder;
}

void Finder::open(Receiver& receiver, const udp& protocol) {
  error_code error;
  receiver.socket.open(protocol, error);
  if (!error && protocol == udp::v4()) {
    receiver.socket.set_option(asio::socket_base::broadcast(true), error);
  } else if (!error) {
    receiver.socket.set_option(asio::ip::v6_only(true), error);
  }
  if (!error) receiver.socket.non_blocking(true, error);
  if (!error) receiver.socket.bind(udp::endpoint(protocol, 0), error);
  // The machine may be without that family. Servers are looked for by the other one.
  error_code ignored;
  if (error) receiver.socket.close(ignored);
}

void Finder::listen(Receiver& receiver) {
  if (!receiver.socket.is_open() || receiver.listening) return;
  receiver.listening = true;
  receiver.socket.async_receive_from(
      asio::buffer(receiver.bytes), receiver.source,
      [self = shared_from_this(), &receiver](const error_code& error, std::size_t count) {
        receiver.listening = false;
        // An error is news of a datagram that could not be delivered. The next ask() listens again:
        // an error that lasts must not keep the loop busy.
        if (self->stopped_ || error) return;
        const bool changed =
            self->found_.received({receiver.bytes.data(), count}, receiver.source, Clock::now());
        if (changed) self->on_change_();
        if (!self->stopped_) self->listen(receiver);
      });
}

void Finder::ask() {
  const std::uint64_t nonce = std::uint64_t{random_()} << 32U | random_();
  const std::string query = found_.ask(nonce);
  listen(v4_);
  listen(v6_);
  // Read every time, because cables are plugged in and networks joined meanwhile.
  const Targets targets = find_targets();
  if (v4_.socket.is_open()) ask_v4(v4_.socket, query, targets, port_);
  if (v6_.socket.is_open()) ask_v6(v6_.socket, query, targets, port_);
  timer_.expires_after(asked_++ == 0 ? std::chrono::milliseconds(first_repeat) : query_period);
  timer_.async_wait([self = shared_from_this()](const error_code& error) {
    if (!error && !self->stopped_) self->tick();
  });
}

void Finder::tick() {
  if (found_.forget(Clock::now())) on_change_();
  if (!stopped_) ask();
}

void Finder::stop() {
  stopped_ = true;
  timer_.cancel();
  error_code ignored;  // they are given up either way
  v4_.socket.close(ignored);
  v6_.socket.close(ignored);
}

std::vector<FoundServer> find_servers(std::uint16_t port, std::chrono::milliseconds within) {
  asio::io_context context(1);
  const auto finder = Finder::start(context, port, [] {});
  context.run_for(within);
  std::vector<FoundServer> servers = finder->servers();
  finder->stop();
  return servers;
}

}  // namespace tictactoe::client
