// Typing during a session, and the protection against unintended keys: a capital letter may begin a
// cell, and keys typed just after a game were meant for that game.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "client/model/time.hpp"
#include "client/terminal/keys.hpp"
#include "client/terminal/line_editor.hpp"
#include "client/words/command.hpp"

namespace tictactoe::screen {

/// The line that is being typed.
enum class Entry : std::uint8_t { none, move, chat };

/// The lines in which text is typed: for moves and commands, and for chat. What was typed can be
/// recalled until the program ends.
class Typing {
 public:
  /// A session begins: Tab completes its words.
  void begin_session(client::Completer completer) {
    end();
    move_.clear();
    chat_.clear();
    move_.complete_with(std::move(completer));
  }

  Entry entry() const { return entry_; }
  /// Whether a line is being typed.
  bool is_active() const { return entry_ != Entry::none; }
  /// The line that is being typed; if there is none, that for commands.
  client::LineEditor& line() { return entry_ == Entry::chat ? chat_ : move_; }
  const client::LineEditor& line() const { return const_cast<Typing*>(this)->line(); }

  void begin(Entry entry, std::string_view text = {}) {
    entry_ = entry;
    line().set(text);
  }
  /// Keys have other meanings from now on.
  void end() { entry_ = Entry::none; }
  /// Ends, and forgets the line.
  void drop() {
    line().clear();
    end();
  }
  /// Ends, and returns the line, which can be recalled.
  std::string take() {
    std::string text = line().take();
    end();
    return text;
  }
  /// A room was entered or left: chat belongs to where it was begun.
  void change_room() {
    if (entry_ != Entry::move) end();
    chat_.clear();
  }

 private:
  Entry entry_ = Entry::none;
  client::LineEditor move_{client::max_line_bytes / 4};
  client::LineEditor chat_{client::max_line_bytes / 4};
};

/// A number within this time after a capital letter makes it a cell instead of a command. Commands
/// that send a request wait this long.
inline constexpr client::milliseconds capital_pace{1'000};
/// Like capital_pace, for a capital letter that has opened something.
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
  /// Forgets the letter. `question`: an open question takes no digits, so a digit has no time
  /// limit.
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

/// Ignores input for a while after letters stop being moves and become commands of the room or of
/// the lobby.
class EndedGame {
 public:
  /// The person is leaving the room, and so expects the end.
  void expect_leaving() { leaving_ = true; }
  /// Call after each event. Returns whether a game has just ended.
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
