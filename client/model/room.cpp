#include "client/model/room.hpp"

#include <algorithm>
#include <utility>

#include "client/model/sanitized.hpp"

namespace tictactoe::client {
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

// Nothing if it leaves the board or is not straight.
std::optional<Line> read_line(const Board& board, const v1::Line& sent) {
  const Line line{read_cell(sent.first()), read_cell(sent.last())};
  if (!board.contains(line.first) || !board.contains(line.last)) return std::nullopt;
  const std::uint32_t down = distance(line.first.row, line.last.row);
  const std::uint32_t across = distance(line.first.col, line.last.col);
  return down == 0 || across == 0 || down == across ? std::optional(line) : std::nullopt;
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

// Whether those who have the seats have played the game that is over: somebody who takes an open
// seat, but not the seat of an AI, begins the next game at once.
bool has_its_players(const Room& room) {
  return room.phase == Phase::finished && room.x.kind != Occupant::Kind::open &&
         room.o.kind != Occupant::Kind::open && !room.options.open_ai_seats();
}

void settle_offers(Room& room) {
  room.draw_offered_by = room.takeback_asked_by = Mark::none;
}

void keep_chat(Room& room, ChatLine line) {
  room.chat.push_back(std::move(line));
  if (room.chat.size() > max_kept_chat) room.chat.pop_front();
}

bool apply_move(Room& room, const v1::MovePlayed& move) {
  const Mark mark = read_mark(move.mark());
  if (mark == Mark::none || move.ply() != room.board.count() + 1) return false;
  if (!room.board.place(read_cell(move.cell()), mark)) return false;
  if (move.has_outcome()) room.outcome = read_outcome(room.board, move.outcome());
  settle_offers(room);
  return true;
}

bool apply_taken_back(Room& room, const v1::TakenBack& taken) {
  if (taken.ply() > room.board.count()) return false;
  room.board.take_back(taken.ply());
  room.takebacks = taken.takebacks();
  settle_offers(room);
  return true;
}

bool apply_seat(Room& room, const v1::SeatChanged& change, const std::string& me) {
  const Mark seat = read_mark(change.seat());
  if (seat == Mark::none) return false;
  Occupant& occupant = seat == Mark::x ? room.x : room.o;
  const Occupant before = std::exchange(occupant, read_occupant(change.occupant()));
  if (before.kind != occupant.kind || before.name != occupant.name) {
    (seat == Mark::x ? room.x_wants_rematch : room.o_wants_rematch) = false;
    if (room.draw_offered_by == seat) room.draw_offered_by = Mark::none;
    if (room.takeback_asked_by == seat) room.takeback_asked_by = Mark::none;
  }
  room.watchers = change.watchers();
  const bool is_me = occupant.kind == Occupant::Kind::person && occupant.name == me;
  if (room.my_seat == seat && !is_me) room.my_seat = Mark::none;
  if (is_me && room.waits_for_seat) {
    room.my_seat = seat;
    room.waits_for_seat = false;
  }
  return true;
}

void apply_start(Room& room, const v1::GameStarted& started) {
  room.board.clear();
  room.outcome.reset();
  room.game = started.game();
  room.takebacks = 0;
  room.x_wants_rematch = room.o_wants_rematch = false;
  settle_offers(room);
}

// Notes whose wish it is; false if it has no owner.
bool apply_wish(Mark& wish, v1::Mark by) {
  if (read_mark(by) == Mark::none) return false;
  wish = read_mark(by);
  return true;
}

bool apply_rematch(Room& room, v1::Mark by) {
  const Mark seat = read_mark(by);
  if (seat == Mark::none) return false;
  (seat == Mark::x ? room.x_wants_rematch : room.o_wants_rematch) = true;
  return true;
}

bool apply_change(Room& room, const v1::RoomUpdate& update, const std::string& me) {
  switch (update.change_case()) {
    case v1::RoomUpdate::kMovePlayed:
      return apply_move(room, update.move_played());
    case v1::RoomUpdate::kSeatChanged:
      return apply_seat(room, update.seat_changed(), me);
    case v1::RoomUpdate::kGameStarted:
      apply_start(room, update.game_started());
      return true;
    case v1::RoomUpdate::kGameEnded:
      room.outcome = read_outcome(room.board, update.game_ended().outcome());
      settle_offers(room);
      return true;
    case v1::RoomUpdate::kRematchWanted:
      return apply_rematch(room, update.rematch_wanted().seat());
    case v1::RoomUpdate::kDrawOffered:
      return apply_wish(room.draw_offered_by, update.draw_offered().by());
    case v1::RoomUpdate::kTakebackAsked:
      return apply_wish(room.takeback_asked_by, update.takeback_asked().by());
    case v1::RoomUpdate::kDeclined:
      settle_offers(room);
      return true;
    case v1::RoomUpdate::kTakenBack:
      return apply_taken_back(room, update.taken_back());
    case v1::RoomUpdate::kWatchersChanged:
      room.watchers = update.watchers_changed().watchers();
      return true;
    case v1::RoomUpdate::kChatSaid:
      keep_chat(room, read_chat(update.chat_said()));
      return true;
    case v1::RoomUpdate::kHintUsed:
    case v1::RoomUpdate::kEngineNote:
      return true;
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
  Occupant occupant{Occupant::Kind::open, sanitized(sent.name()), sanitized(sent.ai_level()),
                    sent.away(), sent.away_ms_left()};
  if (sent.kind() == v1::Occupant::KIND_PERSON) occupant.kind = Occupant::Kind::person;
  if (sent.kind() == v1::Occupant::KIND_AI) occupant.kind = Occupant::Kind::ai;
  return occupant;
}

Outcome read_outcome(const Board& board, const v1::Outcome& sent) {
  Outcome outcome{read_mark(sent.winner()), sent.reason(), {}};
  for (int i = 0; i < std::min(sent.lines_size(), max_kept_lines); ++i) {
    if (auto line = read_line(board, sent.lines(i))) outcome.lines.push_back(*line);
  }
  return outcome;
}

ChatLine read_chat(const v1::ChatSaid& said) {
  return {sanitized(said.from()), read_mark(said.seat()),
          sanitized(said.text(), max_shown_sentence)};
}

std::vector<Cell> Line::cells() const {
  std::vector<Cell> cells{first};
  while (cells.back() != last) {
    const Cell at = cells.back();
    cells.push_back({step(at.row, last.row), step(at.col, last.col)});
  }
  return cells;
}

bool Line::contains(Cell cell) const {
  const auto between = [](std::uint32_t value, std::uint32_t a, std::uint32_t b) {
    return value >= std::min(a, b) && value <= std::max(a, b);
  };
  if (!between(cell.row, first.row, last.row) || !between(cell.col, first.col, last.col)) {
    return false;
  }
  return first.row == last.row || first.col == last.col ||
         distance(first.row, cell.row) == distance(first.col, cell.col);
}

Board::Board(std::uint32_t rows, std::uint32_t cols)
    : rows_(rows), cols_(cols), marks_(std::size_t{rows} * cols, Mark::none) {}

std::optional<Cell> Board::last() const {
  if (moves_.empty()) return std::nullopt;
  return cell(moves_.back());
}

bool Board::place(Cell cell, Mark mark) {
  if (!contains(cell) || at(cell) != Mark::none) return false;
  marks_[index(cell)] = mark;
  moves_.push_back(static_cast<std::uint32_t>(index(cell)));
  return true;
}

void Board::take_back(std::uint32_t ply) {
  while (moves_.size() > ply) {
    marks_[moves_.back()] = Mark::none;
    moves_.pop_back();
  }
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
  room.name = sanitized(snapshot.name());
  if (snapshot.name().size() <= 4 * max_shown_name) room.wire_name = snapshot.name();
  room.options = snapshot.options();
  room.waits_for_seat = snapshot.waits_for_seat();
  room.k = rules.k();
  room.exact = rules.exact();
  room.revision = snapshot.revision();
  room.my_seat = read_mark(snapshot.your_seat());
  room.x = read_occupant(snapshot.x());
  room.o = read_occupant(snapshot.o());
  room.watchers = snapshot.watchers();
  room.phase = read_phase(snapshot.phase());
  room.game = snapshot.game();
  room.takebacks = snapshot.takebacks();
  room.turn = read_mark(snapshot.turn());
  if (snapshot.has_outcome()) room.outcome = read_outcome(room.board, snapshot.outcome());
  if (has_its_players(room)) room.played = {room.x, room.o, room.my_seat};
  room.x_wants_rematch = snapshot.x_wants_rematch();
  room.o_wants_rematch = snapshot.o_wants_rematch();
  room.draw_offered_by = read_mark(snapshot.draw_offered_by());
  room.takeback_asked_by = read_mark(snapshot.takeback_asked_by());
  room.score = snapshot.score();
  if (snapshot.has_clocks()) room.clocks = snapshot.clocks();
  constexpr int most = static_cast<int>(max_kept_chat);
  for (int i = std::max(0, snapshot.chat_size() - most); i < snapshot.chat_size(); ++i) {
    keep_chat(room, read_chat(snapshot.chat(i)));
  }
  return {std::move(room), {}};
}

std::size_t lines_known(const std::deque<ChatLine>& before, const std::deque<ChatLine>& now) {
  for (std::size_t known = std::min(before.size(), now.size()); known > 0; --known) {
    const auto end_of_before = before.end() - static_cast<std::ptrdiff_t>(known);
    if (std::equal(end_of_before, before.end(), now.begin())) return known;
  }
  return 0;
}

void note_players(Room& now, const Room& before) {
  if (now.phase != Phase::finished || now.game != before.game) return;
  if (before.phase == Phase::finished) {
    now.played = before.played;
    return;
  }
  // Meanwhile a seat may have changed hands, before the end or after it.
  now.played = {};
  const auto same = [](const Occupant& a, const Occupant& b) {
    return a.kind == b.kind && a.name == b.name;
  };
  if (same(now.x, before.x)) now.played.x = now.x;
  if (same(now.o, before.o)) now.played.o = now.o;
  if (now.my_seat == before.my_seat) now.played.mine = now.my_seat;
}

Applied apply_update(Room& room, const v1::RoomUpdate& update, const std::string& me) {
  if (update.revision() <= room.revision) return Applied::old;
  if (update.revision() - room.revision > 1) return Applied::gap;
  const bool ends = room.phase != Phase::finished && update.phase() == v1::PHASE_FINISHED;
  if (ends) room.played = {room.x, room.o, room.my_seat};
  if (!apply_change(room, update, me)) return Applied::nonsense;
  room.revision = update.revision();
  room.phase = read_phase(update.phase());
  room.turn = read_mark(update.turn());
  if (update.has_clocks()) room.clocks = update.clocks();
  if (update.has_score()) room.score = update.score();
  return Applied::yes;
}

bool changes_board(const Room& room, const v1::RoomUpdate& update) {
  if (update.has_seat_changed()) {
    const v1::SeatChanged& change = update.seat_changed();
    const bool same_person = change.occupant().kind() == v1::Occupant::KIND_PERSON &&
                             change.previous().kind() == v1::Occupant::KIND_PERSON &&
                             change.occupant().name() == change.previous().name();
    return room.phase == Phase::playing && !same_person;
  }
  return update.has_move_played() || update.has_game_started() || update.has_taken_back();
}

bool changes_standing(const Room& room, const v1::RoomUpdate& update, Phase before) {
  // Who won does not change with everyone who leaves.
  const bool over = room.phase == Phase::finished;
  return changes_board(room, update) || room.phase != before ||
         (update.has_seat_changed() && !over);
}

}  // namespace tictactoe::client
