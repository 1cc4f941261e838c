// A journal whose log was cut off is what one of its commits left. One that was changed otherwise
// is moved away as a whole, if SQLite notices. Whatever was changed, the server starts and can
// record.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "server/journal/open.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::records::store_damage_tests {
namespace {

using namespace test;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// A journal of a server that was killed, and what its commits led to.
struct Journal {
  std::string database;
  std::string log;
  std::set<std::string> states;
};

// `moved` of the commits are in the database already, the others in the log alone.
Journal journal_of(int commits, int moved) {
  TemporaryFolder folder;
  Journal journal;
  RandomRecords records(5);
  TestStore store(folder / "journal.db");
  const auto note = [&] {
    const Saved saved = saved_by(records.ledger());
    journal.states.insert(saved.SerializeAsString());
  };
  note();
  for (int commit = 0; commit < commits; ++commit) {
    Batch batch;
    for (int record = 0; record < 15; ++record) batch.add(records.next().SerializeAsString());
    EXPECT_FALSE(store.append(batch));
    note();
    if (commit + 1 == moved) {
      EXPECT_FALSE(store.get().finish());
    }
  }
  journal.database = read(folder / "journal.db");
  journal.log = read(folder / "journal.db-wal");
  return journal;
}

struct Tally {
  int loaded = 0;
  int changed = 0;  // without notice
  int moved_away = 0;
  int other_version = 0;
};

// Starts a server's journal from these bytes.
void start(const Journal& journal, const std::string& database, const std::string& log,
           Tally& tally) {
  TemporaryFolder folder;
  write(folder / "journal.db", database);
  if (!log.empty()) write(folder / "journal.db-wal", log);
  auto opened = open_store(folder.path(), 20);
  if (!opened) {
    // A damaged version number or table can be that of another version; such a file is never
    // touched.
    ASSERT_EQ(opened.error().kind, Fault::Kind::other_version) << opened.error().reason;
    ASSERT_EQ(read(folder / "journal.db"), database);
    ++tally.other_version;
    return;
  }
  // The server can record now, whatever was wrong.
  OwnedStream& stream = opened->stream;
  ASSERT_EQ(*stream.store->append(stream.stream, stream.position, stream.position.sequence + 1,
                                  batch_of({player_record(1'000, "late")})),
            AppendOutcome::durable);
  if (!opened->warnings.empty()) {
    ASSERT_EQ(opened->warnings.size(), 1u);
    ASSERT_TRUE(same(opened->saved, Saved()));
    ++tally.moved_away;
  } else if (journal.states.contains(opened->saved.SerializeAsString())) {
    ++tally.loaded;
  } else {
    ++tally.changed;
  }
}

const std::size_t steps = support::thorough ? 800 : 100;

TEST(DamagedJournal, whose_log_was_cut_off_is_what_an_earlier_commit_left) {
  const Journal journal = journal_of(8, 2);
  Tally tally;
  const std::size_t step = journal.log.size() / steps + 1;
  for (std::size_t end = 0; end < journal.log.size(); end += step) {
    SCOPED_TRACE(end);
    ASSERT_NO_FATAL_FAILURE(start(journal, journal.database, journal.log.substr(0, end), tally));
  }
  EXPECT_EQ(tally.moved_away + tally.changed, 0) << "a torn log is what any kill leaves behind";
  EXPECT_GT(tally.loaded, 0);
}

TEST(DamagedJournal, whose_database_was_cut_off_is_moved_away) {
  const Journal journal = journal_of(8, 8);
  Tally tally;
  const std::size_t step = journal.database.size() / steps + 1;
  for (std::size_t end = 1; end < journal.database.size(); end += step) {
    SCOPED_TRACE(end);
    ASSERT_NO_FATAL_FAILURE(start(journal, journal.database.substr(0, end), "", tally));
  }
  EXPECT_LT(tally.loaded, static_cast<int>(steps / 5)) << "only the last page can be unused";
  EXPECT_GT(tally.moved_away, 0);
}

void flip_bytes(const Journal& journal, bool of_log, std::uint64_t seed, Tally& tally) {
  std::mt19937_64 random(seed);
  for (std::size_t step = 0; step < steps; ++step) {
    std::string database = journal.database;
    std::string log = journal.log;
    std::string& hit = of_log ? log : database;
    const std::size_t at = random() % hit.size();
    const char before = hit[at];
    // One bit, or any other byte.
    hit[at] = static_cast<char>(step % 2 == 0 ? hit[at] ^ (1 << random() % 8)
                                              : hit[at] + 1 + static_cast<int>(random() % 255));
    SCOPED_TRACE("byte " + std::to_string(at) + " from " + std::to_string(before) + " to " +
                 std::to_string(hit[at]) + ", seed " + std::to_string(seed));
    ASSERT_NO_FATAL_FAILURE(start(journal, database, log, tally));
  }
  EXPECT_GT(tally.loaded, 0) << "many bytes are not used";
  if (!of_log) {
    EXPECT_GT(tally.moved_away + tally.other_version, 0);
  }
}

TEST(DamagedJournal, with_a_byte_changed_in_the_database_lets_the_server_start) {
  Tally tally;
  flip_bytes(journal_of(8, 8), false, 1, tally);
}

TEST(DamagedJournal, with_a_byte_changed_in_the_database_under_a_log_lets_the_server_start) {
  Tally tally;
  flip_bytes(journal_of(8, 5), false, 2, tally);
}

// SQLite's log has checksums.
TEST(DamagedJournal, with_a_byte_changed_in_the_log_is_what_an_earlier_commit_left) {
  Tally tally;
  flip_bytes(journal_of(8, 3), true, 3, tally);
  EXPECT_EQ(tally.moved_away + tally.changed, 0);
}

TEST(DamagedJournal, with_the_first_bytes_changed_lets_the_server_start) {
  const Journal journal = journal_of(4, 4);
  Tally tally;
  std::mt19937_64 random(4);
  for (std::size_t at = 0; at < 100; ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      if (!support::thorough && random() % 8 != 0) continue;
      std::string database = journal.database;
      database[at] = static_cast<char>(database[at] ^ (1 << bit));
      SCOPED_TRACE("byte " + std::to_string(at) + ", bit " + std::to_string(bit));
      ASSERT_NO_FATAL_FAILURE(start(journal, database, "", tally));
    }
  }
  EXPECT_GT(tally.other_version, 0);
}

TEST(DamagedJournal, of_garbage_is_moved_away) {
  std::mt19937_64 random(6);
  const Journal journal = journal_of(1, 1);
  Tally tally;
  for (const std::size_t size : {1u, 15u, 16u, 100u, 511u, 512u, 4'096u, 100'000u}) {
    std::string garbage(size, '\0');
    ASSERT_NO_FATAL_FAILURE(start(journal, garbage, "", tally));
    for (char& byte : garbage) byte = static_cast<char>(random());
    ASSERT_NO_FATAL_FAILURE(start(journal, garbage, "", tally));
    // With the first words of a database before it.
    ASSERT_NO_FATAL_FAILURE(
        start(journal, journal.database.substr(0, 100) + garbage, garbage, tally));
  }
  EXPECT_EQ(tally.loaded, 0);
}

}  // namespace
}  // namespace tictactoe::records::store_damage_tests
