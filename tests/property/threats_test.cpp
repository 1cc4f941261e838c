// Patterns, and the wins that a search claims, against plain programs that read the board as words.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

#include "common/ai/pattern_board.hpp"
#include "common/ai/player.hpp"
#include "common/ai/strong_search.hpp"
#include "common/ai/threat_space.hpp"
#include "common/ai/threats.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/play.hpp"

namespace tictactoe::ai::threats_tests {
namespace {

using oracle::Letters;
using oracle::wins_of;
using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;
using rules::Status;

/// Whether `side`, to move, wins within so many plies by moves that each threaten a win in one.
bool wins_by_fours(Letters& board, const Rules& rules, char side, int plies) {
  const char other = side == 'X' ? 'O' : 'X';
  if (!wins_of(board, rules, side).empty()) return true;
  if (plies < 3) return false;
  for (int row = 0; row < rules.rows; ++row) {
    for (int col = 0; col < rules.cols; ++col) {
      char& cell = oracle::letter_at(board, {row, col});
      if (cell != '_') continue;
      cell = side;
      const auto threats = wins_of(board, rules, side);
      bool won = false;
      if (!threats.empty() && wins_of(board, rules, other).empty()) {
        won = threats.size() > 1;
        if (!won) {
          char& reply = oracle::letter_at(board, threats[0]);
          reply = other;
          won = wins_by_fours(board, rules, side, plies - 2);
          reply = '_';
        }
      }
      cell = '_';
      if (won) return true;
    }
  }
  return false;
}

struct Sample {
  Game game;
  Letters letters;
  PatternBoard board;
};

/// A random position in which nobody has won, with marks close together.
Sample any_sample(const Rules& rules) {
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  for (;;) {
    Game game(rules);
    std::vector<Cell> cells = support::free_cells(game);
    std::ranges::shuffle(cells, random);
    const auto marks = std::uniform_int_distribution<std::size_t>(4, cells.size() * 2 / 3)(random);
    for (std::size_t i = 0; i < marks; ++i) game.play(cells[i]);
    if (game.status() != Status::ongoing) continue;
    Sample sample{game, support::letters_of(game), PatternBoard(rules)};
    for (const Cell cell : game.moves()) {
      sample.board.place(sample.board.index(cell), game.at(cell) == Mark::x ? 0 : 1);
    }
    return sample;
  }
}

Sample any_sample() {
  return any_sample(*rc::gen::element(Rules{7, 7, 4, true}, Rules{6, 6, 4, false},
                                      Rules{8, 8, 5, true}, Rules{5, 6, 3, true}));
}

RC_GTEST_PROP(ThreatsProperty, finds_exactly_the_wins_by_fours, ()) {
  Sample sample = any_sample();
  const char side = oracle::letter(sample.game.to_move());
  Position position(sample.game);
  for (const int plies : {1, 3, 5}) {
    const ThreatSearch found = continuous_fours(position, plies, 1'000'000, {});
    RC_ASSERT(found.complete);
    RC_ASSERT(found.move.has_value() ==
              wins_by_fours(sample.letters, sample.game.rules(), side, plies));
  }
  RC_ASSERT(position.game().ply() == sample.game.ply());
}

RC_GTEST_PROP(ThreatsProperty, strong_never_misses_a_win_or_a_block_of_one, ()) {
  Sample sample = any_sample();
  const Rules& rules = sample.game.rules();
  const char side = oracle::letter(sample.game.to_move());
  const auto wins = wins_of(sample.letters, rules, side);
  const auto blocks = wins_of(sample.letters, rules, side == 'X' ? 'O' : 'X');
  const Cell cell =
      make_player(Level::strong, sample.game, 1)->choose({.nodes = 500, .stop = {}}).cell;
  if (!wins.empty()) {
    RC_ASSERT(std::ranges::find(wins, cell) != wins.end());
  } else if (!blocks.empty()) {
    RC_ASSERT(std::ranges::find(blocks, cell) != blocks.end());
  }
}

/// A player who chooses a win by continuous fours continues until it is won.
RC_GTEST_PROP(ThreatsProperty, strong_plays_its_fours_to_the_end, ()) {
  Sample sample = any_sample();
  Position position(sample.game);
  if (!continuous_fours(position, 9, 1'000'000, {}).move) RC_DISCARD("no win by fours here");
  Game& game = sample.game;
  const Mark me = game.to_move();
  const auto player = make_player(Level::strong, game, 1);
  for (int ply = 0; ply < 9 && game.status() == Status::ongoing; ++ply) {
    Position now(game);
    const auto block = now.winning_cell(opponent(game.to_move()));
    const Cell cell = game.to_move() == me ? player->choose({.nodes = 200'000, .stop = {}}).cell
                                           : block.value_or(support::free_cells(game).front());
    RC_ASSERT(!game.play(cell));
    player->played(cell);
  }
  RC_ASSERT(game.winner() == me);
}

TEST(Threats, a_chain_of_nine_plies) {
  // Each four pulls the only reply aside, and the fifth mark falls where two chains meet.
  const Rules rules{15, 15, 5, true};
  const std::vector<std::string> rows{"_______________", "_______________", "__OXXX_________",
                                      "_______________", "___X_X_________", "____X__________",
                                      "___X___________", "__O____________", "_______________",
                                      "_______________", "_______________", "____O__________",
                                      "__________O____", "_________O_____", "O_O____________"};
  const Game game = support::game_from(rows, rules);
  ASSERT_EQ(game.to_move(), Mark::x);
  Position position(game);
  const ThreatSearch found = continuous_fours(position, 9, 1'000'000, {});
  EXPECT_TRUE(found.complete);
  EXPECT_TRUE(found.move.has_value());
}

/// Each side has 10,000 open threes on a large board.
Game game_of_many_threes() {
  Game game(Rules{1'000, 1'000, 5, true});
  for (int i = 0; i < 30'000; ++i) {
    const int three = i / 3;
    const Cell cell{three / 100 * 10, three % 100 * 10 + i % 3 + 1};
    game.play(cell);
    game.play({cell.row + 5, cell.col});
  }
  return game;
}

TEST(Threats, among_many_open_threes_cost_what_the_budget_allows) {
  Position position(game_of_many_threes());
  // Without the budget and the stop, these would take minutes.
  EXPECT_FALSE(continuous_fours(position, 3, 0, {}).complete);
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_FALSE(continuous_fours(position, 3, 1'000'000, stopped.get_token()).complete);
}

// The patterns of a board, and the wins that threat-space search claims, against plain programs
// that read the board as words and try every cell ---

constexpr std::string_view letters_of_sides = "XO";

Rules any_rules() {
  return *rc::gen::element(Rules{7, 7, 4, true}, Rules{6, 8, 4, false}, Rules{8, 8, 5, true},
                           Rules{9, 7, 5, false}, Rules{5, 6, 3, true}, Rules{9, 9, 6, false},
                           Rules{3, 12, 7, false}, Rules{10, 10, 8, true}, Rules{1, 9, 4, true});
}

// Shapes ------------------------------------------------------------------------------------------

/// The cells of one line where `side` wins.
std::vector<std::size_t> winning_cells(std::string line, const Rules& rules, char side) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '_') continue;
    line[i] = side;
    const Letters one{line};
    const Rules flat{1, static_cast<int>(line.size()), rules.k, rules.overline_wins};
    if (oracle::has_won(one, flat, side)) found.push_back(i);
    line[i] = '_';
  }
  return found;
}

/// What a mark at `cell` makes of this line, as far as winning cells say it.
Shape slow_shape(std::string line, std::size_t cell, const Rules& rules, char side) {
  const auto wins = winning_cells(line, rules, side);
  if (std::ranges::find(wins, cell) != wins.end()) return Shape::five;
  line[cell] = side;
  // Only winning cells that the new mark has made, or keeps, within its reach: others in the line
  // belong to other cells.
  const auto near = [&](std::size_t at) {
    const int low = static_cast<int>(std::min(at, cell));
    const int high = static_cast<int>(std::max(at, cell));
    return high - low < rules.k;
  };
  const auto count = [&](const std::string& now) {
    int found = 0;
    for (const std::size_t at : winning_cells(now, rules, side)) {
      std::string won = now;
      won[at] = side;
      // The winning run must hold the new mark.
      std::size_t first = at;
      std::size_t last = at;
      while (first > 0 && won[first - 1] == side) --first;
      while (last + 1 < won.size() && won[last + 1] == side) ++last;
      if (near(at) && first <= cell && cell <= last) ++found;
    }
    return found;
  };
  const int fours = count(line);
  if (fours > 1) return Shape::open_four;
  if (fours == 1) return Shape::four;
  Shape best = Shape::none;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] != '_') continue;
    line[at] = side;
    // A win elsewhere in the line is not this cell's.
    const bool is_won = oracle::has_won({line}, rules, side);
    const int next = is_won ? 0 : count(line);
    line[at] = '_';
    if (next > 1) return Shape::open_three;
    if (next == 1) best = Shape::three;
  }
  return best;
}

