// The screen of a room: board, players, clocks, what happened, and what can be done.
#pragma once

#include <deque>
#include <string>

#include "client/paint/scene.hpp"
#include "client/screen/board_pane.hpp"
#include "client/screen/typing.hpp"
#include "client/session/session.hpp"
#include "client/words/messages.hpp"

namespace tictactoe::screen {

/// The log of what happened, oldest first, and how many lines it is scrolled back.
struct Log {
  static constexpr std::size_t most = 500;
  std::deque<client::Message> events;
  std::size_t back = 0;

  void add(client::Message event);
};

struct RoomView {
  const client::Session& talk;
  const std::string& server;  ///< its name
  const Room& room;
  BoardPane& pane;
  const Log& log;
  const Typing& typing;
  std::string notice;             ///< why the last request was not carried out; empty if it was
  const std::string& invitation;  ///< what others type to join; empty if that is not known
  client::Time now;
};

/// Whether lower-case letters begin a move, so that commands need Shift.
bool letters_are_moves(const Room& room);

void draw_room(const Canvas& canvas, const RoomView& view, Scene& scene);

/// Draws the log, its last line at the bottom, scrolled back by `back` rows.
void draw_log(const Canvas& canvas, const Log& log);

/// "connected" or, just as briefly, what is wrong.
std::string link_text(const client::Session& talk);

}  // namespace tictactoe::screen
