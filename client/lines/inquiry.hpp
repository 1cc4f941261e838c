// A short visit to a server to read its records: hello, questions, goodbye. Without any I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/session/session.hpp"

namespace tictactoe::client {

/// Bytes of a list that are kept as the server sent them.
inline constexpr std::size_t max_raw_list_bytes = std::size_t{8} << 20;

class Inquiry final : private Subscriber {
 public:
  struct Options {
    std::string name;      ///< who asks
    std::string software;  ///< program and version, for the server's log
    std::string server;    ///< how the person named the server, for messages
    std::string server_password;
    enum class What : std::uint8_t { games, game, rooms, players };
    What what = What::games;
    std::uint64_t game = 0;  ///< the one that is wanted
    std::string player;      ///< for the list of games: only games of this player; empty for all
    std::size_t limit = 20;  ///< for the list of games: the maximum number, the latest first
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
  /// The list of rooms, and whether the server has more than can be listed.
  const std::optional<std::vector<ListedRoom>>& rooms() const { return session_.rooms(); }
  bool has_all_rooms() const { return has_all_rooms_; }
  /// The connected players but the one that asks, who is gone at once; and whether the server has
  /// more than can be listed.
  std::vector<ListedPlayer> players() const;
  bool has_all_players() const { return has_all_players_; }
  /// The same lists as the server sent them, for other programs: at most max_raw_list_bytes.
  const v1::GameList& raw_games() const { return raw_games_; }
  const v1::RoomList& raw_rooms() const { return raw_rooms_; }
  const v1::PlayerList& raw_players() const { return raw_players_; }
  /// The one game, as the server sent it: to be checked, and not fit for a screen.
  const std::optional<v1::GameRecord>& game() const { return game_; }

 private:
  void on_event(const SessionEvent& event) override;
  void ask(Time now);
  bool is_done() const;
  template <class Item>
  void keep(google::protobuf::RepeatedPtrField<Item>& list, const Item& item, std::size_t most);

  Options options_;
  Session session_;
  bool asked_ = false;
  std::string refusal_;
  std::optional<std::string> fault_;
  std::optional<v1::GameRecord> game_;
  v1::GameList raw_games_;
  v1::RoomList raw_rooms_;
  v1::PlayerList raw_players_;
  std::size_t raw_bytes_ = 0;
  bool left_out_ = false;
  bool has_all_rooms_ = true;
  bool has_all_players_ = true;
};

}  // namespace tictactoe::client
