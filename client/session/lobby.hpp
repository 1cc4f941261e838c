// The lobby while a player follows it, the muted players, and the sender of the last invitation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "client/model/lists.hpp"
#include "client/model/room.hpp"
#include "client/model/sanitized.hpp"
#include "common/unicode/letters.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::client {

/// Maximum number of muted players.
inline constexpr std::size_t max_muted = 1'000;

/// Players whose chat and invitations are hidden. The server does not know.
class Muted {
 public:
  /// False if too many are muted.
  bool add(const std::string& player) {
    const std::string name = sanitized(player);
    if (names_.size() >= max_muted && !contains(name)) return false;
    names_.insert_or_assign(unicode::folded(name), name);
    return true;
  }
  /// False if the player was not muted.
  bool remove(const std::string& player) {
    return names_.erase(unicode::folded(sanitized(player))) > 0;
  }
  bool contains(const std::string& player) const {
    return names_.contains(unicode::folded(player));
  }
  void leave_out_of(std::deque<ChatLine>& chat) const {
    std::erase_if(chat, [this](const ChatLine& line) { return contains(line.from); });
  }
  /// By folded name: as on servers, names that differ only in case are one.
  const std::map<std::string, std::string>& names() const { return names_; }

 private:
  std::map<std::string, std::string> names_;
};

/// The rooms of the lobby and what is said in it, while the player follows it.
class Lobby {
 public:
  /// The changes made by an update. Changes of rooms and players are reported only once the list is
  /// complete.
  struct News {
    bool rooms = false;
    bool players = false;  ///< their number
    std::deque<ChatLine> said;
  };

  /// Whether this connection follows the lobby.
  bool is_followed() const { return is_followed_; }
  void set_followed(bool is_followed) { is_followed_ = is_followed; }

  /// The first updates list the rooms, later ones change the list. Keeps at most max_listed_rooms.
  News apply(const v1::LobbyUpdate& update);
  std::vector<ListedRoom> rooms() const;
  /// The latest lines; at most max_kept_chat.
  const std::deque<ChatLine>& chat() const { return chat_; }

  const Muted& muted() const { return muted_; }
  /// False if too many are muted.
  bool mute(const std::string& player);
  /// False if the player was not muted.
  bool unmute(const std::string& player) { return muted_.remove(player); }
  /// Somebody has invited the player.
  void invited_by(const std::string& player) { last_inviter_ = player; }
  /// Empty before the first invitation.
  const std::string& last_inviter() const { return last_inviter_; }

 private:
  bool change_rooms(const v1::LobbyUpdate& update);
  void add_chat(const v1::LobbyUpdate& update, std::deque<ChatLine>& said);

  bool is_followed_ = false;
  bool is_complete_ = false;  // all rooms have come
  std::map<std::string, ListedRoom> rooms_;
  std::uint32_t players_ = 0;
  std::deque<ChatLine> chat_;
  Muted muted_;
  std::string last_inviter_;
};

}  // namespace tictactoe::client
