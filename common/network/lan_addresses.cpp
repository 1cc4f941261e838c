#include "common/network/lan_addresses.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

namespace tictactoe::network {

namespace {

namespace fs = std::filesystem;

std::string text_of(int family, const void* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const char* const done =
      ::inet_ntop(family, address, text.data(), static_cast<socklen_t>(text.size()));
  return done == nullptr ? std::string() : std::string(done);
}

bool is_ipv6(const std::string& address) {
  return address.find(':') != std::string::npos;
}

// Empty for an address of another family, or one that is no use to a guest.
std::string text_of(const sockaddr* generic) {
  if (generic == nullptr) return {};
  if (generic->sa_family == AF_INET) {
    sockaddr_in address{};
    std::memcpy(&address, generic, sizeof(address));
    return text_of(AF_INET, &address.sin_addr);
  }
  if (generic->sa_family != AF_INET6) return {};
  sockaddr_in6 address{};
  std::memcpy(&address, generic, sizeof(address));
  const bool is_global =
      !IN6_IS_ADDR_LINKLOCAL(&address.sin6_addr) && !IN6_IS_ADDR_LOOPBACK(&address.sin6_addr);
  return is_global ? text_of(AF_INET6, &address.sin6_addr) : std::string();
}

InterfaceAddress described(const ifaddrs& entry) {
  const unsigned int flags = entry.ifa_flags;
  const fs::path folder = fs::path("/sys/class/net") / entry.ifa_name;
  std::error_code ignored;
  InterfaceAddress result;
  result.address = text_of(entry.ifa_addr);
  result.is_up = (flags & IFF_UP) != 0 && (flags & IFF_LOOPBACK) == 0;
  result.has_carrier = (flags & IFF_RUNNING) != 0;
  result.has_broadcast =
      (flags & IFF_BROADCAST) != 0 && (flags & (IFF_POINTOPOINT | IFF_NOARP)) == 0;
  result.is_tunnel = fs::exists(folder / "tun_flags", ignored);
  result.is_virtual_bridge = fs::exists(folder / "bridge", ignored) && !leads_to_adapter(folder);
  return result;
}

std::vector<InterfaceAddress> interfaces() {
  std::vector<InterfaceAddress> all;
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return all;
  std::set<std::string> with_ipv6;  // of several IPv6 addresses of an interface, one will do
  for (const ifaddrs* entry = first; entry != nullptr; entry = entry->ifa_next) {
    InterfaceAddress one = described(*entry);
    if (one.address.empty()) continue;
    if (is_ipv6(one.address) && !with_ipv6.insert(entry->ifa_name).second) continue;
    all.push_back(std::move(one));
  }
  ::freeifaddrs(first);
  return all;
}

// Connecting a UDP socket only looks up the route.
std::string usual_address() {
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return {};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(9);
  ::inet_pton(AF_INET, "192.0.2.1", &address.sin_addr);  // for documentation (RFC 5737)
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof(address);
  const bool known =
      ::connect(socket, generic, size) == 0 && ::getsockname(socket, generic, &size) == 0;
  ::close(socket);
  return known ? text_of(generic) : std::string();
}

}  // namespace

bool leads_to_adapter(const fs::path& interface) {
  constexpr int max_levels = 4;  // a VLAN of a bond in a bridge, and one to spare
  std::error_code ignored;
  std::vector<fs::path> level{interface};
  for (int i = 0; i < max_levels && !level.empty(); ++i) {
    std::vector<fs::path> lower;
    for (const fs::path& one : level) {
      if (fs::exists(one / "device", ignored)) return true;
      for (const fs::directory_entry& entry : fs::directory_iterator(one, ignored)) {
        if (entry.path().filename().native().starts_with("lower_")) lower.push_back(entry.path());
      }
    }
    level = std::move(lower);
  }
  return false;
}

std::vector<std::string> choose_lan_addresses(const std::vector<InterfaceAddress>& interfaces,
                                              const std::string& usual) {
  std::vector<std::string> chosen;
  std::vector<std::string> ipv6;
  bool usual_is_known = false;
  for (const InterfaceAddress& one : interfaces) {
    if (!one.is_up || one.is_virtual_bridge) continue;
    usual_is_known = usual_is_known || one.address == usual;
    if (!one.has_carrier || !one.has_broadcast || one.is_tunnel) continue;
    (is_ipv6(one.address) ? ipv6 : chosen).push_back(one.address);
  }
  if (chosen.empty()) chosen = std::move(ipv6);
  if (chosen.empty() && usual_is_known) chosen.push_back(usual);
  if (const auto found = std::ranges::find(chosen, usual); found != chosen.end()) {
    std::rotate(chosen.begin(), found, found + 1);
  }
  if (chosen.size() > max_lan_addresses) chosen.resize(max_lan_addresses);
  return chosen;
}

std::vector<std::string> lan_addresses() {
  return choose_lan_addresses(interfaces(), usual_address());
}

}  // namespace tictactoe::network
