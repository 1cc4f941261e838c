#include "client/paint/terminal.hpp"

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "common/posix/file.hpp"

namespace tictactoe::screen {
namespace {

// The other screen, the title on xterm's stack, clicks in the SGR form, and lines that don't wrap.
constexpr std::string_view take_terminal = "\033[?1049h\033[22;2t\033[?1000h\033[?1006h\033[?7l";
// A terminal without another screen is cleared.
constexpr std::string_view give_back =
    "\033[0m\033[H\033[J\033[?25h\033[?7h\033[?1006l\033[?1000l\033[23;2t\033[?1049l";

client::RawMode::Bytes mode_bytes() {
  const std::string off = client::bracketed_paste_off + std::string(give_back);
  return {std::string(take_terminal) + client::bracketed_paste_on, off, off + "\r\n"};
}

// The parameters of SGR (select graphic rendition), with colours and without any.
std::string_view looks_of(Style style, bool colour) {
  switch (style) {
    case Style::plain:
      return "0";
    case Style::faint:
      return colour ? "0;90" : "0;2";
    case Style::strong:
      return "0;1";
    case Style::title:
      return colour ? "0;1;37;44" : "0;1;7";
    case Style::x:
      return colour ? "0;1;36" : "0;1";
    case Style::o:
      return colour ? "0;1;33" : "0;1";
    case Style::last:
      return colour ? "0;1;35" : "0;1";
    case Style::won:
      return colour ? "0;1;30;42" : "0;1;4";
    case Style::hint:
      return colour ? "0;1;35" : "0;4";
    case Style::cursor:
      return "0;1;7";
    case Style::key:
      return "0;7";
    case Style::good:
      return colour ? "0;30;42" : "0;1;7";
    case Style::alarm:
      return colour ? "0;1;37;41" : "0;1;7";
    case Style::chat:
      return colour ? "0;32" : "0";
    case Style::field:
      return "0;4";
    case Style::code:
      return colour ? "0;30;47" : "0;7";
  }
  return "0";
}

std::string go_to(Point at) {
  return "\033[" + std::to_string(at.y + 1) + ";" + std::to_string(at.x + 1) + "H";
}

// The columns from `begin` to before `end` of a row.
std::string row_text(const Picture& picture, int y, int begin, int end, bool colour) {
  std::string text = go_to({begin, y});
  std::string_view looks;
  bool may_be_elsewhere = false;  // terminals differ about the widths of such letters
  for (int x = begin; x < end; ++x) {
    const Glyph& glyph = picture.at({x, y});
    if (glyph.letter != 0 && std::exchange(may_be_elsewhere, false)) text += go_to({x, y});
    if (const auto wanted = looks_of(glyph.style, colour); wanted != std::exchange(looks, wanted)) {
      text.append("\033[").append(wanted).append("m");
    }
    // The right half of a wide letter comes with the left one.
    if (glyph.letter != 0) append_utf8(text, glyph.letter);
    if (glyph.mark != 0) append_utf8(text, glyph.mark);
    if (glyph.letter == 0 || glyph.mark != 0) may_be_elsewhere = true;
  }
  return text;
}

}  // namespace

bool full_screen_possible() {
  const char* const name = std::getenv("TERM");
  return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0 && name != nullptr &&
         *name != '\0' && std::string_view(name) != "dumb";
}

Terminal::Terminal(bool colour) : colour_(colour) {
  std::setlocale(LC_CTYPE, "");
  unicode_ = std::string_view(nl_langinfo(CODESET)) == "UTF-8";
  mode_.set_bytes(mode_bytes());
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
  std::string out = from_nothing ? "\033[?25l\033[0m\033[2J" : "\033[?25l";
  for (int y = 0; y < size.height; ++y) {
    const auto differs = [&](int x) {
      return from_nothing || picture.at({x, y}) != painted_->picture.at({x, y});
    };
    int begin = 0;
    int end = size.width;
    while (begin < end && !differs(begin)) ++begin;
    while (begin < end && !differs(end - 1)) --end;
    // Wide letters are painted whole.
    while (begin > 0 && begin < end && picture.at({begin, y}).letter == 0) --begin;
    if (begin < end) out += row_text(picture, y, begin, end, colour_);
  }
  painted_ = scene;
  out += scene.cursor ? go_to(*scene.cursor) + "\033[?25h" : "\033[?25l";
  posix::write_all(STDOUT_FILENO, out);
}

void Terminal::ring() {
  if (!suspended_) posix::write_all(STDOUT_FILENO, "\a");
}

void Terminal::set_title(const std::string& title) {
  if (suspended_ || title == title_) return;
  title_ = title;
  posix::write_all(STDOUT_FILENO, "\033]2;" + title + "\a");
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
