#include "client/storage/identity_keeper.hpp"

#include <utility>

#include "common/text/hex.hpp"

namespace tictactoe::client {

std::optional<std::string> IdentityKeeper::reached(const std::optional<tls::Fingerprint>& key) {
  const std::string address = std::exchange(address_, {});
  if (address.empty()) return std::nullopt;
  file_ = file_of(address, key);
  opened_ = open_identity(folder_, file_);
  return opened_.identity ? opened_.identity->token() : std::string();
}

// Without this file the person is a new player there, so that faults do no harm.
void IdentityKeeper::also_at(const std::string& address,
                             const std::optional<tls::Fingerprint>& key) {
  const std::string file = file_of(address, key);
  if (!opened_.identity || file == file_ || elsewhere_.contains(file) ||
      elsewhere_.size() >= max_elsewhere) {
    return;
  }
  IdentityOpened other = open_identity(folder_, file);
  if (!other.identity) return;
  static_cast<void>(other.identity->save(opened_.identity->token()));
  elsewhere_.emplace(file, *std::move(other.identity));
}

std::string IdentityKeeper::save(std::string_view token) {
  if (!opened_.identity) return {};
  for (auto& [file, other] : elsewhere_) static_cast<void>(other.save(token));
  const std::string fault = opened_.identity->save(token);
  if (fault.empty()) return {};
  return "Your identity can't be stored in " + opened_.identity->path() + " (" + fault +
         "): you won't be able to return to your seat after quitting.";
}

std::string IdentityKeeper::file_of(const std::string& address,
                                    const std::optional<tls::Fingerprint>& key) const {
  return identity_name(key ? text::to_hex(tls::to_bytes(*key)) : address, name_);
}

}  // namespace tictactoe::client
