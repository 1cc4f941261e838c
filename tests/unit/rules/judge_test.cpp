#include "common/rules/judge.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "common/rules/notation.hpp"

namespace tictactoe::rules::judge_tests {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Rows = std::vector<std::string>;

std::string judged(const Rows& rows, const TextRules& text_rules = {}, Mark starter = Mark::x) {
  const auto parsed = parse_board(rows, text_rules);
  if (const auto* fault = std::get_if<TextFault>(&parsed)) {
    return "line " + std::to_string(fault->line) + ": " + fault->reason;
  }
  const Board& board = std::get<Board>(parsed);
  return describe(judge(board, starter), board, starter);
}

TEST(Judge, names_the_winning_line) {
  EXPECT_EQ(judged({"OO_", "XXX", "___"}), "X row 2");
  EXPECT_EQ(judged({"OX_", "OX_", "O_X"}), "O column 1");
  EXPECT_EQ(judged({"XO_", "OX_", "__X"}), "X diagonal");
  EXPECT_EQ(judged({"_OX", "OX_", "X__"}), "X antidiagonal");
}

TEST(Judge, names_every_winning_line) {
  EXPECT_EQ(judged({"XXX", "OXO", "XOO"}), "X row 1, antidiagonal");
  EXPECT_EQ(judged({"XOX", "OXO", "XOX"}), "X diagonal, antidiagonal");
  EXPECT_EQ(judged({"XXX", "XOO", "XOO"}), "X row 1, column 1");
}

TEST(Judge, drawn_and_ongoing) {
  EXPECT_EQ(judged({"XOX", "XOO", "OXX"}), "draw");
  EXPECT_EQ(judged({"___", "___", "___"}), "ongoing");
  EXPECT_EQ(judged({"XOX", "XOO", "OX_"}), "ongoing");
}

TEST(Judge, impossible_with_the_reason) {
  EXPECT_THAT(judged({"XX_", "___", "___"}), StartsWith("impossible: wrong counts, 2 X and 0 O"));
  EXPECT_THAT(judged({"O__", "___", "___"}), StartsWith("impossible: wrong counts"));
  EXPECT_EQ(judged({"XXX", "OOO", "___"}), "impossible: both won");
  EXPECT_EQ(judged({"XXX", "OO_", "O__"}), "impossible: the game continued after a win");
  EXPECT_EQ(judged({"OOO", "XX_", "XX_"}), "impossible: the game continued after a win");
  EXPECT_EQ(judged({"XXXX", "OOOO", "XXXX", "OOO_"}), "impossible: both won");
  EXPECT_THAT(judged({"XXXXX", "OOOO_", "XXXXX", "OOOO_", "_O___"}),
              StartsWith("impossible: won twice"));
}

TEST(Judge, the_starter_can_be_o) {
  EXPECT_EQ(judged({"O__", "___", "___"}, {}, Mark::o), "ongoing");
  EXPECT_THAT(judged({"X__", "___", "___"}, {}, Mark::o), HasSubstr("1 X and 0 O, but O starts"));
  EXPECT_EQ(judged({"OOO", "XX_", "___"}, {}, Mark::o), "O row 1");
}

TEST(Judge, k_in_a_row_with_its_ends) {
  const TextRules four{.k = 4};
  EXPECT_EQ(judged({"______", "_XXXX_", "_OOO__"}, four), "X row 2 (2,2)-(2,5)");
  EXPECT_EQ(judged({"X_____", "OX____", "O_X___", "O__X__"}, four), "X diagonal (1,1)-(4,4)");
  EXPECT_EQ(judged({"_____X", "____XO", "___X_O", "__X__O"}, four), "X antidiagonal (1,6)-(4,3)");
}

TEST(Judge, overlines_by_the_rule) {
  const Rows five{"XX_XX", "OOO_O"};
  EXPECT_EQ(judged({"XXXXX_", "OOO_O_"}, {.k = 4}), "X row 1 (1,1)-(1,5)");
  EXPECT_EQ(judged({"XXXXX_", "OOO_O_"}, {.k = 4, .overline_wins = false}), "ongoing");
}

TEST(Judge, an_overline_needs_a_move_that_joins_it) {
  // Seven in a row are three and three and the one between; eight have been four before.
  EXPECT_EQ(judged({"XXXXXXX__", "OO_OO_OO_"}, {.k = 4}), "X row 1 (1,1)-(1,7)");
  EXPECT_THAT(judged({"XXXXXXXX_", "OO_OO_OO_", "O________"}, {.k = 4}),
              StartsWith("impossible: won twice"));
}

TEST(ParseBoard, takes_spaces_and_small_letters) {
  EXPECT_EQ(judged({"x . o", " X _\tO ", "x_ _\r"}), "X column 1");
}

TEST(ParseBoard, says_what_is_wrong_and_where) {
  EXPECT_THAT(judged({"XO_", "XZ_", "___"}), StartsWith("line 1: unexpected character 'Z'"));
  EXPECT_THAT(judged({"XO_", "X\x01_", "___"}), HasSubstr("byte 0x01"));
  EXPECT_THAT(judged({"XO_", "___", "____"}), StartsWith("line 2: ragged rows, this one has 4"));
  EXPECT_THAT(judged({"XO", "__"}), HasSubstr("at least 3"));
  EXPECT_THAT(judged({"XO_", "___"}), HasSubstr("needs k"));
  EXPECT_THAT(judged({"XO_", "___", "___"}, {.k = 4}), HasSubstr("3 to 3"));
  EXPECT_THAT(judged({}), HasSubstr("rows, not 0"));
  EXPECT_THAT(judged({std::string(5'000, '_')}, {.k = 3}), HasSubstr("1 to 4096 columns"));
}

}  // namespace
}  // namespace tictactoe::rules::judge_tests
