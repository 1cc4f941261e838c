#include "client/words/board.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "client/words/lists.hpp"
#include "tests/support/console_harness.hpp"

namespace tictactoe::client::text_board_tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Marks alternate, X first.
Room room_with(std::uint32_t rows, std::uint32_t cols, std::initializer_list<Cell> cells) {
  Room room{Board(rows, cols)};
  Mark mark = Mark::x;
  for (const Cell cell : cells) {
    EXPECT_TRUE(room.board.place(cell, mark));
    mark = other(mark);
  }
  return room;
}

Look look(std::uint32_t columns, std::uint32_t rows) {
  return {columns, rows, Colours::none};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(BoardView, small_boards_have_lines) {
  EXPECT_EQ(draw_board(room_with(3, 3, {{1, 1}, {0, 2}}), {}),
            "    a   b   c\n"
            " 1    |   |[O]\n"
            "   ---+---+---\n"
            " 2    | X |\n"
            "   ---+---+---\n"
            " 3    |   |\n");
}

TEST(BoardView, larger_ones_have_dots) {
  EXPECT_EQ(draw_board(room_with(7, 8, {{6, 7}, {0, 0}, {3, 3}}), {}),
            "    a  b  c  d  e  f  g  h\n"
            " 1  O  .  .  .  .  .  .  .\n"
            " 2  .  .  .  .  .  .  .  .\n"
            " 3  .  .  .  .  .  .  .  .\n"
            " 4  .  .  . [X] .  .  .  .\n"
            " 5  .  .  .  .  .  .  .  .\n"
            " 6  .  .  .  .  .  .  .  .\n"
            " 7  .  .  .  .  .  .  .  X\n");
}

TEST(BoardView, fifteen_fits_an_ordinary_terminal) {
  const auto lines = lines_of(draw_board(room_with(15, 15, {{14, 14}}), look(80, 20)));
  ASSERT_EQ(lines.size(), 16U);
  EXPECT_EQ(lines[0], "     a  b  c  d  e  f  g  h  i  j  k  l  m  n  o");
  EXPECT_EQ(lines[15], " 15  .  .  .  .  .  .  .  .  .  .  .  .  .  . [X]");
}

TEST(BoardView, the_winning_line_is_marked_without_colour) {
  Room room = room_with(3, 3, {{0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 2}});
  room.outcome = Outcome{Mark::x, v1::Outcome::REASON_LINE, {{{0, 0}, {2, 2}}}};
  const std::string text = draw_board(room, {});
  EXPECT_THAT(text, HasSubstr(" 1 *X*|   |\n"));
  EXPECT_THAT(text, HasSubstr(" 3  O |   |*X*\n"));
  EXPECT_THAT(text, Not(HasSubstr("\033")));
}

TEST(BoardCells, look_the_same_for_both_front_ends) {
  using Kind = CellLook::Kind;
  Room room = room_with(3, 3, {{0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 2}});
  room.my_seat = Mark::o;
  EXPECT_EQ(look_of(room, {2, 2}).kind, Kind::last);
  EXPECT_EQ(look_of(room, {1, 0}).letter(), 'O');
  const MarkedCells marked{Cell{0, 1}, Cell{0, 2}};
  EXPECT_EQ(look_of(room, {0, 1}, marked).letter(), '?');
  EXPECT_EQ(look_of(room, {0, 2}, marked).left, '~');
  EXPECT_EQ(look_of(room, {0, 2}, marked).mark, Mark::o) << "the mark that would be set";
  EXPECT_EQ(look_of(room, {1, 0}, {Cell{1, 0}, Cell{1, 0}}).kind, Kind::mark);
  room.outcome = Outcome{Mark::x, v1::Outcome::REASON_LINE, {{{0, 0}, {2, 2}}}};
  EXPECT_EQ(look_of(room, {2, 2}).kind, Kind::won) << "and the last move as well";
  EXPECT_EQ(look_of(room, {2, 1}, marked).kind, Kind::empty);
}

TEST(BoardView, colour_comes_on_top) {
  const Room room = room_with(3, 3, {{0, 0}, {1, 1}});
  const std::string text = draw_board(room, {80, 24, Colours::eight});
  EXPECT_THAT(text, HasSubstr("\033[0;1;35m[O]\033[0m"));
  std::string bare;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\033') {
      bare.push_back(text[i]);
    } else {
      i = text.find('m', i);
    }
  }
  EXPECT_EQ(bare, draw_board(room, {80, 24, Colours::none}));
}

