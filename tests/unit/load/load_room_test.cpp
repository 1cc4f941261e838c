// The load generator's checks: a server that does anything wrong must not be measured.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/bench/floor/frame.hpp"
#include "tests/bench/load/failure.hpp"
#include "tests/bench/load/histogram.hpp"
#include "tests/bench/load/relay_protocol.hpp"
#include "tests/bench/load/room.hpp"

namespace tictactoe::load {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// What a correct server sends to everybody, from the requests alone. Finished games are identified
/// by the rules' own engine, for which there are other tests.
class Server {
 public:
  explicit Server(rules::Rules rules) : game_(rules) {}

  v1::ServerMessage update(const v1::ClientMessage& request, v1::Mark actor) {
    v1::ServerMessage message;
    v1::RoomUpdate& update = *message.mutable_update();
    update.set_revision(++revision_);
    if (request.has_move()) {
      v1::MovePlayed& played = *update.mutable_move_played();
      played.set_mark(actor);
      *played.mutable_cell() = request.move().cell();
      EXPECT_FALSE(game_.play(
          {static_cast<int>(played.cell().row()), static_cast<int>(played.cell().col())}));
      played.set_ply(static_cast<std::uint32_t>(game_.ply()));
      EXPECT_EQ(request.move().ply() + 1, played.ply());
      EXPECT_EQ(request.move().game(), number_);
      if (game_.to_move() == rules::Mark::none) {
        end(update);
      }
    } else if (!std::exchange(wanted_, !wanted_)) {
      update.mutable_rematch_wanted()->set_seat(actor);
    } else {
      game_.reset(rules::opponent(game_.starter()));
      update.mutable_game_started()->set_game(++number_);
      update.mutable_game_started()->set_starter(static_cast<v1::Mark>(game_.starter()));
    }
    const bool over = game_.to_move() == rules::Mark::none;
    update.set_phase(over ? v1::PHASE_FINISHED : v1::PHASE_PLAYING);
    update.set_turn(static_cast<v1::Mark>(game_.to_move()));
    return message;
  }

 private:
  void end(v1::RoomUpdate& update) {
    v1::Outcome& outcome = *update.mutable_move_played()->mutable_outcome();
    outcome.set_winner(static_cast<v1::Mark>(game_.winner()));
    outcome.set_reason(game_.winner() == rules::Mark::none ? v1::Outcome::REASON_BOARD_FULL
                                                           : v1::Outcome::REASON_LINE);
    for (const rules::Line& line : game_.winning_lines()) {
      v1::Line& added = *outcome.add_lines();
      added.set_kind(static_cast<v1::Line::Kind>(static_cast<int>(line.kind) + 1));
      put(line.first, *added.mutable_first());
      put(line.last, *added.mutable_last());
    }
    if (game_.winner() == rules::Mark::x) score_.set_x(score_.x() + 1);
    if (game_.winner() == rules::Mark::o) score_.set_o(score_.o() + 1);
    if (game_.winner() == rules::Mark::none) score_.set_draws(score_.draws() + 1);
    *update.mutable_score() = score_;
  }
  static void put(rules::Cell cell, v1::Cell& out) {
    out.set_row(static_cast<std::uint32_t>(cell.row));
    out.set_col(static_cast<std::uint32_t>(cell.col));
  }

  rules::Game game_;
  v1::Score score_;
  std::uint64_t revision_ = 2;
  std::uint32_t number_ = 1;
  bool wanted_ = false;
};

struct Said {
  v1::Mark actor;
  std::uint64_t seen;
  v1::ServerMessage message;
};

class LoadRoom : public ::testing::Test {
 protected:
  LoadRoom() { room.begin(2); }

  Said next() {
    const v1::Mark actor = room.actor();
    const std::uint64_t seen = room.revision();
    v1::ClientMessage message;
    EXPECT_TRUE(message.ParseFromString(room.act(++request)));
    EXPECT_EQ(message.request_id(), request);
    return {actor, seen, server.update(message, actor)};
  }

  bool taken(v1::Mark seat, const Said& said) {
    v1::ServerMessage message = said.message;
    if (seat == said.actor) message.set_request_id(request);
    return room.check(seat, said.seen, message.SerializeAsString());
  }

