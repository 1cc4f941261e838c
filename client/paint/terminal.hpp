// The terminal that a picture is painted on.
#pragma once

#include <optional>
#include <string>

#include "client/paint/scene.hpp"
#include "client/terminal/raw_mode.hpp"

namespace tictactoe::screen {

/// Whether a person sits at a terminal that can show a full screen.
bool full_screen_possible();

/// Owns the terminal on standard input and output, from construction on. Restores it when
/// destroyed, and also if the program crashes. There is at most one object at a time. Speaks
/// ECMA-48, like xterm and every current terminal, which ignores sequences that it does not know.
class Terminal {
 public:
  explicit Terminal(bool colour);
  ~Terminal() { suspend(); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// Whether it shows more than ASCII.
  bool unicode() const { return unicode_; }
  static Size size();
  /// Shows the scene, sending only what differs from the last one.
  void paint(const Scene& scene);
  void ring();
  /// Sets the window's title. The previous one is restored at the end.
  void set_title(const std::string& title);
  /// Call after the window changes its size: the next picture is painted from scratch.
  void refresh() { painted_.reset(); }
  /// Gives the terminal back, as before the program is stopped. Nothing is painted until resume().
  void suspend();
  /// Takes the terminal again, if the program runs in the foreground.
  void resume();

 private:
  client::RawMode mode_;
  bool colour_;
  bool unicode_;
  bool suspended_ = true;
  std::optional<Scene> painted_;  // the last scene
  std::string title_;
};

}  // namespace tictactoe::screen
