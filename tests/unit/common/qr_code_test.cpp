#include "common/qr/qr_code.hpp"

#include <gmock/gmock.h>

#include <cstdio>
#include <sstream>

namespace tictactoe::qr::qr_code_tests {
namespace {

// The modules of the smallest code for this text, as the program `qrencode -l L -t ASCII` draws
// them.
const std::vector<std::string> code_of_den{
    "#######  # ## #######", "#     #  ###  #     #", "# ### # ## ## # ### #",
    "# ### #  # #  # ### #", "# ### #   # # # ### #", "#     #     # #     #",
    "####### # # # #######", "        ## ##        ", "### ######## ##   #  ",
    "     #    #    ##   #", "   ## ##  # # ### ###", "## ##   ##      #  # ",
    "### # #  #  #  # #   ", "        ## #   ##  ##", "####### ## # ## # ###",
    "#     # ## ##   #   #", "# ### # # ##   # #   ", "# ### #   ##  #### # ",
    "# ### # ##  #   # # #", "#     # ##  ## ### # ", "####### ####     # ##",
};

TEST(QrCode, has_the_modules_of_the_standard) {
  const auto code = QrCode::of("http://den/");
  ASSERT_TRUE(code);
  ASSERT_EQ(code->side(), static_cast<int>(code_of_den.size()));
  for (int row = 0; row < code->side(); ++row) {
    std::string line;
    for (int col = 0; col < code->side(); ++col) line += code->is_dark(row, col) ? '#' : ' ';
    EXPECT_EQ(line, code_of_den[static_cast<std::size_t>(row)]);
  }
  EXPECT_FALSE(code->is_dark(-1, 0));
  EXPECT_FALSE(code->is_dark(0, code->side()));
}

TEST(QrCode, holds_texts_up_to_its_limit) {
  EXPECT_TRUE(QrCode::of(std::string(QrCode::max_text_bytes, 'x')));
  EXPECT_FALSE(QrCode::of(std::string(QrCode::max_text_bytes + 1, 'x')));
  EXPECT_FALSE(QrCode::of(""));
  EXPECT_FALSE(QrCode::of(std::string("a\0b", 3)));
}

TEST(QrCode, is_drawn_as_runs_with_a_quiet_zone) {
  const auto code = QrCode::of("http://den/");
  const std::string svg = to_svg(*code);
  EXPECT_THAT(svg, ::testing::HasSubstr("viewBox=\"0 0 29 29\""));
  // The path draws the dark modules and no others.
  std::vector<std::string> drawn(code_of_den.size(), std::string(code_of_den.size(), ' '));
  std::istringstream path(svg.substr(svg.rfind(" d=\"") + 4));
  for (std::string run; std::getline(path, run, 'z');) {
    int col = 0;
    int row = 0;
    int length = 0;
    if (std::sscanf(run.c_str(), "M%d %dh%d", &col, &row, &length) != 3) continue;
    drawn.at(static_cast<std::size_t>(row - 4))
        .replace(static_cast<std::size_t>(col - 4), static_cast<std::size_t>(length),
                 static_cast<std::size_t>(length), '#');
  }
  EXPECT_EQ(drawn, code_of_den);
}

TEST(QrCode, is_drawn_black_on_white_for_a_terminal) {
  std::istringstream lines(to_terminal(*QrCode::of("http://den/")));
  std::vector<std::string> drawn;
  for (std::string line; std::getline(lines, line);) drawn.push_back(line);
  // 21 rows and two of light modules on each side, two rows in a line.
  ASSERT_EQ(drawn.size(), 13u);
  for (const std::string& line : drawn) {
    EXPECT_TRUE(line.starts_with("\x1b[38;5;16;48;5;231m  ")) << line;
    EXPECT_TRUE(line.ends_with("  \x1b[0m")) << line;
  }
  EXPECT_THAT(drawn[1], ::testing::HasSubstr("  █▀▀▀▀▀█ "));
}

}  // namespace
}  // namespace tictactoe::qr::qr_code_tests
