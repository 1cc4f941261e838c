// The terminal that a picture is painted on.
#pragma once

#include <optional>
#include <string>

#include "client/paint/scene.hpp"
#include "client/terminal/abilities.hpp"
#include "client/terminal/raw_mode.hpp"

namespace tictactoe::screen {

/// Whether a person sits at a terminal that can show a full screen.
bool full_screen_possible();

/// Owns the terminal on standard input and output, from construction on. Restores it when
/// destroyed, and also if the program crashes. There is at most one object at a time. Speaks
/// ECMA-48, and of xterm's codes those for which the terminal has a use (see client::Abilities).
class Terminal {
 public:
  Terminal();
  ~Terminal() { suspend(); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  const client::Abilities& abilities() const { return abilities_; }
  /// Whether it shows more than ASCII.
  bool unicode() const { return unicode_; }
  static Size size();
  /// Shows the scene, sending only what differs from the last one.
  void paint(const Scene& scene);
  void ring();
  /// Sets the window's title. At the end the former one is restored; a terminal without a stack of
  /// titles gets the name of the shell, which its window shows again.
  void set_title(const std::string& title);
  /// Call after the window changes its size: the next picture is painted from scratch.
  void refresh() { painted_.reset(); }
  /// Gives the terminal back, as before the program is stopped. Nothing is painted until resume().
  void suspend();
  /// Takes the terminal again, if the program runs in the foreground.
  void resume();

 private:
  client::RawMode mode_;
  client::Abilities abilities_;
  bool unicode_;
  bool suspended_ = true;
  std::optional<Scene> painted_;  // the last scene
  std::string title_;
};

}  // namespace tictactoe::screen
