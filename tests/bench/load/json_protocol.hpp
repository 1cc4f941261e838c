// The real protocol in protobuf's JSON form.
#pragma once

#include "tests/bench/load/game_protocol.hpp"

namespace tictactoe::load {

/// Knows the text that a server sends as GameProtocol knows the bytes. Another text passes only if
/// it means the same.
class JsonProtocol : public Protocol {
 public:
  /// Rooms have these rules.
  explicit JsonProtocol(const rules::Rules& rules) : real_(rules) {}

  void hello(std::size_t connection, Exchange& out) override;
  void enter(const Place& place, std::uint64_t request_id, Exchange& out) override;
  void ping(std::uint64_t request_id, Exchange& out) override;
  void act(const Step& step, Exchange& out) override;
  bool is_welcome(std::size_t connection, std::string_view text) override;
  bool is_entry(const Place& place, std::uint64_t request_id, std::string_view text,
                std::uint64_t& revision, const rules::Game& game) override;
  bool is_arrival(std::size_t room, std::uint64_t seen, std::string_view text) override;
  bool same(std::string_view expected, std::string_view text) override;
  std::string text(std::string_view text) override { return std::string(text); }

 private:
  void convert(Exchange& exchange);

  GameProtocol real_;
  v1::ClientMessage request_;  // reused
  v1::ServerMessage answer_;   // reused
};

}  // namespace tictactoe::load
