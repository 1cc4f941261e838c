// Finished games as a store keeps them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/records/rows.hpp"
#include "tictactoe/journal/v1/journal.pb.h"

namespace tictactoe::records {

/// A row of the finished games, without its number.
struct KeptGame {
  std::uint64_t unix_ms = 0;
  SplitGame parts;
  std::optional<std::string> x;  // names of people, for the history of one person
  std::optional<std::string> o;
  std::optional<journal::v1::Readers> readers;  // nothing: everybody
};

/// `game` was recorded at `unix_ms`. An imported one keeps its time.
KeptGame keep(v1::GameRecord game, std::uint64_t unix_ms,
              std::optional<journal::v1::Readers> readers);

/// The same for an encoded game, at a tenth of the cost: its parts are copied, not decoded. The
/// bytes are those of the other function. Nothing if the game has fields that a host does not
/// record, or in another order; then it has to be decoded.
std::optional<KeptGame> keep_encoded(std::string_view game, std::uint64_t unix_ms);

}  // namespace tictactoe::records
