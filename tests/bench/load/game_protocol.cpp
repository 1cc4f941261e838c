#include "tests/bench/load/game_protocol.hpp"

#include <unistd.h>

#include <algorithm>

#include "common/wire/frame.hpp"

namespace tictactoe::load {
namespace {

template <class Value>
std::uint32_t number(Value value) {
  return static_cast<std::uint32_t>(value);
}

v1::Mark to_wire(rules::Mark mark) {
  return static_cast<v1::Mark>(mark);
}

void to_wire(rules::Cell cell, v1::Cell& out) {
  out.set_row(number(cell.row));
  out.set_col(number(cell.col));
}

v1::Rules to_wire(const rules::Rules& rules) {
  v1::Rules wire;
  wire.set_rows(number(rules.rows));
  wire.set_cols(number(rules.cols));
  wire.set_k(number(rules.k));
  wire.set_exact(!rules.overline_wins);
  return wire;
}

v1::Line::Kind to_wire(rules::LineKind kind) {
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

void to_wire(const rules::Game& game, v1::Outcome& out) {
  out.set_winner(to_wire(game.winner()));
  out.clear_lines();
  const bool won = game.status() == rules::Status::won;
  out.set_reason(won ? v1::Outcome::REASON_LINE : v1::Outcome::REASON_BOARD_FULL);
  if (!won) return;
  for (const rules::Line& line : game.winning_lines()) {
    v1::Line& added = *out.add_lines();
    added.set_kind(to_wire(line.kind));
    to_wire(line.first, *added.mutable_first());
    to_wire(line.last, *added.mutable_last());
  }
}

// As SerializeToString(), which takes half as long again for so small a message.
void encode(const google::protobuf::MessageLite& message, std::string& out) {
  out.resize(message.ByteSizeLong());
  message.SerializeWithCachedSizesToArray(reinterpret_cast<std::uint8_t*>(out.data()));
}

std::string player_name(std::size_t connection) {
  return "load-" + std::to_string(connection);
}

// The player who made the request gets the same as the others, after the id of the request: two
// encodings in a row are the encoding of both merged.
void answer_with(const v1::ServerMessage& news, std::uint64_t request_id, Exchange& out) {
  constexpr char request_id_tag = v1::ServerMessage::kRequestIdFieldNumber << 3;
  encode(news, out.news);
  out.answer.assign(1, request_id_tag);
  wire::append_varint(out.answer, request_id);
  out.answer += out.news;
}

void put_limits(v1::Limits& out) {
  using Field = google::protobuf::FieldDescriptor;
  const auto* const reflection = out.GetReflection();
  for (int i = 0; i < out.GetDescriptor()->field_count(); ++i) {
    const Field* const field = out.GetDescriptor()->field(i);
    // Everybody comes from one address, so the server is started without limits for addresses.
    const bool is_of_address = field->name().find("address") != std::string::npos ||
                               field->name().find("newcomer") != std::string::npos;
    if (field->is_repeated() || is_of_address) continue;
    if (field->cpp_type() == Field::CPPTYPE_UINT32) reflection->SetUInt32(&out, field, 10'000);
    if (field->cpp_type() == Field::CPPTYPE_UINT64) reflection->SetUInt64(&out, field, 86'400'000);
  }
  for (const char* level : {"suggester", "random", "strong", "perfect"}) out.add_ai_levels(level);
  // As many costs as the server lists.
  for (std::uint32_t request = 2; request < 17; ++request) {
    v1::RequestCost& cost = *out.add_costs();
    cost.set_request(request);
    cost.set_tokens(8);
  }
}

}  // namespace

GameProtocol::GameProtocol(const rules::Rules& rules) : rules_(to_wire(rules)) {
  rematch_.mutable_rematch();
}

// The process's number keeps two generators at one server apart.
std::string GameProtocol::room_name(std::size_t room) const {
  return "load-" + std::to_string(getpid()) + "-" + std::to_string(room);
}

void GameProtocol::hello(std::size_t connection, Exchange& out) {
  v1::ClientMessage request;
  request.set_request_id(1);
  request.mutable_hello()->add_protocol_versions(1);
  request.mutable_hello()->set_name(player_name(connection));
  request.mutable_hello()->set_software("tictactoe-load " TICTACTOE_VERSION);
  request.mutable_hello()->add_capabilities("redirect");
  if (connection < tokens_.size()) request.mutable_hello()->set_token(tokens_[connection]);
  encode(request, out.request);

  v1::ServerMessage answer;
  answer.set_request_id(1);
  v1::Welcome& welcome = *answer.mutable_welcome();
  welcome.set_protocol_version(1);
  welcome.set_server_name("tictactoe");
  welcome.set_software("tictactoe-server " TICTACTOE_VERSION);
  welcome.set_player_name(player_name(connection));
  welcome.set_token(std::string(16, 't'));
  welcome.set_server_id(1);
  put_limits(*welcome.mutable_limits());
  encode(answer, out.answer);
  out.news.clear();
}

void GameProtocol::enter(const Place& place, std::uint64_t request_id, Exchange& out) {
  const v1::Mark seat = seat_of(place.index);
  const std::string name = room_name(place.room);
  v1::ClientMessage request;
  request.set_request_id(request_id);
  if (seat == v1::MARK_X) {
    request.mutable_create_room()->set_name(name);
    *request.mutable_create_room()->mutable_rules() = rules_;
  } else if (seat == v1::MARK_O) {
    request.mutable_join_room()->set_name(name);
  } else {
    request.mutable_watch_room()->set_name(name);
  }
  encode(request, out.request);

  v1::ServerMessage answer;
  answer.set_request_id(request_id);
  v1::RoomSnapshot& room = *answer.mutable_snapshot();
  room.set_name(name);
  *room.mutable_rules() = rules_;
  room.set_revision(place.index + 1);
  room.set_your_seat(seat);
  for (v1::Occupant* occupant : {room.mutable_x(), room.mutable_o()}) {
    if (seat == v1::MARK_X && occupant == &room.o()) break;
    occupant->set_kind(v1::Occupant::KIND_PERSON);
    occupant->set_name(player_name(place.room));
  }
  room.set_watchers(place.index < 2 ? 0 : number(place.index - 1));
  room.set_phase(v1::PHASE_PLAYING);
  room.set_game(1);
  room.set_starter(v1::MARK_X);
  room.set_turn(v1::MARK_X);
  room.mutable_options()->set_grace_ms(120'000);
  encode(answer, out.answer);

  v1::ServerMessage news;
  v1::RoomUpdate& update = *news.mutable_update();
  update.set_revision(place.index + 1);
  update.set_phase(v1::PHASE_PLAYING);
  update.set_turn(v1::MARK_X);
  if (seat == v1::MARK_NONE) {
    update.mutable_watchers_changed()->set_watchers(room.watchers());
    update.mutable_watchers_changed()->set_name(player_name(place.room));
    update.mutable_watchers_changed()->set_joined(true);
  } else {
    update.mutable_seat_changed()->set_seat(seat);
    *update.mutable_seat_changed()->mutable_occupant() = room.o();
    update.mutable_seat_changed()->mutable_previous();
  }
  encode(news, out.news);
}

void GameProtocol::ping(std::uint64_t request_id, Exchange& out) {
  v1::ClientMessage request;
  request.set_request_id(request_id);
  request.mutable_ping();
  encode(request, out.request);
  v1::ServerMessage answer;
  answer.set_request_id(request_id);
  answer.mutable_pong();
  encode(answer, out.answer);
  out.news.clear();
}

void GameProtocol::act(const Step& step, Exchange& out) {
  if (step.kind == Step::Kind::move) {
    play(step, out);
  } else {
    ask_for_rematch(step, out);
  }
}

void GameProtocol::play(const Step& step, Exchange& out) {
  const rules::Game& game = *step.game;
  const bool over = game.status() != rules::Status::ongoing;
  const std::uint32_t ply = number(game.ply());
  move_.set_request_id(step.request_id);
  v1::Move& move = *move_.mutable_move();
  to_wire(game.moves().back(), *move.mutable_cell());
  move.set_game(step.game_number);
  move.set_ply(ply - 1);
  encode(move_, out.request);

  v1::ServerMessage& message = over ? last_move_played_ : move_played_;
  v1::RoomUpdate& update = *message.mutable_update();
  update.set_revision(step.revision);
  update.set_phase(over ? v1::PHASE_FINISHED : v1::PHASE_PLAYING);
  update.set_turn(to_wire(game.to_move()));
  v1::MovePlayed& played = *update.mutable_move_played();
  played.set_mark(step.actor);
  to_wire(game.moves().back(), *played.mutable_cell());
  played.set_ply(ply);
  if (over) {
    to_wire(game, *played.mutable_outcome());
    *update.mutable_score() = *step.score;
  }
  answer_with(message, step.request_id, out);
}

void GameProtocol::ask_for_rematch(const Step& step, Exchange& out) {
  rematch_.set_request_id(step.request_id);
  encode(rematch_, out.request);
  const bool starts = step.kind == Step::Kind::game_started;
  v1::ServerMessage& message = starts ? game_started_ : rematch_wanted_;
  v1::RoomUpdate& update = *message.mutable_update();
  update.set_revision(step.revision);
  if (starts) {
    update.set_phase(v1::PHASE_PLAYING);
    update.set_turn(to_wire(step.game->to_move()));
    update.mutable_game_started()->set_game(step.game_number);
    update.mutable_game_started()->set_starter(to_wire(step.game->starter()));
  } else {
    update.set_phase(v1::PHASE_FINISHED);
    update.mutable_rematch_wanted()->set_seat(step.actor);
  }
  answer_with(message, step.request_id, out);
}

bool GameProtocol::is_welcome(std::size_t connection, std::string_view body) {
  if (!parsed_.ParseFromArray(body.data(), static_cast<int>(body.size())) ||
      parsed_.request_id() != 1 || !parsed_.has_welcome()) {
    return false;
  }
  // A player who has come from another server keeps the token.
  if (!parsed_.welcome().token().empty()) {
    if (connection >= tokens_.size()) tokens_.resize(connection + 1);
    tokens_[connection] = parsed_.welcome().token();
  }
  return true;
}

std::optional<std::string> GameProtocol::redirection(std::string_view body) {
  if (!parsed_.ParseFromArray(body.data(), static_cast<int>(body.size())) ||
      !parsed_.has_redirect()) {
    return std::nullopt;
  }
  return parsed_.redirect().server().address();
}

bool GameProtocol::is_entry(const Place& place, std::uint64_t request_id, std::string_view body,
                            std::uint64_t& revision, const rules::Game& game) {
  if (!parsed_.ParseFromArray(body.data(), static_cast<int>(body.size())) ||
      parsed_.request_id() != request_id) {
    return false;
  }
  const v1::RoomSnapshot& room = parsed_.snapshot();
  revision = room.revision();
  // X waits for O.
  const v1::Mark turn = place.index == 0 ? v1::MARK_NONE : to_wire(game.to_move());
  return room.name() == room_name(place.room) && room.your_seat() == seat_of(place.index) &&
         room.rules().SerializeAsString() == rules_.SerializeAsString() &&
         room.starter() == to_wire(game.starter()) && room.turn() == turn &&
         std::ranges::equal(room.moves(), game.moves(), {}, {}, [&](rules::Cell cell) {
           return number(cell.row) * rules_.cols() + number(cell.col);
         });
}

bool GameProtocol::is_arrival(std::size_t, std::uint64_t seen, std::string_view body) {
  if (!parsed_.ParseFromArray(body.data(), static_cast<int>(body.size())) ||
      parsed_.request_id() != 0) {
    return false;
  }
  const v1::RoomUpdate& update = parsed_.update();
  return update.revision() == seen + 1 &&
         (update.has_seat_changed() || update.has_watchers_changed());
}

// Fields in another order, say.
bool GameProtocol::same(std::string_view expected, std::string_view body) {
  return parsed_.ParseFromArray(body.data(), static_cast<int>(body.size())) &&
         parsed_.SerializeAsString() == expected;
}

std::string GameProtocol::text(std::string_view body) {
  if (!parsed_.ParseFromArray(body.data(), static_cast<int>(body.size()))) return "no message";
  return "{" + parsed_.ShortDebugString() + "}";
}

}  // namespace tictactoe::load
