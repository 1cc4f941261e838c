// What a checker says when something is wrong.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace tictactoe::simulation {

/// Names one room from its creation to its end: another number each time a name is used again. 0
/// for none.
using Incarnation = std::uint32_t;

/// Which promise was broken.
enum class Checker : std::uint8_t {
  history,     ///< all who see a room see the same, without a gap
  outcome,     ///< a game has one end, and it is the right one
  permanence,  ///< nothing that somebody was told is gone
  queues,      ///< no queue passes its limit
  answers,     ///< every request is answered once
  durability,  ///< nothing is announced before it is recorded
  rest,        ///< everything comes to an end
  rates,       ///< no connection is granted more requests than it has tokens for
  protocol,    ///< what was said can be understood, and fits what was asked
};

constexpr std::string_view name(Checker checker) {
  constexpr std::string_view names[] = {"history",    "outcome", "permanence", "queues",  "answers",
                                        "durability", "rest",    "rates",      "protocol"};
  return names[static_cast<std::size_t>(checker)];
}

struct Violation : std::runtime_error {
  Violation(Checker by, const std::string& what, Incarnation in = 0)
      : std::runtime_error(what), checker(by), room(in) {}
  Checker checker;
  Incarnation room;
};

/// `otherwise` is a text, or a function that makes one: it is only called where it is wanted.
template <class Text>
void require(bool holds, Checker checker, const Text& otherwise, Incarnation room = 0) {
  if (holds) return;
  if constexpr (std::is_invocable_v<Text>) {
    throw Violation(checker, otherwise(), room);
  } else {
    throw Violation(checker, otherwise, room);
  }
}

}  // namespace tictactoe::simulation
