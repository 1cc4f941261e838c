// What attacks have in common. Each is a class in its own file in attacks/.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/bench/load/crowd.hpp"

namespace tictactoe::siege {

using load::Clock;
using load::Crowd;
using load::parse;
using load::Peer;
using load::PeerOwner;
using load::server_at;

/// IPv4 addresses of this machine, in its byte order. Attackers and honest players have no address
/// and no /24 network in common.
inline constexpr std::uint32_t attackers_from = 0x7f00'0101;  // 127.0.1.1
inline constexpr std::uint32_t others_from = 0x7f00'0301;     // 127.0.3.1, for two networks
inline constexpr std::uint32_t honest_from = 0x7f00'0201;     // 127.0.2.1

/// The room with a password that honest players have, and the password's length in digits.
inline constexpr const char* vault_name = "vault";
inline constexpr int vault_digits = 4;
/// The room at which honest visitors look.
inline constexpr const char* porch_name = "porch";
/// The room of an attack that an honest player watches, if there is one.
inline constexpr const char* watched_room = "big-0";

/// Where an attack is made and with what.
struct Field {
  Crowd& crowd;
  std::uint32_t addresses;  ///< the attack's own choice if 0
  std::uint64_t seed;
};

/// So many things a second, evenly.
class Pace {
 public:
  explicit Pace(double per_second) : per_second_(per_second) {}
  /// How many are due since the last call. After a pause not more than a tenth of a second's.
  int due(Clock::time_point now);

 private:
  double per_second_;
  Clock::time_point last_{};
  double owed_ = 0;
};

/// One kind of attack. Everything happens in one thread, in the calls of go_on() and of the crowd.
/// The server may refuse and cut as it likes: the attack goes on.
class Attack : public PeerOwner {
 public:
  explicit Attack(const Field& field, std::uint32_t addresses = 1)
      : crowd_(field.crowd),
        addresses_(field.addresses == 0 ? addresses : field.addresses),
        random_(field.seed) {}
  ~Attack() override { crowd_.close_all(*this); }
  Attack(const Attack&) = delete;
  Attack& operator=(const Attack&) = delete;

  /// Called every millisecond or so.
  virtual void go_on(Clock::time_point now) = 0;
  /// The number of harmful things that were tried, whatever became of them.
  std::uint64_t attempts() const { return attempts_; }
  /// Of them, refused or cut off by the server.
  std::uint64_t refused() const { return refused_; }
  /// What was achieved, for people.
  virtual std::string result() const { return {}; }
  /// A sentence if the attack has got what nobody may get; otherwise empty.
  virtual std::string gained() const { return {}; }

  void connected(Peer& peer) override { greet(peer); }
  void received(Peer& peer, std::string_view body, Clock::time_point now) override;
  void ended(Peer& /*peer*/) override {}

 protected:
  /// The bodies that received() has parsed.
  virtual void told(Peer& /*peer*/, const v1::ServerMessage& /*message*/) {}
  Peer& open(std::size_t tag, int receive_buffer = 0);
  /// From that address.
  Peer& open_from(std::uint32_t from, std::size_t tag, int receive_buffer = 0) {
    return crowd_.open(from, *this, tag, receive_buffer);
  }
  /// Says hello as a new player with a name that no other attacker has.
  void greet(Peer& peer);
  std::string unused_name() {
    return "mob-" + std::to_string(mob_) + "-" + std::to_string(++names_);
  }

  void attempt(std::uint64_t count = 1) { attempts_ += count; }
  void refuse() { ++refused_; }
  /// How many the attackers have.
  std::uint32_t addresses() const { return addresses_; }
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  const Crowd& crowd() const { return crowd_; }

 private:
  Crowd& crowd_;
  std::uint32_t addresses_;
  std::mt19937_64 random_;
  std::uint64_t mob_ = ++mobs;
  std::uint64_t names_ = 0;
  std::uint64_t opened_ = 0;
  std::uint64_t attempts_ = 0;
  std::uint64_t refused_ = 0;
  v1::ServerMessage message_;  // reused

  static std::uint64_t mobs;  // attacks that were made
};

/// An attack by its name.
struct AttackKind {
  const char* name;
  const char* text;            ///< for people
  std::uint64_t min_attempts;  ///< a second; fewer are no attack
  std::unique_ptr<Attack> (*make)(const Field& field);
};
const std::vector<AttackKind>& attack_kinds();
/// Null if there is none.
const AttackKind* find_attack(const std::string& name);

// One for each file in attacks/.
std::unique_ptr<Attack> make_connects(const Field& field);
std::unique_ptr<Attack> make_fan_out(const Field& field);
std::unique_ptr<Attack> make_handshakes(const Field& field);
std::unique_ptr<Attack> make_http_floods(const Field& field);
std::unique_ptr<Attack> make_names(const Field& field);
std::unique_ptr<Attack> make_non_readers(const Field& field);
std::unique_ptr<Attack> make_password_guesses(const Field& field);
std::unique_ptr<Attack> make_websockets(const Field& field);
/// The others at random.
std::unique_ptr<Attack> make_mixed(const Field& field);

}  // namespace tictactoe::siege
