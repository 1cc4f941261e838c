// Fills every table of a server with default limits: players, connections, rooms, the largest
// boards and AIs that there may be, chat, watchers, and what waits for peers that do not read. It
// comes from so many networks that no limit for one of them matters.
#include <algorithm>
#include <set>

#include "tests/siege/attack.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::siege {
namespace {

// Each address is a network of its own.
constexpr std::uint32_t first_address = 0x7f14'0001;  // 127.20.0.1
constexpr std::uint32_t between_addresses = 256;
constexpr std::size_t players_per_address = 100;

// The defaults of core::Limits.
constexpr std::size_t all_connections = 10'000;
constexpr std::size_t all_players = 100'000;
constexpr std::size_t all_rooms = 5'000;
constexpr std::size_t large_rooms = 16;
constexpr std::size_t watched_rooms = 5;

class FullHouse : public Attack {
 public:
  explicit FullHouse(const Field& field) : Attack(field) {
    for (int i = 0; i < 300; ++i) longest_line_ += "\U0001F600";
    open_from(observer_address, observer);
  }

  void go_on(Clock::time_point now) override {
    if (passers_by_ < all_players - all_connections) return make_players(now);
    if (guests_ < all_connections) return let_in(now);
    for (int due = requests_.due(now); due > 0; --due) {
      Peer* const peer = sides_[next_++ % guests_];
      if (peer != nullptr && peer->unsent() == 0) ask_for_much(*peer);
    }
  }

  void connected(Peer& peer) override {
    greet(peer);
    if (peer.tag() == observer) {
      v1::ClientMessage lobby;
      lobby.mutable_watch_lobby();
      peer.ask(lobby);
    } else if (peer.tag() != passer_by) {
      settle(peer);
    }
  }

  void ended(Peer& peer) override {
    refuse();
    if (peer.tag() == passer_by) --passing_;
    if (peer.tag() < all_connections) sides_[peer.tag()] = nullptr;
  }

  std::string result() const override {
    return std::to_string(made_) + " players came and went, " + std::to_string(connected_) +
           " are connected, " + std::to_string(rooms_.size()) + " rooms are open";
  }
  std::string gained() const override {
    const bool is_full = made_ + connected_ > all_players * 9 / 10 &&
                         connected_ > all_connections * 9 / 10 &&
                         rooms_.size() > all_rooms * 9 / 10;
    return is_full ? std::string() : "The house is not full.";
  }

 private:
  static constexpr std::size_t passer_by = all_connections;
  static constexpr std::size_t observer = all_connections + 1;
  static constexpr std::uint32_t observer_address = attackers_from;

  static std::uint32_t address(std::size_t number) {
    return first_address + between_addresses * static_cast<std::uint32_t>(number);
  }

  // Addresses after those of the guests.
  void make_players(Clock::time_point /*now*/) {
    constexpr std::size_t most_at_once = 300;
    while (passing_ < most_at_once && passers_by_ < all_players - all_connections) {
      const std::size_t house = all_connections / players_per_address;
      open_from(address(house + passers_by_ / players_per_address), passer_by);
      ++passers_by_;
      ++passing_;
      attempt();
    }
  }

  void let_in(Clock::time_point now) {
    for (int due = newcomers_.due(now); due > 0 && guests_ < all_connections; --due) {
      constexpr int small_buffer = 4096;
      sides_.push_back(&open_from(address(guests_ / players_per_address), guests_, small_buffer));
      ++guests_;
      attempt();
    }
  }

  // Takes what a player may have: a seat in a room of their own, or a place as a watcher.
  void settle(Peer& peer) {
    peer.stop_reading();
    if (peer.tag() % 2 == 0) {
      const std::size_t room = peer.tag() / 2;
      const auto rules = room < large_rooms ? rules::Rules{1000, 1000, 5} : rules::Rules{30, 30, 5};
      peer.ask(test::create_request("hall-" + std::to_string(room), rules));
      peer.ask(test::add_ai_request(v1::MARK_O, "unbeatable"));
      peer.ask(test::move_request(15, 15));
    } else {
      const std::size_t room = peer.tag() / 2 % watched_rooms;
      peer.ask(test::watch_request("hall-" + std::to_string(room)));
    }
  }

  void ask_for_much(Peer& peer) {
    v1::ClientMessage message;
    switch (below(8)) {
      case 0:
        message.mutable_get_game()->set_id(1);
        break;
      case 1:
      case 2:
      case 3:
        message = test::chat_request(longest_line_);
        break;
      default:
        message = test::list_request();
    }
    peer.ask(message);
    attempt();
  }

  void told(Peer& peer, const v1::ServerMessage& message) override {
    if (peer.tag() == passer_by) {
      if (message.has_welcome()) ++made_;
      peer.close();
      --passing_;
    } else if (message.has_lobby_update()) {
      for (const v1::RoomInfo& room : message.lobby_update().rooms()) rooms_.insert(room.name());
      connected_ = std::max<std::size_t>(connected_, message.lobby_update().players());
    }
  }

  std::string longest_line_;
  std::vector<Peer*> sides_;
  Pace newcomers_{2'000};
  Pace requests_{20'000};
  std::size_t passers_by_ = 0;  // who have come
  std::size_t passing_ = 0;     // of them, who are here
  std::size_t made_ = 0;        // of them, who were welcome
  std::size_t guests_ = 0;
  std::size_t next_ = 0;
  std::set<std::string> rooms_;  // that were there
  std::size_t connected_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_full_house(const Field& field) {
  return std::make_unique<FullHouse>(field);
}

}  // namespace tictactoe::siege
