#include "server/people/notices.hpp"

#include <optional>
#include <utility>

namespace tictactoe::server {

void Notices::send(v1::Notice::Kind kind, const std::string& text, std::uint32_t within_ms,
                   Time now, Effects& effects) {
  v1::ServerMessage message;
  v1::Notice& notice = *message.mutable_notice();
  notice.set_kind(kind);
  notice.set_message(text);
  notice.set_within_ms(within_ms);
  waiting_.push_back({message.SerializeAsString(), 0});
  if (waiting_.size() == 1) deadline_reached(now, effects);
}

void Notices::deadline_reached(Time now, Effects& effects) {
  constexpr std::size_t max_connections = 256;
  QueuedNotice& first = waiting_.front();
  const Body body = effects.copy(first.message);
  const auto next = connections_.visit_from(first.next_slot, max_connections,
                                            [&](ConnectionId id, const Peer& peer) {
                                              if (peer.player != nullptr) effects.send(id, body);
                                            });
  if (next) {
    first.next_slot = *next;
  } else {
    waiting_.pop_front();
  }
  if (!waiting_.empty()) deadlines_.set(deadline_, {now, Deadline::Kind::notice, 0});
}

}  // namespace tictactoe::server
