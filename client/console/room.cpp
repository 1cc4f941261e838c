#include "client/console/room.hpp"

#include <algorithm>
#include <utility>

#include "client/console/shown.hpp"

namespace tictactoe::console {
namespace {

Cell read_cell(const v1::Cell& cell) {
  return {cell.row(), cell.col()};
}

std::uint32_t distance(std::uint32_t from, std::uint32_t to) {
  return from < to ? to - from : from - to;
}

std::uint32_t step(std::uint32_t from, std::uint32_t to) {
  if (from == to) return from;
  return from < to ? from + 1 : from - 1;
}

std::optional<Line> read_line(const Board& board, const v1::Line& sent) {
  const Line line{Line::Kind::row, read_cell(sent.first()), read_cell(sent.last())};
  if (!board.contains(line.first) || !board.contains(line.last)) return std::nullopt;
  const std::uint32_t down = distance(line.first.row, line.last.row);
  const std::uint32_t across = distance(line.first.col, line.last.col);
  const auto as = [&](Line::Kind kind) { return Line{kind, line.first, line.last}; };
  switch (sent.kind()) {
    case v1::Line::KIND_ROW:
      if (down == 0) return as(Line::Kind::row);
      break;
    case v1::Line::KIND_COLUMN:
      if (across == 0) return as(Line::Kind::column);
      break;
    case v1::Line::KIND_DIAGONAL:
      if (down == across) return as(Line::Kind::diagonal);
      break;
    case v1::Line::KIND_ANTIDIAGONAL:
      if (down == across) return as(Line::Kind::antidiagonal);
      break;
    default:
      break;
  }
  return std::nullopt;
}

Outcome read_outcome(const Board& board, const v1::Outcome& sent) {
  Outcome outcome{read_mark(sent.winner()), {}};
  for (int i = 0; i < std::min(sent.lines_size(), max_kept_lines); ++i) {
    if (auto line = read_line(board, sent.lines(i))) outcome.lines.push_back(*line);
  }
  return outcome;
}

std::string place_moves(Board& board, const v1::RoomSnapshot& snapshot) {
  Mark mark = read_mark(snapshot.starter());
  if (snapshot.moves_size() > 0 && mark == Mark::none) return "marks without a side that began";
  for (const std::uint32_t move : snapshot.moves()) {
    if (!board.place({move / board.cols(), move % board.cols()}, mark)) {
      return "a move off the board or on a taken cell";
    }
    mark = other(mark);
  }
  return {};
}

bool apply_move(Room& room, const v1::MovePlayed& move) {
  const Mark mark = read_mark(move.mark());
  if (mark == Mark::none || move.ply() != room.board.count() + 1) return false;
  if (!room.board.place(read_cell(move.cell()), mark)) return false;
  if (move.has_outcome()) room.outcome = read_outcome(room.board, move.outcome());
  return true;
}

bool apply_seat(Room& room, const v1::SeatChanged& change, const std::string& me) {
  const Mark seat = read_mark(change.seat());
  if (seat == Mark::none) return false;
  Occupant& occupant = seat == Mark::x ? room.x : room.o;
  occupant = read_occupant(change.occupant());
  room.watchers = change.watchers();
  const bool is_me = occupant.kind == Occupant::Kind::person && occupant.name == me;
  if (room.my_seat == seat && !is_me) room.my_seat = Mark::none;
  return true;
}

bool apply_change(Room& room, const v1::RoomUpdate& update, const std::string& me) {
  switch (update.change_case()) {
    case v1::RoomUpdate::kMovePlayed:
      return apply_move(room, update.move_played());
    case v1::RoomUpdate::kSeatChanged:
      return apply_seat(room, update.seat_changed(), me);
    case v1::RoomUpdate::kGameStarted:
      room.board.clear();
      room.outcome.reset();
      room.game = update.game_started().game();
      room.x_wants_rematch = room.o_wants_rematch = false;
      return true;
    case v1::RoomUpdate::kRematchWanted: {
      const Mark seat = read_mark(update.rematch_wanted().seat());
      if (seat == Mark::none) return false;
      (seat == Mark::x ? room.x_wants_rematch : room.o_wants_rematch) = true;
      return true;
    }
    case v1::RoomUpdate::kWatchersChanged:
      room.watchers = update.watchers_changed().watchers();
      return true;
    case v1::RoomUpdate::kChatSaid:
    case v1::RoomUpdate::CHANGE_NOT_SET:  // a kind of change that came after this program
      return true;
  }
  return true;
}

}  // namespace

std::string mark_name(Mark mark) {
  if (mark == Mark::none) return "-";
  return mark == Mark::x ? "X" : "O";
}

Mark read_mark(v1::Mark mark) {
  if (mark == v1::MARK_X) return Mark::x;
  return mark == v1::MARK_O ? Mark::o : Mark::none;
}

v1::Mark write_mark(Mark mark) {
  if (mark == Mark::x) return v1::MARK_X;
  return mark == Mark::o ? v1::MARK_O : v1::MARK_NONE;
}

Mark other(Mark mark) {
  if (mark == Mark::none) return Mark::none;
  return mark == Mark::x ? Mark::o : Mark::x;
}

Phase read_phase(v1::Phase phase) {
  if (phase == v1::PHASE_PLAYING) return Phase::playing;
  return phase == v1::PHASE_FINISHED ? Phase::finished : Phase::waiting;
}

Occupant read_occupant(const v1::Occupant& sent) {
  Occupant occupant{Occupant::Kind::open, shown(sent.name()), shown(sent.ai_level())};
  if (sent.kind() == v1::Occupant::KIND_PERSON) occupant.kind = Occupant::Kind::person;
  if (sent.kind() == v1::Occupant::KIND_AI) occupant.kind = Occupant::Kind::ai;
  return occupant;
}

std::vector<Cell> Line::cells() const {
  std::vector<Cell> cells{first};
  while (cells.back() != last) {
    const Cell at = cells.back();
    cells.push_back({step(at.row, last.row), step(at.col, last.col)});
  }
  return cells;
}

Board::Board(std::uint32_t rows, std::uint32_t cols)
    : rows_(rows), cols_(cols), marks_(std::size_t{rows} * cols, Mark::none) {}

bool Board::place(Cell cell, Mark mark) {
  if (!contains(cell) || at(cell) != Mark::none) return false;
  marks_[index(cell)] = mark;
  last_ = cell;
  ++count_;
  return true;
}

void Board::clear() {
  std::fill(marks_.begin(), marks_.end(), Mark::none);
  last_.reset();
  count_ = 0;
}

bool Room::i_want_rematch() const {
  return (my_seat == Mark::x && x_wants_rematch) || (my_seat == Mark::o && o_wants_rematch);
}

RoomRead read_snapshot(const v1::RoomSnapshot& snapshot) {
  const v1::Rules& rules = snapshot.rules();
  if (rules.rows() == 0 || rules.cols() == 0 || rules.rows() > max_mirrored_side ||
      rules.cols() > max_mirrored_side) {
    return {{},
            "a board of " + std::to_string(rules.rows()) + " x " + std::to_string(rules.cols())};
  }
  Room room{Board(rules.rows(), rules.cols())};
  if (std::string fault = place_moves(room.board, snapshot); !fault.empty()) {
    return {{}, std::move(fault)};
  }
  room.name = shown(snapshot.name());
  room.k = rules.k();
  room.exact = rules.exact();
  room.revision = snapshot.revision();
  room.my_seat = read_mark(snapshot.your_seat());
  room.x = read_occupant(snapshot.x());
  room.o = read_occupant(snapshot.o());
  room.watchers = snapshot.watchers();
  room.phase = read_phase(snapshot.phase());
  room.game = snapshot.game();
  room.turn = read_mark(snapshot.turn());
  if (snapshot.has_outcome()) room.outcome = read_outcome(room.board, snapshot.outcome());
  room.x_wants_rematch = snapshot.x_wants_rematch();
  room.o_wants_rematch = snapshot.o_wants_rematch();
  return {std::move(room), {}};
}

Applied apply_update(Room& room, const v1::RoomUpdate& update, const std::string& me) {
  if (update.revision() <= room.revision) return Applied::old;
  if (update.revision() - room.revision > 1) return Applied::gap;
  if (!apply_change(room, update, me)) return Applied::nonsense;
  room.revision = update.revision();
  room.phase = read_phase(update.phase());
  room.turn = read_mark(update.turn());
  return Applied::yes;
}

}  // namespace tictactoe::console
