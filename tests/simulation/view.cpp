#include "tests/simulation/view.hpp"

#include "tests/simulation/random.hpp"

namespace tictactoe::simulation {
namespace {

/// The exception that is being handled, as a Violation.
[[noreturn]] void rethrow(Incarnation room) {
  try {
    throw;
  } catch (const test::WrongOutcome& wrong) {
    throw Violation(Checker::outcome, wrong.what(), room);
  } catch (const test::Contradiction& contradiction) {
    throw Violation(Checker::history, contradiction.what(), room);
  }
}

}  // namespace

View::View(Incarnation incarnation, const v1::RoomSnapshot& snapshot, std::size_t kept_chat) try
    : RoomView(snapshot, kept_chat), incarnation_(incarnation) {
} catch (...) {
  rethrow(incarnation);
}

void View::take(const v1::RoomUpdate& update) try { RoomView::take(update); } catch (...) {
  rethrow(incarnation_);
}

void View::check_board() const try { RoomView::check_board(); } catch (...) {
  rethrow(incarnation_);
}

std::uint64_t View::content() const {
  Digest digest;
  for (const std::uint64_t number :
       {std::uint64_t{room().game()}, std::uint64_t{room().watchers()},
        std::uint64_t{room().x_wants_rematch()}, std::uint64_t{room().o_wants_rematch()},
        std::uint64_t{room().score().x()}, std::uint64_t{room().score().o()},
        std::uint64_t{room().score().draws()}}) {
    digest.add(number);
  }
  for (const int word :
       {static_cast<int>(room().starter()), static_cast<int>(room().turn()),
        static_cast<int>(room().phase()), static_cast<int>(room().draw_offered_by()),
        static_cast<int>(room().takeback_asked_by()), static_cast<int>(room().outcome().winner()),
        static_cast<int>(room().outcome().reason())}) {
    digest.add(static_cast<std::uint64_t>(word));
  }
  for (const v1::Occupant* occupant : {&room().x(), &room().o()}) {
    digest.add(static_cast<std::uint64_t>(occupant->kind()) << 1 | (occupant->away() ? 1U : 0U));
    digest.add(occupant->name());
    digest.add(occupant->ai_level());
  }
  for (const std::uint32_t move : room().moves()) digest.add(move);
  for (const v1::ChatSaid& said : room().chat()) {
    digest.add(said.from());
    digest.add(said.text());
  }
  return digest.value();
}

}  // namespace tictactoe::simulation
