// Whom the server's owner has banned. They are refused when they say hello. The owner's commands
// are in host_owner.cpp.
#include <cstddef>
#include <string>
#include <vector>

#include "server/core/errors.hpp"
#include "server/core/host.hpp"
#include "server/core/room_journal.hpp"

namespace tictactoe::core {

bool Host::is_banned(const RequestContext& context, const auto& subject) {
  const auto* ban = bans_.find(subject, unix_ms(context.now, config_));
  if (ban != nullptr) expel_banned(context.connection, *ban, context);
  return ban != nullptr;
}
template bool Host::is_banned(const RequestContext& context, const Origin& subject);
template bool Host::is_banned(const RequestContext& context, const std::string& subject);

// Returns how many were disconnected.
std::size_t Host::enforce(const journal::v1::Ban& ban, const RequestContext& context) {
  Bans only;
  only.add(ban);
  const std::uint64_t now = unix_ms(context.now, config_);
  std::vector<const Player*> banned;
  connections_.for_each([&](ConnectionId, const Peer& peer) {
    if (peer.player == nullptr) return;
    if (only.find(peer.origin, now) != nullptr || only.find(peer.player->name, now) != nullptr) {
      banned.push_back(peer.player);
    }
  });
  for (const Player* player : banned) {
    vacate(*player, context);
    expel_banned(*player->connection, ban, context);
  }
  return banned.size();
}

void Host::expel_banned(ConnectionId id, const journal::v1::Ban& ban,
                        const RequestContext& context) {
  std::string why = "The server's owner has banned ";
  why += ban.subject().has_player() ? "you" : "your address";
  if (ban.until_unix_ms() != 0) why += " until " + utc(ban.until_unix_ms());
  why += ban.reason().empty() ? "." : ": " + ban.reason();
  expel(id, closing_error(v1::Error::CODE_KICKED, std::move(why)), context.now, context.request_id);
}

void Host::restore_bans(const journal::v1::Saved& saved, Time now) {
  for (const journal::v1::Ban& ban : shared_bans_.follow(saved, now).added) bans_.add(ban);
  remove_old_bans(now);
}

void Host::follow(const journal::v1::Saved& bans, const RequestContext& context) {
  const SharedBans::Changes changes = shared_bans_.follow(bans, context.now);
  for (const journal::v1::BanSubject& lifted : changes.lifted) bans_.remove(lifted);
  for (const journal::v1::Ban& ban : changes.added) {
    if (bans_.add(ban)) enforce(ban, context);
  }
}

void Host::remove_old_bans(Time now) {
  for (const auto& over : bans_.remove_over(unix_ms(now, config_))) record_unbanned(over);
}

void Host::record_unbanned(const journal::v1::BanSubject& subject) {
  if (!config_.keeps_records) return;
  auto& record = effects_.draft<journal::v1::Record>();
  *record.mutable_unbanned() = subject;
  effects_.record(record);
}

}  // namespace tictactoe::core
