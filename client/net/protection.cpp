#include "client/net/protection.hpp"

#include <string>
#include <utility>

#include "client/storage/known_servers.hpp"

namespace tictactoe::client {
namespace {

using State = KnownServer::State;

Verdict refuse(std::string why) {
  return {false, std::move(why), {}};
}

Verdict refuse_changed(const Address& address, const std::string& key, const std::string& place) {
  return refuse("The key of " + address.text +
                " has changed. This may be a different server, or someone may be listening in. "
                "Nothing was sent. The key is now " +
                key + ". If its owner confirms that, start again with --server-key " + key +
                ", or remove the line " + place + ".");
}

// The key is the one that the person has named, so that it replaces what was kept.
Verdict accept_named(const Protection& protection, const Address& address) {
  Verdict verdict;
  verdict.note = "Replaced the stored key of " + address.text + " with the one you gave";
  if (!protection.keeps) {
    verdict.note += ".";
    return verdict;
  }
  const std::string fault =
      KnownServers(protection.folder).replace(address.host_and_port(), *protection.required_key);
  verdict.note += fault.empty() ? "." : ". It can't be stored (" + fault + ").";
  return verdict;
}

Verdict keep_new(const Protection& protection, const Address& address, const tls::Fingerprint& key,
                 std::string note) {
  Verdict verdict;
  verdict.note = std::move(note);
  if (!protection.keeps || protection.folder.empty()) return verdict;
  const std::string fault = KnownServers(protection.folder).add(address.host_and_port(), key);
  if (fault.empty()) return verdict;
  if (verdict.note.empty()) verdict.note = "The key of " + address.text + " is new.";
  verdict.note += " It can't be stored (" + fault + ").";
  return verdict;
}

}  // namespace

Verdict judge(const Protection& protection, const Address& address, const tls::Fingerprint& key) {
  const std::string shown = tls::to_text(key);
  const auto& wanted = protection.lobby_key ? protection.lobby_key : protection.required_key;
  if (wanted && *wanted != key) {
    return refuse("The server at " + address.text + " has the key " + shown + ", not " +
                  tls::to_text(*wanted) + ": it is a different server. Nothing was sent.");
  }
  const KnownServer known = KnownServers(protection.folder).check(address.host_and_port(), key);
  switch (known.state) {
    case State::unknown:
      return keep_new(
          protection, address, key,
          wanted ? "" : "First connection to " + address.text + ". Its key is " + shown + ".");
    case State::same:
      return {};
    case State::changed:
      if (protection.required_key) return accept_named(protection, address);
      return refuse_changed(address, shown, known.place);
    case State::damaged:
      if (protection.required_key) return accept_named(protection, address);
      break;
  }
  return refuse("The stored keys can't be read at " + known.place + ", so " + address.text +
                " can't be checked. Repair or remove it, and start again.");
}

std::string no_tls_there() {
  return "it does not speak TLS, or is full. --no-tls connects without encryption: anyone on the "
         "network path can then read what you send";
}

}  // namespace tictactoe::client
