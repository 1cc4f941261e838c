// Short sentences that a front end shows as they are: questions, items of menus, hints beside
// fields, and what an empty list says.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tictactoe::client::prompts {

// Questions.
inline constexpr std::string_view resign = "Resign this game?";
inline constexpr std::string_view are_you_sure = "Are you sure?";
inline constexpr std::string_view end_local_game = "End this game? It will not be saved.";
inline constexpr std::string_view leave_room =
    "Leave the room? Someone else can then take your seat and continue the game.";
inline constexpr std::string_view leave_without_game = "Leave the room? You give up your seat.";
inline constexpr std::string_view leave_the_queue =
    "Leave the room? You then no longer wait for the AI's seat.";
inline constexpr std::string_view end_program = "Quit?";
inline constexpr std::string_view keep_playing = "Keep playing";
inline constexpr std::string_view leave_seat = "Leave the seat: someone else can take it";
inline constexpr std::string_view stay_here = "Stay here";
inline constexpr std::string_view end_it_all = "Quit";
inline constexpr std::string_view leave_and_end = "Leave the room and quit";
inline constexpr std::string_view end_game = "End this game?";
inline constexpr std::string_view end_it = "End it without saving";
inline constexpr std::string_view ai_takes_over = "Hand over to an AI, and watch";
inline constexpr std::string_view ai_players = "AI players";

// After a welcome, while the server tells what was missed: to a player with a seat, and to others.
inline constexpr std::string_view taking_up_seat = "Returning to your seat ...";
inline constexpr std::string_view catching_up = "Catching up ...";
// After the name of a server that has received the hello.
inline constexpr std::string_view admission_delayed =
    "has received your name. Waiting for its disk or its database ...";

// People.
inline constexpr std::string_view nobody_else = "Nobody else is here.";
inline constexpr std::string_view invite_here = "Invite to this room";
inline constexpr std::string_view mute = "Mute: hide chat and invitations";
inline constexpr std::string_view unmute = "Unmute: show chat and invitations";
inline constexpr std::string_view say_in_lobby = "Say to everyone in the lobby: ";

// How to move.
inline constexpr std::string_view how_to_move =
    "Move with the arrows and Enter, a click, or by typing a cell such as b3.";
inline constexpr std::string_view how_to_move_in_short = "Arrows and Enter, a click, or type b3.";
inline constexpr std::string_view move_or_command = "Move or command: ";
inline constexpr std::string_view take_seat = "Take the seat";
inline constexpr std::string_view open_seat = "open seat";

// The choice of a server.
inline constexpr std::string_view on_your_network = "On your network";
inline constexpr std::string_view looking_for_servers = "looking for servers ...";
inline constexpr std::string_view no_server_answered =
    "No server answered on this network. A firewall may be blocking UDP port 7654.";
inline constexpr std::string_view start_advice =
    "Type the address of a server below, or start one with `./run`.";
inline constexpr std::string_view address_form =
    "HOST, HOST:PORT or [IPV6]:PORT of a server elsewhere";
inline constexpr std::string_view address_form_in_short = "HOST, HOST:PORT or [IPV6]:PORT";
inline constexpr std::string_view only_server = "This is the only server found on your network.";
inline constexpr std::string_view other_version = "uses another version";
inline constexpr std::string_view others_join = "Others join with";
inline constexpr std::string_view others_join_in_short = "Others join (I: QR code)";
inline constexpr std::string_view a_clone = "(a clone: ./run join)";
inline constexpr std::string_view key_for_others = "I shows how others join.";
inline constexpr std::string_view in_a_terminal = "In a terminal (a clone: ./run join):";
inline constexpr std::string_view from_a_clone =
    "From a clone of the project, it is `./run join` instead of `tictactoe`.";
inline constexpr std::string_view in_a_browser = "In a browser or on a phone:";
inline constexpr std::string_view on_another_network = "From another network:";
inline constexpr std::string_view on_this_network = "On this network:";
inline constexpr std::string_view from_anywhere = "From anywhere:";
inline constexpr std::string_view works_anywhere = "From anywhere on the internet:";
inline constexpr std::string_view key_of_server = "The server's key:";
inline constexpr std::string_view no_way_for_others = "The address for other machines is unknown.";
inline constexpr std::string_view nobody_joins = "Nobody can join a game without a server.";

inline constexpr std::string_view waiting_for_ai_seat = "Waiting for a seat";

