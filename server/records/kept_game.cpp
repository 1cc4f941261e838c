#include "server/records/kept_game.hpp"

#include <google/protobuf/io/coded_stream.h>

#include <utility>

#include "common/wire/frame.hpp"
#include "server/records/encoded.hpp"

namespace tictactoe::records {

namespace {

using v1::GameRecord;

std::optional<std::string> name_of(const v1::Occupant& seat) {
  if (seat.kind() != v1::Occupant::KIND_PERSON) return std::nullopt;
  return seat.name();
}

// Of an encoded Occupant. Returns false if it can't be read.
bool read_name(std::string_view seat, std::optional<std::string>& name) {
  std::uint64_t kind = 0;
  std::string_view called;
  FieldReader fields(seat);
  while (fields.next()) {
    if (fields.tag() == number_tag(v1::Occupant::kKindFieldNumber)) kind = fields.number();
    if (fields.tag() == bytes_tag(v1::Occupant::kNameFieldNumber)) called = fields.bytes();
  }
  if (kind == v1::Occupant::KIND_PERSON) name.emplace(called);
  return fields.is_sound();
}

void append_field(std::string& out, std::uint32_t tag, std::string_view content) {
  wire::append_varint(out, tag);
  wire::append_varint(out, content.size());
  out += content;
}

// The lines of an encoded Outcome are its end.
bool split_outcome(std::string_view outcome, SplitGame& parts) {
  std::size_t end = 0;
  FieldReader fields(outcome);
  while (fields.next() && fields.tag() != bytes_tag(v1::Outcome::kLinesFieldNumber)) {
    end = fields.end();
  }
  if (!fields.is_sound()) return false;
  constexpr std::uint32_t tag = bytes_tag(GameRecord::kOutcomeFieldNumber);
  append_field(parts.head, tag, outcome.substr(0, end));
  if (end < outcome.size()) append_field(parts.moves, tag, outcome.substr(end));
  return true;
}

void append_time(std::string& head, std::uint64_t unix_ms) {
  if (unix_ms == 0) return;
  wire::append_varint(head, number_tag(GameRecord::kEndedUnixMsFieldNumber));
  wire::append_varint(head, unix_ms);
}

}  // namespace

KeptGame keep(GameRecord game, std::uint64_t unix_ms, std::optional<journal::v1::Readers> readers) {
  if (!game.imported()) game.set_ended_unix_ms(unix_ms);
  KeptGame kept{unix_ms, {}, name_of(game.x()), name_of(game.o()), std::move(readers)};
  kept.parts = split(std::move(game));
  return kept;
}

std::optional<KeptGame> keep_encoded(std::string_view game, std::uint64_t unix_ms) {
  KeptGame kept;
  kept.unix_ms = unix_ms;
  kept.parts.head.reserve(game.size() + 8);
  bool has_time = false;
  std::uint32_t last = 0;
  FieldReader fields(game);
  while (fields.next()) {
    if (fields.tag() <= last) return std::nullopt;
    last = fields.tag();
    switch (last) {
      case bytes_tag(GameRecord::kXFieldNumber):
        if (!read_name(fields.bytes(), kept.x)) return std::nullopt;
        kept.parts.head += fields.whole();
        break;
      case bytes_tag(GameRecord::kOFieldNumber):
        if (!read_name(fields.bytes(), kept.o)) return std::nullopt;
        kept.parts.head += fields.whole();
        break;
      case bytes_tag(GameRecord::kRoomFieldNumber):
      case bytes_tag(GameRecord::kRulesFieldNumber):
      case bytes_tag(GameRecord::kTimeFieldNumber):
      case number_tag(GameRecord::kStarterFieldNumber):
        kept.parts.head += fields.whole();
        break;
      case bytes_tag(GameRecord::kMovesFieldNumber):
      case bytes_tag(GameRecord::kMoveMsFieldNumber):
        kept.parts.moves += fields.whole();
        break;
      case bytes_tag(GameRecord::kOutcomeFieldNumber):
        if (!split_outcome(fields.bytes(), kept.parts)) return std::nullopt;
        break;
      case bytes_tag(GameRecord::kFromFieldNumber):
        if (!std::exchange(has_time, true)) append_time(kept.parts.head, unix_ms);
        kept.parts.head += fields.whole();
        break;
      default:
        return std::nullopt;
    }
  }
  if (!fields.is_sound()) return std::nullopt;
  if (!has_time) append_time(kept.parts.head, unix_ms);
  return kept;
}

}  // namespace tictactoe::records
