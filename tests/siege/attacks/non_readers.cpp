// 150 connections that cause as much output as they can and never read it: the longest record if
// the server has one, and the longest lines of chat, which everybody in the room is sent. There are
// 16 rooms, and most of the connections are in the first one.
#include <algorithm>
#include <array>

#include "tests/siege/attack.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::siege {
namespace {

class NonReaders : public Attack {
 public:
  explicit NonReaders(const Field& field) : Attack(field) {
    for (int i = 0; i < 300; ++i) max_line_ += "\U0001F600";
  }

  void go_on(Clock::time_point now) override {
    for (int due = newcomers_.due(now); due > 0; --due) {
      const auto unused = std::ranges::find(sides_, nullptr);
      if (unused == sides_.end()) break;
      constexpr int small_buffer = 4096;
      *unused = &open(static_cast<std::size_t>(unused - sides_.begin()), small_buffer);
    }
    for (int due = lines_.due(now); due > 0; --due) {
      Peer* const peer = sides_[next_++ % sides_.size()];
      // While the server does not read, more would only be kept here.
      if (peer == nullptr || peer->unsent() > 0) continue;
      peer->ask(test::chat_request(max_line_));
      attempt();
    }
  }

  void connected(Peer& peer) override {
    peer.stop_reading();
    greet(peer);
    if (peer.tag() < rooms) {
      peer.ask(
          test::create_request("big-" + std::to_string(peer.tag()), rules::Rules{1000, 1000, 5}));
    }
    // Those who have created a room are refused, unless they come again and it is still there.
    peer.ask(test::watch_request(watched_room));
    for (int i = 0; i < 2; ++i) {
      v1::ClientMessage record;
      record.mutable_get_game()->set_id(1);
      peer.ask(record);
      attempt();
    }
  }

  void ended(Peer& peer) override {
    sides_[peer.tag()] = nullptr;
    refuse();
  }

  std::string result() const override {
    return std::to_string(attempts()) + " requests whose answers nobody reads";
  }

 private:
  static constexpr std::size_t rooms = 16;  // as many large boards as an address may have

  std::string max_line_;
  std::array<Peer*, 150> sides_{};
  Pace newcomers_{300};
  Pace lines_{5'000};
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_non_readers(const Field& field) {
  return std::make_unique<NonReaders>(field);
}

}  // namespace tictactoe::siege
