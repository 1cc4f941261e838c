#include "server/game/describe.hpp"

#include <string>

#include "common/ai/levels.hpp"
#include "server/game/ai_levels.hpp"
#include "server/limits/request_costs.hpp"

namespace tictactoe::server {
namespace {

v1::Line::Kind describe(rules::LineKind kind) {
  switch (kind) {
    case rules::LineKind::row:
      return v1::Line::KIND_ROW;
    case rules::LineKind::column:
      return v1::Line::KIND_COLUMN;
    case rules::LineKind::diagonal:
      return v1::Line::KIND_DIAGONAL;
    case rules::LineKind::antidiagonal:
      return v1::Line::KIND_ANTIDIAGONAL;
  }
  return v1::Line::KIND_UNSPECIFIED;
}

template <class Value>
std::uint32_t number(Value value) {
  return static_cast<std::uint32_t>(value);
}

}  // namespace

v1::Mark describe(rules::Mark mark) {
  switch (mark) {
    case rules::Mark::x:
      return v1::MARK_X;
    case rules::Mark::o:
      return v1::MARK_O;
    case rules::Mark::none:
      break;
  }
  return v1::MARK_NONE;
}

void describe(rules::Cell cell, v1::Cell& out) {
  out.set_row(number(cell.row));
  out.set_col(number(cell.col));
}

void describe(const rules::Rules& rules, v1::Rules& out) {
  out.set_rows(number(rules.rows));
  out.set_cols(number(rules.cols));
  out.set_k(number(rules.k));
  out.set_exact(!rules.overline_wins);
}

void describe(const GamePosition& position, v1::GamePosition& out) {
  out.set_game(position.game);
  out.set_moves(position.moves);
}

void describe(const RoomOptions& options, v1::RoomOptions& out) {
  if (!options.time.none()) {
    out.mutable_time()->set_move_ms(number(options.time.move.count()));
    out.mutable_time()->set_game_ms(number(options.time.game.count()));
    out.mutable_time()->set_increment_ms(number(options.time.increment.count()));
  }
  out.set_away(options.away);
  out.set_grace_ms(number(options.grace.count()));
  out.set_unlisted(options.unlisted);
  out.set_open_ai_seats(options.open_ai_seats);
  out.set_hints(options.hints);
  if (options.from) describe(*options.from, *out.mutable_from());
}

void describe_outcome(const rules::Game& game, v1::Outcome& out) {
  out.set_winner(describe(game.winner()));
  if (game.status() != rules::Status::won) {
    const bool is_full = game.status() == rules::Status::drawn;
    out.set_reason(is_full ? v1::Outcome::REASON_BOARD_FULL : v1::Outcome::REASON_MOVE_LIMIT);
    return;
  }
  out.set_reason(v1::Outcome::REASON_LINE);
  for (const rules::Line& line : game.winning_lines()) {
    v1::Line& described = *out.add_lines();
    described.set_kind(describe(line.kind));
    describe(line.first, *described.mutable_first());
    describe(line.last, *described.mutable_last());
  }
}

namespace {

// The limits of one address. Nothing is set if it has no limits.
void describe_shares(const Limits& limits, v1::Limits& out) {
  if (!limits.limits_addresses()) return;
  out.set_address_requests_per_second(limits.address_rates * limits.requests_per_second);
  out.set_address_request_burst(limits.address_bursts * limits.request_burst);
  out.set_newcomer_burst(limits.newcomer_burst);
  out.set_newcomers_per_minute(limits.newcomers_per_minute);
  out.set_pending_per_address(number(limits.pending_per_address));
  out.set_rooms_per_address(number(limits.rooms_per_address));
  out.set_absences_per_address(number(limits.absences_per_address));
}

}  // namespace

void describe(const Config& config, v1::Limits& out) {
  const Limits& limits = config.limits;
  out.set_client_frame_bytes(number(limits.client_frame_bytes));
  out.set_server_frame_bytes(number(limits.server_frame_bytes));
  out.set_outbox_bytes(number(limits.outbox_bytes));
  out.set_min_side(number(limits.min_side));
  out.set_max_side(number(limits.max_side));
  out.set_name_length(number(limits.name_length));
  out.set_password_length(number(limits.password_length));
  out.set_chat_length(number(limits.chat_length));
  out.set_requests_per_second(limits.requests_per_second);
  out.set_request_burst(limits.request_burst);
  out.set_hello_timeout_ms(number(limits.hello_timeout.count()));
  out.set_connections(number(limits.connections));
  out.set_rooms(number(limits.rooms));
  out.set_watchers_per_room(number(limits.watchers_per_room));
  out.set_rooms_per_list(number(limits.rooms_per_list));
  out.set_silence_timeout_ms(number(limits.silence_timeout.count()));
  out.set_pending_connections(number(limits.pending_connections));
  out.set_connections_per_address(number(limits.connections_per_address));
  out.set_rooms_per_player(number(limits.rooms_per_player));
  out.set_default_grace_ms(number(limits.default_grace.count()));
  out.set_longest_hold_ms(static_cast<std::uint64_t>(limits.max_hold.count()));
  out.set_name_hold_ms(static_cast<std::uint64_t>(limits.name_hold.count()));
  out.set_kept_updates(number(limits.kept_updates));
  out.set_kept_chat(number(limits.kept_chat));
  out.set_longest_time_ms(number(limits.max_time.count()));
  if (config.keeps_records) out.set_games_per_list(number(limits.games_per_list));
  describe_costs(out);
  out.set_lobby_update_ms(number(limits.lobby_update.count()));
  out.set_names_per_list(number(limits.names_per_list));
  describe_shares(limits, out);
  out.set_longest_hold_against_ai_ms(number(limits.max_hold_against_ai.count()));
  out.set_receivers_per_token(number(receivers_per_token));
  if (limits.requests_per_second > 0) {
    out.set_chat_receivers_per_second(limits.chat_receivers_per_second);
    out.set_chat_receivers_burst(limits.chat_receivers_burst);
  }
  if (limits.requests_per_second > 0) {
    out.set_invitation_burst(limits.invitation_burst);
    out.set_invitations_per_minute(limits.invitations_per_minute);
  }
  out.set_invitations_per_room(number(limits.invitations_per_room));
  if (config.keeps_records) out.set_moves_of_new_room(limits.moves_of_new_room);
  out.set_hints_per_connection(number(limits.hints_per_connection));
  out.set_moves_per_game(number(limits.moves_per_game));
  out.add_ai_levels(std::string(ai::name(default_ai_level)));
  for (const ai::Level level : ai::levels) {
    if (level != default_ai_level) out.add_ai_levels(std::string(ai::name(level)));
  }
  for (const std::string& engine : config.engines) out.add_ai_levels(engine);
}

void describe(const Directory::LobbyServer& server, v1::ServerAddress& out) {
  out.set_address(server.address);
  out.set_key(server.key);
}

void describe(const Player& player, journal::v1::Player& out) {
  out.set_id(player.id);
  out.set_name(player.name);
  out.set_token_hash(player.token_hash);
  out.set_last_request_done(player.last_request_done);
  out.set_played(player.played);
}

}  // namespace tictactoe::server
