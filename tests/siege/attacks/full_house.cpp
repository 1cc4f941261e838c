// Fills every table of a server with default limits: players, connections, rooms, the largest
// boards and AIs that there may be, chat, watchers, and what waits for peers that do not read. It
// comes from so many networks that no limit for one of them matters. Guests who are cut off come
// back from other networks. Inspectors, each from a network that has nothing else, ask for one more
// of each: the house is full if all of that is refused at one time. A few of them have the rooms
// that the others watch.
#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>

#include "tests/siege/attack.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::siege {
namespace {

// Each address is a network of its own.
constexpr std::uint32_t between_addresses = 256;
constexpr std::uint32_t guests_from = 0x7f14'0001;      // 127.20.0.1, then those who leave again
constexpr std::uint32_t inspectors_from = 0x7f30'0001;  // 127.48.0.1, and those at the door
constexpr std::uint32_t returners_from = 0x7f50'0001;   // 127.80.0.1
constexpr std::size_t players_per_address = 100;
constexpr std::size_t returners_per_address = 10;

// The defaults of core::Limits.
constexpr std::size_t all_connections = 10'000;
constexpr std::size_t all_players = 100'000;
constexpr std::size_t all_rooms = 5'000;
constexpr std::size_t places = 1'000;
constexpr std::size_t kept_chat = 20;

// Of 20 guests, 11 open a room: more than there may be, as are large boards and watchers.
constexpr std::size_t guests_in_turn = 20;
constexpr std::size_t hosts_in_turn = 11;
constexpr std::size_t large_rooms = 20;
constexpr std::size_t watched_rooms = 4;
constexpr const char* watched_prefix = "stage-";

constexpr std::size_t inspectors = 100;

enum Question : std::uint8_t { one_connection, one_room, one_large_board, one_place };
constexpr std::array questions{"connections", "rooms", "large boards", "watchers"};

class FullHouse : public Attack {
 public:
  explicit FullHouse(const Field& field) : Attack(field) {
    for (int i = 0; i < 300; ++i) longest_line_ += "\U0001F600";
  }

  void go_on(Clock::time_point now) override {
    if (passers_by_ < all_players - all_connections) return make_players();
    if (inspectors_.empty()) admit_inspectors();
    if (inspections_.due(now) > 0) inspect();
    let_in(now);
    was_full_ = was_full_ || std::ranges::all_of(refused_, std::identity());
    // Those who read nothing are cut off when they leave too much unread, and that makes places.
    if (!was_full_) return;
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
    } else if (peer.tag() >= first_inspector && peer.tag() < first_inspector + watched_rooms) {
      open_room(peer, watched_prefix + std::to_string(peer.tag() - first_inspector), 30);
    }
  }

  void ended(Peer& peer) override {
    refuse();
    if (peer.tag() == passer_by) --passing_;
    if (peer.tag() == observer) observer_ = nullptr;
    if (peer.tag() < all_connections) {
      sides_[peer.tag()] = nullptr;
      away_.push_back(peer.tag());
    } else if (peer.tag() >= first_inspector) {
      inspectors_[peer.tag() - first_inspector] = nullptr;
    }
  }

  std::string result() const override {
    const auto of = [](std::size_t count, std::size_t all, const char* what) {
      return std::to_string(std::min(count, all)) + " of " + std::to_string(all) + " " + what;
    };
    return std::string(was_full_ ? "one more of everything was refused" : "there is space") +
           "; the lobby has told of up to " +
           of(made_ + most_connected_, all_players, "players, ") +
           of(most_connected_, all_connections, "of them connected, ") +
           of(most_rooms_, all_rooms, "rooms, ") +
           of(with_ai(), all_rooms, "of them with an AI, ") + std::to_string(large()) +
           " large boards, " + of(most_watchers_, places, "watchers in a room, ") +
           of(lines_, kept_chat, "lines of chat there");
  }
  std::string gained() const override {
    if (made_ + most_connected_ <= all_players * 9 / 10) return "The house is not full of players.";
    if (!was_full_) {
      return "At no time one more of everything was refused: not full of" + granted() + ".";
    }
    if (lines_ < kept_chat) return "The rooms are not full of chat.";
    if (with_ai() <= all_rooms * 9 / 10) return "The rooms are not full of AIs.";
    return {};
  }

