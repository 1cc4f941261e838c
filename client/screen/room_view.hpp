// The screen of a room: board, players, clocks, what happened, and what can be done.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "client/paint/scene.hpp"
#include "client/screen/board_pane.hpp"
#include "client/screen/typing.hpp"
#include "client/session/session.hpp"
#include "client/words/messages.hpp"

namespace tictactoe::screen {

/// The latest messages. Drawn with the last one at the bottom, or scrolled back by rows.
class Log {
 public:
  /// Messages that are kept.
  static constexpr std::size_t most = 500;

  void add(client::Message message);
  /// Scrolls by a page. O(columns of all messages) after a change.
  void scroll(bool back);
  void scroll_to_end() { scroll_ = {}; }
  /// O(visible rows and those scrolled back).
  void draw(const Canvas& canvas);

 private:
  std::deque<client::Message> messages_;
  Scroll scroll_;  // from the end
  int width_ = 0;  // and rows that were drawn last
  std::size_t seen_ = 0;
};

struct RoomView {
  const client::Session& talk;
  const std::string& server;  ///< its name
  const Room& room;
  BoardPane& pane;
  Log& log;
  const Typing& typing;
  std::string notice;             ///< why the last request was not carried out; empty if it was
  const std::string& invitation;  ///< what others type to join; empty if that is not known
  client::Time now;
};

/// Whether lower-case letters begin a move, so that commands need Shift.
bool letters_are_moves(const Room& room);

void draw_room(const Canvas& canvas, const RoomView& view, Scene& scene);

/// The right side of the bar at the top: a name, cut if the screen is narrow, and "connected" or,
/// just as briefly, what is wrong.
std::string place_text(const client::Session& talk, const std::string& name, int width);

}  // namespace tictactoe::screen
