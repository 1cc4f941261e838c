#include "tests/siege/attack.hpp"

#include <algorithm>

#include "tests/support/requests.hpp"

namespace tictactoe::siege {

std::uint64_t Attack::mobs = 0;

int Pace::due(Clock::time_point now) {
  if (last_ == Clock::time_point{}) last_ = now;
  owed_ += per_second_ * std::chrono::duration<double>(now - last_).count();
  owed_ = std::min(owed_, std::max(1.0, per_second_ / 10));
  last_ = now;
  const int due = static_cast<int>(owed_);
  owed_ -= due;
  return due;
}

Peer& Attack::open(std::size_t tag, int receive_buffer) {
  const auto from = attackers_from + static_cast<std::uint32_t>(opened_++ % addresses_);
  return crowd_.open(from, *this, tag, receive_buffer);
}

void Attack::greet(Peer& peer) {
  peer.ask(test::hello_request(unused_name()));
}

void Attack::received(Peer& peer, std::string_view body, Clock::time_point /*now*/) {
  parse(body, message_);
  if (message_.has_error()) refuse();
  told(peer, message_);
}

const std::vector<AttackKind>& attack_kinds() {
  static const std::vector<AttackKind> kinds{
      {"connects", "5,000 connections a second over the limit", 500, make_connects},
      {"handshakes", "as many TLS handshakes as possible from four addresses", 500,
       make_handshakes},
      {"http-floods", "HTTP requests over 380 connections from 95 addresses", 500,
       make_http_floods},
      {"websockets", "large records, pings and empty fragments over 90 WebSockets", 300,
       make_websockets},
      {"names", "unknown tokens and names of rooms, over 200 connections", 50, make_names},
      {"non-readers", "150 connections in 16 rooms that never read", 20, make_non_readers},
      {"fan-out", "200 chatters in a room with 1,000 watchers", 100, make_fan_out},
      {"password-guesses", "wrong room passwords over 9 connections", 5, make_password_guesses},
      {"mixed", "these at random", 50, make_mixed},
  };
  return kinds;
}

const AttackKind* find_attack(const std::string& name) {
  const auto found = std::ranges::find(attack_kinds(), name, &AttackKind::name);
  return found == attack_kinds().end() ? nullptr : &*found;
}

}  // namespace tictactoe::siege
