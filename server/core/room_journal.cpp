// What of a room outlives the process: written down as it happens, and read again.
#include <algorithm>
#include <utility>

#include "server/core/describe.hpp"
#include "server/core/room.hpp"

namespace tictactoe::core {

using rules::Mark;

namespace {

std::uint32_t milliseconds(GameClock::Duration time) {
  return static_cast<std::uint32_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

// A revision that nobody can have seen: updates may have been announced after the last record of
// the room, but fewer than this.
std::uint64_t unseen_revision(std::uint64_t recorded) {
  constexpr std::uint64_t leap = std::uint64_t{1} << 20;
  return (recorded / leap + 2) * leap;
}

bool is_side(v1::Mark mark) {
  return mark == v1::MARK_X || mark == v1::MARK_O;
}

}  // namespace

// Writing -----------------------------------------------------------------------------------------

void Room::record_room(const RequestContext& context) {
  recorded_revision_ = revision_;
  if (!config_.keeps_records) return;
  auto& record = context.draft_record();
  journal::v1::Room& room = *record.mutable_room();
  room.set_serial(settings_.serial);
  room.set_name(settings_.name);
  describe(settings_.rules, *room.mutable_rules());
  describe(settings_.options, *room.mutable_options());
  room.set_password_hash(settings_.password_digest);
  room.set_seed(settings_.seed);
  room.set_creator(settings_.creator);
  room.set_revision(revision_);
  room.set_game(game_number_);
  room.set_starter(describe(game_.starter()));
  room.set_ply(static_cast<std::uint32_t>(game_.ply()));
  for (const Mark side : both_sides) {
    const Seat& seat = this->seat(side);
    journal::v1::Seat& saved = side == Mark::x ? *room.mutable_x() : *room.mutable_o();
    saved.set_kind(seat.kind);
    if (has_person(side)) saved.set_player(seat.player->id);
    if (has_ai(side)) saved.set_ai_level(std::string(ai::name(seat.level)));
    saved.set_wants_rematch(seat.wants_rematch);
    if (clock_.counts()) saved.set_time_left_ms(milliseconds(clock_.left(side, context.now)));
  }
  if (end_) *room.mutable_end() = *end_;
  room.set_draw_offered_by(describe(draw_offered_by_));
  room.set_takeback_asked_by(describe(takeback_asked_by_));
  *room.mutable_score() = score_;
  context.effects.record(record);
}

void Room::record_clocks(const RequestContext& context) {
  if (clock_.due()) record_room(context);
}

void Room::record_game(const RequestContext& context) const {
  if (!config_.keeps_records) return;
  auto& record = context.draft_record();
  v1::GameRecord& game = *record.mutable_game_finished();
  game.set_room(settings_.name);
  describe(settings_.rules, *game.mutable_rules());
  v1::RoomOptions options;
  describe(settings_.options, options);
  if (options.has_time()) *game.mutable_time() = options.time();
  describe_seat(Mark::x, context.now, *game.mutable_x());
  describe_seat(Mark::o, context.now, *game.mutable_o());
  for (v1::Occupant* occupant : {game.mutable_x(), game.mutable_o()}) {
    occupant->clear_away();
    occupant->clear_away_ms_left();
    if (occupant->kind() == v1::Occupant::KIND_PERSON) occupant->clear_ai_level();
  }
  game.set_starter(describe(game_.starter()));
  for (const rules::Cell cell : game_.moves()) {
    game.add_moves(static_cast<std::uint32_t>(cell.row * settings_.rules.cols + cell.col));
  }
  game.mutable_move_ms()->Add(move_ms_.begin(), move_ms_.end());
  describe_outcome(*game.mutable_outcome());
  context.effects.record(record);
}

// Reading -----------------------------------------------------------------------------------------

std::unique_ptr<Room> Room::restore(const journal::v1::SavedRoom& saved, const Config& config,
                                    const FindPlayer& find_player, Time now) {
  const journal::v1::Room& room = saved.room();
  // Limits may have been made smaller since; what was legal once goes on.
  Limits limits;
  limits.max_side = 1000;
  const auto name = parse_name(room.name(), "room", limits);
  const auto rules = parse_rules(room.rules(), limits);
  const auto options = parse_options(room.options(), limits);
  constexpr std::uint64_t most = std::uint64_t{1} << 62;  // counters that can still count
  if (!name || *name != room.name() || !rules || !options || room.serial() == 0 ||
      room.serial() > most || room.revision() > most || room.game() == 0 ||
      !is_side(room.starter()) ||
      (!room.password_hash().empty() && room.password_hash().size() != 32)) {
    return nullptr;
  }
  auto restored = std::make_unique<Room>(
      RoomSettings{*name, *rules, *options, room.password_hash(), room.serial(), room.seed(),
                   room.creator(), unseen_revision(room.revision())},
      config);
  Room& result = *restored;
  result.recorded_revision_ = result.revision_;
  result.game_number_ = room.game();
  result.score_ = room.score();
  if (!result.restore_seat(Mark::x, room.x(), find_player) ||
      !result.restore_seat(Mark::o, room.o(), find_player) || !restore_moves(result, saved)) {
    return nullptr;
  }
  for (const journal::v1::Chat& chat : saved.chat()) {
    v1::ChatSaid& said = result.chat_.emplace_back();
    said.set_from(chat.from());
    said.set_seat(chat.seat());
    said.set_text(chat.text());
    if (result.chat_.size() > config.limits.kept_chat) result.chat_.erase(result.chat_.begin());
  }
  for (Seat& seat : result.seats_) {
    if (seat.kind != v1::Occupant::KIND_PERSON) continue;
    seat.away_until = std::max(result.away_until(now, false), now + config.limits.restart_grace);
  }
  result.restart_until_ = now + config.limits.restart_grace;
  Effects nobody_listens;
  result.go_on({now, nobody_listens});
  return restored;
}

bool Room::restore_seat(Mark side, const journal::v1::Seat& saved, const FindPlayer& find_player) {
  Seat& seat = this->seat(side);
  seat.kind = saved.kind();
  seat.wants_rematch = saved.wants_rematch();
  clock_.set_left(side, std::chrono::milliseconds(saved.time_left_ms()));
  if (saved.kind() == v1::Occupant::KIND_PERSON) {
    const Player* player = find_player(saved.player());
    if (player == nullptr || player->room != nullptr || seat_of(player) != Mark::none) {
      return false;
    }
    seat.player = player;
  } else if (saved.kind() == v1::Occupant::KIND_AI) {
    const auto level = ai::parse_level(saved.ai_level());
    if (!level) return false;
    seat.level = *level;
  } else if (saved.kind() != v1::Occupant::KIND_OPEN) {
    return false;
  }
  if (!is_open(side)) met_[index(side)] = occupant_key(side);
  return true;
}

bool Room::restore_moves(Room& result, const journal::v1::SavedRoom& saved) {
  const journal::v1::Room& room = saved.room();
  const auto cols = static_cast<std::uint32_t>(result.settings_.rules.cols);
  result.game_.reset(parse_mark(room.starter()));
  for (int i = 0; i < saved.moves_size(); ++i) {
    const journal::v1::Move& move = saved.moves(i);
    const Mark side = result.game_.to_move();
    const auto cells = static_cast<std::uint32_t>(result.settings_.rules.cells());
    if (move.ply() != static_cast<std::uint32_t>(i) + 1 || move.cell() >= cells) return false;
    const rules::Cell cell{static_cast<int>(move.cell() / cols),
                           static_cast<int>(move.cell() % cols)};
    if (side == Mark::none || result.game_.play(cell)) return false;
    result.move_ms_.push_back(move.spent_ms());
    if (move.ply() > room.ply()) {
      result.clock_.set_left(side, std::chrono::milliseconds(move.time_left_ms()));
    }
  }
  if (room.ply() > static_cast<std::uint32_t>(saved.moves_size())) return false;
  const bool moved_since = room.ply() < static_cast<std::uint32_t>(saved.moves_size());
  if (room.has_end()) {
    if (moved_since || result.game_.status() != rules::Status::ongoing) return false;
    result.end_ = room.end();
  }
  if (!moved_since) {
    result.draw_offered_by_ = parse_mark(room.draw_offered_by());
    result.takeback_asked_by_ = parse_mark(room.takeback_asked_by());
  }
  return true;
}

}  // namespace tictactoe::core
