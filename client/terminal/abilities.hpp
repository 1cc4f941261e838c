// The abilities of the program's terminal.
#pragma once

#include <string>

#include "client/terminal/style.hpp"

namespace tictactoe::client {

/// As terminfo describes it. A terminal that terminfo does not know is taken for one like xterm.
struct Abilities {
  bool full_screen = true;  ///< places text as ECMA-48 says
  /// The mode that shows a screen beside the one with the shell's lines; 0 if there is none.
  int other_screen = 1049;
  bool mouse = true;            ///< may report clicks
  bool title = true;            ///< may have a window with a title
  bool hides_cursor = true;     ///< mode 25
  bool stops_wrapping = true;   ///< mode 7
  bool marks_pastes = true;     ///< mode 2004
  bool scrolls_at_end = false;  ///< if a letter is written into its last cell
  Colours colours = Colours::eight;
  /// The number of the leftmost column in mouse reports of the old form: 0 in dvtm.
  int first_mouse_column = 1;
};

/// Of a terminal by its name, as in $TERM; none if the name is empty. Reads a file.
Abilities abilities_of(const std::string& terminal);

/// Of the terminal on standard output. No colours if it is none, and if NO_COLOR
/// (https://no-color.org) is set.
Abilities present_abilities();

}  // namespace tictactoe::client
