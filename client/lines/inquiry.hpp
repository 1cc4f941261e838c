// A short visit to a server to read its records: hello, questions, goodbye. Without any I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/session/session.hpp"

namespace tictactoe::client {

/// Maximum size of a raw list, in bytes.
inline constexpr std::size_t max_raw_list_bytes = std::size_t{8} << 20;

class Inquiry final : private Subscriber {
 public:
  struct Options {
    Session::Options session;  ///< name, software and password are used
    std::string server;        ///< how the person named the server, for messages
    /// ListGames, GetGame, ListRooms or ListPlayers.
    v1::ClientMessage question = {};  // NOLINT(readability-redundant-member-init)
    std::size_t limit = 20;           ///< of the games that are listed, the latest first
  };

  explicit Inquiry(Options options);

  Session& session() { return session_; }
  /// Call after every event of the session.
  void update(Time now);

  /// Set at the end: empty on success, otherwise a line for people.
  const std::optional<std::string>& fault() const { return fault_; }
  /// Whether the server has more than listed.
  bool has_more() const { return has_more_; }
  std::vector<ListedGame> games() const;
  const std::optional<std::vector<ListedRoom>>& rooms() const { return session_.rooms(); }
  /// The connected players except this program's own.
  std::vector<ListedPlayer> players() const;
  /// The lists as the server sent them, for other programs: at most max_raw_list_bytes.
  const v1::GameList& raw_games() const { return raw_games_; }
  const v1::RoomList& raw_rooms() const { return raw_rooms_; }
  const v1::PlayerList& raw_players() const { return raw_players_; }
  /// The game as the server sent it: not checked, and not sanitized.
  const std::optional<v1::GameRecord>& game() const { return game_; }

 private:
  void on_event(const SessionEvent& event) override;
  template <class Item>
  void keep(google::protobuf::RepeatedPtrField<Item>& list, const Item& item, std::size_t most);

  Options options_;
  Session session_;
  bool asked_ = false;
  std::string refusal_;
  std::optional<std::string> fault_;
  bool has_more_ = false;
  std::optional<v1::GameRecord> game_;
  v1::GameList raw_games_;
  v1::RoomList raw_rooms_;
  v1::PlayerList raw_players_;
  std::size_t raw_bytes_ = 0;
  bool left_out_ = false;
};

}  // namespace tictactoe::client
