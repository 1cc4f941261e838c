// The whole content of a store, for a copy of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "server/records/record_store.hpp"
#include "server/records/rows.hpp"

namespace tictactoe::records {

/// What a server restores, and the numbers that it goes on from.
struct StoreState {
  std::uint64_t server_id = 0;
  std::uint64_t last_game = 0;  ///< the highest id that a game has had; 0: none
  /// Of all streams. The streams themselves are not part of it: their owners start with new ones.
  journal::v1::Saved saved;
  /// What was set aside because it is damaged: a clause as in LoadedStream.
  std::string set_aside;
};

struct StoredGame {
  std::uint64_t id = 0;
  std::uint64_t unix_ms = 0;                    ///< when it was kept
  std::optional<journal::v1::Readers> readers;  ///< nothing: everybody
  SplitGame parts;
};

/// A row of the table set_aside.
struct AsideRow {
  std::uint64_t id = 0;
  std::uint64_t unix_ms = 0;
  std::string kind;
  std::uint64_t key = 0;
  std::string reason;
  std::string content;
};

/// Rows of a page of games or of what was set aside.
inline constexpr std::size_t rows_of_page = 50;

/// Reads everything. Blocks until a call is done.
class StoreContent {
 public:
  StoreContent() = default;
  virtual ~StoreContent() = default;
  StoreContent(const StoreContent&) = delete;
  StoreContent& operator=(const StoreContent&) = delete;

  virtual Result<StoreState> state() = 0;
  /// At most `rows_of_page` of those with higher ids, by id. Empty: there are no more.
  virtual Result<std::vector<StoredGame>> games_after(std::uint64_t id) = 0;
  virtual Result<std::vector<AsideRow>> asides_after(std::uint64_t id) = 0;
};

/// What is done with the content that is read. Called in this order; none may be null.
struct ContentSink {
  std::function<void(const StoreState&)> state;
  std::function<void(const std::vector<StoredGame>&)> games;
  std::function<void(const AsideRow&)> aside;
};
/// Reads everything. O(size of the store).
std::optional<Fault> read_all(StoreContent& content, const ContentSink& sink);

/// A store that can be copied.
class CopyableStore : public StoreContent {
 public:
  /// Whether no server has recorded anything in it.
  virtual Result<bool> is_empty() = 0;
  /// Takes everything from `content`, all or nothing: its state, games and what was set aside, in
  /// this order. Requires that this is empty.
  virtual std::optional<Fault> fill(StoreContent& content) = 0;
  /// Games that games_after() has left out because they are damaged.
  virtual std::size_t damaged_games() const = 0;
};

}  // namespace tictactoe::records