 private:
  static constexpr std::size_t passer_by = all_connections;
  static constexpr std::size_t observer = all_connections + 1;
  static constexpr std::size_t at_the_door = all_connections + 2;
  static constexpr std::size_t first_inspector = all_connections + 3;

  struct Hall {
    bool has_ai = false;
    bool is_large = false;
  };

  // What the latest inspectors got.
  std::string granted() const {
    std::string names;
    for (std::size_t i = 0; i < questions.size(); ++i) {
      if (!refused_[i]) names += (names.empty() ? " " : ", ") + std::string(questions[i]);
    }
    return names;
  }

  static std::uint32_t network(std::uint32_t from, std::size_t number) {
    return from + between_addresses * static_cast<std::uint32_t>(number);
  }

  // Addresses after those of the guests.
  void make_players() {
    constexpr std::size_t most_at_once = 300;
    while (passing_ < most_at_once && passers_by_ < all_players - all_connections) {
      const std::size_t number = (all_connections + passers_by_++) / players_per_address;
      open_from(network(guests_from, number), passer_by);
      ++passing_;
      attempt();
    }
  }

  // All guests, and then again those who were cut off.
  void let_in(Clock::time_point now) {
    constexpr int small_buffer = 4096;
    const bool is_first_time = guests_ < all_connections;
    Pace& pace = is_first_time ? newcomers_ : returners_;
    for (int due = pace.due(now); due > 0; --due) {
      if (guests_ < all_connections) {
        sides_.push_back(
            &open_from(network(guests_from, guests_ / players_per_address), guests_, small_buffer));
        ++guests_;
      } else if (!away_.empty()) {
        const std::size_t tag = away_.front();
        away_.pop_front();
        sides_[tag] = &open_from(network(returners_from, returned_++ / returners_per_address), tag,
                                 small_buffer);
      } else {
        return;
      }
      attempt();
    }
  }

  // Before the guests, who leave no place.
  void admit_inspectors() {
    observer_ = &open_from(attackers_from, observer);
    for (std::size_t i = 0; i < inspectors; ++i) {
      inspectors_.push_back(&open_from(network(inspectors_from, i), first_inspector + i));
    }
  }

  // Takes what a player may have: a seat in a room of their own, or a place as a watcher. A guest
  // who has a place already is refused another.
  void settle(Peer& peer) {
    peer.stop_reading();
    if (peer.tag() % guests_in_turn < hosts_in_turn) {
      const bool is_large =
          peer.tag() % players_per_address == 0 && peer.tag() / players_per_address < large_rooms;
      open_room(peer, unused_name(), is_large ? 1000 : 30);
    } else {
      const std::size_t room = peer.tag() / guests_in_turn % watched_rooms;
      peer.ask(test::watch_request(watched_prefix + std::to_string(room)));
    }
  }

  static void open_room(Peer& peer, const std::string& name, int side) {
    peer.ask(test::create_request(name, rules::Rules{side, side, 5}));
    peer.ask(test::add_ai_request(v1::MARK_O, "strong"));
    peer.ask(test::move_request(15, 15));
  }