TEST(BoardView, shows_the_part_of_a_large_board_around_the_last_move) {
  EXPECT_EQ(draw_board(room_with(100, 100, {{0, 0}, {49, 49}}), look(26, 8)),
            "      au av aw ax ay az ba\n"
            "  48  .  .  .  .  .  .  .\n"
            "  49  .  .  .  .  .  .  .\n"
            "  50  .  .  . [O] .  .  .\n"
            "  51  .  .  .  .  .  .  .\n"
            "  52  .  .  .  .  .  .  .\n"
            "Shown: rows 48-52 of 100, columns au-ba of a-cv; 1 mark is elsewhere.\n"
            "Type `board a1` to see the part there.\n");
}

TEST(BoardView, the_edges_are_reached_and_the_right_numbers_shown) {
  const Room room = room_with(1000, 1000, {{999, 999}});
  const auto at_end = lines_of(draw_board(room, look(80, 20)));
  ASSERT_EQ(at_end.size(), 20U);
  EXPECT_THAT(at_end[0], ::testing::EndsWith("all"));
  EXPECT_THAT(at_end[17], ::testing::StartsWith(" 1000  .   ."));
  EXPECT_THAT(at_end[17], ::testing::EndsWith("[X]"));
  const auto at_start = lines_of(draw_board(room, look(80, 20), Cell{0, 0}));
  ASSERT_EQ(at_start.size(), 20U);
  EXPECT_THAT(at_start[1], ::testing::StartsWith("    1  ."));
  const auto beyond = lines_of(draw_board(room, look(80, 20), Cell{4000000000, 4000000000}));
  EXPECT_EQ(beyond, at_end);
}

TEST(BoardView, fits_at_all_sizes) {
  for (const std::uint32_t side : {3U, 6U, 7U, 19U, 27U, 100U, 703U, 2000U}) {
    for (const std::uint32_t columns : {0U, 1U, 20U, 33U, 80U, 300U}) {
      for (const std::uint32_t rows : {0U, 1U, 8U, 24U, 60U}) {
        const Room room = room_with(side, side, {{side / 3, side / 2}});
        const std::string text = draw_board(room, look(columns, rows));
        const auto lines = lines_of(text);
        EXPECT_LE(lines.size(), std::max(rows, Look::min_rows));
        for (const std::string& line : lines) {
          // The caption is text, which may wrap.
          if (line.starts_with("Shown") || line.starts_with("Type")) continue;
          EXPECT_LE(line.size(), std::max(columns, Look::min_columns)) << side << text;
        }
        EXPECT_THAT(text, HasSubstr("[X]"));
      }
    }
  }
}

TEST(RoomTable, says_that_there_are_none) {
  EXPECT_THAT(draw_room_table({}, true), HasSubstr("No rooms yet"));
}

TEST(RoomTable, lines_up_with_any_names) {
  auto info = testing::from_text<v1::RoomInfo>("rules { rows: 3 cols: 3 k: 3 } name: 'a'");
  std::vector<ListedRoom> rooms{read_room_info(info)};
  info.set_name(std::string(1000, 'w'));
  info.mutable_x()->set_kind(v1::Occupant::KIND_PERSON);
  info.mutable_x()->set_name("\xC3\xA4\xC3\xB6\xC3\xBC\033");
  rooms.push_back(read_room_info(info));
  const auto lines = lines_of(draw_room_table(rooms, true));
  ASSERT_EQ(lines.size(), 3U);
  const auto state_at = [](const std::string& line, const char* word) {
    return width_of(line.substr(0, line.find(word)));
  };
  EXPECT_EQ(state_at(lines[0], "STATE"), state_at(lines[1], "waiting"));
  EXPECT_EQ(state_at(lines[0], "STATE"), state_at(lines[2], "waiting"));
}

TEST(RoomTable, is_bounded) {
  const std::vector<ListedRoom> rooms(5000);
  const auto lines = lines_of(draw_room_table(rooms, false));
  EXPECT_EQ(lines.size(), max_table_rows + 3);
  EXPECT_EQ(lines[max_table_rows + 1], "... and 4800 more.");
}

}  // namespace
}  // namespace tictactoe::client::text_board_tests
