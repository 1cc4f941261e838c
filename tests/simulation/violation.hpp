// What a checker reports.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace tictactoe::simulation {

/// Identifies a room from its creation to its end, because names can be used again. 0 for none.
using Incarnation = std::uint32_t;

/// The broken promise.
enum class Checker : std::uint8_t {
  history,     ///< all viewers of a room see the same, without a gap
  outcome,     ///< a game has one end, and it is the right one
  permanence,  ///< nothing that was announced to a client disappears
  queues,      ///< no queue exceeds its limit
  answers,     ///< every request is answered once
  durability,  ///< nothing is announced before it is recorded
  rest,        ///< everything comes to an end
  rates,       ///< no connection is granted more requests than it has tokens for
  protocol,    ///< messages are valid and fit the requests
  fairness,    ///< no honest client suffers from what hostile ones do
};

constexpr std::string_view name(Checker checker) {
  constexpr std::string_view names[] = {"history",  "outcome",    "permanence", "queues",
                                        "answers",  "durability", "rest",       "rates",
                                        "protocol", "fairness"};
  return names[static_cast<std::size_t>(checker)];
}

struct Violation : std::runtime_error {
  Violation(Checker by, const std::string& what, Incarnation in = 0)
      : std::runtime_error(what), checker(by), room(in) {}
  Checker checker;
  Incarnation room;
};

/// `otherwise` is a text, or a function that makes one, which is called only if the check fails.
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
