// What a terminal can do, the colours that are chosen for it, and the mode it is set to.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/terminal/abilities.hpp"
#include "client/terminal/raw_mode.hpp"
#include "client/terminal/style.hpp"

namespace tictactoe::client::terminal_abilities_tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A terminal in place of a standard stream.
class Pty {
 public:
  explicit Pty(int stream) : stream_(stream), before_(dup(stream)) {
    if (openpty(&master_, &slave_, nullptr, nullptr, nullptr) != 0) std::abort();
    dup2(slave_, stream_);
  }
  ~Pty() {
    dup2(before_, stream_);
    for (const int file : {before_, master_, slave_}) close(file);
  }
  Pty(const Pty&) = delete;
  Pty& operator=(const Pty&) = delete;

  void type(std::string_view bytes) const {
    if (write(master_, bytes.data(), bytes.size()) < 0) std::abort();
  }
  // What has been typed up to this byte.
  std::string read_up_to(char last) const {
    std::string bytes;
    for (char byte = 0; byte != last && read(slave_, &byte, 1) == 1;) bytes.push_back(byte);
    return bytes;
  }

 private:
  int stream_;
  int before_;
  int master_ = -1;
  int slave_ = -1;
};

void set(const char* name, const char* value) {
  value == nullptr ? unsetenv(name) : setenv(name, value, 1);
}

// Null: not set.
Colours colours_with(const char* term, const char* no_colour, bool at_terminal = true) {
  std::optional<Pty> terminal;
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) std::abort();
  const int before = dup(STDOUT_FILENO);
  dup2(ends[1], STDOUT_FILENO);
  if (at_terminal) terminal.emplace(STDOUT_FILENO);
  set("TERM", term);
  set("NO_COLOR", no_colour);
  const Colours colours = present_abilities().colours;
  set("NO_COLOR", nullptr);
  terminal.reset();
  dup2(before, STDOUT_FILENO);
  for (const int file : {before, ends[0], ends[1]}) close(file);
  return colours;
}

TEST(Colour, is_wanted_at_a_capable_terminal_unless_NO_COLOR_is_set) {
  EXPECT_EQ(colours_with("xterm", nullptr), Colours::eight);
  EXPECT_EQ(colours_with("xterm", "1"), Colours::none);
  EXPECT_EQ(colours_with("xterm", "0"), Colours::none) << "any value, as https://no-color.org says";
  EXPECT_EQ(colours_with("xterm", ""), Colours::eight) << "but an empty one";
  EXPECT_EQ(colours_with("dumb", nullptr), Colours::none);
  EXPECT_EQ(colours_with(nullptr, nullptr), Colours::none);
  EXPECT_EQ(colours_with("xterm", nullptr, false), Colours::none);
}

TEST(Abilities, are_those_of_terminfo) {
  const auto describe = [](const char* terminal) {
    const Abilities abilities = abilities_of(terminal);
    std::string text = abilities.full_screen ? "screen" : "lines";
    if (abilities.other_screen != 0) text += " " + std::to_string(abilities.other_screen);
    if (abilities.mouse) text += " mouse";
    if (abilities.title) text += " title";
    constexpr std::array colours = {"", " eight", " many"};
    return text + colours[static_cast<std::size_t>(abilities.colours)];
  };
  EXPECT_EQ(describe("xterm-256color"), "screen 1049 mouse title many");
  EXPECT_EQ(describe("xterm"), "screen 1049 mouse title eight");
  EXPECT_EQ(describe("xterm-mono"), "screen 47 mouse title");
  EXPECT_EQ(describe("linux"), "screen mouse eight");
  EXPECT_EQ(describe("vt100"), "screen");
  EXPECT_EQ(describe("screen"), "screen 1049 mouse title eight");
  EXPECT_EQ(describe("vt52"), "lines") << "it does not speak ECMA-48";
  EXPECT_EQ(describe("dumb"), "lines");
  EXPECT_EQ(describe(""), "lines");
  EXPECT_EQ(describe("of-tomorrow"), "screen 1049 mouse title eight");
  EXPECT_EQ(abilities_of("dvtm-256color").first_mouse_column, 0);
  EXPECT_EQ(abilities_of("xterm").first_mouse_column, 1);
}

