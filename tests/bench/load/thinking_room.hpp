// One room in which AIs think in the middle of a long game.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tests/bench/load/fleet.hpp"
#include "tests/bench/load/thinking_script.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::load {

/// How long the server took in all rooms.
struct ThinkingTimes {
  Histogram first_hints;  ///< in a position that the server's AI does not know
  Histogram takebacks;    ///< from asking to the takeback, which the other side grants at once
  Histogram later_hints;  ///< after a takeback
  Histogram arrivals;     ///< from handing a seat to an AI to its first move
  Histogram ai_moves;     ///< replies of that AI
};

/// Two connections play the script. After start(), X asks for a hint, O takes the last move back
/// and asks for a hint, and then hands its seat to an AI, against which X plays. Checks what the
/// server sends to both and throws Failure if it is wrong.
class ThinkingRoom {
 public:
  /// What all rooms share.
  struct Context {
    Fleet& fleet;
    Protocol& protocol;
    const ThinkingScript& script;
    std::string ai_level;
    std::size_t ai_moves;
    ThinkingTimes& times;
    const rules::Game empty;  ///< as a room is found
    // Reused.
    Exchange exchange{};
    v1::ClientMessage request{};
    v1::ServerMessage message{};
  };

  /// `x` and `o` are not yet welcomed.
  ThinkingRoom(std::size_t number, Connection& x, Connection& o, Context& context);

  /// X or O was welcomed.
  void welcomed(bool is_x);
  void received(bool is_x, std::string_view body, Clock::time_point now);

  /// Begins what is measured. Requires has_played().
  void start();

  /// The number of plies that both sides have seen.
  std::size_t plies() const { return plies_; }
  /// Whether both sides have seen the whole script.
  bool has_played() const { return sides_[0].ply == moves() && sides_[1].ply == moves(); }
  bool is_done() const { return step_ == Step::done; }

 private:
  enum class Step : std::uint8_t { play, first_hint, take_back, later_hint, play_ai, done };
  struct Side {
    Connection* connection = nullptr;
    bool entered = false;
    std::uint64_t revision = 0;
    std::size_t ply = 0;  ///< that it has seen
  };

  std::size_t moves() const { return context_.script.moves.size(); }
  Side& x() { return sides_[0]; }
  Side& o() { return sides_[1]; }

  void enter(std::size_t index);
  void take_entry(std::size_t index, std::string_view body);
  void take_update(bool is_x, const v1::RoomUpdate& update, Clock::time_point now);
  void take_move(bool is_x, const v1::MovePlayed& move, Clock::time_point now);
  void take_ai_move(rules::Cell cell, Clock::time_point now);
  void take_hint(const v1::Hinted& hint, Clock::time_point now);

  /// A request of that side; the caller sets its content, and sends it.
  v1::ClientMessage& request(Side& side);
  void send(Side& side);
  void send_move(Side& side, rules::Cell cell);
  void ask_hint(Side& side, Step step);
  void take_back();
  void add_ai();
  void play_ai();
  [[noreturn]] void fail(const std::string& what) const;

  std::size_t number_;
  Context& context_;
  std::array<Side, 2> sides_;
  Step step_ = Step::play;
  std::size_t plies_ = 0;
  Clock::time_point asked_;
  std::size_t ai_moves_ = 0;
  std::vector<rules::Cell> ai_cells_;
  std::size_t next_x_move_ = 0;
};

}  // namespace tictactoe::load
