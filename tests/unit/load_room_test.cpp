// The load generator's checks: a server that does anything wrong must not be measured.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/bench/load/failure.hpp"
#include "tests/bench/load/histogram.hpp"
#include "tests/bench/load/room.hpp"

namespace tictactoe::load {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// What a flawless server tells everybody, from the requests alone. Finished games are told by the
/// rules' own engine, for which there are other tests.
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
        played.mutable_outcome()->set_winner(static_cast<v1::Mark>(game_.winner()));
        for (std::size_t i = 0; i < game_.winning_lines().size(); ++i) {
          played.mutable_outcome()->add_lines();
        }
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
  rules::Game game_;
  std::uint64_t revision_ = 2;
  std::uint32_t number_ = 1;
  bool wanted_ = false;
};

struct Step {
  v1::Mark actor;
  std::uint64_t seen;
  v1::ServerMessage message;
};

class LoadRoom : public ::testing::Test {
 protected:
  LoadRoom() { room.begin(2); }

  Step next() {
    const v1::Mark actor = room.actor();
    const std::uint64_t seen = room.revision();
    return {actor, seen, server.update(room.act(++request), actor)};
  }

  bool taken(v1::Mark seat, const Step& step) {
    v1::ServerMessage message = step.message;
    if (seat == step.actor) message.set_request_id(request);
    return room.check(seat, step.seen, message);
  }

  void refused(const Step& step, const std::string& complaint) {
    EXPECT_THAT([&] { taken(v1::MARK_NONE, step); }, ThrowsMessage<Failure>(HasSubstr(complaint)));
  }

  /// The first step from here on with that change.
  Step next(v1::RoomUpdate::ChangeCase change) {
    for (;;) {
      Step step = next();
      if (step.message.update().change_case() == change) return step;
    }
  }

  Step last_move() {
    for (;;) {
      Step step = next();
      if (step.message.update().move_played().has_outcome()) return step;
    }
  }

  Room room{7, rules::Rules{5, 4, 3, true}, 1};
  Server server{rules::Rules{5, 4, 3, true}};
  std::uint64_t request = 0;
};

TEST_F(LoadRoom, takes_what_a_flawless_server_says) {
  int moves = 0;
  for (int i = 0; i < 10'000; ++i) {
    const bool is_move = room.moves_next();
    const Step step = next();
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
  const Step first = next();
  Step second = next();
  Step repeated = first;
  repeated.seen = first.seen + 1;
  refused(repeated, "comes after revision 3");
  second.seen = first.seen;
  refused(second, "comes after revision 2");
  Step unasked = second;
  unasked.seen = room.revision();
  unasked.message.mutable_update()->set_revision(room.revision() + 1);
  refused(unasked, "nobody has caused this");
  Step empty = first;
  empty.message.clear_update();
  refused(empty, "no update");
}

TEST_F(LoadRoom, answers_to_somebody_else) {
  Step step = next();
  const auto check = [&](v1::Mark seat) { room.check(seat, step.seen, step.message); };
  EXPECT_THROW(check(step.actor), Failure) << "no answer to a request";
  step.message.set_request_id(request);
  EXPECT_NO_THROW(check(step.actor));
  EXPECT_THROW(check(v1::MARK_NONE), Failure) << "an answer to nothing";
  step.message.set_request_id(request + 1);
  EXPECT_THROW(check(step.actor), Failure) << "an answer to another request";
}

TEST_F(LoadRoom, wrong_moves) {
  const Step right = next();
  const auto wrong = [&](const std::string& complaint, auto change) {
    Step step = right;
    change(*step.message.mutable_update());
    refused(step, complaint);
  };
  wrong("phase", [](auto& update) { update.set_phase(v1::PHASE_FINISHED); });
  wrong("turn", [](auto& update) { update.set_turn(v1::MARK_X); });
  wrong("mark", [](auto& update) { update.mutable_move_played()->set_mark(v1::MARK_O); });
  wrong("ply", [](auto& update) { update.mutable_move_played()->set_ply(2); });
  wrong("another change", [](auto& update) { update.mutable_rematch_wanted(); });
  wrong("made up", [](auto& update) { update.mutable_move_played()->mutable_outcome(); });
  wrong("wrong cell", [](auto& update) {
    v1::Cell& cell = *update.mutable_move_played()->mutable_cell();
    cell.set_row(cell.row() + 1);
  });
  wrong("wrong cell", [](auto& update) {
    v1::Cell& cell = *update.mutable_move_played()->mutable_cell();
    cell.set_col(cell.col() + 1);
  });
}

TEST_F(LoadRoom, wrong_ends) {
  Step step = last_move();
  const Step right = step;
  step.message.mutable_update()->mutable_move_played()->clear_outcome();
  refused(step, "missed");
  step = right;
  v1::Outcome& outcome = *step.message.mutable_update()->mutable_move_played()->mutable_outcome();
  outcome.add_lines();
  refused(step, "lines");
  outcome.set_winner(v1::MARK_NONE);
  refused(step, "winner");
}

TEST_F(LoadRoom, wrong_rematches) {
  Step step = next(v1::RoomUpdate::kRematchWanted);
  step.message.mutable_update()->mutable_rematch_wanted()->set_seat(v1::MARK_NONE);
  refused(step, "seat");
  step = next(v1::RoomUpdate::kGameStarted);
  step.message.mutable_update()->mutable_game_started()->set_starter(v1::MARK_X);
  refused(step, "starter");
  step.message.mutable_update()->mutable_game_started()->set_game(1);
  refused(step, "number of the game");
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
