#include "client/screen/terminal.hpp"

#include <curses.h>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <optional>
#include <string_view>
#include <vector>

// Macros of curses that stand in the way of good names.
#undef clear
#undef refresh

namespace tictactoe::screen {
namespace {

constexpr std::string_view mouse_on = "\033[?1000h\033[?1006h";
constexpr std::string_view mouse_off = "\033[?1006l\033[?1000l";

void send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count <= 0) return;  // a terminal that is gone needs nothing any more
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

// What a crash needs to leave the terminal usable, made ready while all is well: a handler may
// neither allocate nor lock.
struct Rescue {
  std::array<char, 256> bytes{};
  std::size_t count = 0;
  termios mode{};
  volatile std::sig_atomic_t armed = 0;
};
Rescue rescue;
constexpr std::array crash_signals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
std::array<struct sigaction, crash_signals.size()> former;

void on_crash(int signal) {
  if (rescue.armed != 0) {
    rescue.armed = 0;
    static_cast<void>(write(STDOUT_FILENO, rescue.bytes.data(), rescue.count));
    tcsetattr(STDIN_FILENO, TCSANOW, &rescue.mode);
  }
  for (std::size_t i = 0; i < crash_signals.size(); ++i) {
    if (crash_signals[i] == signal) sigaction(signal, &former[i], nullptr);
  }
  // Whoever was to be told of the crash is told now.
  raise(signal);
}

// A capability of the terminal without its pauses, "$<5>"; empty where there is none.
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

void arm_rescue(const std::string& title_back) {
  const std::string bytes = std::string(mouse_off) + capability("sgr0") + capability("cnorm") +
                            capability("rmcup") + title_back + "\r\n";
  rescue.count = std::min(bytes.size(), rescue.bytes.size());
  std::copy_n(bytes.begin(), rescue.count, rescue.bytes.begin());
  rescue.armed = 1;
  struct sigaction action{};
  action.sa_handler = on_crash;
  for (std::size_t i = 0; i < crash_signals.size(); ++i) {
    sigaction(crash_signals[i], &action, &former[i]);
  }
}

void disarm_rescue() {
  rescue.armed = 0;
  for (std::size_t i = 0; i < crash_signals.size(); ++i) {
    sigaction(crash_signals[i], &former[i], nullptr);
  }
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
  }
  return {};
}

}  // namespace

struct Terminal::State {
  SCREEN* screen = nullptr;
  std::array<attr_t, style_count> attributes{};
  std::array<short, style_count> pairs{};
  std::optional<Picture> painted;  // what stands there
  std::string title;
  bool has_title = false;

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
      // The C library is of another opinion on its width: nothing else may move for that.
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
  if (tcgetattr(STDIN_FILENO, &rescue.mode) != 0) return nullptr;
  auto state = std::make_unique<State>();
  state->screen = newterm(nullptr, stdout, stdin);
  if (state->screen == nullptr) return nullptr;
  cbreak();
  noecho();
  nonl();
  state->choose_paints(colour && has_colors());
  char xterm[] = "XT";
  state->has_title = tigetflag(xterm) == 1;
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
    return {window.ws_col, window.ws_row};
  }
  return {COLS, LINES};
}

void Terminal::paint(const Scene& scene) {
  const Picture& picture = scene.picture;
  const bool anew = !state_->painted || state_->painted->size() != picture.size();
  for (int y = 0; y < picture.size().height; ++y) {
    bool same = !anew;
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
  beep();
  wrefresh(stdscr);
}

void Terminal::set_title(const std::string& title) {
  if (!state_->has_title || title == state_->title) return;
  state_->title = title;
  send("\033]2;" + title + "\007");
}

void Terminal::refresh() {
  const Size now = size();
  resizeterm(now.height, now.width);
  wclear(stdscr);
  clearok(curscr, TRUE);
  state_->painted.reset();
}

void Terminal::suspend() {
  disarm_rescue();
  send(mouse_off);
  curs_set(1);
  endwin();
  if (state_->has_title) send("\033[23;2t");
  state_->title.clear();
}

void Terminal::resume() {
  if (state_->has_title) send("\033[22;2t");
  arm_rescue(state_->has_title ? "\033[23;2t" : "");
  refresh();
  wrefresh(stdscr);
  send(mouse_on);
}

}  // namespace tictactoe::screen
