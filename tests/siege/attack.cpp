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
      {"abandoned-rooms", "rooms held for players who are gone for good", 100,
       make_abandoned_rooms},
      {"long-records", "100 connections ask for a record of a million moves", 20, make_long_records,
       2},
      {"json-records", "100 WebSockets ask for a record of a million moves in JSON", 20,
       make_json_records, 2},
      {"password-guesses", "wrong room passwords over 9 connections", 5, make_password_guesses},
      {"fresh-buckets", "reconnecting for a full bucket of tokens", 100, make_fresh_buckets},
      {"finished-games", "records of games that are resigned at once", 100, make_finished_games},
      {"full-lists", "lists of rooms, players and members while the tables are long", 300,
       make_full_lists, 3, false},
      {"half-open", "300 TLS handshakes that are not finished", 20, make_half_open},
      {"handshakes", "as many TLS handshakes as possible from four addresses", 500,
       make_handshakes},
      {"hellos", "as many new players as possible", 500, make_hellos},
      {"non-readers", "150 connections in 20 rooms that never read", 20, make_non_readers},
      {"fan-out", "200 chatters in a room with 1,000 watchers", 100, make_fan_out},
      {"connects", "5,000 connections a second over the limit", 500, make_connects},
      {"hostile-names", "names that imitate others or can't be seen", 1, make_hostile_names},
      {"lists-of-games", "50 connections send five ListGames at once", 10, make_lists_of_games},
      {"people", "invitations, lobby chat, hints and wrong passwords over 200 connections", 200,
       make_people},
      {"http-floods", "HTTP requests over 380 connections from 95 addresses", 500,
       make_http_floods},
      {"queries", "50,000 discovery queries a second from 50 addresses", 2'000, make_queries},
      {"websockets", "large JSON requests, pings, pongs and empty fragments over 90 WebSockets",
       300, make_websockets},
      {"violations", "WebSocket frames and HTTP heads against the rules", 50, make_violations},
      {"mixed", "these at random, but for control", 50, make_mixed},
      {"control", "no attack: burns processor time, to tell the server from the machine", 10,
       make_control, 3, false},
  };
  return kinds;
}

const AttackKind* find_attack(const std::string& name) {
  const auto found = std::ranges::find(attack_kinds(), name, &AttackKind::name);
  return found == attack_kinds().end() ? nullptr : &*found;
}

}  // namespace tictactoe::siege
