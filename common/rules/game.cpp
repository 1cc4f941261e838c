#include "common/rules/game.hpp"

#include "common/rules/lines.hpp"

namespace tictactoe::rules {

namespace {

/// Boards up to this number of cells use dense grids: 4 KiB of marks and 32 KiB of run lengths.
constexpr int max_dense_cells = 4096;

std::variant<LineCounters, RunLengths, Boxed<SparseRunLengths>> detector_for(const Rules& rules) {
  if (LineCounters::supports(rules)) return LineCounters(rules);
  if (rules.cells() <= max_dense_cells) return RunLengths(rules);
  return Boxed(SparseRunLengths(rules));
}

std::variant<DenseGrid<Mark>, Boxed<TiledGrid<Mark>>> board_for(const Rules& rules) {
  if (rules.cells() <= max_dense_cells) return DenseGrid<Mark>(rules.rows, rules.cols);
  return Boxed(TiledGrid<Mark>(rules.rows, rules.cols));
}

}  // namespace

Game::Game(Rules rules, Mark starter)
    : rules_(rules),
      starter_(starter),
      to_move_(starter),
      board_(board_for(rules)),
      detector_(detector_for(rules)) {}

std::optional<Refusal> Game::play(Cell cell) {
  if (status_ != Status::ongoing) return Refusal::game_over;
  if (!rules_.contains(cell)) return Refusal::off_board;
  Mark& place = this->place(cell);
  if (place != Mark::none) return Refusal::occupied;
  const Mark mark = to_move_;
  place = mark;
  moves_.push_back(cell);
  if (std::visit([&](auto& detector) { return unboxed(detector).place(cell, mark); }, detector_)) {
    status_ = Status::won;
    winner_ = mark;
  } else if (ply() == rules_.cells()) {
    status_ = Status::drawn;
  }
  to_move_ = status_ == Status::ongoing ? opponent(mark) : Mark::none;
  return std::nullopt;
}

bool Game::undo() {
  if (moves_.empty()) return false;
  const Cell cell = moves_.back();
  Mark& place = this->place(cell);
  const Mark mark = place;
  std::visit([&](auto& detector) { unboxed(detector).take_back(cell, mark); }, detector_);
  place = Mark::none;
  moves_.pop_back();
  to_move_ = mark;
  winner_ = Mark::none;
  status_ = Status::ongoing;
  return true;
}

void Game::reset(Mark starter) {
  if (moves_.size() > max_undone_by_reset) {
    *this = Game(rules_, starter);
    return;
  }
  while (undo()) {
  }
  starter_ = starter;
  to_move_ = starter;
}

std::size_t Game::memory() const {
  const auto bytes = [](const auto& part) { return part.memory(); };
  return moves_.capacity() * sizeof(moves_[0]) + std::visit(bytes, board_) +
         std::visit(bytes, detector_);
}

std::size_t Game::max_memory(const Rules& rules, std::size_t plies) {
  const std::size_t marks = 3 * plies * sizeof(Cell) + 1024;  // a vector that grows holds three
  const auto dense = static_cast<std::size_t>(rules.rows + 2) *
                     static_cast<std::size_t>(rules.cols + 2) * (sizeof(Mark) + sizeof(Runs));
  if (rules.cells() <= max_dense_cells) return marks + dense;
  const std::size_t board = TiledGrid<Mark>::max_memory(rules.rows, rules.cols, plies);
  if (LineCounters::supports(rules))
    return marks + board + 16 * sizeof(Runs) * static_cast<std::size_t>(rules.rows);
  return marks + board + TiledGrid<Runs>::max_memory(rules.rows, rules.cols, plies);
}

WonLines Game::winning_lines() const {
  WonLines lines;
  if (status_ != Status::won) return lines;
  const auto at_cell = [this](Cell cell) { return at(cell); };
  for (const LineKind kind : line_kinds) {
    const Line run = run_through(rules_, at_cell, moves_.back(), kind);
    if (wins(rules_, length(run))) lines.push_back(run);
  }
  return lines;
}

}  // namespace tictactoe::rules
