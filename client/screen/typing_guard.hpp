// Protects against unintended keys: a capital letter may begin a cell, and keys typed just after a
// game were meant for that game.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "client/model/time.hpp"
#include "client/terminal/keys.hpp"

namespace tictactoe::screen {

/// A number within this time after a capital letter makes it a cell instead of a command. Commands
/// that send a request wait this long.
inline constexpr client::milliseconds capital_pace{1'000};
/// Like capital_pace, for a capital letter that has opened a menu.
inline constexpr client::milliseconds word_pace{1'500};
/// After a game has ended, keys, clicks and pasted text do nothing for this time. A person who
/// keeps typing during it has to pause for ended_typing_pause.
inline constexpr client::milliseconds game_end_pause{1'000};
inline constexpr client::milliseconds ended_typing_pause{500};

/// A capital letter that was typed during a game: the key of a command or, with a number after it,
/// the column of a cell, as in "L8".
class CapitalKey {
 public:
  /// `waits`: the command is carried out only if no number follows.
  void press(char32_t letter, bool waits, client::Time now) { pressed_ = {letter, now, waits}; }
  void clear() { pressed_.reset(); }

  bool waits() const { return pressed_ && pressed_->waits; }
  std::optional<client::Time> due() const {
    return waits() ? std::optional(pressed_->at + capital_pace) : std::nullopt;
  }
  /// The command that is due.
  std::optional<char32_t> take_due(client::Time now) {
    if (!waits() || now < *due()) return std::nullopt;
    return std::exchange(pressed_, {})->letter;
  }

  /// The effect of the key after the capital letter.
  struct Next {
    enum class Kind : std::uint8_t { nothing, cell, command, cancelled };
    Kind kind = Kind::nothing;
    char32_t letter = 0;
  };
  /// Forgets the letter. A `question` is read at leisure, and takes no digits; menus do.
  Next next(const client::Key& key, bool question, client::Time now) {
    const auto pressed = std::exchange(pressed_, {});
    if (!pressed) return {};
    const bool digit =
        key.name == client::Key::Name::letter && key.letter >= U'1' && key.letter <= U'9';
    if (digit && (question || now <= pressed->at + word_pace)) {
      return {Next::Kind::cell, pressed->letter};
    }
    if (!pressed->waits) return {};
    const bool cancels = key.name == client::Key::Name::escape;
    return {cancels ? Next::Kind::cancelled : Next::Kind::command, pressed->letter};
  }

 private:
  struct Pressed {
    char32_t letter = 0;
    client::Time at;
    bool waits = false;
  };
  std::optional<Pressed> pressed_;
};

/// Ignores input after letters have stopped to be moves: from then on they are commands, of the
/// room or of the lobby.
class EndedGame {
 public:
  /// The person leaves the room, and so expects the end.
  void expect_leaving() { leaving_ = true; }
  /// To be called after each event. Whether a game has just ended.
  bool update(bool letters_are_moves, bool in_room, client::Time now) {
    const bool before = std::exchange(letters_are_moves_, letters_are_moves);
    const bool expected = std::exchange(leaving_, leaving_ && in_room);
    if (letters_are_moves) until_ = {};
    const bool ended = before && !letters_are_moves;
    if (ended && (in_room || !expected)) until_ = now + game_end_pause;
    return ended;
  }
  bool ignores(client::Time now) {
    if (now >= until_) return false;
    until_ = std::max(until_, now + ended_typing_pause);
    return true;
  }

 private:
  bool letters_are_moves_ = false;
  bool leaving_ = false;
  client::Time until_;
};

}  // namespace tictactoe::screen
