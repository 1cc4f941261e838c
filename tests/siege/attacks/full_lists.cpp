// Lists while the tables are long. Players of many networks open 3,000 rooms in which no seat is
// free, and fill one with watchers. Then 80 connections of one network ask for rooms, open rooms,
// players, the members of the room with the watchers, and its snapshot, as often as they can.
#include <vector>

#include "tests/siege/attack.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::siege {
namespace {

// Each address is a network of its own.
constexpr std::uint32_t settlers_from = 0x7f14'0001;  // 127.20.0.1
constexpr std::uint32_t between_networks = 256;
constexpr std::size_t settlers_of_network = 90;
constexpr std::size_t settlers = 3'200;
// Of 16 settlers one watches the first room: 200 of them.
constexpr std::size_t between_watchers = 16;
constexpr std::chrono::seconds longest_settling{20};

class FullLists : public Attack {
 public:
  explicit FullLists(const Field& field)
      : Attack(field, 4), room_(unused_name()), sides_(settlers + askers) {}

  void go_on(Clock::time_point now) override {
    if (begun_at_ == Clock::time_point{}) begun_at_ = now;
    settle();
    if (settled_ < settlers && now - begun_at_ < longest_settling) return;
    for (int due = newcomers_.due(now); due > 0; --due) {
      const std::size_t tag = settlers + next_newcomer_++ % askers;
      Side& side = sides_[tag];
      if (side.peer == nullptr && now >= side.again_at) side.peer = &open(tag);
    }
    for (int due = requests_.due(now); due > 0; --due) {
      const std::size_t tag = settlers + next_++ % askers;
      const Side& side = sides_[tag];
      if (!side.is_ready || side.peer->unsent() > 0) continue;
      side.peer->ask(request());
      attempt();
    }
  }

  void connected(Peer& peer) override {
    greet(peer);
    if (peer.tag() == 0) {
      peer.ask(test::create_request(room_, rules::Rules{30, 30, 5}));
      peer.ask(test::add_ai_request(v1::MARK_O));
    } else if (peer.tag() >= settlers || peer.tag() % between_watchers == 0) {
      peer.ask(test::watch_request(room_));
    } else {
      peer.ask(test::create_request(unused_name()));
      peer.ask(test::add_ai_request(v1::MARK_O));
    }
  }

  void ended(Peer& peer) override {
    refuse();
    leave(peer);
  }

  std::string result() const override {
    return std::to_string(settled_) + " settlers came, " + std::to_string(most_rooms_) +
           " rooms at most were in one list, " + std::to_string(answers_) +
           " requests were granted";
  }

 private:
  static constexpr std::size_t askers = 80;
  struct Side {
    Peer* peer = nullptr;
    bool is_ready = false;
    Clock::time_point again_at{};
  };

  // A few at a time: so many may be without an answer to their hello.
  void settle() {
    constexpr std::size_t most_at_once = 200;
    while (coming_ < most_at_once && next_settler_ < settlers) {
      // Watchers need the room.
      if (next_settler_ > 0 && settled_ == 0) return;
      const auto network = static_cast<std::uint32_t>(next_settler_ / settlers_of_network);
      const std::uint32_t from = settlers_from + between_networks * network;
      sides_[next_settler_].peer = &open_from(from, next_settler_);
      ++next_settler_;
      ++coming_;
    }
  }

  v1::ClientMessage request() {
    switch (below(6)) {
      case 0:
        return test::list_request("mob");
      case 1:
        return test::players_request();
      case 2:
        return test::members_request();
      case 3:
        return test::snapshot_request();
      default:
        // Nobody finds an open room here.
        return test::list_request({}, true);
    }
  }

  void told(Peer& peer, const v1::ServerMessage& message) override {
    Side& side = sides_[peer.tag()];
    if (peer.tag() < settlers) {
      if (message.has_snapshot() && !std::exchange(side.is_ready, true)) arrived();
      // What happens in the room is not for them.
      if (side.is_ready) peer.discard();
      return;
    }
    if (message.error().closing() || (!side.is_ready && message.has_error())) return leave(peer);
    if (message.has_snapshot()) side.is_ready = true;
    if (side.is_ready && message.request_id() > 2 && !message.has_error()) ++answers_;
    most_rooms_ = std::max<std::size_t>(most_rooms_,
                                        static_cast<std::size_t>(message.room_list().rooms_size()));
  }

  void arrived() {
    ++settled_;
    --coming_;
  }

  // There are only so many new players in time. Settlers who were refused do not come again.
  void leave(Peer& peer) {
    peer.close();
    Side& side = sides_[peer.tag()];
    if (peer.tag() < settlers && !side.is_ready) arrived();
    side = {.again_at = Clock::now() + std::chrono::seconds(1)};
  }

  const std::string room_;
  std::vector<Side> sides_;
  Clock::time_point begun_at_{};
  std::size_t next_settler_ = 0;
  std::size_t coming_ = 0;
  std::size_t settled_ = 0;
  Pace newcomers_{200};
  Pace requests_{20'000};
  std::size_t next_newcomer_ = 0;
  std::size_t next_ = 0;
  std::uint64_t answers_ = 0;
  std::size_t most_rooms_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_full_lists(const Field& field) {
  return std::make_unique<FullLists>(field);
}

}  // namespace tictactoe::siege
