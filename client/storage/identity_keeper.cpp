#include "client/storage/identity_keeper.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <system_error>
#include <utility>

#include "client/storage/known_servers.hpp"
#include "client/storage/latest_list.hpp"

namespace tictactoe::client {
namespace {

std::string hex(std::uint64_t number) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return text.data();
}

// Nothing if it is no such number.
std::optional<std::uint64_t> from_hex(const std::string& text) {
  constexpr int base = 16;
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number, base);
  return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

// Which server was last found at which address.
LatestList addresses_in(const std::string& folder) {
  return {folder.empty() ? folder : folder + "/addresses", max_known_addresses};
}

}  // namespace

IdentityKeeper::IdentityKeeper(std::string folder, std::string address, std::string name)
    : folder_(std::move(folder)), address_(std::move(address)), name_(std::move(name)) {
  server_ = server_at_address();
  opened_ = open_identity(folder_, server_ ? file_of(*server_) : identity_name(address_, name_));
}

std::optional<std::string> IdentityKeeper::server_known(std::uint64_t server, bool resumed) {
  if (server == 0 || !opened_.identity || server_ == server) return std::nullopt;
  if (!is_believed(server)) return std::nullopt;
  const bool of_address = !server_;
  IdentityOpened opened = open_identity(folder_, file_of(server));
  if (!opened.identity) return std::nullopt;
  std::string other = resumed ? std::string() : opened.identity->token();
  // The token that was kept for the address is this server's. If it can't be copied, it stays.
  if (resumed && !opened.identity->save(opened_.identity->token()).empty()) return std::nullopt;
  keep_address(address_, server);
  server_ = server;
  if (of_address) opened_.identity->remove();
  opened_.identity = std::move(opened.identity);
  if (other.empty()) return std::nullopt;
  return other;
}

void IdentityKeeper::also_at(const std::string& address) const {
  if (server_ && opened_.identity) keep_address(address, *server_);
}

// Whether the server at the address is the one that it claims to be, as far as keys are known.
bool IdentityKeeper::is_believed(std::uint64_t server) const {
  const KnownServers keys(folder_);
  bool any_known = false;
  const LatestList addresses = addresses_in(folder_);
  for (const auto& [address, number] : addresses.entries()) {
    const auto known = from_hex(number) == server ? keys.key_of(address) : std::nullopt;
    if (known && known == key_) return true;
    any_known = any_known || known;
  }
  return !any_known;
}

std::string IdentityKeeper::save(const std::string& token) {
  if (!opened_.identity) return {};
  const std::string fault = opened_.identity->save(token);
  if (fault.empty()) return {};
  return "Your identity can't be stored in " + opened_.identity->path() + " (" + fault +
         "): you won't be able to return to your seat after quitting.";
}

std::string IdentityKeeper::file_of(std::uint64_t server) const {
  return identity_name(hex(server), name_);
}

std::optional<std::uint64_t> IdentityKeeper::server_at_address() const {
  const LatestList addresses = addresses_in(folder_);
  for (const auto& [address, number] : addresses.entries()) {
    if (address == address_) return from_hex(number);
  }
  return std::nullopt;
}

// Without this file the client finds the identity after the first welcome, so that faults do no
// harm.
void IdentityKeeper::keep_address(const std::string& place, std::uint64_t server) const {
  addresses_in(folder_).put_first({place, hex(server)});
}

}  // namespace tictactoe::client