/// The shapes that win, threaten to win or threaten to threaten, for every content of a line.
void compare_shapes(const Rules& rules, const std::string& line, std::size_t cell) {
  const Shapes& shapes = Shapes::of(rules.k, rules.overline_wins);
  Shapes::Code code = 0;
  Shapes::Word own = 0;
  Shapes::Word blocked = 0;
  for (int offset = -shapes.reach(); offset <= shapes.reach(); ++offset) {
    const int at = static_cast<int>(cell) + offset;
    const Shapes::Word bit = Shapes::Word{1} << (offset + shapes.reach());
    const bool outside = at < 0 || at >= static_cast<int>(line.size());
    const char letter = outside ? 'O' : line[static_cast<std::size_t>(at)];
    if (letter == 'X') own |= bit;
    if (letter == 'O') blocked |= bit;
    if (letter != '_') code += (letter == 'X' ? 1 : 2) * shapes.digit(offset);
  }
  const Shape shape = shapes.shape(code);
  RC_ASSERT(shape == shapes.compute(own, blocked));
  const Shape slow = slow_shape(line, cell, rules, 'X');
  if (shape >= Shape::three || slow >= Shape::three) RC_ASSERT(shape == slow);
}

RC_GTEST_PROP(ShapesProperty, say_what_one_and_two_more_marks_win, ()) {
  const int k = *rc::gen::inRange(4, 9);
  const Rules rules{1, 24, k, *rc::gen::arbitrary<bool>()};
  const auto length = *rc::gen::inRange<std::size_t>(static_cast<std::size_t>(k), 20);
  // Few marks of the other side, so that lines stay alive.
  std::string line =
      *rc::gen::container<std::string>(length, rc::gen::element('X', '_', '_', 'O', 'X', '_'));
  const auto cell = *rc::gen::inRange<std::size_t>(0, length);
  line[cell] = '_';
  if (oracle::has_won({line}, {1, static_cast<int>(length), k, true}, 'X')) RC_DISCARD("is won");
  compare_shapes(rules, line, cell);
}

