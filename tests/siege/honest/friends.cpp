#include "tests/siege/honest/friends.hpp"

#include <algorithm>

#include "tests/siege/attack.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::siege {
namespace {

constexpr std::uint32_t friends_address = honest_from + 22;
constexpr std::chrono::seconds between_lines{1};
// A player gets three invitations a minute from one other player.
constexpr std::chrono::seconds between_invitations{30};
constexpr std::chrono::seconds patience{5};

}  // namespace

Friends::Friends(Crowd& crowd, Harm& harm) : HonestPlayer(crowd, harm) {
  for (std::size_t tag = 0; tag < sides_.size(); ++tag) {
    const auto from = friends_address + static_cast<std::uint32_t>(tag);
    sides_[tag].peer = &crowd.open(from, *this, tag);
  }
}

void Friends::connected(Peer& peer) {
  peer.ask(test::hello_request(friends_names[peer.tag()]));
  peer.ask(test::create_request(friends_names[peer.tag()]));
  peer.ask(test::watch_lobby_request());
}

bool Friends::is_ready() const {
  return std::ranges::all_of(sides_,
                             [](const Side& side) { return side.has_room && side.watches; });
}

void Friends::go_on(Clock::time_point now) {
  if (is_finished_ || !is_ready()) return;
  if (give_up_at_ == Clock::time_point::max()) {
    if (now < next_line_) return;
    next_line_ = now + between_lines;
    const bool invites = now >= next_invitation_;
    if (invites) next_invitation_ = now + between_invitations;
    for (Side& side : sides_) say_and_invite(side, invites);
    return;
  }
  is_finished_ = std::ranges::all_of(sides_, [&](const Side& side) { return has_all(side); });
  if (is_finished_ || now < give_up_at_) return;
  is_finished_ = true;
  harm().add(harm().wrong, "A line in the lobby, or an invitation, has not come to a friend.");
}

void Friends::finish() {
  for (Side& side : sides_) say_and_invite(side, true);
  give_up_at_ = Clock::now() + patience;
}

void Friends::say_and_invite(Side& side, bool invites) {
  if (side.peer == nullptr) return;
  side.peer->ask(test::lobby_chat_request(std::to_string(++side.said)));
  if (!invites) return;
  side.peer->ask(test::invite_request(friends_names[1 - tag_of(side)]));
  ++side.invited;
}

bool Friends::has_all(const Side& side) const {
  return side.heard == other(side).said && side.arrived == other(side).invited;
}

void Friends::received(Peer& peer, std::string_view body, Clock::time_point /*now*/) {
  parse(body, message_);
  take(sides_[peer.tag()], message_);
}

void Friends::take(Side& side, const v1::ServerMessage& message) {
  const std::string from = friends_names[1 - tag_of(side)];
  if (message.has_error()) refused(message.error());
  if (message.has_snapshot()) side.has_room = true;
  if (message.has_lobby_update()) side.watches = true;
  if (message.invited().from() == from) ++side.arrived;
  for (const v1::ChatSaid& said : message.lobby_update().chat()) {
    if (said.from() != from) continue;
    if (said.text() != std::to_string(++side.heard)) {
      harm().add(harm().wrong, "Lines in the lobby do not come, or in another order.");
    }
  }
}

void Friends::ended(Peer& peer) {
  sides_[peer.tag()].peer = nullptr;
  is_finished_ = true;
  HonestPlayer::ended(peer);
}

}  // namespace tictactoe::siege
