// The operations that forgetting and bans need from a database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/records/compaction.hpp"

namespace tictactoe::records {

/// Tables whose rows are one encoded message each: a Player, a Room, a line of Chat, and the head
/// of a GameRecord.
enum class Table : std::uint8_t { players, rooms, chat, games };

struct BackendRow {
  std::uint64_t key = 0;  ///< the player's id, the room's serial, also of a line, or the game's id
  std::uint64_t number = 0;  ///< of a line of chat
  std::string content;
  bool is_sound = true;  ///< false: its checksum is wrong
  std::string x_name;    ///< the columns of a game beside its head; empty: nobody's
  std::string o_name;
};

/// Primitives of a database that keeps records. Logic shared by both databases is built on it: so
/// far, forgetting a name and reading bans. All members run in a transaction of the caller, and
/// throw what guarded() or guarded_postgres() catches.
class Backend {
 public:
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  /// The rows with these bytes somewhere in the content, or in a name beside it. O(size of the
  /// table).
  virtual std::vector<BackendRow> rows_with(Table table, std::string_view bytes) = 0;
  /// Replaces the content of a row that is there, and what the table keeps beside it.
  virtual void replace(Table table, const BackendRow& row) = 0;
  virtual void erase(Table table, const BackendRow& row) = 0;

  struct EncodedBan {
    std::string subject;
    std::string state;  ///< a Ban
    bool is_sound = true;
  };
  virtual std::vector<EncodedBan> encoded_bans() = 0;
  /// Nothing as the ban: it is lifted.
  virtual void write_ban(const std::string& subject, const Compaction::Ban& ban) = 0;

  virtual void put_aside(std::string_view kind, std::uint64_t key, std::string_view reason,
                         std::string_view content) = 0;
  /// Deletes rows that were set aside and have these bytes in their content or reason. Returns how
  /// many.
  virtual std::size_t erase_asides_with(std::string_view bytes) = 0;

 protected:
  Backend() = default;
  ~Backend() = default;
};

/// Nothing if the row is damaged.
std::optional<journal::v1::Ban> decode_ban(const Backend::EncodedBan& row);
/// Adds all bans to `saved`. Sets damaged ones aside. Returns how many those are.
int read_bans(Backend& backend, journal::v1::Saved& saved);

}  // namespace tictactoe::records
