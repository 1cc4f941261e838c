// The program around a conversation: socket, standard input, terminal, signals and clock.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/lines/conversation.hpp"
#include "client/model/decision.hpp"
#include "client/net/address.hpp"
#include "client/net/driver.hpp"
#include "client/net/local_game.hpp"
#include "client/terminal/input_thread.hpp"
#include "client/terminal/keys.hpp"
#include "client/terminal/line_editor.hpp"
#include "client/terminal/line_splitter.hpp"
#include "client/terminal/line_terminal.hpp"
#include "client/terminal/raw_mode.hpp"
#include "client/terminal/signals.hpp"

namespace tictactoe::client {

/// How long a client tries to reach a lost server by default: for a person, and for a script.
inline constexpr std::chrono::seconds default_patience{600};
inline constexpr std::chrono::seconds default_script_patience{60};

class Shell {
 public:
  struct Options {
    Address server;
    std::string name;
    std::string software;
    std::vector<std::string> commands;  ///< lines that come before those of standard input
    bool plain = false;                 ///< no colour, no prompt
    bool fail = false;                  ///< ends at the first refused line
    bool exit_result = false;           ///< the exit status says how the last game ended
    bool guest = false;                 ///< keeps nothing on disk, and says goodbye
    std::optional<std::chrono::seconds> patience;
    Passwords passwords;
    /// Keeps the passwords for the next time.
    bool remember_passwords = false;
    /// Encrypts, and compares the server's key with the known one.
    bool tls = false;
    std::optional<tls::Fingerprint> required_key;
    /// Plays in this process instead of on a server.
    StartLocalGame local;
    Analyse analyse;  ///< tells where replayed games were decided; empty: nobody does
  };

  /// The passwords that were given, and otherwise those that were kept for that server.
  static Passwords passwords_for(const Options& options, const Address& server);

  /// How connections of these options are protected. Guests keep no keys.
  static Protection protection_for(const Options& options);

  /// The identity of the player on that server.
  static IdentityKeeper identity_for(const Options& options, const Address& server);
  /// What a session with that server needs of these options.
  static Session::Options session_options(const Options& options, const Address& server,
                                          const std::string& token);

  explicit Shell(Options options);

  /// Connects, and plays until the end. The program's exit status.
  int run();
  /// After run(): a password that was asked for, and missing or wrong.
  Asks asks() const { return conversation_->session().ending()->asks; }

 private:
  void on_input(const std::string& bytes);
  void take(const std::vector<Input>& inputs);
  void press(const Key& key);
  void input_ended();
  void on_signal(SignalEvent event);
  void take_line(const std::string& line);
  void quit();
  void answer_quit(const std::string& line);
  void drop();
  std::string prompt() const;
  /// Writes the conversation's output, updates the connection and sets the timers. To be called
  /// after every event.
  void flush();
  void show();
  void begin_input();
  void set_tick();
  void analyse_replay();
  Session& session() { return conversation_->session(); }
  const Session& session() const { return conversation_->session(); }

  Options options_;
  bool script_;               // standard input is no terminal
  bool left_unseen_ = false;  // left because standard output has no reader any more
  bool asks_quit_ = false;    // the next line says what becomes of the seat
  boost::asio::io_context context_{1};
  std::optional<Conversation> conversation_;  // made when the identity is known
  std::unique_ptr<LocalGame> local_;          // null: on a server
  std::optional<Driver> driver_;
  LineTerminal terminal_;
  boost::asio::steady_timer tick_{context_};
  LineSplitter splitter_{max_line_bytes};
  KeyReader keys_;
  boost::asio::steady_timer sequence_{context_};  // ends a sequence of keys_
  LineEditor editor_{max_line_bytes + 1};
  std::optional<RawMode> raw_mode_;  // if a person edits lines at a terminal
  std::optional<Signals> signals_;
  std::unique_ptr<InputThread> input_;
  int analysed_ = 0;                // games
  std::shared_ptr<void> analysis_;  // of the last one
};

}  // namespace tictactoe::client
