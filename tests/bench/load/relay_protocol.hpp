// The floor's protocol: frames as long as the real ones, with nothing in them.
#pragma once

#include "tests/bench/load/game_protocol.hpp"

namespace tictactoe::load {

/// Asks a relay (tests/bench/floor) for bodies as long as those that a server would send at the
/// same moment. Each has the room and the revision in it as far as there is space, so that none
/// can be lost, come twice or stray without being noticed.
class RelayProtocol : public Protocol {
 public:
  explicit RelayProtocol(const rules::Rules& rules) : real_(rules) {}

  void hello(std::size_t connection, Exchange& out) override;
  void enter(const Place& place, std::uint64_t request_id, Exchange& out) override;
  void ping(std::uint64_t request_id, Exchange& out) override;
  void act(const Step& step, Exchange& out) override;
  bool is_welcome(std::size_t connection, std::string_view body) override;
  bool is_entry(const Place& place, std::uint64_t request_id, std::string_view body,
                std::uint64_t& revision, const rules::Game& game) override;
  bool is_arrival(std::size_t room, std::uint64_t seen, std::string_view body) override;
  bool same(std::string_view expected, std::string_view body) override;
  std::string text(std::string_view body) override;

 private:
  GameProtocol real_;
  Exchange expected_;  // reused
};

}  // namespace tictactoe::load
