// Screens that are lists: servers, rooms, finished games.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "client/model/lists.hpp"
#include "client/paint/scene.hpp"
#include "client/screen/room_view.hpp"
#include "client/screen/start_screen.hpp"
#include "client/session/session.hpp"

namespace tictactoe::screen {

struct StartView {
  const StartScreen& start;
  std::string me;
  std::string notice;      ///< why the last session ended, or empty
  std::string connecting;  ///< says which server is being reached; empty for none
};
void draw_start(const Canvas& canvas, const StartView& view, Scene& scene);

/// The rooms of a lobby, sorted. The selection stays on its room as long as the room is listed.
class LobbyList {
 public:
  void set_rooms(std::vector<client::ListedRoom> rooms);
  const std::vector<client::ListedRoom>& rooms() const { return rooms_; }
  /// Null if no room is selected.
  const client::ListedRoom* selected_room() const {
    return selected_ < rooms_.size() ? &rooms_[selected_] : nullptr;
  }
  std::size_t& selected() { return selected_; }
  std::size_t selected() const { return selected_; }
  /// While drawing: how many rooms have a row on the screen.
  void set_visible(std::size_t visible) { visible_ = visible; }
  /// Whether not all of them have.
  bool cut() const { return rooms_.size() > visible_; }

 private:
  std::vector<client::ListedRoom> rooms_;
  std::size_t visible_ = 0;
  std::size_t selected_ = 0;
};

struct LobbyView {
  const client::Session& talk;
  const std::string& server;  ///< its name
  LobbyList& list;
  Log& log;
  std::string notice;
  const std::string& invitation;  ///< what others type to join; empty if that is not known
  bool types;                     ///< a line is being typed
  client::Time now;
};
void draw_lobby(const Canvas& canvas, const LobbyView& view, Scene& scene);

struct GamesView {
  const client::Session& talk;
  const std::string& server;  ///< its name
  const std::string& player;  ///< whose games are listed; empty for all
  std::size_t selected = 0;
  std::string notice;
  client::Time now;
};
void draw_games(const Canvas& canvas, const GamesView& view, Scene& scene);

}  // namespace tictactoe::screen
