// The program around the App: terminal, keys, sockets, signals and clock.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/net/finder.hpp"
#include "client/paint/terminal.hpp"
#include "client/player/play_options.hpp"
#include "client/player/runner.hpp"
#include "client/screen/app.hpp"
#include "client/storage/latest_list.hpp"
#include "client/terminal/input_thread.hpp"
#include "client/terminal/key_input.hpp"
#include "client/terminal/signals.hpp"

namespace tictactoe::screen {

/// If no server was named, how long the program waits for a second one before it joins the only
/// one.
inline constexpr std::chrono::milliseconds choosing_time{900};

/// Time without any answer after which the start screen says what to do.
inline constexpr std::chrono::milliseconds advice_time{3'000};

/// Servers that the start screen offers because the person has played there.
inline constexpr std::size_t max_recent_servers = 8;

class Program {
 public:
  struct Options {
    client::PlayOptions play;
    /// No server was named: the person chooses one on the screen.
    bool choose = false;
    std::uint16_t discovery_port = 0;
    Alert alert = Alert::bell_and_title;
  };

  explicit Program(Options options);
  ~Program();

  /// Plays until the end. The exit status.
  int run();
  /// After run(): the password that was missing or wrong, and the server that asked for it.
  client::Asks asks() const { return app_.ending() ? app_.ending()->asks : client::Asks::nothing; }
  const client::Address& server() const { return server_; }
  /// The key that the person has named for that server.
  const std::optional<tls::Fingerprint>& server_key() const { return server_key_; }
  /// After run(): whether the password that is asked for was wrong, and not missing.
  bool password_was_wrong() { return app_.talk() && app_.talk()->gave_password(asks()); }

 private:
  void on_input(const std::string& bytes);
  void take(const std::vector<Input>& inputs);
  void on_signal(client::SignalEvent event);
  void look_for_servers();
  void call_after(boost::asio::steady_timer& timer, std::chrono::milliseconds time,
                  std::function<void()> call);
  void offer_servers();
  /// `key`: the only key accepted for that server, whatever is stored.
  void connect(const client::Address& server,
               const std::optional<tls::Fingerprint>& key = std::nullopt,
               const std::string& room = {});
  void choose(const std::string& text);
  void sit_down();
  void begin(const client::PlayOptions& play, Visit::Destination to);
  void change_server();
  void remember_server();
  /// Shows the App, updates the connection and sets the timers. To be called after every event.
  void flush();
  void show();

  Options options_;
  client::Runner runner_;
  App app_;
  std::optional<Terminal> terminal_;
  bool returns_ = false;                        // to server_, with an account's password
  client::Address server_;                      // of the session
  std::optional<tls::Fingerprint> server_key_;  // named by the person; a guest stores no other
  bool remembered_ = false;
  bool changing_ = false;
  client::LatestList recent_;               // servers on which the person has played, by address
  std::shared_ptr<client::Finder> finder_;  // while a server is to be chosen
  std::optional<client::Signals> signals_;
  boost::asio::steady_timer choosing_{runner_.context()};
  boost::asio::steady_timer advice_{runner_.context()};
  std::optional<client::KeyInput> keys_;
  std::unique_ptr<client::InputThread> input_;
};

}  // namespace tictactoe::screen
