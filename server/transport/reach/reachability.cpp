#include "server/transport/reach/reachability.hpp"

#include <algorithm>

#include "server/transport/reach/uplink.hpp"

namespace tictactoe::transport {

namespace {

using Opening = Reachability::Opening;

const Opening* opening_v4(const Reachability& reach) {
  const auto found = std::ranges::find_if(
      reach.openings, [](const Opening& one) { return one.outside.address().is_v4(); });
  return found == reach.openings.end() ? nullptr : &*found;
}

bool has_no_address(const Reachability& reach) {
  return std::ranges::any_of(reach.steps, &Step::has_no_address);
}

bool is_behind_another_router(const Reachability& reach) {
  const Opening* const opening = opening_v4(reach);
  return opening != nullptr ? !is_public(opening->outside.address()) : has_no_address(reach);
}

}  // namespace

std::vector<boost::asio::ip::tcp::endpoint> reachable_at(const Reachability& reach) {
  std::vector<boost::asio::ip::tcp::endpoint> places;
  for (const Opening& opening : reach.openings) {
    if (is_public(opening.outside.address())) places.push_back(opening.outside);
  }
  // No router changes the address of such a machine.
  const bool has_own = reach.client && is_public(*reach.client) && opening_v4(reach) == nullptr;
  if (has_own) places.emplace(places.begin(), *reach.client, reach.port);
  return places;
}

std::string what_is_wrong(const Reachability& reach) {
  if (const Opening* const opening = opening_v4(reach)) {
    const auto address = opening->outside.address();
    if (is_public(address)) return {};
    const std::string router = "The router has opened port " +
                               std::to_string(opening->outside.port()) + ", but its own address, " +
                               address.to_string() + ", ";
    return router + (is_shared_by_provider(address)
                         ? "is shared by several customers of the provider, so nobody outside "
                           "can reach it."
                         : "is private: there is another router between it and the internet.");
  }
  if (!reach.gateway) return "This machine has no IPv4 router to the internet.";
  // An address of its own needs no router's help, but perhaps that of a firewall.
  if (reach.client && is_public(*reach.client)) return {};
  const std::string router = "The router at " + reach.gateway->to_string();
  if (has_no_address(reach)) {
    return router +
           " has no public address: it is not connected to the internet, or several customers "
           "of the provider share one address.";
  }
  const auto refusal = std::ranges::find_if(reach.steps, [](const Step& step) {
    return !step.worked && step.answer.starts_with("refused");
  });
  if (refusal != reach.steps.end()) return router + " " + refusal->answer + ".";
  return router + " does not open a port for this machine by PCP, NAT-PMP or UPnP.";
}

std::vector<std::string> what_helps(const Reachability& reach) {
  std::vector<std::string> lines;
  const std::string port = std::to_string(reach.port);
  const bool has_ipv6_opening = std::ranges::any_of(reach.openings, [](const Opening& one) {
    return one.outside.address().is_v6() && is_public(one.outside.address());
  });
  if (has_ipv6_opening) {
    lines.emplace_back("Guests with IPv6 can use the link above.");
  } else if (reach.own_ipv6) {
    lines.push_back("IPv6: let TCP port " + port + " through to " + reach.own_ipv6->to_string() +
                    " in the router's firewall. Guests need IPv6, too.");
  }
  if (!is_behind_another_router(reach) && reach.gateway && reach.client) {
    lines.push_back("In the router's settings (http://" + reach.gateway->to_string() +
                    "/), switch on UPnP or NAT-PMP, or forward TCP port " + port + " to " +
                    reach.client->to_string() +
                    ". If you forward it, start the server with --public-address and your home's "
                    "public address.");
  }
  lines.push_back(
      "A VPN such as WireGuard or Tailscale on both machines: guests then use this "
      "machine's VPN address.");
  lines.push_back(
      "A rented machine: copy the server there, scp tictactoe-server MACHINE:, and "
      "start it, ssh -t MACHINE ./tictactoe-server --public-address MACHINE");
  return lines;
}

}  // namespace tictactoe::transport
