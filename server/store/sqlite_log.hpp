// The write-ahead log of an SQLite database, and when its pages move into the database file.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <atomic>

namespace tictactoe::store {

/// Decides when pages are moved from the log into the database file (in SQLite's words: when there
/// is a checkpoint), and moves them. SQLite would do so in the commit that happens to fill the log,
/// which would wait for the disk twice more.
///
/// A reader moves most pages beside the commits. The log begins again only if all its pages are
/// moved, which commits prevent that come meanwhile: so the writer moves the last ones between two
/// commits. One object serves all connections of a process. Calls may come from two threads.
class SqliteLog {
 public:
  /// Pages (of 4 KiB) that a reader moves at a time.
  static constexpr int pages_at_once = 4'096;
  /// At most so many pages are moved by the writer.
  static constexpr int last_pages = 128;

  /// After each commit: the log has that many pages.
  void has(int pages);

  /// Whether a reader should call move().
  bool is_full() const { return unmoved() >= pages_at_once; }
  /// Whether the writer should call move(), so that the log begins again.
  bool is_nearly_moved() const {
    return pages_ >= pages_at_once && unmoved() > 0 && unmoved() <= last_pages;
  }

  /// Moves the pages into the file and waits until they are on the disk. Neither waits for another
  /// connection nor makes one wait. If it fails, the log grows by `pages_at_once` before the next
  /// try.
  void move(SQLite::Database& connection);

 private:
  int unmoved() const { return pages_ - moved_; }

  std::atomic<int> pages_ = 0;
  std::atomic<int> moved_ = 0;
};

}  // namespace tictactoe::store
