// The rows of the tables, after a lost commit, and as people see them. tests/property/rows_test.cpp
// has them after any records.
#include <gtest/gtest.h>

#include <random>

#include "server/records/tables.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::records::store_rows_tests {
namespace {

using namespace test;

// A commit that did not reach the disk leaves what the commits before it have made.
TEST(Rows, of_a_commit_are_there_all_or_none) {
  const std::uint64_t seeds = support::thorough ? 100 : 10;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    TemporaryFolder folder;
    RandomRecords records(seed);
    std::vector<std::pair<std::uintmax_t, Saved>> states;  // with the log's length
    TestStore store(folder / "journal.db");
    ASSERT_FALSE(store.get().finish());
    for (int commit = 0; commit < 12; ++commit) {
      Batch batch;
      for (int i = 0; i < 10; ++i) batch.add(records.next().SerializeAsString());
      ASSERT_FALSE(store.append(batch));
      states.emplace_back(std::filesystem::file_size(folder / "journal.db-wal"),
                          saved_by(records.ledger()));
    }
    for (std::size_t i = 1; i < states.size(); ++i) {
      TemporaryFolder cut;
      for (const char* name : {"journal.db", "journal.db-wal"}) {
        std::filesystem::copy_file(folder / name, cut / name);
      }
      std::filesystem::resize_file(cut / "journal.db-wal", states[i].first - 1);
      EXPECT_TRUE(same(TestStore(cut / "journal.db").saved(), states[i - 1].second)) << seed;
    }
  }
}

TEST(Rows, can_be_read_by_people) {
  TemporaryFolder folder;
  TestStore store(folder / "journal.db");
  Record room = room_record(1, "den");
  room.mutable_room()->mutable_x()->set_kind(v1::Occupant::KIND_PERSON);
  room.mutable_room()->mutable_options()->mutable_time()->set_game_ms(60'000);
  ASSERT_FALSE(
      store.append({player_record(1, "ann"), room, move_record(1, 1, 4), chat_record(1, "hi"),
                    game_record("ann", "ben"), ban_record(addresses(0xCB007100, 24), "rude"),
                    ban_record(person("cat"), "")}));
  SqliteDatabase file(folder / "journal.db", SQLITE_OPEN_READWRITE);
  const auto text = [&](const std::string& sql) { return file.text_of(sql); };
  EXPECT_EQ(text("SELECT name || ' ' || x_kind || ' ' || starter || ' ' || time_game_ms || ' ' || "
                 "rows || 'x' || cols || ',' || k FROM rooms"),
            "den person x 60000 3x3,3");
  EXPECT_EQ(text("SELECT room || ' ' || ply || ' ' || cell FROM moves"), "1 1 4");
  EXPECT_EQ(text("SELECT name || ': ' || text FROM chat"), "ann: hi");
  EXPECT_EQ(text("SELECT x_name || ' ' || o_name || ' ' || winner || ' ' || reason || ' ' || plies "
                 "|| ' ' || moves || ' ' || move_ms FROM games"),
            "ann ben x line 5 a1 a2 b1 b2 c1 0 300 100 400 200");
  EXPECT_EQ(text("SELECT group_concat(who, ' ') FROM (SELECT who FROM bans ORDER BY who)"),
            "203.0.113.0/24 player:cat");
}

}  // namespace
}  // namespace tictactoe::records::store_rows_tests
