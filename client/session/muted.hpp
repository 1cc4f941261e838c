// Players whose chat and invitations the person does not want to see. The server does not know.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>

#include "client/model/room.hpp"
#include "client/model/sanitized.hpp"
#include "common/unicode/letters.hpp"

namespace tictactoe::client {

/// Players that can be muted.
inline constexpr std::size_t max_muted = 1'000;

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

}  // namespace tictactoe::client
