// The write-ahead log of an SQLite database, and when its pages move into the database file.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "server/records/fault.hpp"

namespace tictactoe::records {

/// Whether this extended result code of SQLite says that a file could not be synced, and the fault
/// that it is.
bool is_failed_sync(int code);
Fault failed_sync();

/// Decides when pages are moved from the log into the database file (in SQLite's words: when there
/// is a checkpoint), and moves them. SQLite would do so in the commit that happens to fill the log,
/// which would wait for the disk twice more.
///
/// A reader moves most pages beside the commits. The log begins again only once all its pages are
/// moved. Commits that come meanwhile prevent that, so the writer moves the last ones between two
/// commits. One object serves all connections of a process. Calls may come from two threads.
///
/// The log has at most `max_pages`, and what is committed while they are moved, unless another
/// program reads the database all the while (a backup) or the disk fails: pages that are still
/// needed can't be moved.
class SqliteLog {
 public:
  /// Pages (of 4 KiB) after which a reader moves them, and after which it tries again if it can't.
  static constexpr int pages_at_once = 4'096;
  /// Maximum number of pages that the writer moves,
  static constexpr int last_pages = 128;
  /// unless the log has this many: then it moves what the reader has left, up to `pages_at_once`.
  static constexpr int max_pages = 16 * pages_at_once;
  /// Limits of the pages by which the file is made longer.
  static constexpr int min_room = 256;
  static constexpr int max_room = 1'024;

  /// `database`: its path; empty if it is in memory.
  explicit SqliteLog(std::string database) : database_(std::move(database)) {}

  /// Whether a sync has failed. Final: pages that were moved may be missing from the database file,
  /// so the log must not begin again.
  bool has_failed() const;
  /// Notes a failed sync, also in a file for the next process. That one need not survive a loss of
  /// power, because what the disk has is all that is left then.
  void fail();
  /// Whether the process before met a failed sync. Then another process, such as a backup, must not
  /// have the database open when this one opens it: it would keep an index that says which pages
  /// are in the database file, and that may be wrong.
  bool has_failed_before() const;
  /// All pages are in the file, and on the disk.
  void forget_failure();

  /// Keeps the log's file longer than the log, by zeros, which are the end of the log for SQLite: a
  /// commit that makes the file longer also waits for the file system's metadata. Must be called in
  /// a transaction that holds the write lock, because other programs also write there. Ignores
  /// failures: a full disk shows in the commit. O(1), apart from up to `max_room` pages whenever
  /// the log has used up its room.
  void make_room(SQLite::Database& connection);

  /// After each commit: the log has that many pages.
  void has(int pages);

  /// Whether a reader should call move_most().
  bool is_full() const;
  /// Moves the pages into the file and waits until they are on the disk, up to `max_passes` times:
  /// each takes those that have come during the one before. Neither waits for another connection
  /// nor makes one wait.
  void move_most(SQLite::Database& connection);

  /// Whether the writer should call move_rest(), so that the log begins again. False while a reader
  /// moves pages.
  bool is_nearly_moved() const;
  /// Moves the pages that are left and waits until they are on the disk.
  void move_rest(SQLite::Database& connection);

 private:
  static constexpr int max_passes = 4;

  std::string note() const { return database_ + "-failed"; }

  int unmoved() const { return pages_ - moved_; }
  /// Returns how many pages are left; nothing if it failed, or if none could be moved.
  std::optional<int> move(SQLite::Database& connection);

  const std::string database_;
  mutable std::mutex mutex_;  // not held while pages are moved
  std::uint64_t begun_ = 0;   // how often the log has begun again
  int pages_ = 0;
  int moved_ = 0;
  int next_try_ = 0;  // when the log has that many pages
  int room_ = 0;      // make_room() has made the file long enough for that many pages
  bool reader_moves_ = false;
  bool has_failed_ = false;
};

}  // namespace tictactoe::records
