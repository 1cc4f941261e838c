// The mode of the terminal while the program reads keys, and how it is restored.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace tictactoe::client {

/// Mode 2004 of terminals: pasted text is marked, so that it is not taken for keys.
inline constexpr const char* bracketed_paste_on = "\033[?2004h";
inline constexpr const char* bracketed_paste_off = "\033[?2004l";

/// Sets the terminal on standard input to a mode in which keys arrive at once and are not echoed.
/// Ctrl-C, Ctrl-Z and Ctrl-\ send their signals and discard no input; Ctrl-S and Ctrl-Q are keys
/// and stop nothing. The former mode is restored at the end of the object's life, and also if the
/// program crashes (SIGSEGV, SIGABRT and their like) or gets SIGQUIT. There is at most one object
/// at a time. If standard input is no terminal, nothing happens.
class RawMode {
 public:
  /// Written to standard output along with the change of the mode.
  struct Bytes {
    std::string on;
    std::string off;
    std::string off_after_crash;  ///< at most max_rescue_bytes
  };
  static constexpr std::size_t max_rescue_bytes = 256;

  /// Remembers the present mode, to restore it later.
  RawMode();
  ~RawMode();
  RawMode(const RawMode&) = delete;
  RawMode& operator=(const RawMode&) = delete;

  void set_bytes(Bytes bytes) { bytes_ = std::move(bytes); }
  /// Enters the mode, or enters it again, as after the program was stopped and continued.
  void enter();
  /// Restores the former mode, as before the program is stopped. Does not touch the terminal if the
  /// program runs in the background.
  void leave();

 private:
  Bytes bytes_;
  bool entered_ = false;
};

/// Whether the program runs in the foreground, and so may use its terminal.
bool in_foreground();

/// Whether standard input was a terminal that has been closed.
bool terminal_is_gone();

/// Restores the terminal without waiting for it, before the process ends abruptly. Unread input is
/// discarded: it was not meant for the shell. May be called by any thread and by a signal handler.
void rescue_terminal();

/// Stops the program as Ctrl-Z does by default, and discards unread input like it. Returns when it
/// is continued, or at once if the system does not stop it because no shell could continue it.
void stop_program();

}  // namespace tictactoe::client
