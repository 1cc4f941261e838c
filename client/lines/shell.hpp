// The program around a conversation: socket, standard input and output, signals and clock. At a
// terminal the system edits the typed line; the full screen does more.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "client/lines/conversation.hpp"
#include "client/player/play_options.hpp"
#include "client/player/runner.hpp"
#include "client/terminal/input_thread.hpp"
#include "client/terminal/line_splitter.hpp"
#include "client/terminal/output.hpp"
#include "client/terminal/signals.hpp"

namespace tictactoe::client {

class Shell {
 public:
  explicit Shell(PlayOptions options);

  /// Connects, and plays until the end. The program's exit status.
  int run();
  /// After run(): the password that was asked for and was missing or wrong.
  Asks asks() const { return conversation_->session().ending()->asks; }
  /// After run(): whether the wanted name belongs to an account whose password was not given.
  bool wants_account_password() const { return conversation_->wants_account_password(); }
  /// After run(): whether that password was wrong rather than missing.
  bool password_was_wrong() const { return conversation_->session().gave_password(asks()); }

 private:
  void on_input(const std::string& bytes);
  void input_ended();
  void on_signal(SignalEvent event);
  void take_line(const std::string& line);
  bool plays() const;
  void quit();
  void answer_quit(const std::string& line);
  void drop();
  /// Writes the conversation's output, updates the connection and sets the timers. Call after every
  /// event.
  void flush();
  void begin_input();
  Session& session() { return conversation_->session(); }
  const Session& session() const { return conversation_->session(); }

  PlayOptions options_;
  bool script_;               // standard input is not a terminal
  bool left_unseen_ = false;  // quit because standard output has no reader
  bool asks_quit_ = false;    // the next line answers the question about the seat
  Runner runner_;
  std::optional<Conversation> conversation_;  // made when the identity is known
  Output output_;
  LineSplitter splitter_{max_line_bytes};
  std::optional<Signals> signals_;
  std::unique_ptr<InputThread> input_;
};

}  // namespace tictactoe::client
