// The fixed words of the notation, shared by reading and writing.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "tictactoe/v1/types.pb.h"

namespace tictactoe::record {

/// A one-to-one table of words and values.
template <typename Value, std::size_t count>
using Words = std::array<std::pair<std::string_view, Value>, count>;

inline constexpr Words<v1::Mark, 3> result_words{{
    {"1-0", v1::MARK_X},
    {"0-1", v1::MARK_O},
    {"1/2-1/2", v1::MARK_NONE},
}};

inline constexpr Words<v1::Outcome::Reason, 8> termination_words{{
    {"unknown", v1::Outcome::REASON_UNSPECIFIED},
    {"line", v1::Outcome::REASON_LINE},
    {"board full", v1::Outcome::REASON_BOARD_FULL},
    {"resigned", v1::Outcome::REASON_RESIGNED},
    {"agreed", v1::Outcome::REASON_AGREED},
    {"time", v1::Outcome::REASON_TIME},
    {"forfeit", v1::Outcome::REASON_FORFEIT},
    {"move limit", v1::Outcome::REASON_MOVE_LIMIT},
}};

inline constexpr Words<v1::Mark, 2> side_words{{{"X", v1::MARK_X}, {"O", v1::MARK_O}}};

inline constexpr Words<v1::Occupant::Kind, 3> kind_words{{
    {"person", v1::Occupant::KIND_PERSON},
    {"ai", v1::Occupant::KIND_AI},
    {"open", v1::Occupant::KIND_OPEN},
}};

template <typename Value, std::size_t count>
std::optional<Value> meaning(const Words<Value, count>& words, std::string_view word) {
  const auto found = std::ranges::find(words, word, [](const auto& pair) { return pair.first; });
  if (found == words.end()) return std::nullopt;
  return found->second;
}

/// The word for a value; the first word if the table lacks the value.
template <typename Value, std::size_t count>
std::string_view word_for(const Words<Value, count>& words, Value value) {
  const auto found = std::ranges::find(words, value, [](const auto& pair) { return pair.second; });
  return found == words.end() ? words.front().first : found->first;
}

}  // namespace tictactoe::record
