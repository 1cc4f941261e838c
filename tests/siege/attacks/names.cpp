// Asks the database of a lobby's servers as often as possible, with 200 connections from one
// network: for players by tokens that nobody has, and for rooms by names that nobody has.
#include <algorithm>

#include "tests/siege/attack.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::siege {
namespace {

constexpr std::size_t token_bytes = 16;

class Names : public Attack {
 public:
  explicit Names(const Field& field) : Attack(field, 200) {}

  void go_on(Clock::time_point now) override {
    for (int due = pace_.due(now); due > 0 && open_ < max_open; --due) {
      open(0);
      ++open_;
    }
  }

  void connected(Peer& peer) override {
    v1::ClientMessage hello = test::hello_request(unused_name());
    std::string token(token_bytes, '\0');
    std::ranges::generate(token, [this] { return static_cast<char>(below(256)); });
    hello.mutable_hello()->set_token(token);
    peer.ask(hello);
    attempt();
  }

  void ended(Peer& /*peer*/) override {
    refuse();
    --open_;
  }

  std::string result() const override {
    return std::to_string(welcomes_) + " hellos were answered by a welcome, " +
           std::to_string(rooms_) + " rooms were made";
  }

 private:
  static constexpr int max_open = 200;
  static constexpr int max_asked = 8;  // rooms, over one connection

  void told(Peer& peer, const v1::ServerMessage& message) override {
    if (message.has_snapshot()) ++rooms_;
    if (message.has_welcome()) {
      ++welcomes_;
      for (int i = 0; i < max_asked; ++i) ask_for_rooms(peer);
    } else if (message.error().closing()) {
      --open_;
      peer.close();
    } else if (message.request_id() % 3 == 1) {  // the last of three: see ask_for_rooms()
      ask_for_rooms(peer);
    }
  }

  // The hello is the first request.
  void ask_for_rooms(Peer& peer) {
    peer.ask(test::join_request(unused_name()));
    peer.ask(test::create_request(unused_name()));
    peer.ask(test::leave_request());
    attempt(2);
  }

  Pace pace_{2'000};
  int open_ = 0;
  std::uint64_t welcomes_ = 0;
  std::uint64_t rooms_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_names(const Field& field) {
  return std::make_unique<Names>(field);
}

}  // namespace tictactoe::siege