  void refused(const Said& said, const std::string& complaint = "came instead of") {
    EXPECT_THAT([&] { taken(v1::MARK_NONE, said); }, ThrowsMessage<Failure>(HasSubstr(complaint)));
  }

  /// The first step from here on with that change.
  Said next(v1::RoomUpdate::ChangeCase change) {
    for (;;) {
      Said step = next();
      if (step.message.update().change_case() == change) return step;
    }
  }

  Said last_move() {
    for (;;) {
      Said step = next();
      if (step.message.update().move_played().has_outcome()) return step;
    }
  }

  GameProtocol protocol{rules::Rules{5, 4, 3, true}};
  Room room{7, rules::Rules{5, 4, 3, true}, 1, protocol};
  Server server{rules::Rules{5, 4, 3, true}};
  std::uint64_t request = 0;
};

TEST_F(LoadRoom, takes_what_a_flawless_server_says) {
  int moves = 0;
  for (int i = 0; i < 10'000; ++i) {
    const bool is_move = room.moves_next();
    const Said step = next();
    EXPECT_EQ(taken(step.actor, step), is_move);
    EXPECT_FALSE(taken(step.actor == v1::MARK_X ? v1::MARK_O : v1::MARK_X, step));
    EXPECT_FALSE(taken(v1::MARK_NONE, step));
    moves += is_move ? 1 : 0;
  }
  EXPECT_GT(room.games(), 500u);
  EXPECT_EQ(10'000u,
            static_cast<std::size_t>(moves) + 2 * room.games() - (room.moves_next() ? 0 : 1))
      << "each game but a last one is followed by two wishes for a rematch";
}

TEST_F(LoadRoom, missing_repeated_and_unasked) {
  const Said first = next();
  Said second = next();
  Said repeated = first;
  repeated.seen = first.seen + 1;
  refused(repeated);
  second.seen = first.seen;
  refused(second);
  Said unasked = second;
  unasked.seen = room.revision();
  unasked.message.mutable_update()->set_revision(room.revision() + 1);
  refused(unasked, "nobody has caused this");
  Said empty = first;
  empty.message.clear_update();
  refused(empty);
  EXPECT_THAT([&] { room.check(v1::MARK_NONE, first.seen, "\xff"); },
              ThrowsMessage<Failure>(HasSubstr("no message came instead of")));
}

TEST_F(LoadRoom, the_same_in_other_bytes) {
  const Said first = next();
  // A field that comes twice counts as it came last.
  std::string body = first.message.SerializeAsString();
  v1::ServerMessage before;
  before.mutable_update()->set_revision(99);
  EXPECT_FALSE(room.check(v1::MARK_NONE, first.seen, before.SerializeAsString() + body));
  EXPECT_THROW(room.check(v1::MARK_NONE, first.seen, body + before.SerializeAsString()), Failure);
}

TEST_F(LoadRoom, answers_to_somebody_else) {
  Said step = next();
  const auto check = [&](v1::Mark seat) {
    room.check(seat, step.seen, step.message.SerializeAsString());
  };
  EXPECT_THROW(check(step.actor), Failure) << "no answer to a request";
  step.message.set_request_id(request);
  EXPECT_NO_THROW(check(step.actor));
  EXPECT_THROW(check(v1::MARK_NONE), Failure) << "an answer to nothing";
  step.message.set_request_id(request + 1);
  EXPECT_THROW(check(step.actor), Failure) << "an answer to another request";
}

TEST_F(LoadRoom, wrong_moves) {
  const Said right = next();
  const auto wrong = [&](auto change) {
    Said step = right;
    change(*step.message.mutable_update());
    refused(step);
  };
  wrong([](auto& update) { update.set_phase(v1::PHASE_FINISHED); });
  wrong([](auto& update) { update.set_turn(v1::MARK_X); });
  wrong([](auto& update) { update.mutable_move_played()->set_mark(v1::MARK_O); });
  wrong([](auto& update) { update.mutable_move_played()->set_ply(2); });
  wrong([](auto& update) { update.mutable_rematch_wanted(); });
  wrong([](auto& update) { update.mutable_move_played()->mutable_outcome(); });
  wrong([](auto& update) {
    v1::Cell& cell = *update.mutable_move_played()->mutable_cell();
    cell.set_row(cell.row() + 1);
  });
  wrong([](auto& update) {
    v1::Cell& cell = *update.mutable_move_played()->mutable_cell();
    cell.set_col(cell.col() + 1);
  });
}

TEST_F(LoadRoom, wrong_ends) {
  Said step = last_move();
  const Said right = step;
  step.message.mutable_update()->mutable_move_played()->clear_outcome();
  refused(step);
  step = right;
  v1::Outcome& outcome = *step.message.mutable_update()->mutable_move_played()->mutable_outcome();
  outcome.add_lines();
  refused(step);
  step = right;
  step.message.mutable_update()->mutable_move_played()->mutable_outcome()->set_winner(
      v1::MARK_NONE);
  refused(step);
  step = right;
  step.message.mutable_update()->mutable_score()->set_x(1'000);
  refused(step);
}

TEST_F(LoadRoom, wrong_rematches) {
  Said step = next(v1::RoomUpdate::kRematchWanted);
  step.message.mutable_update()->mutable_rematch_wanted()->set_seat(v1::MARK_NONE);
  refused(step);
  step = next(v1::RoomUpdate::kGameStarted);
  step.message.mutable_update()->mutable_game_started()->set_starter(v1::MARK_X);
  refused(step);
  step.message.mutable_update()->mutable_game_started()->set_game(1);
  refused(step);
}

// With a relay the same things happen in the same sizes.
TEST(LoadRelay, is_the_floor_of_the_same_shape) {
  const rules::Rules rules{15, 15, 3, true};
  GameProtocol real(rules);
  RelayProtocol floor(rules);
  Room real_room(3, rules, 1, real);
  Room floor_room(3, rules, 1, floor);
  Server server(rules);
  real_room.begin(2);
  floor_room.begin(2);
  std::string last;
  for (std::uint64_t id = 3; id < 2'000; ++id) {
    const v1::Mark actor = real_room.actor();
    const std::string& request = real_room.act(id);
    const std::string& padded = floor_room.act(id);
    v1::ClientMessage message;
    ASSERT_TRUE(message.ParseFromString(request));
    v1::ServerMessage update = server.update(message, actor);
    relay::Header header;
    ASSERT_TRUE(relay::read(padded, header));
    EXPECT_EQ(padded.size(), request.size());
    EXPECT_EQ(header.news, update.ByteSizeLong());
    update.set_request_id(id);
    EXPECT_EQ(header.answer, update.ByteSizeLong());
    EXPECT_FALSE(header.enters);

    const auto relayed = [&](std::size_t size) {
      std::string body = padded.substr(0, size);
      body.resize(size);
      return body;
    };
    const auto refused = [&](const std::string& body) {
      EXPECT_THROW(floor_room.check(v1::MARK_NONE, id - 1, body), Failure);
    };
    EXPECT_NO_THROW(floor_room.check(v1::MARK_NONE, id - 1, relayed(header.news)));
    refused(relayed(header.news + 1));
    refused(relayed(header.news - 1));
    refused(std::exchange(last, relayed(header.news)));  // the one before it
  }
}

TEST(LoadHistogram, quantiles_are_within_one_in_128) {
  Histogram histogram;
  EXPECT_EQ(histogram.quantile(0.5).count(), 0);
  for (int i = 1; i <= 1'000'000; ++i) histogram.add(std::chrono::nanoseconds(i));
  for (const double share : {0.0, 0.0001, 0.5, 0.99, 0.999, 1.0}) {
    const double exact = std::max(1.0, share * 1e6);
    const auto found = static_cast<double>(histogram.quantile(share).count());
    EXPECT_GE(found, exact);
    EXPECT_LE(found, exact * (1 + 1.0 / 128));
  }
  EXPECT_EQ(histogram.max().count(), 1'000'000);
  histogram.add(std::chrono::hours(24 * 365 * 200));
  EXPECT_EQ(histogram.quantile(1), std::chrono::hours(24 * 365 * 200));
  histogram.clear();
  EXPECT_EQ(histogram.count(), 0u);
}

}  // namespace
}  // namespace tictactoe::load