// Contrast ----------------------------------------------------------------------------------------

using Rgb = unsigned;

// The 16 colours of a terminal as it is installed, and the backgrounds that it has by default.
struct Palette {
  std::string name;
  std::array<Rgb, 16> colours;
  bool bold_is_bright;
  std::vector<std::pair<Rgb, Rgb>> grounds;  // text and background
};

const std::pair<Rgb, Rgb> on_white{0x000000, 0xFFFFFF};
const std::pair<Rgb, Rgb> on_black{0xE5E5E5, 0x000000};

const std::vector<Palette>& palettes() {
  static const std::vector<Palette> all = {
      {"xterm 379",
       {0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F,
        0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF},
       true,
       {on_white, on_black}},
      {"rxvt-unicode 9.30",
       {0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000CD, 0xCD00CD, 0x00CDCD, 0xFAEBD7, 0x404040,
        0xFF0000, 0x00FF00, 0xFFFF00, 0x0000FF, 0xFF00FF, 0x00FFFF, 0xFFFFFF},
       true,
       {on_white, on_black}},
      {"VTE 0.70",
       {0x000000, 0xC00000, 0x00C000, 0xC0C000, 0x0000C0, 0xC000C0, 0x00C0C0, 0xC0C0C0, 0x3F3F3F,
        0xFF3F3F, 0x3FFF3F, 0xFFFF3F, 0x3F3FFF, 0xFF3FFF, 0x3FFFFF, 0xFFFFFF},
       false,
       {on_white, on_black}},
      {"GNOME Terminal 3.46",
       {0x171421, 0xC01C28, 0x26A269, 0xA2734C, 0x12488B, 0xA347BA, 0x2AA1B3, 0xD0CFCC, 0x5E5C64,
        0xF66151, 0x33D17A, 0xE9AD0C, 0x2A7BDE, 0xC061CB, 0x33C7DE, 0xFFFFFF},
       false,
       {on_white, {0xD0CFCC, 0x171421}}},
      {"Konsole 22.12",
       {0x232627, 0xED1515, 0x11D116, 0xF67400, 0x1D99F3, 0x9B59B6, 0x1ABC9C, 0xFCFCFC, 0x7F8C8D,
        0xC0392B, 0x1CDC9A, 0xFDBC4B, 0x3DAEE9, 0x8E44AD, 0x16A085, 0xFFFFFF},
       false,
       {{0xFCFCFC, 0x232627}}},
      {"Linux console",
       {0x000000, 0xAA0000, 0x00AA00, 0xAA5500, 0x0000AA, 0xAA00AA, 0x00AAAA, 0xAAAAAA, 0x555555,
        0xFF5555, 0x55FF55, 0xFFFF55, 0x5555FF, 0xFF55FF, 0x55FFFF, 0xFFFFFF},
       true,
       {{0xAAAAAA, 0x000000}}},
  };
  return all;
}

// By https://www.w3.org/TR/WCAG21/#dfn-relative-luminance
double luminance(Rgb colour) {
  const auto channel = [&](unsigned shift) {
    const double value = static_cast<double>((colour >> shift) & 0xFFU) / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0);
}

double contrast(Rgb one, Rgb other) {
  const double a = luminance(one) + 0.05;
  const double b = luminance(other) + 0.05;
  return a > b ? a / b : b / a;
}

// One of 256 colours, as xterm defines them.
Rgb of_256(const Palette& palette, int index) {
  constexpr int cube = 16;
  constexpr int greys = 232;
  if (index < cube) return palette.colours[static_cast<std::size_t>(index)];
  if (index >= greys) return static_cast<Rgb>(8 + 10 * (index - greys)) * 0x010101U;
  const auto level = [](int value) { return static_cast<Rgb>(value == 0 ? 0 : 55 + 40 * value); };
  const int at = index - cube;
  return (level(at / 36) << 16U) | (level(at / 6 % 6) << 8U) | level(at % 6);
}

