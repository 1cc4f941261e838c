// Asks for the longest record in JSON over WebSockets, again and again: the server has to convert
// megabytes into text. The latest game of the server must be that record.
#include <algorithm>
#include <array>
#include <cstdint>

#include "tests/siege/attack.hpp"
#include "tests/support/websocket_bytes.hpp"

namespace tictactoe::siege {
namespace {

using test::encoded;
using test::Opcode;

/// Counts the bytes of whole messages in a stream of WebSocket frames, and keeps none of them.
class MessageMeter {
 public:
  /// Calls `ended` with the size of each message that ends in `bytes`.
  template <class Ended>
  void read(std::string_view bytes, Ended ended) {
    while (!bytes.empty()) {
      if (left_ > 0) {
        const auto taken = std::min<std::uint64_t>(left_, bytes.size());
        bytes.remove_prefix(taken);
        left_ -= taken;
      } else {
        head_ += bytes.front();
        bytes.remove_prefix(1);
        if (!take_head()) continue;
      }
      if (left_ == 0 && is_last_) ended(std::exchange(size_, 0));
    }
  }

 private:
  bool take_head() {
    const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(head_[at]); };
    if (head_.size() < 2) return false;
    const std::size_t length_bytes = byte(1) < 126 ? 0 : byte(1) == 126 ? 2 : 8;
    if (head_.size() < 2 + length_bytes) return false;
    left_ = length_bytes == 0 ? byte(1) : 0;
    for (std::size_t i = 0; i < length_bytes; ++i) left_ = left_ << 8U | byte(2 + i);
    is_last_ = (byte(0) & 0x80U) != 0;
    size_ += left_;
    head_.clear();
    return true;
  }

  std::string head_;  // of the next frame, as far as it has come
  std::uint64_t left_ = 0;
  std::uint64_t size_ = 0;
  bool is_last_ = false;
};

class JsonRecords : public Attack {
 public:
  explicit JsonRecords(const Field& field)
      : Attack(field), upgrade_(test::upgrade_request("tictactoe.v1.json", {}, "127.0.0.1")) {}

  void go_on(Clock::time_point now) override {
    for (int due = newcomers_.due(now); due > 0; --due) {
      const std::size_t tag = next_++ % sides_.size();
      Side& side = sides_[tag];
      if (side.peer != nullptr || now < side.again_at) continue;
      side = {.peer = &open(tag)};
      side.peer->discard();
    }
  }

  void connected(Peer& peer) override { peer.send_bytes(upgrade_); }

  void discarded(Peer& peer, std::string_view bytes) override {
    Side& side = sides_[peer.tag()];
    if (!side.is_open) {
      side.head.append(bytes);
      const std::size_t end = side.head.find("\r\n\r\n");
      if (end == std::string::npos) return;
      if (!side.head.starts_with("HTTP/1.1 101")) return leave(peer);
      side.is_open = true;
      peer.send_bytes(
          encoded({Opcode::text, R"({"requestId":"1","hello":{"protocolVersions":[1],"name":")" +
                                     unused_name() + R"("}})"}));
      // As many questions as may wait for one connection.
      for (int i = 0; i < 2; ++i) {
        peer.send_bytes(encoded({Opcode::text, R"({"requestId":"2","getGame":{"id":"1"}})"}));
        attempt();
      }
      return;
    }
    bool has_record = false;
    side.meter.read(bytes, [&](std::uint64_t size) {
      constexpr std::uint64_t long_answer = std::uint64_t{1} << 20;
      if (size > long_answer) has_record = true;
    });
    if (!has_record) return;
    ++records_;
    // Those who come again have forgotten their debt, if the server forgets it too.
    leave(peer);
  }

  // There are only so many new players in time.
  void ended(Peer& peer) override {
    refuse();
    sides_[peer.tag()] = {.again_at = Clock::now() + std::chrono::seconds(1)};
  }

  std::string result() const override {
    return std::to_string(records_) + " records of a million moves were sent as JSON, " +
           std::to_string(crowd().received_bytes() >> 20) + " MiB";
  }

 private:
  struct Side {
    Peer* peer = nullptr;
    bool is_open = false;
    std::string head{};  // of the answer to the upgrade
    MessageMeter meter{};
    Clock::time_point again_at{};
  };

  void leave(Peer& peer) {
    peer.close();
    sides_[peer.tag()] = {};
  }

  const std::string upgrade_;
  std::array<Side, 100> sides_;
  Pace newcomers_{500};
  std::size_t next_ = 0;
  std::uint64_t records_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_json_records(const Field& field) {
  return std::make_unique<JsonRecords>(field);
}

}  // namespace tictactoe::siege
