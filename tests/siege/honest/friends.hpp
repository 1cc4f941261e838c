// Two honest players who talk in the lobby and invite each other.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tests/siege/honest/honest_player.hpp"

namespace tictactoe::siege {

/// Both watch the lobby, and each has a room. Every line that one says must be heard by the other,
/// in order, and every invitation must arrive; the last ones are sent at the end of the attack.
class Friends : public HonestPlayer {
 public:
  Friends(Crowd& crowd, Harm& harm);

  void go_on(Clock::time_point now) override;
  bool is_ready() const override;
  void finish() override;
  bool is_finished() const override { return is_finished_; }

  void connected(Peer& peer) override;
  void received(Peer& peer, std::string_view body, Clock::time_point now) override;
  void ended(Peer& peer) override;

 private:
  struct Side {
    Peer* peer = nullptr;
    bool has_room = false;
    bool watches = false;
    std::uint64_t said = 0;  // lines, which are their numbers
    std::uint64_t invited = 0;
    std::uint64_t heard = 0;  // of the other
    std::uint64_t arrived = 0;
  };

  std::string name() const override { return "A friend"; }
  void say_and_invite(Side& side, bool invites);
  void take(Side& side, const v1::ServerMessage& message);
  bool has_all(const Side& side) const;
  std::size_t tag_of(const Side& side) const {
    return static_cast<std::size_t>(&side - sides_.data());
  }
  const Side& other(const Side& side) const { return sides_[1 - tag_of(side)]; }

  std::array<Side, 2> sides_;
  Clock::time_point next_line_{};
  Clock::time_point next_invitation_{};
  Clock::time_point give_up_at_ = Clock::time_point::max();
  bool is_finished_ = false;
  v1::ServerMessage message_;  // reused
};

}  // namespace tictactoe::siege