// The board ---------------------------------------------------------------------------------------

RC_GTEST_PROP(PatternBoardProperty, is_the_same_in_whatever_order_marks_come_and_go, ()) {
  const Rules rules = any_rules();
  PatternBoard board(rules);
  std::vector<int> taken(static_cast<std::size_t>(rules.cells()), 0);
  std::vector<std::size_t> placed;
  for (const auto step :
       *rc::gen::container<std::vector<std::uint32_t>>(60, rc::gen::arbitrary<std::uint32_t>())) {
    const auto cell = (step >> 3) % taken.size();
    if (taken[cell] == 0) {
      taken[cell] = static_cast<int>(step & 1) + 1;
      board.place(static_cast<int>(cell), step & 1);
      placed.push_back(cell);
    } else if ((step & 7) == 7) {
      board.settle();
      placed.clear();
    }
    for (; (step >> 1 & 3) == 3 && !placed.empty() && placed.back() % 3 != 0; placed.pop_back()) {
      board.take_back();
      taken[placed.back()] = 0;
    }
  }
  PatternBoard fresh(rules);
  for (std::size_t cell = 0; cell < taken.size(); ++cell) {
    if (taken[cell] != 0) fresh.place(static_cast<int>(cell), taken[cell] == 1 ? 0 : 1);
  }
  RC_ASSERT(board.hash() == fresh.hash());
  RC_ASSERT(board.free_cells() == fresh.free_cells());
  for (const PatternBoard::Side side : {0U, 1U}) {
    RC_ASSERT(board.weight(side).to_move == fresh.weight(side).to_move);
    RC_ASSERT(board.weight(side).waiting == fresh.weight(side).waiting);
    int wins = 0;
    for (int cell = 0; cell < board.cells(); ++cell) {
      RC_ASSERT(board.gain(cell, side) == fresh.gain(cell, side));
      RC_ASSERT(board.value(cell, side) == fresh.value(cell, side));
      wins += board.gain(cell, side) == Gain::five ? 1 : 0;
    }
    RC_ASSERT(board.count(side, Gain::five) == wins);
  }
}

