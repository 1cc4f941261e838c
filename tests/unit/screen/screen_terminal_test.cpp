// What is written to a terminal: what it can do, and nothing that it would show as text.
#include <gmock/gmock.h>
#include <pty.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

#include "client/paint/terminal.hpp"

namespace tictactoe::screen::testing::screen_terminal_tests {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// All that a short program writes to a terminal of this name.
std::string written(const char* terminal) {
  int master = -1;
  int slave = -1;
  if (openpty(&master, &slave, nullptr, nullptr, nullptr) != 0) std::abort();
  const std::array streams = {STDIN_FILENO, STDOUT_FILENO};
  const std::array before = {dup(STDIN_FILENO), dup(STDOUT_FILENO)};
  for (const int stream : streams) dup2(slave, stream);
  setenv("TERM", terminal, 1);
  setenv("SHELL", "/bin/some-shell", 1);
  {
    Terminal screen;
    Scene scene({10, 2});
    const Canvas canvas(scene.picture);
    for (std::uint8_t i = 0; i < client::style_count; ++i) {
      canvas.put(i % 10, i / 10, U'X', static_cast<Style>(i));
    }
    canvas.put(9, 1, U'Z', Style::plain);
    screen.paint(scene);
    screen.set_title("Your turn");
  }
  for (std::size_t i = 0; i < streams.size(); ++i) {
    dup2(before[i], streams[i]);
    close(before[i]);
  }
  close(slave);
  std::string bytes;
  std::array<char, 4096> part;
  while (const ssize_t count = read(master, part.data(), part.size())) {
    if (count < 0) break;  // the other side is closed
    bytes.append(part.data(), static_cast<std::size_t>(count));
  }
  close(master);
  return bytes;
}

TEST(Terminal, gets_its_former_title_or_that_of_the_shell) {
  const std::string bytes = written("xterm-256color");
  const std::size_t title = bytes.find("\033]2;Your turn\a");
  const std::size_t shell = bytes.find("\033]2;some-shell\a\033[23;2t");
  EXPECT_LT(bytes.find("\033[22;2t"), title);
  EXPECT_LT(title, shell);
  EXPECT_NE(shell, std::string::npos);
}

TEST(Terminal, gets_the_cursor_of_the_shell_back) {
  EXPECT_THAT(written("xterm"),
              AllOf(StartsWith("\0337\033[?1049h"), EndsWith("\033[?1049l\0338")));
}

TEST(Terminal, gets_the_other_screen_that_it_has) {
  EXPECT_THAT(written("xterm-mono"),
              AllOf(StartsWith("\0337\033[?47h"), EndsWith("\033[?47l\0338")));
}

TEST(Terminal, without_another_screen_a_mouse_or_a_window_gets_no_codes_for_them) {
  for (const char* name : {"vt100", "vt220"}) {
    EXPECT_THAT(written(name), AllOf(Not(HasSubstr("?1049")), Not(HasSubstr("\033]")),
                                     Not(HasSubstr("?100")), Not(HasSubstr("t"))))
        << name;
  }
  EXPECT_THAT(written("linux"), AllOf(Not(HasSubstr("?1049")), Not(HasSubstr("\033]"))));
}

TEST(Terminal, gets_no_codes_that_it_would_show) {
  EXPECT_THAT(written("xterm-256color"),
              AllOf(HasSubstr("\033[?25l"), HasSubstr("\033[?7l"), HasSubstr("\033[?7h"),
                    HasSubstr("\033[?2004h"), HasSubstr("\033[?2004l")));
  EXPECT_THAT(written("vt220"),
              AllOf(HasSubstr("\033[?25l"), HasSubstr("\033[?7l"), Not(HasSubstr("?2004"))));
  EXPECT_THAT(written("vt100"),
              AllOf(Not(HasSubstr("?25")), HasSubstr("\033[?7l"), Not(HasSubstr("?2004"))));
  for (const char* name : {"ansi", "sun", "cons25"}) {
    EXPECT_THAT(written(name), Not(HasSubstr("\033[?"))) << name;
  }
  // Their entries are older than what they can do.
  for (const char* name : {"screen", "rxvt"}) {
    EXPECT_THAT(written(name), AllOf(HasSubstr("\033[?7l"), HasSubstr("\033[?2004h"))) << name;
  }
}

TEST(Terminal, that_would_scroll_has_no_letter_in_its_last_cell) {
  for (const char* name : {"xterm", "vt100", "linux"}) {
    EXPECT_THAT(written(name), HasSubstr("Z")) << name;
  }
  for (const char* name : {"ansi", "sun", "cons25"}) {
    EXPECT_THAT(written(name), Not(HasSubstr("Z"))) << name;
  }
}

TEST(Terminal, without_colours_gets_none) {
  for (const char* name : {"vt100", "xterm-mono"}) {
    EXPECT_THAT(written(name), Not(::testing::ContainsRegex(";[34][0-9]"))) << name;
  }
  EXPECT_THAT(written("linux"), AllOf(HasSubstr("30;46"), Not(HasSubstr("38;5;"))));
  EXPECT_THAT(written("xterm-256color"), HasSubstr("38;5;"));
}

}  // namespace
}  // namespace tictactoe::screen::testing::screen_terminal_tests
