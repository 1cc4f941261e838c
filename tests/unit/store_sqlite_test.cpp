#include "server/store/sqlite_store.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "server/store/rows.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::store {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

std::unique_ptr<TestStore> open(const std::string& path, SqliteStore::Settings settings = {}) {
  return std::make_unique<TestStore>(path, std::move(settings));
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(SqliteStore, has_nothing_saved_when_it_is_new) {
  EXPECT_TRUE(same(open(":memory:")->saved(), Saved()));
}

TEST(SqliteStore, keeps_every_kind_of_record) {
  TemporaryFolder folder;
  Record room = room_record(7, "den");
  room.mutable_room()->set_password_hash(std::string("\0\xFF", 2));
  room.mutable_room()->mutable_x()->set_player(3);
  room.mutable_room()->mutable_score()->set_draws(2);
  const std::vector<Record> records{player_record(3, "ann"),
                                    player_record(4, "ben"),
                                    player_record(5, "späť \U0001F600"),
                                    forgotten_record(4),
                                    room,
                                    room_record(9, "hall"),
                                    move_record(7, 1, 4),
                                    move_record(7, 2, 999'999),
                                    chat_record(7, ""),
                                    chat_record(7, "hi"),
                                    room_record(8, "gone"),
                                    move_record(8, 1, 0),
                                    chat_record(8, "bye"),
                                    closed_record(8),
                                    move_record(7, 3, 1),
                                    undone_record(7, 1),
                                    game_record("ann", "ben")};
  ASSERT_FALSE(open(folder / "journal.db")->append(batch_of(records)));

  Ledger ledger;
  for (const Record& record : records) ledger.apply(record);
  const auto database = open(folder / "journal.db");
  const Saved saved = database->saved();
  EXPECT_TRUE(same(saved, ledger.saved())) << saved.DebugString();
  EXPECT_EQ(saved.players_size(), 2);
  EXPECT_EQ(saved.rooms(0).moves_size(), 1);
  EXPECT_EQ(database->list_games(0, "", 10).games_size(), 1);
}

TEST(SqliteStore, returns_numbers_of_any_size) {
  const std::uint64_t huge = last_serial;
  const auto database = open(":memory:");
  Record move = move_record(huge, 1, ~0u);
  move.mutable_move()->set_spent_ms(~0u);
  move.mutable_move()->set_time_left_ms(~0u);
  ASSERT_FALSE(
      database->append(batch_of({player_record(huge, "ann"), room_record(huge, "den"), move})));
  const Saved saved = database->saved();
  EXPECT_EQ(saved.players(0).id(), huge);
  EXPECT_EQ(saved.rooms(0).moves(0).SerializeAsString(), move.move().SerializeAsString());
}

TEST(SqliteStore, keeps_the_latest_lines_of_a_chat) {
  const auto database = open(":memory:", {.kept_chat = 3});
  std::vector<Record> records{room_record(1, "den"), room_record(2, "hall")};
  for (int line = 0; line < 10; ++line) {
    records.push_back(chat_record(1, std::to_string(line)));
    if (line < 2) records.push_back(chat_record(2, std::to_string(line)));
  }
  ASSERT_FALSE(database->append(batch_of(records)));
  const Saved saved = database->saved();
  ASSERT_EQ(saved.rooms(0).chat_size(), 3);
  EXPECT_EQ(saved.rooms(0).chat(0).text(), "7");
  EXPECT_EQ(saved.rooms(0).chat(2).text(), "9");
  EXPECT_EQ(saved.rooms(1).chat_size(), 2);
}

TEST(SqliteStore, equals_the_ledger) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    TemporaryFolder folder;
    RandomRecords records(seed);
    auto database = open(folder / "journal.db");
    for (int round = 0; round < 30; ++round) {
      Batch batch;
      for (int left = round; left > 0; --left) batch.add(records.next().SerializeAsString());
      ASSERT_FALSE(database->append(batch));
      if (round % 7 == 0) {
        database.reset();
        database = open(folder / "journal.db");
      }
      ASSERT_TRUE(same(database->saved(), saved_by(records.ledger())));
    }
    const auto games = static_cast<int>(records.ledger().games().size());
    EXPECT_EQ(database->list_games(0, "", 1'000).games_size(), games);
  }
}

TEST(SqliteStore, keeps_the_highest_revision_of_closed_rooms) {
  TemporaryFolder folder;
  for (const std::uint64_t revision : {5u, 900u, 30u}) {
    const auto database = open(folder / "journal.db");
    Record closed = closed_record(1);
    closed.set_closed_revision(revision);
    ASSERT_FALSE(database->append({room_record(1, "den"), closed}));
  }
  EXPECT_EQ(open(folder / "journal.db")->saved().last_revision(), 900u);
}

TEST(SqliteStore, keeps_its_server_id) {
  TemporaryFolder folder;
  const std::uint64_t id = open(folder / "journal.db")->get().server_id();
  EXPECT_NE(id, 0u);
  EXPECT_EQ(open(folder / "journal.db")->get().server_id(), id);
  EXPECT_NE(open(":memory:")->get().server_id(), id);
}

// Streams -----------------------------------------------------------------------------------------

TEST(SqliteStore, fences_an_earlier_owner) {
  TemporaryFolder folder;
  const auto first = open(folder / "journal.db");
  ASSERT_FALSE(first->append({room_record(1, "den")}));
  const auto second = open(folder / "journal.db");
  EXPECT_EQ(second->position().epoch, first->position().epoch + 1);
  EXPECT_EQ(second->position().sequence, 1u);
  const auto fault = first->append({move_record(1, 1, 0)});
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->reason, "fenced");
  EXPECT_EQ(second->saved().rooms(0).moves_size(), 0);
  ASSERT_FALSE(second->append({move_record(1, 1, 0)}));
  EXPECT_EQ(second->saved().rooms(0).moves_size(), 1);
}

TEST(SqliteStore, fences_an_append_at_another_sequence_number) {
  const auto database = open(":memory:");
  const StreamPosition start = database->position();
  const auto append_at = [&](std::uint64_t sequence) {
    return *database->get().append(local_stream, {start.epoch, sequence}, sequence + 2,
                                   batch_of({player_record(sequence + 1, "ann")}));
  };
  EXPECT_EQ(append_at(0), AppendOutcome::durable);
  for (const bool compacted : {false, true}) {
    if (compacted) {
      ASSERT_FALSE(database->get().finish());
    }
    EXPECT_EQ(append_at(0), AppendOutcome::fenced);
    EXPECT_EQ(append_at(1), AppendOutcome::fenced);
    EXPECT_EQ(append_at(3), AppendOutcome::fenced);
    EXPECT_EQ(database->get().own(local_stream)->sequence, 2u);
  }
  EXPECT_EQ(database->saved().players_size(), 1);
}

TEST(SqliteStore, fences_a_large_batch_as_a_whole) {
  TemporaryFolder folder;
  const auto first = open(folder / "journal.db", {.step_bytes = 50});
  const auto second = open(folder / "journal.db");
  std::vector<Record> many;
  for (std::uint64_t id = 1; id < 100; ++id) many.push_back(player_record(id, "ann"));
  EXPECT_TRUE(first->append(many));
  EXPECT_EQ(second->saved().players_size(), 0);
}

TEST(SqliteStore, keeps_streams_apart) {
  TemporaryFolder folder;
  const auto database = open(folder / "journal.db");
  constexpr StreamId other = 7;
  const StreamPosition position = *database->get().own(other);
  ASSERT_FALSE(database->append({player_record(1, "ann"), room_record(1, "den")}));
  Record closed = closed_record(3);
  closed.set_closed_revision(50);
  ASSERT_EQ(*database->get().append(other, position, 1,
                                    batch_of({player_record(2, "ben"), room_record(2, "hall"),
                                              move_record(2, 1, 4), chat_record(2, "hi"), closed})),
            AppendOutcome::durable);
  ASSERT_FALSE(database->append({move_record(1, 1, 0)}));
  const Saved mine = database->saved();
  EXPECT_EQ(mine.players_size(), 1);
  EXPECT_EQ(mine.rooms_size(), 1);
  EXPECT_EQ(mine.last_revision(), 0u);
  const LoadedStream theirs = *database->get().load(other);
  EXPECT_EQ(theirs.set_aside, "");
  ASSERT_EQ(theirs.saved.rooms_size(), 1);
  EXPECT_EQ(theirs.saved.rooms(0).room().name(), "hall");
  EXPECT_EQ(theirs.saved.rooms(0).moves_size(), 1);
  EXPECT_EQ(theirs.saved.rooms(0).chat_size(), 1);
  EXPECT_EQ(theirs.saved.players(0).name(), "ben");
  EXPECT_EQ(theirs.saved.last_revision(), 50u);
}

// Transactions ------------------------------------------------------------------------------------

TEST(SqliteStore, does_nothing_of_a_batch_that_fails) {
  const auto database = open(":memory:");
  ASSERT_FALSE(database->append(batch_of({room_record(1, "den"), move_record(1, 1, 0)})));
  const Saved before = database->saved();
  database->get().limit_pages(1);  // no more than there are
  Batch large = batch_of({player_record(1, "ann")});
  for (std::uint32_t ply = 2; ply < 10'000; ++ply) {
    large.add(move_record(1, ply, ply).SerializeAsString());
  }
  ASSERT_TRUE(database->append(large));
  database->get().limit_pages(100'000);
  EXPECT_TRUE(same(database->saved(), before));
  ASSERT_FALSE(database->append(batch_of({move_record(1, 2, 5)})));
  EXPECT_EQ(database->saved().rooms(0).moves_size(), 2);
}

TEST(SqliteStore, refuses_batches_on_a_full_disk_until_there_is_space) {
  TemporaryFolder folder;
  const auto database = open(folder / "journal.db");
  ASSERT_FALSE(database->append(batch_of({room_record(1, "den")})));
  database->get().limit_pages(1);  // SQLite takes this as: no more than there are now
  std::vector<Record> many{player_record(1, "ann")};
  for (std::uint32_t ply = 1; ply < 2000; ++ply) many.push_back(move_record(1, ply, ply));
  for (int tries = 0; tries < 3; ++tries) {
    const auto fault = database->append(batch_of(many));
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, Fault::Kind::unusable);
    EXPECT_THAT(fault->reason, HasSubstr("full"));
    EXPECT_EQ(database->saved().players_size(), 0);
    EXPECT_EQ(database->saved().rooms(0).moves_size(), 0);
  }
  database->get().limit_pages(1'000'000);
  ASSERT_FALSE(database->append(batch_of(many)));
  EXPECT_EQ(open(folder / "journal.db")->saved().rooms(0).moves_size(), 1999);
}

TEST(SqliteStore, holds_the_last_commit_after_the_process_was_killed) {
  TemporaryFolder folder;
  auto database = open(folder / "journal.db");
  ASSERT_FALSE(database->append(batch_of({room_record(1, "den"), move_record(1, 1, 0)})));
  std::filesystem::create_directory(folder / "copy");
  for (const char* name : {"journal.db", "journal.db-wal"}) {
    std::filesystem::copy(folder / name, folder / (std::string("copy/") + name));
  }
  EXPECT_EQ(open(folder / "copy/journal.db")->saved().rooms(0).moves_size(), 1);
}

TEST(SqliteStore, is_one_file_once_it_is_finished) {
  TemporaryFolder folder;
  {
    const auto database = open(folder / "journal.db");
    ASSERT_FALSE(database->append(batch_of({room_record(1, "den")})));
    ASSERT_FALSE(database->get().finish());
  }
  std::filesystem::copy(folder / "journal.db", folder / "copy.db");
  EXPECT_EQ(open(folder / "copy.db")->saved().rooms_size(), 1);
}

TEST(SqliteStore, is_accessible_only_to_its_owner) {
  TemporaryFolder folder;
  std::ofstream(folder / "old.db").close();
  std::filesystem::permissions(folder / "old.db", std::filesystem::perms::all);
  for (const char* name : {"new.db", "old.db"}) {
    const auto database = open(folder / name);
    ASSERT_FALSE(database->append(batch_of({room_record(1, "den")})));
    for (const char* suffix : {"", "-wal", "-shm"}) {
      struct stat status{};
      ASSERT_EQ(::stat((folder / (name + std::string(suffix))).c_str(), &status), 0);
      EXPECT_EQ(status.st_mode & 0777, 0600u) << name << suffix;
    }
  }
}

// Versions ----------------------------------------------------------------------------------------

constexpr std::string_view count_games =
    "CREATE TABLE counts(games INTEGER); INSERT INTO counts SELECT count(*) FROM games";
constexpr std::string_view wrong = "CREATE TABLE half(a); INSERT INTO nowhere VALUES(1)";

/// The versions that there are, and some later ones.
std::vector<std::string_view> with_later(std::initializer_list<std::string_view> later) {
  const Migrations ours = migrations();
  std::vector<std::string_view> all(ours.begin(), ours.end());
  all.insert(all.end(), later);
  return all;
}

TEST(SqliteStore, is_brought_up_to_date_from_an_older_version) {
  TemporaryFolder folder;
  ASSERT_FALSE(open(folder / "journal.db")
                   ->append(batch_of(
                       {room_record(1, "den"), move_record(1, 1, 0), game_record("ann", "ben")})));
  ASSERT_FALSE(
      open(folder / "journal.db")->get().finish());  // or the game is not among the others yet
  const auto later = with_later({count_games, "CREATE TABLE extra(a)"});
  for (int again = 0; again < 2; ++again) {
    const auto database = open(folder / "journal.db", {.migrations = later});
    EXPECT_EQ(database->saved().rooms(0).moves_size(), 1);
    EXPECT_EQ(database->list_games(0, "", 9).games_size(), 1);
  }
  SQLite::Database raw(folder / "journal.db");
  EXPECT_EQ(raw.execAndGet("SELECT games FROM counts").getInt(), 1);
  EXPECT_EQ(raw.execAndGet("PRAGMA user_version").getInt(), static_cast<int>(later.size()));
}

TEST(SqliteStore, of_a_newer_version_is_refused_and_left_as_it_is) {
  TemporaryFolder folder;
  const auto later = with_later({count_games});
  const auto newer = open(folder / "journal.db", {.migrations = later});
  ASSERT_FALSE(newer->append(batch_of({room_record(1, "den")})));
  // Once as it is found after a clean end, once with all of it still in the log.
  for (const bool clean : {false, true}) {
    if (clean) {
      ASSERT_FALSE(newer->get().finish());
    }
    const std::string copy = folder / (clean ? "clean.db" : "killed.db");
    std::filesystem::copy(folder / "journal.db", copy);
    std::filesystem::copy(folder / "journal.db-wal", copy + "-wal");
    const std::string before = content(copy);
    const std::string log_before = content(copy + "-wal");
    EXPECT_EQ(log_before.empty(), clean);
    const auto database = SqliteStore::open(copy);
    ASSERT_FALSE(database);
    EXPECT_EQ(database.error().kind, Fault::Kind::newer);
    EXPECT_THAT(database.error().reason, HasSubstr("version " + std::to_string(later.size())));
    EXPECT_EQ(content(copy), before);
    EXPECT_EQ(content(copy + "-wal"), log_before);
  }
}

TEST(SqliteStore, stays_at_its_version_if_a_migration_fails) {
  TemporaryFolder folder;
  ASSERT_FALSE(open(folder / "journal.db")->append(batch_of({room_record(1, "den")})));
  const auto later = with_later({wrong});
  EXPECT_FALSE(SqliteStore::open(folder / "journal.db", {.migrations = later}));
  EXPECT_EQ(open(folder / "journal.db")->saved().rooms_size(), 1);
}

}  // namespace
}  // namespace tictactoe::store
