#include "server/host/banning.hpp"

#include <string>
#include <vector>

#include "server/limits/errors.hpp"
#include "server/room/room_journal.hpp"

namespace tictactoe::server {

bool Banning::expel_if_banned(const RequestContext& context, const auto& subject) {
  const auto* ban = bans_.find(subject, unix_ms(context.now, config_));
  if (ban != nullptr) expel(context.connection, *ban, context);
  return ban != nullptr;
}
template bool Banning::expel_if_banned(const RequestContext& context, const Origin& subject);
template bool Banning::expel_if_banned(const RequestContext& context, const std::string& subject);

std::optional<std::size_t> Banning::add(const journal::v1::Ban& ban, Time now) {
  remove_old(now);
  if (!bans_.add(ban)) return std::nullopt;
  ban_tracker_.changed_here(ban.subject(), now);
  if (config_.keeps_records) {
    auto& record = effects_.draft<journal::v1::Record>();
    *record.mutable_banned() = ban;
    effects_.record(record);
  }
  return enforce(ban, {now, effects_});
}

bool Banning::lift(const journal::v1::BanSubject& subject, Time now) {
  if (!bans_.remove(subject)) return false;
  ban_tracker_.changed_here(subject, now);
  record_lifted(subject);
  return true;
}

// Returns the number of players disconnected. O(connections).
std::size_t Banning::enforce(const journal::v1::Ban& ban, const RequestContext& context) {
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
    people_.leave_room(*player, context);
    expel(*player->connection, ban, context);
  }
  return banned.size();
}

void Banning::expel(ConnectionId id, const journal::v1::Ban& ban, const RequestContext& context) {
  std::string why = "The server's owner has banned ";
  why += ban.subject().has_player() ? "you" : "your address";
  if (ban.until_unix_ms() != 0) why += " until " + utc(ban.until_unix_ms());
  why += ban.reason().empty() ? "." : ": " + ban.reason();
  replies_.expel(id, closing_error(v1::Error::CODE_KICKED, std::move(why)), context.now,
                 context.request_id);
}

void Banning::restore(const journal::v1::Saved& saved, Time now) {
  for (const journal::v1::Ban& ban : ban_tracker_.update(saved, now).added) bans_.add(ban);
  remove_old(now);
}

void Banning::share(const journal::v1::Saved& bans, Time now) {
  const RequestContext context{now, effects_};
  const BanTracker::Changes changes = ban_tracker_.update(bans, now);
  for (const journal::v1::BanSubject& lifted : changes.lifted) bans_.remove(lifted);
  for (const journal::v1::Ban& ban : changes.added) {
    if (bans_.add(ban)) enforce(ban, context);
  }
}

void Banning::remove_old(Time now) {
  for (const auto& over : bans_.remove_over(unix_ms(now, config_))) record_lifted(over);
}

void Banning::record_lifted(const journal::v1::BanSubject& subject) {
  if (!config_.keeps_records) return;
  auto& record = effects_.draft<journal::v1::Record>();
  *record.mutable_unbanned() = subject;
  effects_.record(record);
}

}  // namespace tictactoe::server
