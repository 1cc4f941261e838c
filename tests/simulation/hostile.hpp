// One hostile client of a simulation. It checks nothing: honest clients do that.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/simulation/client.hpp"

namespace tictactoe::simulation {

/// Acts over several connections at once, far more often than any limit allows.
class Hostile final : public ClientEnd {
 public:
  /// `number` counts on after those of the honest clients.
  Hostile(World& world, std::uint32_t number, Malice malice, Random random);

  void start();
  void got(Link link, std::string_view bytes) override;
  void heard_end(Link link) override;
  /// Closes everything and does nothing more.
  void finish();

 private:
  struct Line {
    Link link = 0;
    Time closes_at{0};
  };

  void act();
  void open();
  void greet(Link link);
  void ask(Link link, v1::ClientMessage message);
  void annoy(Link link);
  void pester(int step, v1::ClientMessage& message);
  void end_game(int step, v1::ClientMessage& message);
  std::string imitated_name();
  std::string unused_name() {
    return "mob-" + std::to_string(number_) + "-" + std::to_string(++names_);
  }

  World& world_;
  std::uint32_t number_;
  Malice malice_;
  Random random_;
  std::vector<Line> lines_;
  std::string token_;
  std::string read_;  // of the latest connection, until the token is there
  std::uint64_t names_ = 0;
  std::uint64_t requests_ = 0;
};

}  // namespace tictactoe::simulation