// Forced wins -------------------------------------------------------------------------------------

RC_GTEST_PROP(PatternBoardProperty, knows_every_win_in_one, ()) {
  Sample sample = any_sample(any_rules());
  for (const PatternBoard::Side side : {0U, 1U}) {
    const auto wins = wins_of(sample.letters, sample.game.rules(), letters_of_sides[side]);
    std::vector<int> slow;
    for (const Cell cell : wins) slow.push_back(sample.board.index(cell));
    std::vector<int> found;
    sample.board.collect(side, Gain::five, found);
    RC_ASSERT(found == slow);
  }
}

/// Plain search with every reply: whether `side`, to move, wins within so many plies.
bool wins_within(Letters& board, const Rules& rules, char side, int plies) {
  const char other = side == 'X' ? 'O' : 'X';
  if (plies < 1) return false;
  if (!wins_of(board, rules, side).empty()) return true;
  if (plies < 3) return false;
  const auto blocks = wins_of(board, rules, other);
  if (blocks.size() > 1) return false;
  for (int i = 0; i < rules.cells(); ++i) {
    const Cell cell{i / rules.cols, i % rules.cols};
    if (oracle::letter_at(board, cell) != '_') continue;
    if (!blocks.empty() && blocks[0] != cell) continue;
    oracle::letter_at(board, cell) = side;
    // Either every reply loses, or there is one against which `side` has nothing.
    bool wins = wins_of(board, rules, other).empty();
    for (int j = 0; j < rules.cells() && wins; ++j) {
      const Cell reply{j / rules.cols, j % rules.cols};
      if (oracle::letter_at(board, reply) != '_') continue;
      oracle::letter_at(board, reply) = other;
      wins = wins_within(board, rules, side, plies - 2);
      oracle::letter_at(board, reply) = '_';
    }
    bool is_full = true;
    for (const std::string& row : board) is_full = is_full && row.find('_') == std::string::npos;
    oracle::letter_at(board, cell) = '_';
    if (wins && !is_full) return true;
  }
  return false;
}

Rules small_rules() {
  return *rc::gen::element(Rules{4, 5, 4, true}, Rules{5, 5, 4, false}, Rules{3, 6, 3, true},
                           Rules{4, 6, 4, true}, Rules{5, 4, 3, false});
}

ThreatSpace::Means any_means() {
  return *rc::gen::element(ThreatSpace::Means::fours, ThreatSpace::Means::threes);
}

RC_GTEST_PROP(ThreatSpaceProperty, finds_open_fours_exactly_where_a_plain_search_wins_in_three,
              ()) {
  Sample sample = any_sample(small_rules());
  NodeBudget budget(1'000'000, {});
  const PatternBoard::Side side = sample.game.to_move() == Mark::x ? 0 : 1;
  ThreatSpace threats(sample.board, budget);
  const bool found = threats.find(side, ThreatSpace::Means::threes, 0).has_value();
  const bool blocked = sample.board.count(1 - side, Gain::five) > 0;
  const bool wins = wins_within(sample.letters, sample.game.rules(), letters_of_sides[side], 3);
  // After a block that makes an open four no attacking move is needed, either.
  if (!blocked) RC_ASSERT(found == wins);
  if (found) RC_ASSERT(wins || blocked);
}

