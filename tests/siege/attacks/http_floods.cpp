// HTTP requests for the files of the page over as many connections as 95 addresses of one network
// can have, each with several requests at once.
#include <array>

#include "tests/siege/attack.hpp"

namespace tictactoe::siege {
namespace {

class HttpFloods : public Attack {
 public:
  explicit HttpFloods(const Field& field) : Attack(field, 95) {
    for (int i = 0; i < at_once; ++i) requests_ += "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
  }

  void go_on(Clock::time_point now) override {
    for (int due = newcomers_.due(now); due > 0; --due) {
      const std::size_t tag = next_newcomer_++ % sides_.size();
      if (sides_[tag].peer == nullptr) {
        sides_[tag].peer = &open(tag);
        sides_[tag].peer->discard();
      }
    }
    for (int due = floods_.due(now); due > 0; --due) {
      const Side& side = sides_[next_++ % sides_.size()];
      if (!side.is_ready || side.peer->unsent() > 0) continue;
      side.peer->send_bytes(requests_);
      attempt(at_once);
    }
  }

  void connected(Peer& peer) override { sides_[peer.tag()].is_ready = true; }
  void discarded(Peer& /*peer*/, std::string_view /*bytes*/) override { ++answers_; }
  void ended(Peer& peer) override {
    refuse();
    sides_[peer.tag()] = {};
  }

  std::string result() const override {
    return "about " + std::to_string(answers_) + " parts of answers came";
  }

 private:
  static constexpr int at_once = 8;
  struct Side {
    Peer* peer = nullptr;
    bool is_ready = false;
  };

  std::string requests_;
  std::array<Side, 380> sides_;
  Pace newcomers_{2'000};
  Pace floods_{4'000};
  std::size_t next_newcomer_ = 0;
  std::size_t next_ = 0;
  std::uint64_t answers_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_http_floods(const Field& field) {
  return std::make_unique<HttpFloods>(field);
}

}  // namespace tictactoe::siege
