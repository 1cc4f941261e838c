// A journal whose file was cut off or changed is what one of its commits left, or set aside as a
// whole: never a crash, never anything between.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "server/store/folder.hpp"
#include "tests/support/records.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::store {
namespace {

using namespace test;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// A journal as a server left it that was killed, and every state that one of its commits led to.
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
  auto database = *Database::open(folder / "journal.db");
  const auto note = [&] { journal.states.insert(saved_by(records.ledger()).SerializeAsString()); };
  note();
  for (int commit = 0; commit < commits; ++commit) {
    Batch batch;
    for (int record = 0; record < 15; ++record) {
      batch.add(records.next().SerializeAsString());
    }
    EXPECT_FALSE(database->apply(batch));
    note();
    if (commit + 1 == moved) {
      EXPECT_FALSE(database->checkpoint());
    }
  }
  journal.database = read(folder / "journal.db");
  journal.log = read(folder / "journal.db-wal");
  return journal;
}

struct Tally {
  int loaded = 0;
  int set_aside = 0;
  int newer = 0;
};

// Starts a server's journal from these bytes, and requires that it is one of the states or empty.
void start(const Journal& journal, const std::string& database, const std::string& log,
           Tally& tally) {
  TemporaryFolder temporary;
  auto folder = Folder::claim(temporary.path());
  ASSERT_TRUE(folder);
  write(folder->journal(), database);
  if (!log.empty()) write(folder->journal() + "-wal", log);
  std::optional<Saved> restored;
  const auto opened = open_journal(*folder, {}, [&](const Saved& saved) {
    restored = saved;
    return true;
  });
  if (!opened) {
    // A version number that was hit may read as one of the future, which is never touched.
    ASSERT_EQ(opened.error().kind, Fault::Kind::newer) << opened.error().reason;
    ASSERT_EQ(read(folder->journal()), database);
    ++tally.newer;
    return;
  }
  // Whatever it was, the server can record now.
  Batch batch;
  batch.add(player_record(1'000, "late").SerializeAsString());
  ASSERT_FALSE(opened->database->apply(batch));
  if (!restored) {
    ASSERT_NE(opened->warning, "");
    ASSERT_EQ(opened->database->load()->rooms_size(), 0);
    ++tally.set_aside;
    return;
  }
  ASSERT_EQ(opened->warning, "");
  ASSERT_TRUE(journal.states.contains(restored->SerializeAsString())) << restored->DebugString();
  ++tally.loaded;
}

constexpr int steps = support::thorough ? 800 : 100;

TEST(DamagedJournal, whose_log_was_cut_off_is_what_an_earlier_commit_left) {
  const Journal journal = journal_of(8, 2);
  Tally tally;
  const std::size_t step = journal.log.size() / steps + 1;
  for (std::size_t end = 0; end < journal.log.size(); end += step) {
    SCOPED_TRACE(end);
    ASSERT_NO_FATAL_FAILURE(start(journal, journal.database, journal.log.substr(0, end), tally));
  }
  EXPECT_EQ(tally.set_aside, 0) << "a torn log is what any kill leaves behind";
  EXPECT_GT(tally.loaded, 0);
}

TEST(DamagedJournal, whose_database_was_cut_off_is_set_aside) {
  const Journal journal = journal_of(8, 8);
  Tally tally;
  const std::size_t step = journal.database.size() / steps + 1;
  for (std::size_t end = 1; end < journal.database.size(); end += step) {
    SCOPED_TRACE(end);
    ASSERT_NO_FATAL_FAILURE(start(journal, journal.database.substr(0, end), "", tally));
  }
  EXPECT_EQ(tally.loaded, 0);
  EXPECT_GT(tally.set_aside, 0);
}

void flip_bytes(const Journal& journal, bool of_log, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Tally tally;
  for (int step = 0; step < steps; ++step) {
    std::string database = journal.database;
    std::string log = journal.log;
    std::string& hit = of_log ? log : database;
    const std::size_t at = random() % hit.size();
    const char before = hit[at];
    // Now one bit, now any other byte.
    hit[at] = static_cast<char>(step % 2 == 0 ? hit[at] ^ (1 << random() % 8)
                                              : hit[at] + 1 + static_cast<int>(random() % 255));
    SCOPED_TRACE("byte " + std::to_string(at) + " from " + std::to_string(before) + " to " +
                 std::to_string(hit[at]) + ", seed " + std::to_string(seed));
    ASSERT_NO_FATAL_FAILURE(start(journal, database, log, tally));
  }
  EXPECT_GT(tally.loaded, 0) << "many bytes are of no account";
  if (!of_log) {
    EXPECT_GT(tally.set_aside, 0);
  }
}

TEST(DamagedJournal, with_a_byte_changed_in_the_database_is_whole_or_set_aside) {
  flip_bytes(journal_of(8, 8), false, 1);
}

TEST(DamagedJournal, with_a_byte_changed_in_the_database_under_a_log_is_whole_or_set_aside) {
  flip_bytes(journal_of(8, 5), false, 2);
}

TEST(DamagedJournal, with_a_byte_changed_in_the_log_is_whole_or_set_aside) {
  flip_bytes(journal_of(8, 3), true, 3);
}

TEST(DamagedJournal, with_the_first_bytes_changed_is_whole_or_set_aside) {
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
  EXPECT_GT(tally.newer, 0);
}

TEST(DamagedJournal, of_garbage_is_set_aside) {
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
}  // namespace tictactoe::store
