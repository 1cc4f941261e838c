#include "tests/siege/honest/pair.hpp"

#include <algorithm>

#include "tests/bench/load/failure.hpp"
#include "tests/siege/attack.hpp"

namespace tictactoe::siege {
namespace {

// Each of the two sends 20 moves and 50 pings a second, which is less than the default rate.
constexpr std::chrono::milliseconds between_moves{25};
constexpr std::chrono::milliseconds between_pings{10};

constexpr rules::Rules board{9, 9, 5};

}  // namespace

Pair::Pair(Crowd& crowd, Harm& harm, std::uint64_t seed)
    : HonestPlayer(crowd, harm), protocol_(board), room_(0, board, seed, protocol_) {
  for (std::size_t tag = 0; tag < sides_.size(); ++tag) {
    sides_[tag].peer = &crowd.open(honest_from + static_cast<std::uint32_t>(tag), *this, tag);
  }
}

void Pair::connected(Peer& peer) {
  protocol_.hello(peer.tag(), exchange_);
  sides_[peer.tag()].last_request = 1;
  peer.send_body(exchange_.request);
}

void Pair::ended(Peer& peer) {
  broken_ = true;
  HonestPlayer::ended(peer);
}

void Pair::come_in(std::size_t tag) {
  Side& side = sides_[tag];
  protocol_.enter({0, tag}, ++side.last_request, exchange_);
  side.peer->send_body(exchange_.request);
}

void Pair::received(Peer& peer, std::string_view body, Clock::time_point now) {
  Side& side = sides_[peer.tag()];
  try {
    if (!side.welcome) {
      if (!protocol_.is_welcome(peer.tag(), body)) throw load::Failure(protocol_.text(body));
      side.welcome = true;
      if (sides_[0].welcome && sides_[1].welcome) come_in(0);
    } else if (!ready_) {
      take_entry(peer.tag(), body);
    } else if (!take_pong(side, body, now)) {
      const bool own_move = room_.check(load::seat_of(peer.tag()), side.revision, body);
      ++side.revision;
      if (own_move && timings() != nullptr) timings()->moves.add(now - moved_at_);
    }
  } catch (const load::Failure& failure) {
    broken_ = true;
    v1::ServerMessage message;
    parse(body, message);
    if (message.has_error()) {
      refused(message.error());
    } else {
      harm().add(harm().wrong, failure.what());
    }
  }
}

void Pair::take_entry(std::size_t tag, std::string_view body) {
  Side& side = sides_[tag];
  if (side.entered) {
    if (!protocol_.is_arrival(0, side.revision, body)) throw load::Failure(protocol_.text(body));
    ++side.revision;
  } else {
    if (!protocol_.is_entry({0, tag}, side.last_request, body, side.revision, room_.game())) {
      throw load::Failure(protocol_.text(body));
    }
    side.entered = true;
    if (tag == 0) come_in(1);
  }
  ready_ = sides_[1].entered && sides_[0].revision == sides_[1].revision;
  if (!ready_) return;
  room_.begin(side.revision);
  move_due_ = ping_due_ = Clock::now() + between_moves;
}

bool Pair::take_pong(Side& side, std::string_view body, Clock::time_point now) {
  if (side.pings.empty() || body != side.pings.front().answer) return false;
  const Ping& ping = side.pings.front();
  if (ping.timings != nullptr) ping.timings->pings.add(now - ping.due);
  side.pings.pop_front();
  return true;
}

Clock::duration Pair::until_due(Clock::time_point now) const {
  if (!ready_ || broken_) return std::chrono::milliseconds(10);
  return std::max(std::min(move_due_, ping_due_) - now, Clock::duration::zero());
}

void Pair::go_on(Clock::time_point now) {
  if (!ready_ || broken_) return;
  act(now);
  for (; ping_due_ <= now; ping_due_ += between_pings) ping(now);
}

void Pair::sent_at(Clock::time_point due, Clock::time_point now) {
  if (timings() != nullptr) timings()->delays.add(now - due);
}

// One thing at a time, after both have seen the last one.
void Pair::act(Clock::time_point now) {
  const auto seen_by = [&](const Side& side) { return side.revision == room_.revision(); };
  while (std::ranges::all_of(sides_, seen_by)) {
    const bool is_move = room_.moves_next();
    if (is_move && now < move_due_) return;
    Side& side = sides_[room_.actor() == v1::MARK_X ? 0 : 1];
    const std::string& request = room_.act(++side.last_request);
    if (is_move) {
      moved_at_ = move_due_;
      move_due_ += between_moves;
    }
    side.peer->send_body(request);
  }
}

void Pair::ping(Clock::time_point now) {
  Side& side = sides_[pings_++ % sides_.size()];
  protocol_.ping(++side.last_request, exchange_);
  side.pings.push_back({exchange_.answer, ping_due_, timings()});
  side.peer->send_body(exchange_.request);
  sent_at(ping_due_, now);
}

}  // namespace tictactoe::siege
