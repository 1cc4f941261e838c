// A short visit to a server to read its records: hello, questions, goodbye. Without any I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/session/session.hpp"

namespace tictactoe::client {

class Inquiry final : private Subscriber {
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

  Session& session() { return session_; }
  /// To be called after everything that happened to the session.
  void update(Time now);

  /// Set once it is over: empty if all is well, or a line for people.
  const std::optional<std::string>& fault() const { return fault_; }
  /// The list, the latest first; and whether there are more than the limit.
  std::vector<ListedGame> games() const;
  bool has_more() const;
  /// The one game, as the server sent it: to be checked, and not fit for a screen.
  const std::optional<v1::GameRecord>& game() const { return game_; }

 private:
  void on_event(const SessionEvent& event) override;
  bool is_done() const;

  Options options_;
  Session session_;
  bool asked_ = false;
  std::string refusal_;
  std::optional<std::string> fault_;
  std::optional<v1::GameRecord> game_;
};

}  // namespace tictactoe::client