// The colours of text and background that these parameters of SGR mean.
std::pair<Rgb, Rgb> seen(std::string_view parameters, const Palette& palette,
                         std::pair<Rgb, Rgb> ground) {
  std::vector<int> numbers;
  std::istringstream text{std::string(parameters)};
  for (std::string number; std::getline(text, number, ';');) numbers.push_back(std::stoi(number));
  std::optional<int> fore;
  std::optional<int> back;
  bool bold = false;
  bool reverse = false;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const int number = numbers[i];
    if (number == 1) bold = true;
    if (number == 7) reverse = true;
    if (number >= 30 && number < 38) fore = number - 30;
    if (number >= 40 && number < 48) back = number - 40;
    if (number == 38 || number == 48) {
      (number == 38 ? fore : back) = numbers.at(i + 2);
      i += 2;
    }
    EXPECT_FALSE(number == 2 || number >= 90) << parameters << ": faint or bright letters";
  }
  if (bold && palette.bold_is_bright && fore && *fore < 8) *fore += 8;
  EXPECT_NE(fore, 8) << parameters << ": bright black";
  std::pair<Rgb, Rgb> colours = ground;
  if (fore) colours.first = of_256(palette, *fore);
  if (back) colours.second = of_256(palette, *back);
  if (reverse) std::swap(colours.first, colours.second);
  return colours;
}

TEST(Style, can_be_read_on_white_and_on_black_in_all_palettes) {
  constexpr double readable = 3;  // WCAG 2.1, 1.4.11: what is needed to understand
  for (const Palette& palette : palettes()) {
    for (const auto& ground : palette.grounds) {
      for (const Colours colours : {Colours::none, Colours::eight, Colours::many}) {
        for (std::uint8_t i = 0; i < style_count; ++i) {
          const std::string_view parameters = sgr_of(static_cast<Style>(i), colours);
          const auto [text, back] = seen(parameters, palette, ground);
          EXPECT_GE(contrast(text, back), readable)
              << palette.name << " on " << std::hex << ground.second << ": " << parameters;
        }
      }
    }
  }
}

TEST(Style, without_colours_has_none) {
  for (std::uint8_t i = 0; i < style_count; ++i) {
    const std::string parameters(sgr_of(static_cast<Style>(i), Colours::none));
    EXPECT_THAT(parameters, Not(::testing::ContainsRegex("[34][0-9]"))) << parameters;
    EXPECT_THAT(std::string(sgr_of(static_cast<Style>(i), Colours::eight)), Not(HasSubstr(";5;")));
  }
}

// Mode --------------------------------------------------------------------------------------------

TEST(RawMode, a_key_that_sends_a_signal_discards_no_input) {
  const Pty terminal(STDIN_FILENO);
  RawMode mode;
  mode.enter();
  // The terminal does not control this process, so nobody gets the signal.
  terminal.type("\033[200~good\x03 luck\x1A!\033[201~");
  EXPECT_EQ(terminal.read_up_to('!'), "\033[200~good luck!");
}

TEST(RawMode, leaves_no_unread_input_to_the_shell_when_it_is_stopped_or_ends_abruptly) {
  for (void (*const end)() : {stop_program, rescue_terminal}) {
    const Pty terminal(STDIN_FILENO);
    const pid_t child = fork();
    if (child == 0) {
      setsid();  // nobody could continue it, so nothing stops it
      RawMode mode;
      mode.enter();
      terminal.type("good luck\r");
      end();
      fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
      char byte = 0;
      _exit(read(STDIN_FILENO, &byte, 1) == 1 ? 1 : 0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
}

}  // namespace
}  // namespace tictactoe::client::terminal_abilities_tests
