// Games as text: whatever is written can be read, and nothing that can be read does harm.

// Before rapidcheck/gtest.h, which needs it.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include "common/record/notation.hpp"
#include "common/wire/text.hpp"

namespace tictactoe::record::record_tests {
namespace {

std::uint32_t number(std::uint32_t below) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint32_t>(0, below));
}

std::uint32_t any_number() {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint32_t>());
}

std::string code_point(char32_t point) {
  const auto byte = [](char32_t bits) {
    return static_cast<char>(static_cast<unsigned char>(bits));
  };
  if (point < 0x80) return {byte(point)};
  if (point < 0x800) return {byte(0xC0 | point >> 6), byte(0x80 | (point & 0x3F))};
  if (point < 0x10000) {
    return {byte(0xE0 | point >> 12), byte(0x80 | (point >> 6 & 0x3F)),
            byte(0x80 | (point & 0x3F))};
  }
  return {byte(0xF0 | point >> 18), byte(0x80 | (point >> 12 & 0x3F)),
          byte(0x80 | (point >> 6 & 0x3F)), byte(0x80 | (point & 0x3F))};
}

// A text that may be shown, rich in what has a meaning in a file.
std::string any_text() {
  constexpr std::string_view special = "\\\"[];{}. x";
  std::string text;
  const auto length = number(30);
  for (std::uint32_t i = 0; i < length; ++i) {
    const auto kind = number(3);
    const std::string next = kind == 0   ? std::string(1, special[number(special.size())])
                             : kind == 1 ? code_point(' ' + number(95))
                                         : code_point(number(0x110000));
    if (!wire::check_text(next).fault) text += next;
  }
  return text;
}

void fill(v1::Occupant& occupant) {
  occupant.set_kind(static_cast<v1::Occupant::Kind>(number(3)));
  occupant.set_name(any_text());
  occupant.set_ai_level(any_text());
}

v1::GameRecord any_game() {
  v1::GameRecord game;
  game.set_id(std::uint64_t{any_number()} << number(32));
  game.set_room(any_text());
  const std::uint32_t side = number(4) == 0 ? max_side : 9;
  game.mutable_rules()->set_rows(1 + number(side));
  game.mutable_rules()->set_cols(1 + number(side));
  game.mutable_rules()->set_k(1 + number(side));
  game.mutable_rules()->set_exact(number(2) == 0);
  switch (number(3)) {
    case 0:
      game.mutable_time()->set_move_ms(1 + any_number() / 2);
      break;
    case 1:
      game.mutable_time()->set_game_ms(1 + any_number() / 2);
      game.mutable_time()->set_increment_ms(any_number());
      break;
    default:
      break;
  }
  fill(*game.mutable_x());
  fill(*game.mutable_o());
  game.set_starter(number(2) == 0 ? v1::MARK_X : v1::MARK_O);
  const std::uint32_t cells = game.rules().rows() * game.rules().cols();
  const std::uint32_t moves = number(std::min(cells, 60u) + 1);
  const bool timed = number(2) == 0;
  for (std::uint32_t ply = 0; ply < moves; ++ply) {
    game.add_moves(number(cells));
    if (timed) game.add_move_ms(any_number() >> number(32));
  }
  game.mutable_outcome()->set_winner(static_cast<v1::Mark>(number(3)));
  game.mutable_outcome()->set_reason(static_cast<v1::Outcome::Reason>(number(7)));
  game.set_ended_unix_ms(std::uint64_t{any_number()} * number(58'000));
  return game;
}

RC_GTEST_PROP(Record, is_read_as_it_was_written, ()) {
  std::vector<v1::GameRecord> games;
  std::string file;
  for (auto left = number(4); left > 0; --left) {
    games.push_back(any_game());
    file += write_game(games.back());
  }
  const auto read = parse_games(file);
  if (!read) RC_FAIL(read.error().sentence + "\n" + file);
  RC_ASSERT(read->size() == games.size());
  for (std::size_t i = 0; i < games.size(); ++i) {
    RC_ASSERT((*read)[i].ShortDebugString() == games[i].ShortDebugString());
  }
}

// A file that was cut is either refused, or cut between two games.
RC_GTEST_PROP(Record, cut_anywhere_gives_whole_games_or_none, ()) {
  std::string file;
  std::vector<std::size_t> ends;  // with the blank lines that follow
  for (int i = 0; i < 2; ++i) {
    file += write_game(any_game());
    ends.push_back(file.size());
  }
  for (std::size_t bytes = 0; bytes <= file.size(); ++bytes) {
    const auto read = parse_games(std::string_view(file).substr(0, bytes));
    const auto between = [&](std::size_t end) { return bytes + 2 >= end && bytes <= end; };
    const bool whole = bytes == 0 || between(ends[0]) || between(ends[1]);
    RC_ASSERT(read.has_value() == whole);
    if (read) RC_ASSERT(read->size() == (bytes == 0 ? 0u : between(ends[0]) ? 1u : 2u));
  }
}

// What is refused is refused with a sentence that a terminal may show; what is taken can be
// written.
void survives(const std::string& file) {
  const auto read = parse_games(file);
  if (!read) {
    RC_ASSERT(!read.error().sentence.empty());
    RC_ASSERT(!wire::check_text(read.error().sentence).fault);
    return;
  }
  std::string again;
  for (const v1::GameRecord& game : *read) again += write_game(game);
  RC_ASSERT(parse_games(again).has_value());
}

RC_GTEST_PROP(Record, survives_any_bytes, (const std::string& bytes)) {
  survives(bytes);
}

RC_GTEST_PROP(Record, survives_damage, ()) {
  std::string file = write_game(any_game()) + write_game(any_game());
  for (auto left = 1 + number(4); left > 0 && !file.empty(); --left) {
    const std::size_t at = number(static_cast<std::uint32_t>(file.size()));
    switch (number(3)) {
      case 0:
        file[at] = static_cast<char>(static_cast<unsigned char>(number(256)));
        break;
      case 1:
        file.erase(at, 1 + number(20));
        break;
      default:
        file.insert(at, file.substr(number(static_cast<std::uint32_t>(file.size())), number(40)));
        break;
    }
  }
  survives(file);
}

}  // namespace
}  // namespace tictactoe::record::record_tests
