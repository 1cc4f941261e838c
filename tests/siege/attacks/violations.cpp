// Breaks the rules of HTTP and WebSockets: heads of 10 MB, frames that are not masked, too long, or
// control frames that are none, fragments without an end, and floods of pings. Each has to be
// refused as proto/README.md says.
#include <array>
#include <cstdint>
#include <vector>

#include "tests/siege/attack.hpp"
#include "tests/support/websocket_bytes.hpp"

namespace tictactoe::siege {
namespace {

using test::encoded;
using test::Opcode;

constexpr std::chrono::seconds patience{5};
constexpr std::size_t head_bytes = 10'000'000;

// One way to break the rules.
struct Violation {
  const char* name;
  const char* refusal;  // an HTTP status, or the code of the frame that closes a WebSocket
  bool is_repeated;     // until the server refuses it
  bool needs_hello;
  std::string bytes;  // after the upgrade, if it is about WebSockets
};

const char* const http_status = "HTTP 431";

std::string fragments() {
  std::string bytes = encoded({Opcode::text, std::string(100, 'x'), false});
  for (int i = 0; i < 50; ++i) bytes += encoded({Opcode::more, std::string(100, 'x'), false});
  return bytes;
}

std::string pings() {
  std::string bytes;
  for (int i = 0; i < 100; ++i) bytes += encoded({Opcode::ping, {}});
  return bytes;
}

// The first bytes of a frame of a terabyte.
std::string endless_frame() {
  using namespace std::string_literals;
  return "\x81\xff\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00"s + std::string(2'000, 'x');
}

const std::vector<Violation>& violations() {
  static const std::vector<Violation> all{
      {"a request head of 10 MB", http_status, true, false, std::string(65'536, 'x')},
      {"a frame that is not masked", "close 1002", false, false,
       encoded({Opcode::text, "{}"}, false)},
      {"fragments over the limit", "close 1009", false, false, fragments()},
      {"a message over the limit", "close 1009", false, false,
       encoded({Opcode::text, std::string(5'000, ' ')})},
      {"a frame of a terabyte", "close 1009", false, false, endless_frame()},
      {"a ping that is too long", "close 1002", false, false,
       encoded({Opcode::ping, std::string(200, 'x')})},
      {"a ping in fragments", "close 1002", false, false, encoded({Opcode::ping, "x", false})},
      {"a flood of pings", "CODE_FLOODING, close 1000", true, true, pings()},
  };
  return all;
}

class Violations : public Attack {
 public:
  explicit Violations(const Field& field)
      : Attack(field, 4),
        upgrade_(test::upgrade_request("tictactoe.v1.json", {}, "127.0.0.1")),
        seen_(violations().size()) {}

  void go_on(Clock::time_point now) override {
    for (int due = newcomers_.due(now); due > 0; --due) {
      const std::size_t tag = next_++ % sides_.size();
      if (sides_[tag].peer != nullptr) continue;
      std::size_t kind = below(violations().size());
      // New players have a rate.
      if (violations()[kind].needs_hello && below(10) != 0) kind = 1;
      sides_[tag] = {.kind = kind, .peer = &open(tag), .since = now};
      sides_[tag].peer->discard();
      attempt();
    }
    for (Side& side : sides_) {
      if (side.peer == nullptr) continue;
      if (now - side.since > patience) {
        fail(side, "nothing");
        leave(side);
      } else if (side.is_violating && violations()[side.kind].is_repeated &&
                 side.peer->unsent() == 0) {
        violate(side);
      }
    }
  }

  void connected(Peer& peer) override {
    Side& side = sides_[peer.tag()];
    if (is_about_head(side)) {
      peer.send_bytes("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ");
      side.is_violating = true;
    } else {
      peer.send_bytes(upgrade_);
    }
  }

  void discarded(Peer& peer, std::string_view bytes) override {
    Side& side = sides_[peer.tag()];
    side.answer.append(bytes);
    if (side.status.empty()) take_status(side);
    if (side.status == "HTTP 101") take_frames(side);
    if (!side.refusal.empty()) judge(side);
  }

  void ended(Peer& peer) override {
    Side& side = sides_[peer.tag()];
    if (is_limit(side.status)) {
      refuse();
    } else if (side.is_violating) {
      fail(side, "the end of the connection");
    }
    side = {};
  }

  std::string result() const override {
    std::string text = "refused as documented:";
    for (std::size_t kind = 0; kind < seen_.size(); ++kind) {
      text += (kind == 0 ? " " : ", ") + std::to_string(seen_[kind].right) + " of " +
              std::to_string(seen_[kind].tried) + " times " + violations()[kind].name;
    }
    return text;
  }
  std::string gained() const override {
    if (!wrong_.empty()) return wrong_;
    for (std::size_t kind = 0; kind < seen_.size(); ++kind) {
      constexpr std::uint64_t enough = 10;
      if (seen_[kind].tried >= enough && seen_[kind].right == 0) {
        return std::string("The server has never refused ") + violations()[kind].name + ".";
      }
    }
    return {};
  }

 private:
  struct Side {
    std::size_t kind = 0;
    Peer* peer = nullptr;
    Clock::time_point since{};
    bool is_violating = false;
    std::size_t sent = 0;
    std::string answer{};  // that is not taken apart yet
    std::string status{};  // as in "HTTP 101", when its head is whole
    bool is_flooding = false;
    std::string refusal{};
  };
  struct Seen {
    std::uint64_t tried = 0;
    std::uint64_t right = 0;
  };

  static bool is_about_head(const Side& side) {
    return violations()[side.kind].refusal == std::string_view(http_status);
  }
  static bool is_limit(const std::string& status) {
    return status == "HTTP 429" || status == "HTTP 503";
  }

  void violate(Side& side) {
    if (!std::exchange(side.is_violating, true) || side.sent == 0) ++seen_[side.kind].tried;
    const std::string& bytes = violations()[side.kind].bytes;
    side.sent += bytes.size();
    if (is_about_head(side) && side.sent > head_bytes) {
      fail(side, "the whole head");
      return leave(side);
    }
    side.peer->send_bytes(bytes);
  }

  void take_status(Side& side) {
    constexpr std::string_view version = "HTTP/1.1 ";
    const std::size_t end = side.answer.find("\r\n\r\n");
    if (end == std::string::npos || !side.answer.starts_with(version)) return;
    side.status = "HTTP " + side.answer.substr(version.size(), 3);
    side.answer.erase(0, end + 4);
    if (side.status != "HTTP 101") {
      side.refusal = side.status;
    } else if (violations()[side.kind].needs_hello) {
      side.peer->send_bytes(
          encoded({Opcode::text, R"({"requestId":"1","hello":{"protocolVersions":[1],"name":")" +
                                     unused_name() + R"("}})"}));
    } else {
      violate(side);
    }
  }

  void take_frames(Side& side) {
    while (const auto frame = test::take_websocket_frame(side.answer)) {
      const std::string& payload = frame->payload;
      if (frame->opcode == Opcode::text) {
        if (payload.find("CODE_FLOODING") != std::string::npos) side.is_flooding = true;
        const bool is_welcome = payload.find("\"welcome\"") != std::string::npos;
        if (is_welcome && !side.is_violating) violate(side);
      } else if (frame->opcode == Opcode::close && payload.size() >= 2) {
        const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(payload[at]); };
        side.refusal = (side.is_flooding ? "CODE_FLOODING, close " : "close ") +
                       std::to_string(byte(0) << 8U | byte(1));
        return;
      }
    }
  }

  void judge(Side& side) {
    refuse();
    if (side.refusal == violations()[side.kind].refusal) {
      ++seen_[side.kind].right;
    } else if (!is_limit(side.refusal) && side.is_violating) {
      fail(side, side.refusal);
    }
    leave(side);
  }

  void fail(const Side& side, const std::string& got) {
    if (!wrong_.empty() || !side.is_violating) return;
    const Violation& violation = violations()[side.kind];
    wrong_ = std::string("The answer to ") + violation.name + " was " + got + " instead of " +
             violation.refusal + ".";
  }

  static void leave(Side& side) {
    side.peer->close();
    side = {};
  }

  const std::string upgrade_;
  std::array<Side, 60> sides_;
  std::vector<Seen> seen_;  // by kind
  Pace newcomers_{200};
  std::size_t next_ = 0;
  std::string wrong_;
};

}  // namespace

std::unique_ptr<Attack> make_violations(const Field& field) {
  return std::make_unique<Violations>(field);
}

}  // namespace tictactoe::siege
