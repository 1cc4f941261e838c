// The real protocol, that of proto/tictactoe/v1.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/bench/load/protocol.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::load {

/// Knows every byte of what a server says once all are in their rooms. What it says before (a
/// token, its limits) is taken apart and looked at.
class GameProtocol : public Protocol {
 public:
  /// Rooms have these rules.
  explicit GameProtocol(const rules::Rules& rules);

  void hello(std::size_t connection, Exchange& out) override;
  void enter(const Place& place, std::uint64_t request_id, Exchange& out) override;
  void ping(std::uint64_t request_id, Exchange& out) override;
  void act(const Step& step, Exchange& out) override;
  bool is_welcome(std::size_t connection, std::string_view body) override;
  std::optional<std::string> redirection(std::string_view body) override;
  bool is_entry(const Place& place, std::uint64_t request_id, std::string_view body,
                std::uint64_t& revision, const rules::Game& game) override;
  bool is_arrival(std::size_t room, std::uint64_t seen, std::string_view body) override;
  bool same(std::string_view expected, std::string_view body) override;
  std::string text(std::string_view body) override;

 private:
  void play(const Step& step, Exchange& out);
  void ask_for_rematch(const Step& step, Exchange& out);
  std::string room_name(std::size_t room) const;

  v1::Rules rules_;
  std::vector<std::string> tokens_;  // by connection; empty before the first welcome
  // Each is reused for its kind alone, so that its parts stay allocated.
  v1::ClientMessage move_;
  v1::ClientMessage rematch_;
  v1::ServerMessage move_played_;
  v1::ServerMessage last_move_played_;
  v1::ServerMessage rematch_wanted_;
  v1::ServerMessage game_started_;
  v1::ServerMessage parsed_;
};

}  // namespace tictactoe::load
