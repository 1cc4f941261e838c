// The addresses by which other machines of the local network reach this one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace tictactoe::network {

/// An address of this machine, IPv4 or global IPv6, and the network interface that has it.
struct InterfaceAddress {
  std::string address;
  bool is_up = false;          ///< and not the loopback
  bool has_carrier = false;    ///< a cable or a wireless network is connected
  bool has_broadcast = false;  ///< and resolves addresses, unlike tunnels from one point to another
  bool is_tunnel = false;      ///< of a program, such as a VPN or a virtual machine
  bool is_virtual_bridge = false;  ///< without an adapter: of containers or virtual machines
};

/// The maximum number of addresses returned.
inline constexpr std::size_t max_lan_addresses = 4;

/// The IPv4 addresses of interfaces to a local network, `usual` first; if there are none, their
/// IPv6 addresses. Without any, `usual`, unless it belongs to a virtual bridge. `usual` is the
/// source address of packets to other networks, or empty. It often belongs to a VPN, through which
/// guests in the same room can't reach this machine.
std::vector<std::string> choose_lan_addresses(const std::vector<InterfaceAddress>& interfaces,
                                              const std::string& usual);

/// Whether a network interface is a real adapter or, as a bridge, a bond or a VLAN, has one below
/// it. `interface` is its directory in /sys/class/net.
bool leads_to_adapter(const std::filesystem::path& interface);

/// choose_lan_addresses() for the present interfaces of this machine. Sends nothing. Reads the list
/// from the kernel and /sys, in less than a millisecond.
std::vector<std::string> lan_addresses();

}  // namespace tictactoe::network
