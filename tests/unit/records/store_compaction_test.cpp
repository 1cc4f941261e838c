// Compaction step by step: what it does at once, and what can be seen between two steps.
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::records::store_compaction_tests {
namespace {

using namespace test;

// Small enough that a few records take many steps.
SqliteStore::Settings small_steps() {
  SqliteStore::Settings settings;
  settings.compaction_bytes = 2'000;
  settings.step_bytes = 200;
  settings.step_rows = 5;
  return settings;
}

bool compact_step(TestStore& store) {
  const auto step = store.get().compact();
  if (!step) throw std::runtime_error(step.error().reason);
  EXPECT_EQ(step->set_aside, "");
  return step->in_progress || step->uncompacted_bytes > 0;
}

std::vector<std::string> games_of(TestStore& store) {
  std::vector<std::string> games;
  const v1::GameList list = store.list_games(0, "", 1'000);
  for (const auto& game : list.games()) games.push_back(game.SerializeAsString());
  return games;
}

// `step_rows` decides whether games are written one by one.
void expect_same_games_at_any_step(std::size_t step_rows) {
  TemporaryFolder folder;
  std::uint64_t now = 1'000;
  SqliteStore::Settings settings = small_steps();
  settings.step_rows = step_rows;
  settings.compaction_bytes = step_rows * 400;
  settings.unix_ms = [&] { return now++; };
  TestStore store(folder / "journal.db", settings);
  for (int game = 0; game < 40; ++game) {
    ASSERT_FALSE(store.append({game_record("ann", game % 3 == 0 ? "ben" : "cat"),
                               player_record(static_cast<std::uint64_t>(game) + 1, "somebody")}));
  }
  const auto expected = games_of(store);
  ASSERT_EQ(expected.size(), 40u);
  const std::string whole = store.game(17)->SerializeAsString();
  const int of_ben = store.list_games(30, "ben", 100).games_size();
  int steps = 0;
  do {
    ASSERT_EQ(games_of(store), expected) << "after step " << steps;
    ASSERT_EQ(store.game(17)->SerializeAsString(), whole);
    ASSERT_EQ(store.list_games(30, "ben", 100).games_size(), of_ben);
    ++steps;
  } while (compact_step(store));
  EXPECT_GT(steps, 20);
  EXPECT_EQ(games_of(store), expected);
}

TEST(Compaction, shows_the_same_games_under_the_same_ids_before_between_and_after_its_steps) {
  expect_same_games_at_any_step(5);
  expect_same_games_at_any_step(40);
}

// The more states of a room are merged, the fewer are written.
TEST(Compaction, takes_more_records_at_once_if_many_wait) {
  TemporaryFolder folder;
  TestStore store(folder / "journal.db", small_steps());
  std::size_t waiting = 0;
  while (waiting < 100'000) {
    const Batch batch = batch_of({player_record(1 + waiting, std::string(1'000, 'a'))});
    ASSERT_FALSE(store.append(batch));
    waiting += batch.bytes().size();
  }
  while (waiting > 16'000) {
    Result<CompactionStep> step = CompactionStep{};
    do {
      step = store.get().compact();
      ASSERT_TRUE(step);
    } while (step->in_progress);
    EXPECT_GE(waiting - step->uncompacted_bytes, waiting / 8);
    EXPECT_LE(waiting - step->uncompacted_bytes, waiting / 8 + 1'100);
    waiting = step->uncompacted_bytes;
  }
}

TEST(Compaction, goes_on_after_a_restart_at_any_step_without_doing_anything_twice) {
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    SCOPED_TRACE(seed);
    TemporaryFolder folder;
    RandomRecords records(seed);
    std::mt19937_64 random(seed);
    for (int life = 0; life < 30; ++life) {
      TestStore store(folder / "journal.db", small_steps());
      for (auto commits = random() % 20; commits > 0; --commits) {
        ASSERT_FALSE(store.append({records.next(), records.next()}));
        if (random() % 3 == 0) compact_step(store);
      }
      for (auto steps = random() % 30; steps > 0; --steps) compact_step(store);
    }
    TestStore store(folder / "journal.db", small_steps());
    EXPECT_EQ(games_of(store).size(), records.ledger().games().size());
    const LoadedStream loaded = store.load();
    EXPECT_EQ(loaded.set_aside, "");
    EXPECT_TRUE(same(loaded.saved, saved_by(records.ledger())));
    EXPECT_EQ(games_of(store).size(), records.ledger().games().size());
  }
}

// What one reader keeps between its questions must not differ from what another finds in the file.
TEST(Compaction, shows_a_reader_that_keeps_games_what_a_new_one_sees) {
  TemporaryFolder folder;
  std::mt19937_64 random(1);
  TestStore store(folder / "journal.db", small_steps());
  std::uint64_t games = 0;
  for (int round = 0; round < 300; ++round) {
    // Often everything is compacted, and the rows begin again with the first number.
    for (auto commits = random() % 4; commits > 0; --commits) {
      std::vector<Record> records{player_record(1 + games, "somebody")};
      for (auto more = random() % 3; more > 0; --more) {
        records.push_back(game_record("player " + std::to_string(++games), "ben"));
      }
      ASSERT_FALSE(store.append(records));
    }
    for (auto steps = random() % 12; steps > 0; --steps) compact_step(store);
    if (random() % 3 == 0) continue;

    const auto other = store.get().open_reader();
    ASSERT_TRUE(other);
    const v1::GameList list = store.list_games(0, "", 1'000);
    ASSERT_EQ(list.SerializeAsString(), (*other)->list_games(0, "", 1'000, 0)->SerializeAsString());
    ASSERT_EQ(list.games_size(), static_cast<int>(games)) << "round " << round;
    for (const v1::GameRecord& game : list.games()) {
      ASSERT_EQ(game.x().name(), "player " + std::to_string(game.id()));
    }
    if (games == 0) continue;
    const std::uint64_t id = games - random() % std::min<std::uint64_t>(games, 10);
    const auto game = store.game(id);
    ASSERT_TRUE(game);
    EXPECT_EQ(game->x().name(), "player " + std::to_string(id));
    EXPECT_GT(game->moves_size(), 0);
    const v1::GameList page = store.list_games(id, "", 3);
    ASSERT_EQ(page.games_size(), static_cast<int>(std::min<std::uint64_t>(id - 1, 3)));
    if (page.games_size() > 0) {
      EXPECT_EQ(page.games(0).id(), id - 1);
    }
  }
  EXPECT_GT(games, 300u);
}

TEST(Compaction, need_not_have_begun_however_many_games_there_are) {
  TestStore store(":memory:");
  constexpr std::size_t games = SqliteReader::most_recent + 10;
  const Record record = game_record("ann", "ben");
  ASSERT_FALSE(store.append(std::vector<Record>(games, record)));
  for (int question = 0; question < 2; ++question) {
    const v1::GameList list = store.list_games(0, "", 3);
    ASSERT_EQ(list.games_size(), 3);
    EXPECT_EQ(list.games(0).id(), games);
    EXPECT_TRUE(list.more());
    EXPECT_TRUE(store.game(1));
    EXPECT_FALSE(store.game(games + 1));
  }
}

// The pages that one step has added to the write-ahead log.
int pages_of_step(TestStore& store, const std::string& path) {
  const auto before = std::filesystem::file_size(path + "-wal");
  compact_step(store);
  const auto after = std::filesystem::file_size(path + "-wal");
  return static_cast<int>((after - before) / 4'096);
}

TEST(Compaction, never_does_more_than_a_short_step_at_once) {
  TemporaryFolder folder;
  const std::string path = folder / "journal.db";
  SqliteStore::Settings settings;
  settings.compaction_bytes = std::size_t{1024} * 1024;  // the moves are undone in a later one
  TestStore store(path, settings);
  std::vector<Record> all{room_record(1, "den")};
  constexpr std::uint32_t plies = 10'000;
  for (std::uint32_t ply = 1; ply <= plies; ++ply) all.push_back(move_record(1, ply, ply));
  ASSERT_FALSE(store.append(all));
  ASSERT_FALSE(store.append({undone_record(1, 0), move_record(1, 1, 5), closed_record(1)}));
  int most = 0;
  do {
    most = std::max(most, pages_of_step(store, path));
  } while (store.get().uncompacted_bytes() > 0);
  EXPECT_LT(most, 600) << "pages";
  EXPECT_EQ(store.saved().rooms_size(), 0);
}

TEST(Compaction, sets_a_room_aside_whose_state_cannot_be_read) {
  TemporaryFolder folder;
  TestStore store(folder / "journal.db");
  Batch batch = batch_of({room_record(1, "den"), move_record(2, 1, 4)});
  // A Record with a Room of serial 2, and a tag of which the rest is missing.
  batch.add("\x1A\x03\x08\x02\xFF");
  ASSERT_FALSE(store.append(batch));
  const LoadedStream loaded = store.load();
  EXPECT_EQ(loaded.set_aside, "1 room");
  ASSERT_EQ(loaded.saved.rooms_size(), 1);
  EXPECT_EQ(loaded.saved.rooms(0).room().name(), "den");
}

TEST(Compaction, merges_many_games_in_few_rooms_to_few_rows) {
  TemporaryFolder folder;
  TestStore store(folder / "journal.db");
  ASSERT_FALSE(store.append({room_record(1, "den")}));
  for (int game = 0; game < 100; ++game) {
    std::vector<Record> records;
    for (std::uint32_t ply = 1; ply <= 9; ++ply) records.push_back(move_record(1, ply, ply));
    records.push_back(undone_record(1, 0));
    ASSERT_FALSE(store.append(records));
  }
  int steps = 0;
  do {
    ++steps;
  } while (compact_step(store));
  EXPECT_LT(steps, 8) << "it reads 20 KB and writes one room";
}

}  // namespace
}  // namespace tictactoe::records::store_compaction_tests
