// The screen: standard output, and the terminal it may be.
#pragma once

#include <termios.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "client/text/board_view.hpp"

namespace tictactoe::client {

/// Puts the terminal on standard input in a mode where keys come at once and are not echoed, for
/// LineEditor; Ctrl-C and Ctrl-Z keep working. The former mode is restored at the end of its life.
class KeyMode {
 public:
  KeyMode();
  ~KeyMode();
  KeyMode(const KeyMode&) = delete;
  KeyMode& operator=(const KeyMode&) = delete;

  /// Sets the mode again, as after the program was stopped and continued.
  void enter() const;

 private:
  std::optional<termios> before_;
};

/// Writes text, and below it the line that is being typed. Writes block: a terminal that stands
/// still (Ctrl-S) makes the whole program wait, which for one person is right.
class Screen {
 public:
  struct Options {
    bool colour = false;
    bool prompt = false;  ///< show the line that is being typed
  };
  explicit Screen(Options options) : options_(options) {}

  /// How large boards may be drawn now.
  Look look() const;
  /// Prints text, then the prompt and what was typed so far. Nothing is printed where neither
  /// changed.
  void show(std::string_view text, const std::string& prompt, const std::string& typed);
  /// Leaves a typed line standing above what comes next.
  void keep_line(const std::string& prompt, const std::string& typed);
  /// Takes the prompt away, for good.
  void finish();
  /// Forgets what stands on the screen, as after another program wrote to it.
  void forget();
  /// Whether standard output is gone; nothing more can be shown then.
  bool closed() const { return closed_; }

 private:
  std::string erase_prompt();
  void write(std::string_view text);

  Options options_;
  std::string line_;  // prompt and typed text that stand on the screen
  bool closed_ = false;
};

/// Whether text on standard output should be coloured: it is a terminal that can, and neither
/// NO_COLOR (https://no-color.org) nor the person says no.
bool colour_wanted();

/// Whether a person sits at a terminal where the line that is typed can be redrawn.
bool editing_possible();

/// Opens /dev/null in place of standard streams that the program was started without; otherwise the
/// first socket would become one of them. To be called before anything is opened.
void fill_standard_streams();

}  // namespace tictactoe::client
