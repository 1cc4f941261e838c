// Fills every table of a server with default limits: players, connections, rooms, the largest
// boards and AIs that there may be, chat, watchers, and what waits for peers that do not read. It
// comes from so many networks that no limit for one of them matters. Inspectors, each from a
// network that has nothing yet, then ask for one more of each: the house is full if that is
// refused.
#include <algorithm>
#include <map>

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
constexpr std::size_t places = 1'000;
constexpr std::size_t kept_chat = 20;
constexpr const char* listened_room = "hall-0";

constexpr std::uint32_t inspectors_from = 0x7f30'0001;  // 127.48.0.1
// Each may end in a room that was not full.
constexpr std::uint32_t inspectors = 100;

class FullHouse : public Attack {
 public:
  explicit FullHouse(const Field& field) : Attack(field) {
    for (int i = 0; i < 300; ++i) longest_line_ += "\U0001F600";
    open_from(observer_address, observer);
  }

  void go_on(Clock::time_point now) override {
    if (passers_by_ < all_players - all_connections) return make_players(now);
    if (guests_ == 0) admit_inspectors();
    if (inspections_.due(now) > 0) inspect();
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
    } else if (peer.tag() < all_connections) {
      settle(peer);
    }
  }

  void ended(Peer& peer) override {
    refuse();
    if (peer.tag() == passer_by) --passing_;
    if (peer.tag() < all_connections) sides_[peer.tag()] = nullptr;
    if (peer.tag() == inspector) std::erase(inspectors_, &peer);
  }

  std::string result() const override {
    const auto of = [](std::size_t count, std::size_t all, const char* what) {
      return std::to_string(count) + " of " + std::to_string(all) + " " + what;
    };
    return of(made_ + connected_, all_players, "players came, ") +
           of(connected_, all_connections, "are connected, ") +
           of(rooms_.size(), all_rooms, "rooms are open, ") +
           of(with_ai(), all_rooms, "with an AI, ") + of(large(), large_rooms, "large boards, ") +
           of(most_watchers_, places, "places of watchers in one room, ") +
           of(lines_, kept_chat, "lines of chat in one room; one more was refused of: ") +
           (no_connection_ ? "connections, " : "") + (no_room_ ? "rooms, " : "") +
           (no_board_ ? "large boards, " : "") + (no_place_ ? "watchers" : "");
  }
  std::string gained() const override {
    if (made_ + connected_ <= all_players * 9 / 10) return "The house is not full of players.";
    if (!no_connection_) return "The server has a place for one more connection.";
    if (!no_room_) return "The server has a place for one more room.";
    if (!no_board_) return "The server has a place for one more large board.";
    if (!no_place_) return "A room has a place for one more watcher.";
    if (with_ai() <= all_rooms * 9 / 10) return "The rooms are not full of AIs.";
    if (lines_ < kept_chat) return "The rooms are not full of chat.";
    return {};
  }

 private:
  static constexpr std::size_t passer_by = all_connections;
  static constexpr std::size_t observer = all_connections + 1;
  static constexpr std::size_t inspector = all_connections + 2;
  static constexpr std::size_t one_too_many = all_connections + 3;
  static constexpr std::uint32_t observer_address = attackers_from;

  struct Hall {
    bool has_ai = false;
    bool is_large = false;
  };

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

  // Before the guests, who leave no place. Those who say nothing for long are closed.
  void admit_inspectors() {
    while (inspectors_.size() < inspectors) {
      const auto number = static_cast<std::uint32_t>(inspectors_.size());
      inspectors_.push_back(&open_from(inspectors_from + between_addresses * number, inspector));
    }
  }

  // Takes what a player may have: a seat in a room of their own, or a place as a watcher.
  void settle(Peer& peer) {
    peer.stop_reading();
    if (peer.tag() % 2 == 0) {
      const std::size_t room = peer.tag() / 2;
      // One at each of the first addresses: one address has memory for two.
      const bool is_large =
          peer.tag() % players_per_address == 0 && peer.tag() / players_per_address < large_rooms;
      const auto rules = is_large ? rules::Rules{1000, 1000, 5} : rules::Rules{30, 30, 5};
      peer.ask(test::create_request("hall-" + std::to_string(room), rules));
      peer.ask(test::add_ai_request(v1::MARK_O, "unbeatable"));
      peer.ask(test::move_request(15, 15));
    } else {
      const std::size_t room = peer.tag() / 2 % watched_rooms;
      peer.ask(test::watch_request("hall-" + std::to_string(room)));
    }
  }

  std::size_t with_ai() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(rooms_, [](const auto& room) { return room.second.has_ai; }));
  }
  std::size_t large() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(rooms_, [](const auto& room) { return room.second.is_large; }));
  }

  // The next inspector asks for one more of what is full, until that was refused. What is not
  // refused fills the house. Large boards come first: without a place for a room they are not
  // looked at. A connection is asked for by connecting.
  void inspect() {
    if (inspectors_.empty()) return;
    Peer& peer = *inspectors_[next_inspector_++ % inspectors_.size()];
    if (!no_board_) {
      if (large() < large_rooms) return;
      return (void)peer.ask(test::create_request(unused_name(), rules::Rules{1000, 1000, 5}));
    }
    if (guests_ == all_connections && !no_connection_) {
      open_from(inspectors_from + between_addresses * (inspectors + ++further_), one_too_many);
      return attempt();
    }
    if (!no_connection_ || rooms_.size() < all_rooms * 9 / 10) return;
    if (!no_room_) {
      peer.ask(test::create_request(unused_name()));
    } else if (!no_place_) {
      peer.ask(test::watch_request(listened_room));
    }
  }

  // One of them comes before the room is full.
  void listen() {
    listens_ = inspectors_.back();
    inspectors_.pop_back();
    listens_->ask(test::watch_request(listened_room));
  }

  void judge(const v1::ServerMessage& message) {
    const bool refused = message.error().code() == v1::Error::CODE_TOO_MANY_ROOMS;
    if (refused && message.error().message().find("large") != std::string::npos) no_board_ = true;
    if (refused && message.error().message().find("large") == std::string::npos) no_room_ = true;
    if (message.error().code() == v1::Error::CODE_ROOM_FULL) no_place_ = true;
    if (message.update().has_chat_said()) ++lines_;
    lines_ =
        std::max<std::size_t>(lines_, static_cast<std::size_t>(message.snapshot().chat_size()));
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
    } else if (peer.tag() == one_too_many) {
      if (message.error().code() == v1::Error::CODE_SERVER_FULL) no_connection_ = true;
    } else if (peer.tag() == inspector) {
      judge(message);
    } else if (message.has_lobby_update()) {
      for (const v1::RoomInfo& room : message.lobby_update().rooms()) {
        rooms_[room.name()] = {room.o().kind() == v1::Occupant::KIND_AI,
                               room.rules().rows() == 1000};
        if (room.name() == listened_room && listens_ == nullptr && !inspectors_.empty()) listen();
        most_watchers_ = std::max<std::size_t>(most_watchers_, room.watchers());
      }
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
  std::vector<Peer*> inspectors_;
  Pace inspections_{20};
  std::size_t next_inspector_ = 0;
  Peer* listens_ = nullptr;            // to the chat in a room
  std::uint32_t further_ = 0;          // connections of inspectors who came last
  std::map<std::string, Hall> rooms_;  // that were there
  std::size_t most_watchers_ = 0;
  std::size_t lines_ = 0;
  // One more was refused.
  bool no_connection_ = false;
  bool no_room_ = false;
  bool no_board_ = false;
  bool no_place_ = false;
  std::size_t connected_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_full_house(const Field& field) {
  return std::make_unique<FullHouse>(field);
}

}  // namespace tictactoe::siege
