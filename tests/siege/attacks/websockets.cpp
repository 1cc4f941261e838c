// WebSockets of one address. Some send JSON requests of the largest size, others pings, pongs or
// fragments with nothing in them, and others ask for the longest record, which the server
// has to convert into JSON. The latest game of the server must be that record.
#include <array>

#include "tests/siege/attack.hpp"
#include "tests/support/websocket_bytes.hpp"

namespace tictactoe::siege {
namespace {

using test::encoded;
using test::Opcode;

class WebSockets : public Attack {
 public:
  explicit WebSockets(const Field& field) : Attack(field) {
    upgrade_ = test::upgrade_request("tictactoe.v1.json", {}, "127.0.0.1");
    // A list of short strings takes longest to read for its size.
    constexpr std::size_t max_text_bytes = 4'000;
    std::string request = R"({"requestId":"1","hello":{"protocolVersions":[1)";
    while (request.size() < max_text_bytes) request += ",1";
    request += R"(]}})";
    deeds_[0] = encoded({Opcode::text, request});
    deeds_[1] = repeated({Opcode::ping, {}});
    deeds_[2] = repeated({Opcode::pong, {}});
    // The message of which they are parts has begun with the first one, see connected().
    deeds_[fragments] = repeated({Opcode::more, {}, false});
    deeds_[4] = encoded({Opcode::text, R"({"requestId":"2","getGame":{"id":"1"}})"});
  }

  void go_on(Clock::time_point now) override {
    for (int due = newcomers_.due(now); due > 0; --due) {
      const std::size_t tag = next_newcomer_++ % sides_.size();
      Side& side = sides_[tag];
      if (side.peer != nullptr || now < side.again_at) continue;
      side.peer = &open(tag);
      side.peer->discard();
    }
    for (int due = floods_.due(now); due > 0; --due) {
      const std::size_t tag = next_++ % sides_.size();
      const Side& side = sides_[tag];
      if (!side.is_ready || side.peer->unsent() > 0) continue;
      side.peer->send_bytes(deeds_[tag % deeds_.size()]);
      attempt();
    }
  }

  void connected(Peer& peer) override { peer.send_bytes(upgrade_); }

  void discarded(Peer& peer, std::string_view /*bytes*/) override {
    Side& side = sides_[peer.tag()];
    if (std::exchange(side.is_ready, true)) return;
    ++opened_;
    const std::string hello =
        R"({"requestId":"1","hello":{"protocolVersions":[1],"name":")" + unused_name() + R"("}})";
    peer.send_bytes(encoded({Opcode::text, hello}));
    if (peer.tag() % deeds_.size() == fragments)
      peer.send_bytes(encoded({Opcode::text, {}, false}));
  }

  // There are only so many new players in time.
  void ended(Peer& peer) override {
    refuse();
    sides_[peer.tag()] = {.again_at = Clock::now() + std::chrono::seconds(1)};
  }

  std::string result() const override {
    return std::to_string(opened_) + " WebSockets were opened, and were sent " +
           std::to_string(crowd().received_bytes() >> 20) + " MiB";
  }

 private:
  static constexpr std::size_t fragments = 3;  // in deeds_

  struct Side {
    Peer* peer = nullptr;
    bool is_ready = false;
    Clock::time_point again_at{};
  };

  static std::string repeated(const test::WebSocketFrame& frame) {
    constexpr int at_once = 100;
    std::string frames;
    for (int i = 0; i < at_once; ++i) frames += encoded(frame);
    return frames;
  }

  std::string upgrade_;
  std::array<std::string, 5> deeds_;
  std::array<Side, 90> sides_;
  Pace newcomers_{1'000};
  Pace floods_{4'000};
  std::size_t next_newcomer_ = 0;
  std::size_t next_ = 0;
  std::uint64_t opened_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_websockets(const Field& field) {
  return std::make_unique<WebSockets>(field);
}

}  // namespace tictactoe::siege
