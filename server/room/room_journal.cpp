#include "server/room/room_journal.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "server/game/describe.hpp"

namespace tictactoe::server {

using rules::Mark;

namespace {

// Higher than any announced revision: fewer updates may have followed the room's last record.
std::uint64_t unseen_revision(std::uint64_t recorded) {
  constexpr std::uint64_t step = std::uint64_t{1} << 20;
  return (recorded / step + 2) * step;
}

std::chrono::milliseconds unix_time(Time time, const Config& config) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()) +
         config.unix_time_of_zero;
}

void write_person(const Seats::Seat& seat, const Config& config, journal::v1::Seat& out) {
  out.set_player(seat.player->id);
  if (seat.player->origin) write_origin(*seat.player->origin, *out.mutable_origin());
  out.set_stood_in(seat.stood_in);
  if (!seat.away_until) return;
  out.set_away_until_ms(static_cast<std::uint64_t>(
      std::max<std::int64_t>(1, unix_time(*seat.away_until, config).count())));
}

void write_seat(const RoomState& room, Mark side, Time now, journal::v1::Seat& out) {
  const Seats::Seat& seat = room.seats[side];
  const GameClock& clock = room.game.clock();
  out.set_kind(seat.kind);
  if (room.seats.has_person(side)) write_person(seat, room.config, out);
  if (room.seats.has_ai(side)) out.set_ai_level(seat.level.name());
  out.set_wants_rematch(seat.wants_rematch);
  if (clock.counts()) out.set_time_left_ms(milliseconds(clock.left(side, now)));
}

// As shown in the history, which leaves absences out.
void write_player(const Seats& seats, Mark side, Time now, v1::Occupant& out) {
  seats.describe_seat(side, now, out);
  out.clear_away();
  out.clear_away_ms_left();
  if (out.kind() == v1::Occupant::KIND_PERSON) out.clear_ai_level();
}

std::uint32_t index_of(rules::Cell cell, const rules::Rules& rules) {
  return static_cast<std::uint32_t>(cell.row * rules.cols + cell.col);
}

void write_password(const PasswordKey& password, journal::v1::Room& out) {
  journal::v1::PasswordKey& key = *out.mutable_password_key();
  key.set_log2_n(password.cost.log2_n);
  key.set_r(password.cost.r);
  key.set_p(password.cost.p);
  key.set_salt(password.salt);
  key.set_key(password.key);
}

std::optional<PasswordKey> read_password(const journal::v1::Room& room) {
  if (!room.has_password_key()) return std::nullopt;
  const journal::v1::PasswordKey& key = room.password_key();
  return PasswordKey{{key.log2_n(), key.r(), key.p()}, key.salt(), key.key()};
}

}  // namespace

std::uint64_t unix_ms(Time time, const Config& config) {
  return static_cast<std::uint64_t>(unix_time(time, config).count());
}

void write_origin(const Origin& origin, journal::v1::Origin& out) {
  out.set_address(origin.address);
  out.set_network(origin.network);
}

Origin read_origin(const journal::v1::Origin& origin) {
  return {origin.address(), origin.network()};
}

void write_room(const RoomState& room, std::uint64_t revision, Time now, journal::v1::Room& out) {
  const RoomSettings& settings = room.settings;
  const RoomGame& game = room.game;
  out.set_serial(settings.serial);
  out.set_name(settings.name);
  describe(settings.rules, *out.mutable_rules());
  describe(settings.options, *out.mutable_options());
  if (settings.password) write_password(*settings.password, out);
  out.set_seed(settings.seed);
  out.set_creator(settings.creator);
  out.set_revision(revision);
  out.set_game(game.number());
  out.set_starter(describe(game.board().starter()));
  out.set_ply(static_cast<std::uint32_t>(game.ply()));
  out.set_takebacks(game.takebacks());
  if (settings.origin) write_origin(*settings.origin, *out.mutable_origin());
  write_seat(room, Mark::x, now, *out.mutable_x());
  write_seat(room, Mark::o, now, *out.mutable_o());
  if (game.was_ended()) game.describe_outcome(*out.mutable_end());
  out.set_draw_offered_by(describe(game.draw_offered_by()));
  out.set_takeback_asked_by(describe(game.takeback_asked_by()));
  *out.mutable_score() = room.seats.score();
}

std::optional<Time> read_hold(const journal::v1::Seat& seat, const Config& config, Time now) {
  if (seat.away_until_ms() == 0) return std::nullopt;
  constexpr std::uint64_t max = std::uint64_t{1} << 60;
  const std::chrono::milliseconds until(std::min(seat.away_until_ms(), max));
  return now + std::clamp<std::chrono::milliseconds>(until - unix_time(now, config), {},
                                                     config.limits.max_hold);
}

void write_move(const RoomState& room, std::size_t ply, journal::v1::Move& out) {
  const RoomGame& game = room.game;
  out.set_room(room.settings.serial);
  out.set_ply(static_cast<std::uint32_t>(ply));
  out.set_cell(index_of(game.board().moves()[ply - 1], game.rules()));
  out.set_spent_ms(game.move_times()[ply - 1]);
}

void write_last_move(const RoomState& room, Mark side, Time now, journal::v1::Move& out) {
  write_move(room, static_cast<std::size_t>(room.game.ply()), out);
  const GameClock& clock = room.game.clock();
  if (clock.counts()) out.set_time_left_ms(milliseconds(clock.left(side, now)));
}

void write_finished_game(const RoomState& room, Time now, v1::GameRecord& out) {
  const RoomSettings& settings = room.settings;
  const RoomGame& game = room.game;
  out.set_room(settings.name);
  describe(settings.rules, *out.mutable_rules());
  v1::RoomOptions options;
  describe(settings.options, options);
  if (options.has_time()) *out.mutable_time() = options.time();
  write_player(room.seats, Mark::x, now, *out.mutable_x());
  write_player(room.seats, Mark::o, now, *out.mutable_o());
  out.set_starter(describe(game.board().starter()));
  if (settings.options.from && game.number() == 1) *out.mutable_from() = options.from();
  for (const rules::Cell cell : game.board().moves()) out.add_moves(index_of(cell, game.rules()));
  const auto times = game.move_times();
  out.mutable_move_ms()->Add(times.begin(), times.end());
  game.describe_outcome(*out.mutable_outcome());
}

void write_readers(const Seats& seats, journal::v1::Readers& out) {
  if (seats.has_person(Mark::x)) out.set_x(reader_number(*seats[Mark::x].player));
  if (seats.has_person(Mark::o)) out.set_o(reader_number(*seats[Mark::o].player));
}

std::optional<RoomSettings> read_settings(const journal::v1::Room& room) {
  // The limits may have been different when the room was created. A valid room stays valid.
  Limits limits;
  limits.max_side = 1000;
  const auto name = parse_saved_name(room.name(), "room", limits);
  const auto rules = parse_rules(room.rules(), limits);
  const auto options = parse_options(room.options(), limits);
  constexpr std::uint64_t max = std::uint64_t{1} << 62;  // leaves room to count further
  const auto password = read_password(room);
  if (!name || !rules || !options || room.serial() == 0 || room.serial() > max ||
      room.revision() > max || (password && !is_acceptable(*password))) {
    return std::nullopt;
  }
  RoomSettings settings{
      *name,         *rules,      *options,       nullptr,
      room.serial(), room.seed(), room.creator(), unseen_revision(room.revision())};
  if (password) settings.password = std::make_shared<const PasswordKey>(*password);
  if (room.has_origin()) settings.origin = read_origin(room.origin());
  return settings;
}

}  // namespace tictactoe::server
