// Rows of the journal as messages, and their checksums.
#pragma once

#include <zlib.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tictactoe/journal/v1/journal.pb.h"

namespace tictactoe::records {

/// CRC-32 of a row's columns in order. Numbers count as eight bytes, the lowest first, whatever the
/// machine's byte order. The length precedes a text or blob, so that different rows have different
/// bytes.
class Sum {
 public:
  Sum& add(std::uint64_t number) {
    std::array<unsigned char, 8> bytes{};
    for (unsigned char& byte : bytes) {  // compilers make one instruction of it
      byte = static_cast<unsigned char>(number);
      number >>= 8U;
    }
    return process(bytes.data(), bytes.size());
  }
  Sum& add(std::string_view bytes) {
    add(bytes.size());
    // zlib takes a null pointer for the start of a new sum.
    return bytes.empty() ? *this : process(bytes.data(), bytes.size());
  }
  std::uint32_t value() const { return static_cast<std::uint32_t>(crc_); }

 private:
  Sum& process(const void* bytes, std::size_t size) {
    crc_ = crc32_z(crc_, static_cast<const Bytef*>(bytes), size);
    return *this;
  }

  uLong crc_ = 0;
};

std::uint32_t sum_of(const journal::v1::Player& player, std::uint64_t stream);
std::uint32_t sum_of(const journal::v1::Move& move);
/// Of a row in `uncompacted`.
std::uint32_t sum_of_records(std::uint64_t stream, std::uint64_t sequence, std::uint64_t unix_ms,
                             std::string_view records);
std::uint32_t sum_of_stream(std::uint64_t stream, std::uint64_t epoch, std::uint64_t sequence,
                            std::uint64_t last_revision);
/// Of a row with one encoded message under one or two numbers.
std::uint32_t sum_of(std::uint64_t first, std::uint64_t second, std::string_view bytes);

/// Of a game's head and of the players who may read it.
std::uint32_t sum_of_head(std::string_view head,
                          const std::optional<journal::v1::Readers>& readers);

/// The key of a move: the serial of its room and its ply in one number. Requires a serial of at
/// most `last_serial` and a ply of at most `last_ply`.
inline constexpr std::uint64_t last_serial = (std::uint64_t{1} << 43) - 1;
inline constexpr std::uint64_t last_ply = (std::uint64_t{1} << 20) - 1;
inline constexpr std::uint64_t key_of_move(std::uint64_t room, std::uint64_t ply) {
  return room << 20 | ply;
}
inline constexpr std::uint64_t room_of_key(std::uint64_t key) {
  return key >> 20;
}
inline constexpr std::uint32_t ply_of_key(std::uint64_t key) {
  return static_cast<std::uint32_t>(key & ((std::uint64_t{1} << 20) - 1));
}

/// Nothing if the bytes are not such a message, or if its number is not that of the row.
std::optional<journal::v1::Room> decode_room(std::uint64_t serial, std::string_view bytes);
std::optional<journal::v1::Chat> decode_chat(std::uint64_t room, std::string_view bytes);
std::optional<v1::GameRecord> decode_game(std::uint64_t id, std::string_view bytes);

/// Null if there is no such room. O(log(rooms)).
journal::v1::SavedRoom* find_room(journal::v1::Saved& saved, std::uint64_t serial);

/// The two parts of a record: see sqlite_schema.
struct SplitGame {
  std::string head;
  std::string moves;
};
SplitGame split(v1::GameRecord head);

}  // namespace tictactoe::records
