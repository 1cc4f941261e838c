#include "tests/cost/evening.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>
#include <utility>

#include "common/rules/game.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::cost {

namespace {

std::string framed(v1::ClientMessage message, std::uint64_t request_id) {
  message.set_request_id(request_id);
  std::string frame;
  wire::append_frame(frame, message.SerializeAsString());
  return frame;
}

// Plays one room's evening, a request at a time.
class Script {
 public:
  Script(const Evening& evening, std::size_t room)
      : evening_(evening), room_(room), random_(evening.seed + room), game_(evening.rules) {}

  bool is_over() const { return number_ > evening_.games; }
  std::size_t game() const { return number_ - 1; }

  Sent next(std::size_t& moves) {
    if (game_.status() == rules::Status::ongoing) {
      ++moves;
      return move();
    }
    v1::ClientMessage rematch;
    rematch.mutable_rematch();
    const std::size_t who = std::exchange(asked_, !asked_) ? 1 : 0;
    if (!asked_) {
      game_.reset(rules::opponent(game_.starter()));
      ++number_;
    }
    return {2 * room_ + who, framed(rematch, ++requests_)};
  }

 private:
  Sent move() {
    const std::size_t who = game_.to_move() == rules::Mark::x ? 0 : 1;
    rules::Cell cell;
    do {
      cell = {static_cast<int>(random_() % static_cast<unsigned>(evening_.rules.rows)),
              static_cast<int>(random_() % static_cast<unsigned>(evening_.rules.cols))};
    } while (game_.at(cell) != rules::Mark::none);
    v1::ClientMessage message = test::move_request(static_cast<std::uint32_t>(cell.row),
                                                   static_cast<std::uint32_t>(cell.col));
    message.mutable_move()->set_game(static_cast<std::uint32_t>(number_));
    message.mutable_move()->set_ply(static_cast<std::uint32_t>(game_.ply()));
    game_.play(cell);
    return {2 * room_ + who, framed(message, ++requests_)};
  }

  const Evening& evening_;
  std::size_t room_;
  std::mt19937_64 random_;
  rules::Game game_;
  std::size_t number_ = 1;
  bool asked_ = false;
  std::uint64_t requests_ = 0;
};

server::TokenSource tokens() {
  return [next = std::uint8_t{0}, more = std::uint8_t{0}]() mutable {
    server::Token token{};
    if (++next == 0) ++more;
    token[0] = next;
    token[1] = more;
    return token;
  };
}

server::Config without_rate(server::Config config) {
  config.limits.requests_per_second = 0;
  config.limits.connections_per_address = 0;
  return config;
}

// As long as the update about a move in the middle of a game.
v1::ServerMessage& write_update(v1::ServerMessage& message, const v1::Move& move) {
  v1::RoomUpdate& update = *message.mutable_update();
  update.set_revision(1000 + move.ply());
  update.set_phase(v1::PHASE_PLAYING);
  update.set_turn(v1::MARK_O);
  v1::MovePlayed& played = *update.mutable_move_played();
  played.set_mark(v1::MARK_X);
  played.mutable_cell()->set_row(move.cell().row());
  played.mutable_cell()->set_col(move.cell().col());
  played.set_ply(move.ply());
  return message;
}

}  // namespace

Requests requests(const Evening& evening, std::size_t begin) {
  Requests all;
  std::vector<Script> scripts;
  for (std::size_t room = 0; room < evening.rooms; ++room) {
    scripts.emplace_back(evening, room);
    for (std::size_t unused = 0; scripts.back().game() < begin;) scripts.back().next(unused);
  }
  while (std::ranges::any_of(scripts, [](const Script& script) { return !script.is_over(); })) {
    for (Script& script : scripts) {
      if (!script.is_over()) all.list.push_back(script.next(all.moves));
    }
  }
  return all;
}

Table::Table(const Evening& evening, server::Config config)
    : host_(without_rate(std::move(config)), evening.seed, tokens()) {
  for (std::size_t room = 0; room < evening.rooms; ++room) {
    const std::string name = "room " + std::to_string(room);
    for (const std::size_t player : {2 * room, 2 * room + 1}) {
      connections_.push_back(host_.connected({1, 1}, now_));
      outboxes_.push_back(
          std::make_unique<transport::Outbox>(std::size_t{1} << 16, backlogs_, buffers_));
      v1::ClientMessage hello;
      hello.mutable_hello()->set_name("player " + std::to_string(player));
      hello.mutable_hello()->add_protocol_versions(1);
      ask(player, hello);
      ask(player,
          player % 2 == 0 ? test::create_request(name, evening.rules) : test::join_request(name));
    }
  }
  updates_ = 0;
}

void Table::ask(std::size_t player, const v1::ClientMessage& request) {
  ask({player, framed(request, 1)});
}

void Table::ask(const Sent& sent) {
  // A body of less than 128 bytes has one byte of length.
  const std::string_view body = std::string_view(sent.frame).substr(1);
  host_.received(connections_[sent.player], host_.parse(body), now_);
  for (const server::Effect& effect : host_.effects().list()) {
    const auto* send = std::get_if<server::Send>(&effect);
    if (send != nullptr && host_.effects().bytes(send->body).size() > 0) ++updates_;
  }
  host_.effects().clear();
  now_ += std::chrono::microseconds(10);
}

void Table::carry(const Sent& sent) {
  const auto space = reader_.prepare();
  std::ranges::copy(sent.frame, space.begin());
  reader_.commit(sent.frame.size());
  const wire::NextFrame next = reader_.next();
  auto& request = effects_.draft<v1::ClientMessage>();
  if (!request.ParseFromArray(next.body.data(), static_cast<int>(next.body.size()))) {
    throw std::logic_error("a request that can't be read");
  }
  const server::Body body =
      effects_.encode(write_update(effects_.draft<v1::ServerMessage>(), request.move()));
  for (const std::size_t player : {sent.player, sent.player ^ 1}) {
    transport::Outbox& outbox = *outboxes_[player];
    const bool fits =
        outbox.push(0, [&](std::string& out) { wire::append_frame(out, effects_.bytes(body)); });
    if (!fits) throw std::logic_error("a full outbox");
    outbox.sent(outbox.ready().size());
  }
  effects_.clear();
}

}  // namespace tictactoe::cost
