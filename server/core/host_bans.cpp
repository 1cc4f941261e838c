// Whom the server's owner has banned. They are refused when they say hello. The owner's commands
// are in host_owner.cpp.
#include "server/core/errors.hpp"
#include "server/core/host.hpp"
#include "server/core/room_journal.hpp"

namespace tictactoe::core {

bool Host::is_banned(const RequestContext& context, Origin from) {
  const auto* ban = bans_.find(from, unix_ms(context.now, config_));
  if (ban != nullptr) expel_banned(context.connection, *ban, context);
  return ban != nullptr;
}

bool Host::is_banned(const RequestContext& context, const std::string& name) {
  const auto* ban = bans_.find(name, unix_ms(context.now, config_));
  if (ban != nullptr) expel_banned(context.connection, *ban, context);
  return ban != nullptr;
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
  for (const journal::v1::Ban& ban : saved.bans()) bans_.add(ban);
  remove_old_bans(now);
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
