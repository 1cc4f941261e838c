#include "client/text/key_help.hpp"

#include <array>

namespace tictactoe::client {
namespace {

constexpr std::array<std::string_view, 56> key_lines = {
    "To win, get as many of your marks in a row, in a column or",
    "diagonally as the bar at the top says.",
    "",
    "PLAYING",
    "Arrows            go to a cell; Home End PgUp PgDn go far",
    "Enter, Space      place your mark there",
    "a click           does both; the wheel scrolls",
    "b3                typed: column b, row 3, then Enter;",
    "                  \"2 3\" is row 2, column 3; B3 is b3, too",
    "[X] is the last move, *X* a line that won, (?) a hint, and",
    ">X< is where you are. The full stop shows the last move.",
    "",
    "KEYS IN A ROOM (with Shift while you play, where a number",
    "after a letter makes it a cell)",
    "H  a hint; between two people only in a room with hints",
    "T  take your move back, or grant it",
    "D  a draw         N  decline what the other side wants",
    "R  resign; once the game is over: rematch",
    "A  let the computer play on a seat, or take it off",
    "J  take an open seat while you watch",
    "C  chat (or Tab)  L  leave the room",
    "U  the players of the server: invite one, or mute one",
    "I  how others join: command, link, QR code, key",
    "B  turn alerts: bell and title, one of them, or none",
    "PgUp, PgDn scroll what happened while the board is small",
    "",
    "COMMANDS",
    "Any word of the line mode may be typed after a colon, as",
    ":create den 15x15x5 clock 5m+3s   :join den   :watch den",
    ":ai o strong   :say hello   :replay 12   :history bob",
    ":invite bob   :mute eve   :players   :members",
    "Tab completes; Up and Down bring earlier lines back.",
    "",
    "LIST OF ROOMS",
    "Enter takes a seat, or watches if none is open. P plays",
    "with a player who waits, N makes a room, W watches, / filters,",
    "G lists finished games, S chooses another server,",
    "U lists the players, C (or Tab) talks to all in the lobby,",
    "I shows how others join.",
    "",
    "FINISHED GAMES",
    "Left and Right step through one, Home and End go to its",
    "ends, Space runs it by itself. C plays on from the move that",
    "is shown, against an AI and without the server; leave that",
    "game to come back. R opens a room on the server that goes",
    "on from that move, for a game with others.",
    "",
    "EVERYWHERE",
    "Esc goes back, and drops a line that is being typed.",
    "Q or Ctrl-C ends the program, and asks in a game and after",
    "it. For a second after a game, keys do nothing.",
    "Ctrl-Z stops it until the shell's fg goes on with it.",
    "Ctrl-L draws the screen again.",
    "",
    "A lost connection comes back by itself, and your seat and",
    "your clock wait for you meanwhile.",
};

}  // namespace

std::span<const std::string_view> key_help() {
  return key_lines;
}

std::string capital_text(char letter, bool is_column) {
  const std::string key(1, letter);
  if (!is_column) return key + " in a moment. Enter means " + key + " now, Esc drops it.";
  return key + ", or a cell: go on with a row, such as " + key + "8. Enter means " + key +
         ", Esc neither.";
}

}  // namespace tictactoe::client
