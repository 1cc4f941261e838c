// A short visit to a server to read its records: hello, questions, goodbye. Without any I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "client/session/session.hpp"

namespace tictactoe::client {

/// Maximum size of a list, in bytes.
inline constexpr std::size_t max_inquiry_bytes = std::size_t{8} << 20;

class Inquiry final : private Subscriber {
 public:
  struct Options {
    Session::Options session;  ///< name, software and password are used
    std::string server;        ///< how the person named the server, for messages
    /// ListGames or GetGame.
    v1::ClientMessage question = {};  // NOLINT(readability-redundant-member-init)
    std::size_t limit = 20;           ///< of the games that are listed, the latest first
  };

  explicit Inquiry(Options options);

  Session& session() { return session_; }
  /// Call after every event of the session.
  void update(Time now);

  /// Set at the end: empty on success, otherwise a line for people.
  const std::optional<std::string>& fault() const { return fault_; }
  /// The list as the server sent it: not sanitized, and at most max_inquiry_bytes. It says whether
  /// the server has more.
  const v1::GameList& games() const { return games_; }
  /// The game as the server sent it: not checked, and not sanitized.
  const std::optional<v1::GameRecord>& game() const { return game_; }

 private:
  void on_event(const SessionEvent& event) override;
  void keep(const v1::GameRecord& game);

  Options options_;
  Session session_;
  bool asked_ = false;
  std::string refusal_;
  std::optional<std::string> fault_;
  std::optional<v1::GameRecord> game_;
  v1::GameList games_;
  std::size_t bytes_ = 0;
  bool left_out_ = false;
};

}  // namespace tictactoe::client
