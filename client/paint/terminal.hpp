// The terminal that a picture is painted on: the only place that knows ncurses.
#pragma once

#include <memory>
#include <string>

#include "client/paint/scene.hpp"

namespace tictactoe::screen {

/// Whether a person sits at a terminal that can show a full screen.
bool full_screen_possible();

/// Owns the terminal on standard input and output. Restores it when destroyed, and also if the
/// program crashes. There is at most one object at a time.
class Terminal {
 public:
  /// Takes the terminal; null if it can't show the screen.
  static std::unique_ptr<Terminal> open(bool colour);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// Whether it shows more than ASCII.
  bool unicode() const { return unicode_; }
  Size size() const;
  /// Shows the scene, sending only what differs from the last one.
  void paint(const Scene& scene);
  void ring();
  /// Sets the window's title, if the terminal has one. The former one comes back at the end.
  void set_title(const std::string& title);
  /// Call after the window changes its size: repaints everything.
  void refresh();
  /// Gives the terminal back, as before the program is stopped. Nothing is painted until resume().
  void suspend();
  /// Takes the terminal again, if the program runs in the foreground.
  void resume();

 private:
  struct State;

  Terminal(std::unique_ptr<State> state, bool unicode);

  std::unique_ptr<State> state_;
  bool unicode_;
  bool suspended_ = true;
};

}  // namespace tictactoe::screen
