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
    const LoadedStream loaded = store.load();
    EXPECT_EQ(loaded.set_aside, "");
    EXPECT_TRUE(same(loaded.saved, saved_by(records.ledger())));
    EXPECT_EQ(store.list_games(0, "", 1'000).games_size(),
              static_cast<int>(records.ledger().games().size()));
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

// One commit can name more rooms than fit in memory.
TEST(Compaction, changes_few_large_rooms_at_once) {
  TemporaryFolder folder;
  const std::string path = folder / "journal.db";
  TestStore store(path);
  constexpr int rooms = 100;
  std::vector<Record> all;
  std::vector<Record> moves;
  for (std::uint64_t serial = 1; serial <= rooms; ++serial) {
    all.push_back(room_record(serial, "den" + std::to_string(serial)));
    all.push_back(chat_record(serial, std::string(60'000, 'a')));
    moves.push_back(move_record(serial, 1, 4));
  }
  ASSERT_FALSE(store.append(all));
  ASSERT_FALSE(store.get().finish());
  ASSERT_FALSE(store.append(moves));
  int most = 0;
  do {
    most = std::max(most, pages_of_step(store, path));
  } while (store.get().uncompacted_bytes() > 0);
  EXPECT_LT(most, 400) << "pages";
  const Saved saved = store.saved();
  ASSERT_EQ(saved.rooms_size(), rooms);
  for (const auto& room : saved.rooms()) EXPECT_EQ(room.moves_size(), 1);
}

std::string kinds_set_aside(const std::string& path) {
  return SQLite::Database(path)
      .execAndGet("SELECT group_concat(kind, ', ') FROM (SELECT kind FROM set_aside ORDER BY kind)")
      .getString();
}

TEST(Compaction, begins_a_room_again_with_its_next_game_after_its_state_was_lost) {
  TemporaryFolder folder;
  const std::string path = folder / "journal.db";
  TestStore store(path);
  ASSERT_FALSE(store.append({move_record(1, 5, 4)}));
  EXPECT_EQ(store.load().set_aside, "1 room");
  EXPECT_EQ(kinds_set_aside(path), "room changes") << "nothing of the room is left";
  ASSERT_FALSE(store.append({chat_record(1, "hi")}));
  EXPECT_EQ(store.load().set_aside, "");
  ASSERT_FALSE(store.append({move_record(1, 6, 5), undone_record(1, 0), chat_record(1, "again"),
                             room_record(1, "den"), move_record(1, 1, 4)}));
  const LoadedStream loaded = store.load();
  EXPECT_EQ(loaded.set_aside, "");
  ASSERT_EQ(loaded.saved.rooms_size(), 1);
  EXPECT_EQ(loaded.saved.rooms(0).moves_size(), 1);
}

TEST(Compaction, does_not_begin_a_room_again_within_a_game) {
  TemporaryFolder folder;
  const std::string path = folder / "journal.db";
  TestStore store(path);
  ASSERT_FALSE(store.append({move_record(1, 5, 4), undone_record(1, 4), room_record(1, "den")}));
  EXPECT_EQ(store.load().set_aside, "1 room");
  ASSERT_FALSE(store.append({room_record(1, "den"), move_record(1, 6, 4)}));
  const LoadedStream loaded = store.load();
  EXPECT_EQ(loaded.set_aside, "1 room");
  EXPECT_EQ(kinds_set_aside(path), "room, room, room changes, room changes");
  EXPECT_EQ(loaded.saved.rooms_size(), 0);
}

TEST(Compaction, sets_a_commit_aside_with_a_record_that_cannot_be_read) {
  TemporaryFolder folder;
  TestStore store(folder / "journal.db");
  ASSERT_FALSE(store.append({room_record(1, "den"), move_record(1, 1, 4)}));
  Batch batch = batch_of({room_record(3, "hall")});
  batch.add("\x1A\x04\x08\x02");  // a Record with a Room that is longer than the Record
  ASSERT_FALSE(store.append(batch));
  ASSERT_FALSE(store.append({chat_record(1, "hi"), move_record(2, 1, 4)}));
  const LoadedStream loaded = store.load();
  EXPECT_EQ(loaded.set_aside, "1 room, 1 commit");
  ASSERT_EQ(loaded.saved.rooms_size(), 1);
  EXPECT_EQ(loaded.saved.rooms(0).room().name(), "den");
  EXPECT_EQ(loaded.saved.rooms(0).chat_size(), 1);
}

// Its other records are in their places by the time that it is read.
TEST(Compaction, keeps_a_commit_in_whose_records_a_message_is_damaged_and_applies_the_rest) {
  TemporaryFolder folder;
  TestStore store(folder / "journal.db");
  Batch batch = batch_of({room_record(3, "hall")});
  batch.add("\x1A\x03\x08\x02\xFF");  // a Room of serial 2, and a tag of which the rest is missing
  batch.add("\x42\x01\xFF");          // a finished game
  ASSERT_FALSE(store.append(batch));
  const LoadedStream loaded = store.load();
  EXPECT_EQ(loaded.set_aside, "1 commit");
  ASSERT_EQ(loaded.saved.rooms_size(), 1);
  EXPECT_EQ(loaded.saved.rooms(0).room().name(), "hall");
  EXPECT_EQ(store.list_games(0, "", 10).games_size(), 0);
}

// A record of the room alone must not make up for the moves that are lost.
TEST(Compaction, sets_a_damaged_room_aside_that_is_still_played_in) {
  TemporaryFolder folder;
  TestStore store(folder / "journal.db");
  ASSERT_FALSE(store.append({room_record(1, "den", 7), move_record(1, 1, 4), room_record(2, "hall"),
                             player_record(1, "ann"), player_record(2, "ben")}));
  ASSERT_FALSE(store.get().finish());
  SQLite::Database(folder / "journal.db", SQLite::OPEN_READWRITE)
      .exec("UPDATE rooms SET sum = sum + 1 WHERE id = 1; UPDATE players SET sum = sum + 1");
  Record move = move_record(2, 1, 4);
  move.set_requester(2);
  move.set_request_done(3);
  ASSERT_FALSE(store.append({room_record(1, "den", 8), move, player_record(1, "ann")}));
  const LoadedStream loaded = store.load();
  EXPECT_EQ(loaded.set_aside, "1 room, 1 player");
  ASSERT_EQ(loaded.saved.rooms_size(), 1);
  EXPECT_EQ(loaded.saved.rooms(0).room().name(), "hall");
  EXPECT_EQ(loaded.saved.last_revision(), 7u);
  ASSERT_EQ(loaded.saved.players_size(), 1);
  EXPECT_EQ(loaded.saved.players(0).name(), "ann");
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
