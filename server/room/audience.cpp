#include "server/room/audience.hpp"

#include "server/base/planted.hpp"

namespace tictactoe::server {

void Audience::send(const v1::ServerMessage& update, const RequestContext& context) {
  const Body body = context.effects.encode(update);
  kept_.add(revision_, context.effects.bytes(body));
  context.effects.count_receivers(receivers_.size());
  for (const Player* receiver : receivers_) {
    const bool asked = receiver == context.player;
    if (planted(Mistake::silent_watcher) && !asked && receiver == receivers_.back()) continue;
    context.effects.send(*receiver->connection, body, asked ? context.request_id : 0);
  }
}

bool Audience::send_missed(std::uint64_t seen, std::size_t max_bytes,
                           const RequestContext& context) const {
  if (seen == 0) return false;
  return kept_.visit_after(seen, max_bytes, [&](std::string_view update) {
    context.effects.send(context.connection, context.effects.copy(update));
  });
}

}  // namespace tictactoe::server
