#include "server/transport/lan/discovery.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/multicast.hpp>
#include <boost/asio/ip/unicast.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <chrono>
#include <cstring>
#include <string>
#include <utility>

#include "common/posix/retried.hpp"
#include "common/wire/discovery.hpp"

namespace tictactoe::transport {

namespace asio = boost::asio;
using asio::ip::udp;
using boost::system::error_code;

namespace {

constexpr std::chrono::seconds interfaces_period{10};
// Datagrams read in one slice of the loop. Requests of players wait meanwhile.
constexpr int max_in_one_go = 32;

using Wanted = asio::detail::socket_option::boolean<IPPROTO_IP, IP_PKTINFO>;
using WantedV6 = asio::detail::socket_option::boolean<IPPROTO_IPV6, IPV6_RECVPKTINFO>;

// A datagram and the interface over which it arrived.
struct Datagram {
  std::array<char, wire::max_discovery_bytes + 1> space;  // one more, so that longer ones show
  std::size_t size = 0;
  udp::endpoint source;
  unsigned interface = 0;
};

// Ancillary data of a datagram. Asio has no interface for it.
struct AncillaryData {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(in6_pktinfo))> space{};

  template <class Info>
  void put(msghdr& header, int level, int type, const Info& info) {
    header.msg_control = space.data();
    header.msg_controllen = CMSG_SPACE(sizeof(Info));
    cmsghdr* const message = CMSG_FIRSTHDR(&header);
    message->cmsg_level = level;
    message->cmsg_type = type;
    message->cmsg_len = CMSG_LEN(sizeof(Info));
    std::memcpy(CMSG_DATA(message), &info, sizeof(Info));
  }
};

unsigned interface_of(msghdr& header) {
  for (cmsghdr* message = CMSG_FIRSTHDR(&header); message != nullptr;
       message = CMSG_NXTHDR(&header, message)) {
    if (message->cmsg_level == IPPROTO_IP && message->cmsg_type == IP_PKTINFO) {
      in_pktinfo info{};
      std::memcpy(&info, CMSG_DATA(message), sizeof(info));
      return static_cast<unsigned>(info.ipi_ifindex);
    }
    if (message->cmsg_level == IPPROTO_IPV6 && message->cmsg_type == IPV6_PKTINFO) {
      in6_pktinfo info{};
      std::memcpy(&info, CMSG_DATA(message), sizeof(info));
      return info.ipi6_ifindex;
    }
  }
  return 0;
}

// Returns false if there is nothing to read.
bool receive(udp::socket& socket, Datagram& datagram) {
  iovec bytes{datagram.space.data(), datagram.space.size()};
  AncillaryData ancillary;
  msghdr header{};
  header.msg_name = datagram.source.data();
  header.msg_namelen = static_cast<socklen_t>(datagram.source.capacity());
  header.msg_iov = &bytes;
  header.msg_iovlen = 1;
  header.msg_control = ancillary.space.data();
  header.msg_controllen = ancillary.space.size();
  const ssize_t received =
      posix::retried([&] { return recvmsg(socket.native_handle(), &header, MSG_DONTWAIT); });
  if (received < 0) return false;
  datagram.size = static_cast<std::size_t>(received);
  datagram.source.resize(header.msg_namelen);
  datagram.interface = interface_of(header);
  return true;
}

void send(udp::socket& socket, std::string& bytes, udp::endpoint to, const asio::ip::address& own) {
  iovec body{bytes.data(), bytes.size()};
  AncillaryData ancillary;
  msghdr header{};
  header.msg_name = to.data();
  header.msg_namelen = static_cast<socklen_t>(to.size());
  header.msg_iov = &body;
  header.msg_iovlen = 1;
  if (own.is_v4() && !own.is_unspecified()) {
    in_pktinfo info{};
    info.ipi_spec_dst.s_addr = htonl(own.to_v4().to_uint());
    ancillary.put(header, IPPROTO_IP, IP_PKTINFO, info);
  } else if (!own.is_unspecified()) {
    in6_pktinfo info{};
    const auto address = own.to_v6().to_bytes();
    std::memcpy(&info.ipi6_addr, address.data(), address.size());
    ancillary.put(header, IPPROTO_IPV6, IPV6_PKTINFO, info);
  }
  if (posix::retried([&] { return sendmsg(socket.native_handle(), &header, MSG_DONTWAIT); }) >= 0)
    return;
  // Clients repeat queries, so this is like any lost answer.
  spdlog::debug("discovery: can't answer {}: {}", to.address().to_string(), strerror(errno));
}

// Visits the addresses of the loopback and of every network that is up.
template <class Visit>
void for_each_address(Visit visit) {
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return;
  for (const ifaddrs* entry = first; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || (entry->ifa_flags & IFF_UP) == 0) continue;
    const unsigned interface = if_nametoindex(entry->ifa_name);
    if (entry->ifa_addr->sa_family == AF_INET) {
      sockaddr_in address{};
      std::memcpy(&address, entry->ifa_addr, sizeof(address));
      visit(interface, asio::ip::address_v4(ntohl(address.sin_addr.s_addr)));
    } else if (entry->ifa_addr->sa_family == AF_INET6) {
      sockaddr_in6 address{};
      std::memcpy(&address, entry->ifa_addr, sizeof(address));
      asio::ip::address_v6::bytes_type bytes;
      std::memcpy(bytes.data(), &address.sin6_addr, bytes.size());
      visit(interface, asio::ip::address_v6(bytes, address.sin6_scope_id));
    }
  }
  freeifaddrs(first);
}

}  // namespace

