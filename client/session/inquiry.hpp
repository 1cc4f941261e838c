// A short visit to a server to read its records: hello, questions, goodbye. Without any I/O, like
// the Conversation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "client/model/time.hpp"
#include "common/wire/frame.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::client {

/// Most games that one inquiry collects.
inline constexpr std::size_t max_inquired_games = 10'000;
/// Time that a server may take for each answer.
inline constexpr milliseconds inquiry_timeout{10'000};

class Inquiry {
 public:
  struct Options {
    std::string name;      ///< who asks
    std::string software;  ///< program and version, for the server's log
    std::string server;    ///< how the person named the server, for messages
    std::string server_password;
    /// The one game that is wanted; 0: a list.
    std::uint64_t game = 0;
    std::string player;      ///< of a list: only games of theirs; empty for all
    std::size_t limit = 20;  ///< of a list: at most so many, the latest
  };

  explicit Inquiry(Options options);

  void cannot_connect(std::string_view why);
  void connected(Time now);
  std::span<char> prepare() { return reader_.prepare(); }
  void received(std::size_t count, Time now);
  void connection_lost(std::string_view why);
  void deadline_reached(Time now);

  std::string take_bytes();
  std::optional<Time> next_deadline() const;
  /// Set once it is over: nothing to be complained of, or a line for people.
  const std::optional<std::string>& fault() const { return fault_; }
  /// What was found: the list, latest first, or the one game. The records are as the server sent
  /// them: to be checked, and not fit for a screen.
  const std::vector<v1::GameRecord>& games() const { return games_; }
  /// There are more than the limit.
  bool more() const { return more_; }

 private:
  void end(std::string fault);
  void ask();
  void request(v1::ClientMessage message);
  void on_message(const v1::ServerMessage& message);
  void on_error(const v1::Error& error);
  void on_list(const v1::GameList& list);
  void say_goodbye();

  Options options_;
  Time now_;
  wire::FrameReader reader_;
  std::string bytes_;
  std::uint64_t last_id_ = 0;
  bool welcome_ = false;
  bool leaving_ = false;
  std::string refusal_;  // why what was asked for is not to be had; told once one has left
  std::optional<Time> answer_by_;
  std::optional<Time> ask_again_at_;
  std::optional<std::string> fault_;
  std::vector<v1::GameRecord> games_;
  bool more_ = false;
};

}  // namespace tictactoe::client
