#include "client/paint/terminal.hpp"

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "common/posix/file.hpp"

namespace tictactoe::screen {
namespace {

constexpr const char* hide_cursor = "\033[?25l";
constexpr const char* show_cursor = "\033[?25h";

std::string title_bytes(const std::string& title) {
  return "\033]2;" + title + "\a";
}

// The title for terminals without a stack, after the program. They don't tell the former one.
std::string name_of_shell() {
  const char* const shell = std::getenv("SHELL");
  std::string name = shell != nullptr ? shell : "";
  name.erase(0, name.rfind('/') + 1);
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  };
  constexpr std::size_t longest = 32;
  return name.size() <= longest && std::ranges::all_of(name, is_plain) ? name : std::string();
}

// Codes that take the terminal and give it back: of each mode only if the terminal has it, because
// others show such a code as text. ESC 7 and ESC 8 keep the cursor of the shell's line; mode 1049
// should, but does not in dvtm. A title goes on xterm's stack.
client::RawMode::Bytes mode_bytes(const client::Abilities& abilities) {
  std::string on;
  std::string off = "\033[0m\033[H\033[J";
  const std::string other_screen = "\033[?" + std::to_string(abilities.other_screen);
  if (abilities.other_screen != 0) on += "\0337" + other_screen + "h";
  if (abilities.title) {
    on += "\033[22;2t";
    off += title_bytes(name_of_shell()) + "\033[23;2t";
  }
  if (abilities.mouse) {
    on += "\033[?1000h\033[?1006h";
    off += "\033[?1006l\033[?1000l";
  }
  if (abilities.hides_cursor) off += show_cursor;
  if (abilities.stops_wrapping) {
    on += "\033[?7l";
    off += "\033[?7h";
  }
  if (abilities.marks_pastes) {
    on += client::bracketed_paste_on;
    off += client::bracketed_paste_off;
  }
  if (abilities.other_screen != 0) off += other_screen + "l\0338";
  return {on, off, off + "\r\n"};
}

std::string go_to(Point at) {
  return "\033[" + std::to_string(at.y + 1) + ";" + std::to_string(at.x + 1) + "H";
}

// The columns from `begin` to before `end` of a row.
std::string row_text(const Picture& picture, int y, int begin, int end, client::Colours colours) {
  std::string text = go_to({begin, y});
  std::string_view looks;
  bool may_be_elsewhere = false;  // terminals differ about the widths of such letters
  for (int x = begin; x < end; ++x) {
    const Glyph& glyph = picture.at({x, y});
    if (glyph.letter != 0 && std::exchange(may_be_elsewhere, false)) text += go_to({x, y});
    if (const auto wanted = client::sgr_of(glyph.style, colours);
        wanted != std::exchange(looks, wanted)) {
      text.append("\033[").append(wanted).append("m");
    }
    // The right half of a wide letter comes with the left one.
    if (glyph.letter != 0) append_utf8(text, glyph.letter);
    if (glyph.mark != 0) append_utf8(text, glyph.mark);
    if (glyph.letter == 0 || glyph.mark != 0) may_be_elsewhere = true;
  }
  return text;
}

// The end of a row whose last letter, which may be wide, is left out.
int without_last_letter(const Picture& picture, int y) {
  int end = picture.size().width - 1;
  while (end > 0 && picture.at({end, y}).letter == 0) --end;
  return end;
}

}  // namespace

bool full_screen_possible() {
  return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0 &&
         client::present_abilities().full_screen;
}

Terminal::Terminal() : abilities_(client::present_abilities()) {
  std::setlocale(LC_CTYPE, "");
  unicode_ = std::string_view(nl_langinfo(CODESET)) == "UTF-8";
  mode_.set_bytes(mode_bytes(abilities_));
  resume();
}

Size Terminal::size() {
  winsize window{};
  const bool is_known =
      ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 && window.ws_row > 0;
  return is_known ? clamped({window.ws_col, window.ws_row}) : Size{80, 24};
}

void Terminal::paint(const Scene& scene) {
  if (suspended_) return;
  const Picture& picture = scene.picture;
  const Size size = picture.size();
  const bool from_nothing = !painted_ || painted_->picture.size() != size;
  if (!from_nothing && painted_->picture == picture && painted_->cursor == scene.cursor) return;
  std::string out = abilities_.hides_cursor ? hide_cursor : "";
  if (from_nothing) out += "\033[0m\033[2J";
  for (int y = 0; y < size.height; ++y) {
    const auto differs = [&](int x) {
      return from_nothing || picture.at({x, y}) != painted_->picture.at({x, y});
    };
    int begin = 0;
    int end = size.width;
    if (abilities_.scrolls_at_end && y == size.height - 1) end = without_last_letter(picture, y);
    while (begin < end && !differs(begin)) ++begin;
    while (begin < end && !differs(end - 1)) --end;
    // Wide letters are painted whole.
    while (begin > 0 && begin < end && picture.at({begin, y}).letter == 0) --begin;
    if (begin < end) out += row_text(picture, y, begin, end, abilities_.colours);
  }
  painted_ = scene;
  if (scene.cursor) out += go_to(*scene.cursor);
  if (scene.cursor && abilities_.hides_cursor) out += show_cursor;
  posix::write_all(STDOUT_FILENO, out);
}

void Terminal::ring() {
  if (!suspended_) posix::write_all(STDOUT_FILENO, "\a");
}

void Terminal::set_title(const std::string& title) {
  if (!abilities_.title || suspended_ || title == title_) return;
  title_ = title;
  posix::write_all(STDOUT_FILENO, title_bytes(title));
}

void Terminal::suspend() {
  if (std::exchange(suspended_, true)) return;
  mode_.leave();
  title_.clear();
}

void Terminal::resume() {
  if (!client::in_foreground()) return;
  suspended_ = false;
  painted_.reset();
  mode_.enter();
}

}  // namespace tictactoe::screen
