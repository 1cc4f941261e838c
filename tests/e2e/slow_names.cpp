// Preloaded into a program: looking up a name that begins with "slow" never ends, as with a name
// server that does not answer. "relay" is this machine.
#include <dlfcn.h>
#include <netdb.h>
#include <unistd.h>

#include <string_view>

extern "C" int getaddrinfo(const char* node, const char* service, const addrinfo* hints,
                           addrinfo** results) {
  while (node != nullptr && std::string_view(node).starts_with("slow")) pause();
  if (node != nullptr && std::string_view(node) == "relay") node = "127.0.0.1";
  static const auto original =
      reinterpret_cast<decltype(&getaddrinfo)>(dlsym(RTLD_NEXT, "getaddrinfo"));
  return original(node, service, hints, results);
}
