// The content of the tables is what a plain model makes of the same records, after any commits and
// any kills between them.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <random>

#include "server/records/tables.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::records::store_rows_tests {
namespace {

using namespace test;

void expect_same(const Saved& found, const Saved& expected, std::uint64_t seed) {
  std::string difference;
  google::protobuf::util::MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&difference);
  EXPECT_TRUE(differencer.Compare(expected, found)) << "seed " << seed << "\n" << difference;
}

TEST(Rows, are_what_a_model_makes_of_the_records) {
  const std::uint64_t seeds = support::thorough ? 300 : 30;
  for (std::uint64_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
    TemporaryFolder folder;
    RandomRecords records(seed);
    std::mt19937_64 random(seed);
    auto store = std::make_unique<TestStore>(folder / "journal.db");
    for (int commit = 0; commit < 40; ++commit) {
      Batch batch;
      for (std::uint64_t count = 1 + random() % 20; count > 0; --count) {
        batch.add(records.next().SerializeAsString());
      }
      ASSERT_FALSE(store->append(batch));
      if (random() % 8 != 0) continue;
      // As after a kill.
      store = std::make_unique<TestStore>(folder / "journal.db");
      expect_same(store->saved(), saved_by(records.ledger()), seed);
    }
    expect_same(store->saved(), saved_by(records.ledger()), seed);
    EXPECT_EQ(store->list_games(0, "", 10'000).games_size(),
              static_cast<int>(records.ledger().games().size()));
  }
}

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
      expect_same(TestStore(cut / "journal.db").saved(), states[i - 1].second, seed);
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
  SQLite::Database file(folder / "journal.db");
  const auto text = [&](const std::string& sql) { return file.execAndGet(sql).getString(); };
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