Discovery::Discovery(asio::io_context& io, Answerer answerer, std::uint16_t port,
                     std::vector<asio::ip::tcp::endpoint> listening, server::DiscoveryLimits limits)
    : answerer_(std::move(answerer)),
      port_(port),
      listening_(std::move(listening)),
      limits_(limits),
      v4_(io),
      v6_(io),
      timer_(io) {
  const auto serves = [&](bool v4) {
    return std::ranges::any_of(listening_, [&](const asio::ip::tcp::endpoint& endpoint) {
      // The unspecified IPv6 address serves both families.
      return endpoint.address().is_v4() == v4 ||
             (endpoint.address().is_v6() && endpoint.address().is_unspecified());
    });
  };
  if (serves(true)) open(v4_, udp::v4());
  if (serves(false)) open(v6_, udp::v6());
  look_at_interfaces();
}

void Discovery::open(udp::socket& socket, const udp& protocol) {
  error_code error;
  socket.open(protocol, error);
  if (!error) socket.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) socket.set_option(asio::ip::unicast::hops(1), error);
  if (!error && protocol == udp::v4()) socket.set_option(Wanted(true), error);
  if (!error && protocol == udp::v6()) {
    socket.set_option(asio::ip::v6_only(true), error);
    if (!error) socket.set_option(WantedV6(true), error);
  }
  if (!error) socket.bind(udp::endpoint(protocol, port_), error);
  if (!error) return wait(socket);
  spdlog::warn("discovery does not work over {}: UDP port {}: {}",
               protocol == udp::v4() ? "IPv4" : "IPv6", port_, error.message());
  error_code ignored;  // it is given up either way
  socket.close(ignored);
}

void Discovery::look_at_interfaces() {
  locals_.clear();
  for_each_address([&](unsigned interface, const asio::ip::address& address) {
    if (locals_.size() >= limits_.interfaces || !listens_at(address)) return;
    locals_.push_back({interface, address});
    join(locals_.back());
  });
  timer_.expires_after(interfaces_period);
  timer_.async_wait([this](const error_code& cancelled) {
    if (!cancelled && !stopped_) look_at_interfaces();
  });
}

// Fails if the group was joined before or the interface has no multicast. Neither is an error.
void Discovery::join(const Local& local) {
  error_code ignored;
  if (local.address.is_v4() && v4_.is_open()) {
    v4_.set_option(asio::ip::multicast::join_group(
                       asio::ip::make_address_v4(wire::discovery_group_v4), local.address.to_v4()),
                   ignored);
  } else if (local.address.is_v6() && v6_.is_open()) {
    v6_.set_option(asio::ip::multicast::join_group(
                       asio::ip::make_address_v6(wire::discovery_group_v6), local.interface),
                   ignored);
  }
}

bool Discovery::listens_at(const asio::ip::address& local) const {
  return std::ranges::any_of(listening_, [&](const asio::ip::tcp::endpoint& endpoint) {
    const asio::ip::address& address = endpoint.address();
    return address == local || (address.is_unspecified() && (address.is_v6() || local.is_v4()));
  });
}

std::optional<Discovery::Place> Discovery::place(unsigned interface, bool v4) const {
  for (const asio::ip::tcp::endpoint& endpoint : listening_) {
    const asio::ip::address& address = endpoint.address();
    if (address.is_unspecified() && (address.is_v6() || v4)) return Place{{}, endpoint.port()};
    const bool here = std::ranges::any_of(locals_, [&](const Local& local) {
      return local.interface == interface && local.address == address;
    });
    if (here && address.is_v4() == v4) return Place{address, endpoint.port()};
  }
  return std::nullopt;
}

void Discovery::wait(udp::socket& socket) {
  socket.async_wait(udp::socket::wait_read, [this, &socket](const error_code& error) {
    if (error || stopped_) return;
    for (int i = 0; i < max_in_one_go && answer_one(socket); ++i) {
    }
    wait(socket);
  });
}

bool Discovery::answer_one(udp::socket& socket) {
  Datagram datagram;
  if (!receive(socket, datagram)) return false;
  const auto place = this->place(datagram.interface, datagram.source.address().is_v4());
  if (!place) return true;
  std::string answer = answerer_.answer({datagram.space.data(), datagram.size}, datagram.source,
                                        place->port, std::chrono::steady_clock::now());
  if (!answer.empty()) send(socket, answer, datagram.source, place->own);
  return true;
}

void Discovery::stop() {
  stopped_ = true;
  timer_.cancel();
  error_code ignored;  // they are given up either way
  v4_.close(ignored);
  v6_.close(ignored);
}

}  // namespace tictactoe::transport
