// Checksums of rows, and finished games as rows.
#pragma once

#include <zlib.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "server/records/backend.hpp"
#include "tictactoe/v1/types.pb.h"

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
  std::uint64_t value() const { return static_cast<std::uint32_t>(crc_); }

 private:
  Sum& process(const void* bytes, std::size_t size) {
    crc_ = crc32_z(crc_, static_cast<const Bytef*>(bytes), size);
    return *this;
  }

  uLong crc_ = 0;
};

/// Sum of several columns.
template <class... Columns>
std::uint64_t sum_of(const Columns&... columns) {
  Sum sum;
  (sum.add(columns), ...);
  return sum.value();
}

/// Also of who may read the game, if it is private.
inline std::uint64_t sum_of_head(const StoredGame& game) {
  return game.readers ? sum_of(game.head, game.readers->x(), game.readers->o()) : sum_of(game.head);
}

/// A game that was recorded at `unix_ms`. An imported one keeps its time.
StoredGame stored(v1::GameRecord game, std::uint64_t unix_ms,
                  std::optional<journal::v1::Readers> readers);
/// Replaces the head and the names by those of `game`.
void put_head(StoredGame& stored, const v1::GameRecord& game);
/// `bytes`: the head, or the head and the moves. Nothing if they can't be read.
std::optional<v1::GameRecord> decode_game(std::uint64_t id, std::string_view bytes);

}  // namespace tictactoe::records
