#include "client/paint/terminal.hpp"

#include <curses.h>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

#include <array>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "client/terminal/raw_mode.hpp"
#include "common/posix/file.hpp"

// Macros of curses with the names of functions here.
#undef clear
#undef refresh

namespace tictactoe::screen {
namespace {

constexpr std::string_view mouse_on = "\033[?1000h\033[?1006h";
constexpr std::string_view mouse_off = "\033[?1006l\033[?1000l";
// The stack of titles that xterm and its like keep.
constexpr std::string_view keep_title = "\033[22;2t";
constexpr std::string_view former_title = "\033[23;2t";

// A capability of the terminal without its pauses, "$<5>"; empty if there is none.
std::string capability(const char* name) {
  char code[16] = {};
  std::strncpy(code, name, sizeof(code) - 1);
  const char* const found = tigetstr(code);
  if (found == nullptr || reinterpret_cast<std::intptr_t>(found) == -1) return {};
  std::string text = found;
  for (std::size_t at; (at = text.find("$<")) != std::string::npos;) {
    const std::size_t end = text.find('>', at);
    text.erase(at, end == std::string::npos ? end : end - at + 1);
  }
  return text;
}

client::RawMode::Bytes mode_bytes(bool has_title) {
  client::RawMode::Bytes bytes;
  bytes.on.append(has_title ? keep_title : "").append(mouse_on).append(client::bracketed_paste_on);
  bytes.off.append(mouse_off).append(client::bracketed_paste_off);
  bytes.off.append(has_title ? former_title : "");
  bytes.off_after_crash =
      bytes.off + capability("sgr0") + capability("cnorm") + capability("rmcup") + "\r\n";
  return bytes;
}

struct Paint {
  attr_t attributes = A_NORMAL;
  short ink = -1;  // colours as curses counts them; -1: the terminal's own
  short ground = -1;
};

// With colours, and without any.
Paint paint_of(Style style, bool colour) {
  switch (style) {
    case Style::plain:
      return {};
    case Style::faint:
      return colour && COLORS >= 16 ? Paint{A_NORMAL, 8, -1} : Paint{A_DIM, -1, -1};
    case Style::strong:
      return {A_BOLD, -1, -1};
    case Style::title:
      return colour ? Paint{A_BOLD, COLOR_WHITE, COLOR_BLUE} : Paint{A_REVERSE | A_BOLD, -1, -1};
    case Style::x:
      return colour ? Paint{A_BOLD, COLOR_CYAN, -1} : Paint{A_BOLD, -1, -1};
    case Style::o:
      return colour ? Paint{A_BOLD, COLOR_YELLOW, -1} : Paint{A_BOLD, -1, -1};
    case Style::last:
      return colour ? Paint{A_BOLD, COLOR_MAGENTA, -1} : Paint{A_BOLD, -1, -1};
    case Style::won:
      return colour ? Paint{A_BOLD, COLOR_BLACK, COLOR_GREEN} : Paint{A_BOLD | A_UNDERLINE, -1, -1};
    case Style::hint:
      return colour ? Paint{A_BOLD, COLOR_MAGENTA, -1} : Paint{A_UNDERLINE, -1, -1};
    case Style::cursor:
      return {A_REVERSE | A_BOLD, -1, -1};
    case Style::key:
      return {A_REVERSE, -1, -1};
    case Style::good:
      return colour ? Paint{A_NORMAL, COLOR_BLACK, COLOR_GREEN} : Paint{A_REVERSE | A_BOLD, -1, -1};
    case Style::alarm:
      return colour ? Paint{A_BOLD, COLOR_WHITE, COLOR_RED} : Paint{A_REVERSE | A_BOLD, -1, -1};
    case Style::chat:
      return colour ? Paint{A_NORMAL, COLOR_GREEN, -1} : Paint{};
    case Style::field:
      return {A_UNDERLINE, -1, -1};
    case Style::code:
      return colour ? Paint{A_NORMAL, COLOR_BLACK, COLOR_WHITE} : Paint{A_REVERSE, -1, -1};
  }
  return {};
}

// tmux and screen take the sequences of xterm for titles, and their descriptions do not say so.
bool takes_title() {
  const char* const term = std::getenv("TERM");
  const std::string_view name = term == nullptr ? "" : term;
  char xterm[] = "XT";
  return tigetflag(xterm) == 1 || name.starts_with("tmux") || name.starts_with("screen");
}

}  // namespace

struct Terminal::State {
  SCREEN* screen = nullptr;
  std::array<attr_t, style_count> attributes{};
  std::array<short, style_count> pairs{};
  std::optional<Picture> painted;  // what stands there
  std::string title;
  bool has_title = false;
  bool used = false;
  std::optional<client::RawMode> mode;

