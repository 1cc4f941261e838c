#include "client/terminal/abilities.hpp"

// Its macros have names such as "lines": this file is compiled apart from others.
#include <term.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace tictactoe::client {
namespace {

std::string text_of(const char* capability) {
  const char* const text = tigetstr(capability);
  const bool is_there = text != nullptr && reinterpret_cast<std::intptr_t>(text) != -1;
  return is_there ? text : std::string();
}

// "$<5>" in a capability is a pause for a terminal of former times.
std::string without_pauses(std::string text) {
  for (std::size_t begin = 0; (begin = text.find("$<")) != std::string::npos;) {
    text.erase(begin, text.find('>', begin) - begin + 1);
  }
  return text;
}

bool places_text_by_ecma() {
  const std::string address = without_pauses(text_of("cup"));
  return address == "\033[%i%p1%d;%p2%dH" || address == "\033[%i%p1%02d;%p2%02dH";
}

}  // namespace

Abilities abilities_of(const std::string& terminal) {
  Abilities abilities;
  if (terminal.empty() || terminal == "dumb") {
    return {.full_screen = false,
            .other_screen = 0,
            .mouse = false,
            .title = false,
            .hides_cursor = false,
            .stops_wrapping = false,
            .marks_pastes = false,
            .colours = Colours::none};
  }
  if (terminal.starts_with("dvtm")) abilities.first_mouse_column = 0;
  int error = 0;
  if (setupterm(terminal.c_str(), STDOUT_FILENO, &error) != 0) return abilities;
  constexpr int few = 8;
  constexpr int many = 256;
  const int colours = tigetnum("colors");
  abilities.colours = colours >= many  ? Colours::many
                      : colours >= few ? Colours::eight
                                       : Colours::none;
  abilities.full_screen = places_text_by_ecma();
  // Mode 1049 is that of xterm since 1999. Some know only the former one, such as ansi-term.
  const std::string begin_other_screen = text_of("smcup");
  const bool is_former = begin_other_screen.find("?47h") != std::string::npos;
  abilities.other_screen = begin_other_screen.empty() ? 0 : is_former ? 47 : 1049;
  abilities.mouse = !text_of("kmous").empty();
  // Few entries speak of titles. A terminal of windows has both of these; emacs's ansi-term, which
  // writes a title on its screen, has no mouse, and the Linux console no other screen.
  abilities.title = abilities.other_screen != 0 && abilities.mouse;
  abilities.hides_cursor = text_of("civis").find("\033[?25l") != std::string::npos;
  // Many entries of terminals of windows are older than these modes.
  abilities.stops_wrapping = abilities.mouse || text_of("rmam") == "\033[?7l";
  abilities.marks_pastes = abilities.mouse || !text_of("BE").empty();
  abilities.scrolls_at_end =
      !abilities.stops_wrapping && tigetflag("am") > 0 && tigetflag("xenl") <= 0;
  del_curterm(cur_term);
  return abilities;
}

Abilities present_abilities() {
  const char* const terminal = std::getenv("TERM");
  const char* const no_colour = std::getenv("NO_COLOR");
  Abilities abilities = abilities_of(terminal != nullptr ? terminal : "");
  const bool refused = no_colour != nullptr && *no_colour != '\0';
  if (refused || isatty(STDOUT_FILENO) == 0) abilities.colours = Colours::none;
  return abilities;
}

}  // namespace tictactoe::client