// Lists.
inline constexpr std::string_view asking_for_rooms = "Loading rooms ...";
inline constexpr std::string_view back_to_game = "Back to the game";
inline constexpr std::string_view asking_for_games = "Loading games ...";
inline constexpr std::string_view no_list = "The list can't be shown now. Go back and try again.";
inline constexpr std::string_view no_games = "No finished games.";
inline constexpr std::string_view finished_games = "Finished games";

// Finished games.
inline constexpr std::string_view step_through = "Step through";
inline constexpr std::string_view before_first_move = "Before the first move.";
inline constexpr std::string_view play_on = "Continue from here";

// Fields of the form for a new room.
inline constexpr std::string_view in_a_row = "In a row";
inline constexpr std::string_view new_room = "A new room";
inline constexpr std::string_view board_hint = "rows x columns";
inline constexpr std::string_view name_hint = "what others see in the list";
inline constexpr std::string_view k_hint = "marks that win";
inline constexpr std::string_view clock_hint = "none, or 5m, 5m+3s, 30s/move";
inline constexpr std::string_view password_hint = "empty: anyone can join";
inline constexpr std::string_view listed_hint = "no: found only by its name";
inline constexpr std::string_view newcomers_hint = "yes: may take an AI's seat";

inline constexpr std::string_view hints_hint = "yes: even between people";

inline constexpr std::string_view program_name = "Tic-tac-toe";

/// The keys of the full screen: lines of at most 60 columns; those in capital letters are headings.
inline constexpr auto key_help = std::to_array<std::string_view>({
    "To win, get as many of your marks in a row as the bar at the",
    "top says: across, down or diagonally.",
    "",
    "PLAYING",
    "Arrows            move; Home End PgUp PgDn move farther",
    "Enter, Space      place your mark there",
    "a click           does both; the wheel scrolls",
    "b3                typed: column and row, then Enter;",
    "                  \"2 3\" is row 2, column 3; B3 works too",
    "[X] is the last move, *X* a winning line, (?) a hint, and",
    ">X< is the cursor. The key . shows the last move.",
    "",
    "KEYS IN A ROOM (hold Shift while you play; a letter and a",
    "number name a cell; without Shift, Enter runs a letter)",
    "H  a hint; between two people only in a room with hints",
    "T  take your move back, or grant a takeback",
    "D  offer a draw   N  decline an offer or a request",
    "R  resign; once the game is over: rematch",
    "A  add or remove an AI, or change its level",
    "J  take an open seat while you watch",
    "C  chat (or Tab)  L  leave the room",
    "U  list the players, to invite or mute them",
    "I  how others join: command, link, QR code, key",
    "",
    "COMMANDS",
    "Type any command of the line mode after a colon, such as",
    ":create den 15x15x5 clock 5m+3s   :join den   :watch den",
    ":ai o strong   :say hello   :replay 12   :history bob",
    ":invite bob   :mute eve   :players   :members",
    "Tab completes; Up and Down recall earlier lines.",
    "",
    "LIST OF ROOMS",
    "Up and Down, or k and j, choose. Enter takes a seat, or",
    "watches if none is open. P plays the next waiting player,",
    "N creates a room, W watches, G lists finished games,",
    "S switches servers, U lists the players, C (or Tab) chats",
    "in the lobby, I shows how others join.",
    "",
    "FINISHED GAMES",
    "Up and Down, or k and j, choose one. Enter shows it.",
    "Left and Right, or h and l, step through the moves, Home",
    "and End jump to the ends, Space plays them automatically.",
    "R opens a room in which the game continues from the move",
    "shown.",
    "",
    "EVERYWHERE",
    "Esc goes back, or discards the line you are typing.",
    "Q or Ctrl-C quits. Leaving and quitting ask first if you",
    "have a seat, or wait for one.",
    "For a second after a game ends, keys are ignored.",
    "Ctrl-Z suspends the program; the shell's fg resumes it.",
    "Ctrl-L redraws the screen.",
    "PgUp and PgDn scroll the messages while you type, and if",
    "the whole board or list of rooms is visible.",
    "",
    "The program restores lost connections. Your seat is held",
    "meanwhile, but your clock keeps running.",
});

/// Says that the command of a capital letter waits for a number, which would make it a cell of a
/// board with so many rows.
inline std::string capital_text(char letter, std::uint32_t rows) {
  const std::string key(1, letter);
  return "For a cell, type a row, such as " + key + std::to_string(std::min(rows, 8U)) +
         ". Enter runs " + key + ", Esc cancels it.";
}

}  // namespace tictactoe::client::prompts