/// Every reply of the defender is tried; the attacker asks the search again each time. The number
/// of plies has no limit but the board: on a small one the defender can reply with many fours.
bool attack_holds(const Rules& rules, Game& game) {
  if (game.status() == Status::won) return true;
  if (game.status() == Status::drawn) return false;
  PatternBoard board(rules);
  for (const Cell cell : game.moves()) {
    board.place(board.index(cell), game.at(cell) == Mark::x ? 0 : 1);
  }
  NodeBudget budget(10'000'000, {});
  const auto win = ThreatSpace(board, budget)
                       .find(game.to_move() == Mark::x ? 0 : 1, ThreatSpace::Means::threes, 8);
  if (!win) return false;
  game.play(board.cell(win->move));
  bool holds = true;
  if (game.status() == Status::ongoing) {
    for (const Cell reply : support::free_cells(game)) {
      game.play(reply);
      // A reply that wins is never allowed.
      holds = game.status() == Status::ongoing && attack_holds(rules, game);
      game.undo();
      if (!holds) break;
    }
  }
  holds = holds && game.status() != Status::drawn;
  game.undo();
  return holds;
}

RC_GTEST_PROP(ThreatSpaceProperty, claimed_wins_hold_against_every_reply, ()) {
  const Rules rules = *rc::gen::element(Rules{6, 6, 4, true}, Rules{7, 7, 5, true},
                                        Rules{6, 7, 5, false}, Rules{6, 6, 4, false});
  Sample sample = any_sample(rules);
  const PatternBoard::Side side = sample.game.to_move() == Mark::x ? 0 : 1;
  NodeBudget budget(1'000'000, {});
  const auto win = ThreatSpace(sample.board, budget).find(side, any_means(), 4);
  RC_PRE(win.has_value());
  RC_CLASSIFY(win->depth > 1, "longer");
  RC_ASSERT(attack_holds(rules, sample.game));
}

RC_GTEST_PROP(ThreatSpaceProperty, the_cells_of_a_win_hold_every_quiet_defence, ()) {
  const Rules rules =
      *rc::gen::element(Rules{6, 6, 4, true}, Rules{8, 8, 5, true}, Rules{7, 8, 5, false});
  Sample sample = any_sample(rules);
  PatternBoard& board = sample.board;
  const PatternBoard::Side attacker = sample.game.to_move() == Mark::x ? 1 : 0;
  const PatternBoard::Side defender = 1 - attacker;
  RC_PRE(board.count(defender, Gain::five) == 0);
  // The attacker would win after a pass.
  NodeBudget budget(1'000'000, {});
  ThreatSpace threats(board, budget);
  const auto win = threats.find(attacker, ThreatSpace::Means::threes, 3);
  RC_PRE(win.has_value());
  for (int cell = 0; cell < board.cells(); ++cell) {
    const bool quiet = board.gain(cell, defender) <= Gain::quiet;
    if (!board.is_free(cell) || !quiet || std::ranges::binary_search(win->cells, cell)) continue;
    board.place(cell, defender);
    // Such a mark can still turn a later reply into a four, so that not every win survives it; but
    // a win without a defender's choice does.
    const bool still = threats.find(attacker, ThreatSpace::Means::threes, 8).has_value();
    board.take_back();
    if (win->depth == 0) RC_ASSERT(still);
  }
}

TEST(Strong, stops_an_open_three_at_once_and_sees_a_double_three) {
  const Rules rules{15, 15, 5, true};
  // X has an open three; a reply further away loses.
  const Game three = support::game_of(rules, {{7, 7}, {0, 0}, {7, 8}, {0, 2}, {7, 9}});
  const auto block = strong_move(three, {.nodes = 20'000});
  ASSERT_TRUE(block);
  EXPECT_EQ(block->cell.row, 7);
  // X, to move, makes two open threes at once at (7,7).
  const Game fork =
      support::game_of(rules, {{7, 8}, {0, 0}, {7, 9}, {0, 14}, {8, 7}, {14, 0}, {9, 7}, {14, 14}});
  const auto win = strong_move(fork, {.nodes = 20'000});
  ASSERT_TRUE(win);
  EXPECT_EQ(win->reason, StrongMove::Reason::threats);
}

}  // namespace
}  // namespace tictactoe::ai::threats_tests
