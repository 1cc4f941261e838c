#include "tests/bench/load/room.hpp"

#include "tests/bench/load/failure.hpp"

namespace tictactoe::load {
namespace {

v1::Mark mark_of(rules::Mark mark) {
  return static_cast<v1::Mark>(mark);
}

std::string seat_name(v1::Mark seat) {
  return seat == v1::MARK_NONE ? "a watcher" : seat == v1::MARK_X ? "X" : "O";
}

}  // namespace

Room::Room(std::size_t number, rules::Rules rules, std::uint64_t seed, Protocol& protocol)
    : number_(number),
      protocol_(&protocol),
      game_(rules),
      random_(static_cast<std::minstd_rand::result_type>(seed)) {
  // Neighbouring seeds begin with neighbouring numbers.
  random_.discard(8);
}

v1::Mark Room::actor() const {
  if (moves_next()) return mark_of(game_.to_move());
  // The player who starts next asks last, and moves at once.
  return mark_of(rematch_wanted_ ? rules::opponent(game_.starter()) : game_.starter());
}

const std::string& Room::act(std::uint64_t request_id) {
  Step step{.room = number_,
            .revision = ++revision_,
            .request_id = request_id,
            .actor = actor(),
            .game = &game_,
            .score = &score_};
  if (moves_next()) {
    play();
  } else if (!std::exchange(rematch_wanted_, !rematch_wanted_)) {
    step.kind = Step::Kind::rematch_wanted;
  } else {
    step.kind = Step::Kind::game_started;
    game_.reset(rules::opponent(game_.starter()));
    ++game_number_;
  }
  step.game_number = game_number_;
  Expected& expected = expected_[revision_ % remembered];
  expected.actor = step.actor;
  expected.is_move = step.kind == Step::Kind::move;
  protocol_->act(step, expected.exchange);
  return expected.exchange.request;
}

void Room::play() {
  game_.play(random_free_cell());
  if (game_.status() == rules::Status::ongoing) return;
  ++games_;
  count_score();
}

void Room::count_score() {
  switch (game_.winner()) {
    case rules::Mark::x:
      return score_.set_x(score_.x() + 1);
    case rules::Mark::o:
      return score_.set_o(score_.o() + 1);
    case rules::Mark::none:
      return score_.set_draws(score_.draws() + 1);
  }
}

// By trying: even on a board that fills up it takes log(cells) tries a move on average.
rules::Cell Room::random_free_cell() {
  const auto below = [this](int limit) {
    constexpr std::uint64_t span = std::minstd_rand::max() - std::minstd_rand::min() + 1ull;
    const std::uint64_t drawn = random_() - std::minstd_rand::min();
    return static_cast<int>(drawn * static_cast<std::uint64_t>(limit) / span);
  };
  for (;;) {
    const rules::Cell cell{below(game_.rules().rows), below(game_.rules().cols)};
    if (game_.at(cell) == rules::Mark::none) return cell;
  }
}

bool Room::check(v1::Mark seat, std::uint64_t seen, std::string_view body) const {
  const auto complain = [&](const std::string& what) {
    throw Failure("Room " + std::to_string(number_) + ", " + seat_name(seat) + ": " + what);
  };
  if (seen >= revision_) complain("nobody has caused this: " + protocol_->text(body));
  const Expected& expected = expected_[(seen + 1) % remembered];
  const bool own = seat == expected.actor;
  const std::string& right = own ? expected.exchange.answer : expected.exchange.news;
  if (body != right && !protocol_->same(right, body)) {
    complain(protocol_->text(body) + " came instead of " + protocol_->text(right));
  }
  return own && expected.is_move;
}

}  // namespace tictactoe::load
