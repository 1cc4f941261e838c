// tictactoe-upnp: opens or closes a port on a router that speaks UPnP, and prints one line. The
// server runs it in a confined process, because it reads what any device on the network writes.
//   tictactoe-upnp GATEWAY CLIENT INTERNAL_PORT EXTERNAL_PORT SECONDS [URL TYPE]
// With 0 seconds it closes the port. URL and TYPE are the router's service, if it is known. The
// line is one of those that read_upnp_line() reads.
#include <miniupnpc/miniupnpc.h>
#include <miniupnpc/upnpcommands.h>
#include <miniupnpc/upnperrors.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

#include "server/transport/reach/step.hpp"
#include "server/transport/reach/upnp.hpp"

namespace tictactoe {

namespace {

constexpr int search_ms = 1000;
constexpr int max_devices = 4;
// Ports to try if others have the wanted one.
constexpr int max_ports = 10;
constexpr int conflict = 718;
constexpr int not_found = 714;
constexpr int only_without_end = 725;

struct Request {
  std::string gateway;
  std::string client;
  std::string internal_port;
  int external_port = 0;
  std::string seconds;
  transport::UpnpService service;
};

int fail(const std::string& words) {
  std::cout << "failed " << words << std::endl;
  return 1;
}

std::string reason(int code) {
  const char* const text = strupnperror(code);
  return "refused: " + (text != nullptr ? std::string(text) : std::to_string(code));
}

// The service that forwards ports, of the gateway only: a device may name any other host.
bool find_service(Request& request) {
  int error = 0;
  const std::unique_ptr<UPNPDev, void (*)(UPNPDev*)> devices(
      upnpDiscover(search_ms, request.client.c_str(), nullptr, 0, 0, 2, &error), freeUPNPDevlist);
  int left = max_devices;
  for (UPNPDev* device = devices.get(); device != nullptr && left > 0; device = device->pNext) {
    if (!transport::leads_to(device->descURL, request.gateway)) continue;
    --left;
    UPNPUrls urls{};
    IGDdatas data{};
    std::array<char, 64> own{};
    if (UPNP_GetIGDFromUrl(device->descURL, &urls, &data, own.data(), own.size()) == 0) continue;
    request.service = {urls.controlURL, data.first.servicetype};
    FreeUPNPUrls(&urls);
    if (transport::leads_to(request.service.url, request.gateway)) return true;
  }
  return false;
}

// Whether another machine has the port. Some routers would take it away from that one.
bool is_taken(const Request& request, const std::string& port) {
  std::array<char, 16> client{};
  std::array<char, 6> internal{};
  const int result = UPNP_GetSpecificPortMappingEntry(
      request.service.url.c_str(), request.service.type.c_str(), port.c_str(), "TCP", nullptr,
      client.data(), internal.data(), nullptr, nullptr, nullptr);
  return result == UPNPCOMMAND_SUCCESS &&
         (request.client != client.data() || request.internal_port != internal.data());
}

int open_port(const Request& request) {
  const std::string& url = request.service.url;
  const std::string& type = request.service.type;
  std::array<char, 40> external{};
  if (UPNP_GetExternalIPAddress(url.c_str(), type.c_str(), external.data()) !=
      UPNPCOMMAND_SUCCESS) {
    return fail("the router reports no address");
  }
  // Some routers say so with an empty address.
  if (external[0] == '\0') return fail(std::string(transport::no_public_address));
  int result = conflict;
  for (int i = 0; i < max_ports && result == conflict; ++i) {
    constexpr int last_port = 65'535;
    if (request.external_port + i > last_port) break;
    const std::string port = std::to_string(request.external_port + i);
    if (is_taken(request, port)) continue;
    result = UPNP_AddPortMapping(url.c_str(), type.c_str(), port.c_str(),
                                 request.internal_port.c_str(), request.client.c_str(), "tictactoe",
                                 "TCP", nullptr, request.seconds.c_str());
    if (result != UPNPCOMMAND_SUCCESS) continue;
    std::cout << "open " << external.data() << ' ' << port << ' ' << request.seconds << ' ' << url
              << ' ' << type << std::endl;
    return 0;
  }
  if (result == only_without_end) {
    return fail("refused: the router would keep the port open forever. Forward it by hand");
  }
  return fail(result == conflict ? "refused: other machines use the port" : reason(result));
}

int close_port(const Request& request) {
  const int result =
      UPNP_DeletePortMapping(request.service.url.c_str(), request.service.type.c_str(),
                             std::to_string(request.external_port).c_str(), "TCP", nullptr);
  if (result != UPNPCOMMAND_SUCCESS && result != not_found) return fail(reason(result));
  std::cout << "closed" << std::endl;
  return 0;
}

int run(int argc, char** argv) {
  if (argc != 6 && argc != 8) return 2;
  Request request{argv[1], argv[2], argv[3], std::atoi(argv[4]), argv[5], {}};
  if (argc == 8) request.service = {argv[6], argv[7]};
  if (!request.service.url.empty() && !transport::leads_to(request.service.url, request.gateway)) {
    return 2;
  }
  if (request.service.url.empty() && !find_service(request)) return fail("no answer");
  return request.seconds == "0" ? close_port(request) : open_port(request);
}

}  // namespace

}  // namespace tictactoe

int main(int argc, char** argv) {
  return tictactoe::run(argc, argv);
}