  void choose_paints(bool colour);
  void paint_row(const Picture& picture, int y);
};

void Terminal::State::choose_paints(bool colour) {
  if (colour) {
    start_color();
    use_default_colors();
  }
  for (std::size_t i = 0; i < style_count; ++i) {
    const Paint paint = paint_of(static_cast<Style>(i), colour);
    attributes[i] = paint.attributes;
    if (!colour || (paint.ink < 0 && paint.ground < 0)) continue;
    pairs[i] = static_cast<short>(i + 1);
    init_pair(pairs[i], paint.ink, paint.ground);
  }
}

void Terminal::State::paint_row(const Picture& picture, int y) {
  std::vector<cchar_t> row;
  const int width = picture.size().width;
  row.reserve(static_cast<std::size_t>(width));
  const auto add = [&](const wchar_t* letters, Style style) {
    cchar_t cell{};
    const auto i = static_cast<std::size_t>(style);
    setcchar(&cell, letters, attributes[i], pairs[i], nullptr);
    row.push_back(cell);
  };
  for (int x = 0; x < width; ++x) {
    const Glyph& glyph = picture.at({x, y});
    std::array<wchar_t, 3> letters = {static_cast<wchar_t>(glyph.letter), 0, 0};
    const int taken = x + 1 < width && picture.at({x + 1, y}).letter == 0 ? 2 : 1;
    if (glyph.letter == 0 || wcwidth(letters[0]) != taken) {
      // The C library assumes another width. The rest of the row must stay in its place.
      add(L"?", glyph.style);
      if (taken == 2 && glyph.letter != 0) add(L"?", glyph.style), ++x;
      continue;
    }
    const auto mark = static_cast<wchar_t>(glyph.mark);
    if (mark != 0 && wcwidth(mark) == 0) letters[1] = mark;
    add(letters.data(), glyph.style);
    if (taken == 2) ++x;  // takes the next column as well
  }
  mvadd_wchnstr(y, 0, row.data(), static_cast<int>(row.size()));
}

bool full_screen_possible() {
  const char* const name = std::getenv("TERM");
  if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0 || name == nullptr) return false;
  int fault = 0;
  if (setupterm(nullptr, STDOUT_FILENO, &fault) != OK) return false;
  const bool possible = !capability("cup").empty() && !capability("clear").empty();
  del_curterm(cur_term);
  return possible;
}

std::unique_ptr<Terminal> Terminal::open(bool colour) {
  std::setlocale(LC_CTYPE, "");
  auto state = std::make_unique<State>();
  // Before curses, so that the present mode is restored at the end.
  state->mode.emplace();
  // Curses keeps sizes as shorts: refresh() says how large the terminal is.
  use_env(FALSE);
  state->screen = newterm(nullptr, stdout, stdin);
  if (state->screen == nullptr) return nullptr;
  cbreak();
  noecho();
  nonl();
  state->choose_paints(colour && has_colors());
  state->has_title = takes_title();
  state->mode->set_bytes(mode_bytes(state->has_title));
  const bool unicode = std::string_view(nl_langinfo(CODESET)) == "UTF-8";
  auto terminal = std::unique_ptr<Terminal>(new Terminal(std::move(state), unicode));
  terminal->resume();
  return terminal;
}

Terminal::Terminal(std::unique_ptr<State> state, bool unicode)
    : state_(std::move(state)), unicode_(unicode) {}

Terminal::~Terminal() {
  suspend();
  delscreen(state_->screen);
}

Size Terminal::size() const {
  winsize window{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 && window.ws_row > 0) {
    return clamped({window.ws_col, window.ws_row});
  }
  return clamped({COLS, LINES});
}

void Terminal::paint(const Scene& scene) {
  if (suspended_) return;
  const Picture& picture = scene.picture;
  const bool from_nothing = !state_->painted || state_->painted->size() != picture.size();
  for (int y = 0; y < picture.size().height; ++y) {
    bool same = !from_nothing;
    for (int x = 0; same && x < picture.size().width; ++x) {
      same = picture.at({x, y}) == state_->painted->at({x, y});
    }
    if (!same) state_->paint_row(picture, y);
  }
  state_->painted = picture;
  curs_set(scene.cursor ? 1 : 0);
  if (scene.cursor) move(scene.cursor->y, scene.cursor->x);
  wrefresh(stdscr);
}

void Terminal::ring() {
  if (suspended_) return;
  beep();
  wrefresh(stdscr);
}

void Terminal::set_title(const std::string& title) {
  if (suspended_ || !state_->has_title || title == state_->title) return;
  state_->title = title;
  posix::write_all(STDOUT_FILENO, "\033]2;" + title + "\007");
}

void Terminal::refresh() {
  const Size now = size();
  resizeterm(now.height, now.width);
  wclear(stdscr);
  clearok(curscr, TRUE);
  state_->painted.reset();
}

void Terminal::suspend() {
  if (std::exchange(suspended_, true)) return;
  const bool mine = client::in_foreground();
  state_->mode->leave();
  state_->title.clear();
  if (!mine) return;
  curs_set(1);
  endwin();
}

void Terminal::resume() {
  if (!client::in_foreground()) return;
  suspended_ = false;
  // Stopped in a way that left no time to give the terminal back.
  if (std::exchange(state_->used, true) && !isendwin()) endwin();
  refresh();
  wrefresh(stdscr);
  state_->mode->enter();
}

}  // namespace tictactoe::screen
