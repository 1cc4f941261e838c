#include "client/text/key_help.hpp"

#include <array>

namespace tictactoe::client {
namespace {

constexpr std::array<std::string_view, 56> key_lines = {
    "To win, get as many of your marks in a row as the bar at the",
    "top says: across, down or diagonally.",
    "",
    "PLAYING",
    "Arrows, h j k l   go to a cell; Home End PgUp PgDn go far",
    "Enter, Space      place your mark there",
    "a click           does both; the wheel scrolls",
    "b3                typed: column b, row 3, then Enter;",
    "                  \"2 3\" is row 2, column 3; B3 works too",
    "[X] is the last move, *X* a winning line, (?) a hint, and",
    ">X< is where you are. The full stop shows the last move.",
    "",
    "KEYS IN A ROOM (with Shift while you play, where a number",
    "after a letter makes it a cell)",
    "H  a hint; between two people only in a room with hints",
    "T  take your move back, or let the other side do it",
    "D  a draw         N  decline an offer or a request",
    "R  resign; once the game is over: rematch",
    "A  put an AI on a seat, or take it off",
    "J  take an open seat while you watch",
    "C  chat (or Tab)  L  leave the room",
    "U  list the players, to invite or mute them",
    "I  how others join: command, link, QR code, key",
    "B  turn alerts: bell, window title, both or none",
    "PgUp, PgDn scroll the messages while the board is small",
    "",
    "COMMANDS",
    "Type any command of the line mode after a colon, such as",
    ":create den 15x15x5 clock 5m+3s   :join den   :watch den",
    ":ai o strong   :say hello   :replay 12   :history bob",
    ":invite bob   :mute eve   :players   :members",
    "Tab completes; Up and Down recall earlier lines.",
    "",
    "LIST OF ROOMS",
    "Enter takes a seat, or watches if none is open. P plays",
    "the next waiting player, N creates a room, W watches,",
    "/ filters, G lists finished games, S switches servers,",
    "U lists the players, C (or Tab) chats in the lobby, I shows",
    "how others join.",
    "",
    "FINISHED GAMES",
    "Left and Right step through the moves, Home and End jump to",
    "the ends, Space plays them automatically. C continues from",
    "the move shown, against an AI and without the server; leave",
    "that game to come back. R opens a room on the server to",
    "continue from that move with others.",
    "",
    "EVERYWHERE",
    "Esc goes back, or drops the line that you are typing.",
    "Q or Ctrl-C quits; during and after a game it asks first.",
    "For a second after a game, keys do nothing.",
    "Ctrl-Z suspends the program; the shell's fg resumes it.",
    "Ctrl-L redraws the screen.",
    "",
    "A lost connection is restored automatically. Your seat and",
    "your clock wait for you.",
};

}  // namespace

std::span<const std::string_view> key_help() {
  return key_lines;
}

std::string capital_text(char letter, bool is_column) {
  const std::string key(1, letter);
  if (!is_column) return key + " in a moment. Enter means " + key + " now, Esc cancels it.";
  return key + ", or a cell: type a row, such as " + key + "8. Enter means " + key +
         ", Esc cancels it.";
}

}  // namespace tictactoe::client