  std::size_t with_ai() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(rooms_, [](const auto& room) { return room.second.has_ai; }));
  }
  std::size_t large() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(rooms_, [](const auto& room) { return room.second.is_large; }));
  }
  static Question question_of(std::size_t number) {
    return static_cast<Question>(number % questions.size());
  }

  // One asks for one more of something, each of something else. What is granted is given back.
  // The observer and those who have a room only say that they are there.
  void inspect() {
    const std::size_t number = next_inspector_++ % inspectors;
    v1::ClientMessage ping;
    ping.mutable_ping();
    if (number == 0 && observer_ != nullptr) observer_->ask(ping);
    Peer* const peer = inspectors_[number];
    if (peer == nullptr) return;
    if (number < watched_rooms) return static_cast<void>(peer->ask(ping));
    switch (question_of(number)) {
      case one_connection:
        peer->ask(ping);
        open_from(network(inspectors_from, inspectors + at_the_door_++), at_the_door);
        break;
      case one_room:
        peer->ask(test::create_request(unused_name()));
        break;
      case one_large_board:
        peer->ask(test::create_request(unused_name(), rules::Rules{1000, 1000, 5}));
        break;
      case one_place:
        peer->ask(test::watch_request(watched_prefix + std::to_string(0)));
        break;
    }
  }

  void judge(Peer& peer, const v1::ServerMessage& message) {
    if (message.has_snapshot()) {
      refused_[question_of(peer.tag() - first_inspector)] = false;
      peer.ask(test::leave_request());
    }
    using Error = v1::Error;
    const bool is_large = message.error().message().starts_with("This server has as many large");
    const bool no_room = message.error().code() == Error::CODE_TOO_MANY_ROOMS;
    if (no_room && is_large) refused_[one_large_board] = true;
    if (no_room && !is_large) refused_[one_room] = true;
    if (message.error().code() == Error::CODE_ROOM_FULL) refused_[one_place] = true;
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
      case 4:
        return settle(peer);
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
    } else if (peer.tag() == at_the_door) {
      refused_[one_connection] = message.error().code() == v1::Error::CODE_SERVER_FULL;
      peer.close();
    } else if (peer.tag() == first_inspector) {
      if (message.update().has_chat_said()) ++lines_;
    } else if (peer.tag() >= first_inspector + watched_rooms) {
      judge(peer, message);
    } else if (message.has_lobby_update()) {
      look_around(message.lobby_update());
    }
  }

  void look_around(const v1::LobbyUpdate& lobby) {
    if (lobby.reset()) rooms_.clear();
    for (const std::string& closed : lobby.closed()) rooms_.erase(closed);
    for (const v1::RoomInfo& room : lobby.rooms()) {
      rooms_[room.name()] = {room.o().kind() == v1::Occupant::KIND_AI, room.rules().rows() == 1000};
      most_watchers_ = std::max<std::size_t>(most_watchers_, room.watchers());
    }
    most_rooms_ = std::max(most_rooms_, rooms_.size());
    most_connected_ = std::max<std::size_t>(most_connected_, lobby.players());
  }

  std::string longest_line_;
  std::vector<Peer*> sides_;
  std::deque<std::size_t> away_;  // guests who were cut off
  std::size_t returned_ = 0;
  Pace newcomers_{2'000};
  // No more, so that those at the door hear why they are refused: see
  // Limits::lingering_connections.
  Pace returners_{1'000};
  Pace requests_{10'000};
  std::size_t passers_by_ = 0;  // who have come
  std::size_t passing_ = 0;     // of them, who are here
  std::size_t made_ = 0;        // of them, who were welcome
  std::size_t guests_ = 0;
  std::size_t next_ = 0;
  Peer* observer_ = nullptr;
  std::vector<Peer*> inspectors_;
  Pace inspections_{40};
  std::size_t next_inspector_ = 0;
  std::size_t at_the_door_ = 0;
  std::array<bool, questions.size()> refused_{};  // the latest answer, by Question
  bool was_full_ = false;                         // of everything at one time
  // As the lobby tells it, some seconds late, and a listener.
  std::map<std::string, Hall> rooms_;
  std::size_t most_rooms_ = 0;
  std::size_t most_connected_ = 0;
  std::size_t most_watchers_ = 0;
  std::size_t lines_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_full_house(const Field& field) {
  return std::make_unique<FullHouse>(field);
}

}  // namespace tictactoe::siege
