#include "server/records/record_merger.hpp"

#include <optional>
#include <utility>

#include "server/records/batch.hpp"
#include "server/records/encoded.hpp"

namespace tictactoe::records {

namespace {

using journal::v1::Record;

constexpr std::uint32_t room_tag = bytes_tag(Record::kRoomFieldNumber);
constexpr std::uint32_t move_tag = bytes_tag(Record::kMoveFieldNumber);
constexpr std::uint32_t game_tag = bytes_tag(Record::kGameFinishedFieldNumber);

struct CommonRecord {
  std::uint32_t tag = 0;  // one of these
  std::string_view content;
  std::uint64_t requester = 0;
  std::uint64_t request_done = 0;
};

// Nothing if it has any other field: then it has to be decoded.
std::optional<CommonRecord> common_record(std::string_view encoded) {
  CommonRecord record;
  FieldReader fields(encoded);
  while (fields.next()) {
    switch (fields.tag()) {
      case room_tag:
      case move_tag:
      case game_tag:
        if (record.tag != 0) return std::nullopt;
        record.tag = fields.tag();
        record.content = fields.bytes();
        break;
      case number_tag(Record::kRequesterFieldNumber):
        record.requester = fields.number();
        break;
      case number_tag(Record::kRequestDoneFieldNumber):
        record.request_done = fields.number();
        break;
      default:
        return std::nullopt;
    }
  }
  if (record.tag == 0 || !fields.is_sound()) return std::nullopt;
  return record;
}

// Of an encoded Room: its first field. Nothing if it begins with another one.
std::optional<std::uint64_t> serial_of(std::string_view room) {
  FieldReader fields(room);
  if (!fields.next() || fields.tag() != number_tag(journal::v1::Room::kSerialFieldNumber)) {
    return std::nullopt;
  }
  return fields.number();
}

}  // namespace

bool RecordMerger::decode(std::string_view row, std::uint64_t unix_ms) {
  items_.clear();
  games_.clear();
  moves_used_ = 0;
  others_used_ = 0;
  unix_ms_ = unix_ms;
  return for_each_record(row, [&](std::string_view encoded) { return decode_record(encoded); });
}

bool RecordMerger::decode_record(std::string_view encoded) {
  const auto record = common_record(encoded);
  if (!record) return decode_other(encoded);
  Item item;
  item.requester = record->requester;
  item.request_done = record->request_done;
  if (record->tag == game_tag) {
    auto game = keep_encoded(record->content, unix_ms_);
    if (!game) return decode_other(encoded);
    item.kind = Item::Kind::game;
    item.index = games_.size();
    games_.push_back(*std::move(game));
    items_.push_back(item);
    return true;
  }
  if (record->tag == room_tag) {
    const auto serial = serial_of(record->content);
    if (!serial) return decode_other(encoded);
    item.kind = Item::Kind::room;
    item.serial = *serial;
    item.room = record->content;
    items_.push_back(item);
    return *serial <= last_serial;
  }
  if (moves_used_ == moves_.size()) moves_.emplace_back();
  journal::v1::Move& move = moves_[moves_used_];
  item.kind = Item::Kind::move;
  item.index = moves_used_++;
  items_.push_back(item);
  return move.ParseFromArray(record->content.data(), static_cast<int>(record->content.size())) &&
         Compaction::is_valid(move);
}

bool RecordMerger::decode_other(std::string_view encoded) {
  if (others_used_ == others_.size()) others_.emplace_back();
  Record& record = others_[others_used_];
  Item item;
  item.index = others_used_++;
  items_.push_back(item);
  return record.ParseFromArray(encoded.data(), static_cast<int>(encoded.size())) &&
         Compaction::is_valid(record);
}

void RecordMerger::add_to(Compaction& state, StreamId stream) {
  for (const Item& item : items_) {
    switch (item.kind) {
      case Item::Kind::move:
        state.add_move(moves_[item.index]);
        break;
      case Item::Kind::room:
        state.add_room(item.serial, item.room, stream);
        break;
      case Item::Kind::game:
        state.games.push_back(std::move(games_[item.index]));
        break;
      case Item::Kind::other:
        state.add(others_[item.index], stream, unix_ms_);
        continue;
    }
    if (item.requester != 0) state.note_request(item.requester, item.request_done);
  }
}

}  // namespace tictactoe::records
