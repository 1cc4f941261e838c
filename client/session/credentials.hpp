// A player's credentials on a server: passwords and token.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "tictactoe/v1/server.pb.h"

namespace tictactoe::client {

/// Length of a token in bytes.
inline constexpr std::size_t token_bytes = 16;

struct Passwords {
  std::string server;
  std::string account;
  bool empty() const { return server.empty() && account.empty(); }
};

/// Which password a server asks for.
enum class Asks : unsigned char { nothing, server_password, account_password };

/// The token of a player over all connections of a session.
class OwnToken {
 public:
  /// Empty before the first welcome of a new player.
  const std::string& text() const { return text_; }
  void set(std::string token) { text_ = std::move(token); }

  /// Whether the welcome comes from a different lobby than earlier ones.
  bool is_other_lobby(const v1::Welcome& welcome) const {
    return server_id_ != 0 && welcome.server_id() != server_id_;
  }
  void welcomed(const v1::Welcome& welcome) {
    server_id_ = welcome.server_id();
    if (welcome.token().size() == token_bytes) {
      text_ = welcome.token();
      to_keep_ = text_;
    } else if (!welcome.resumed()) {
      text_.clear();
    }
  }
  /// A token received since the last call, to be stored for the next session.
  std::optional<std::string> take_new() { return std::exchange(to_keep_, {}); }

 private:
  std::string text_;
  std::optional<std::string> to_keep_;
  std::uint64_t server_id_ = 0;  // of the last welcome; 0 before, or if it has none
};

}  // namespace tictactoe::client
