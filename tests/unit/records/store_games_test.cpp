// Finished games in the record store.
#include <gmock/gmock.h>
#include <sqlite3.h>

#include <algorithm>
#include <utility>

#include "server/records/sqlite/store.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::records::store_games_tests {
namespace {

using namespace test;
using testing::ElementsAre;

std::unique_ptr<TestStore> open(const std::string& path, SqliteStore::Settings settings = {}) {
  return std::make_unique<TestStore>(path, std::move(settings));
}

std::vector<std::uint64_t> ids(const v1::GameList& list) {
  std::vector<std::uint64_t> ids;
  for (const auto& game : list.games()) ids.push_back(game.id());
  return ids;
}

// Counts what SQLite does for the statements of connections that are opened meanwhile: the most
// steps of its virtual machine for one of them.
class WatchedStatements {
 public:
  WatchedStatements() { sqlite3_auto_extension(reinterpret_cast<void (*)()>(watch)); }
  ~WatchedStatements() { sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(watch)); }
  WatchedStatements(const WatchedStatements&) = delete;
  WatchedStatements& operator=(const WatchedStatements&) = delete;

  static int take_most() { return std::exchange(most, 0); }

 private:
  static int watch(sqlite3* file, const char** /*error*/, const void* /*functions*/) {
    return sqlite3_trace_v2(file, SQLITE_TRACE_PROFILE, note, nullptr);
  }
  static int note(unsigned /*event*/, void* /*context*/, void* statement, void* /*time*/) {
    most = std::max(most, sqlite3_stmt_status(static_cast<sqlite3_stmt*>(statement),
                                              SQLITE_STMTSTATUS_VM_STEP, 1));
    return 0;
  }
  static inline int most = 0;
};

TEST(SqliteStore, a_page_of_private_games_costs_the_same_however_many_there_are) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "journal.db").string();
  open(path);
  SqliteDatabase(path, SQLITE_OPEN_READWRITE)
      .run_script(
          "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers "
          "WHERE n < 20000) INSERT INTO games(kept_unix_ms, x_kind, x_name, o_kind, o_name, "
          "readers_x, readers_o) SELECT 1, 'person', iif(n % 2, 'ann', 'ben'), 'person', "
          "iif(n % 2, 'ben', 'ann'), iif(n % 2, 11, 22), iif(n % 2, 22, 11) FROM numbers");
  const WatchedStatements watched;
  const auto database = open(path);
  for (const char* player : {"", "ann", "ben", "nobody"}) {
    for (const ReaderNumber reader : {0ull, 11ull, 22ull, 33ull}) {
      WatchedStatements::take_most();
      database->list_games(0, player, 20, reader);
      const int steps = WatchedStatements::take_most();
      EXPECT_GT(steps, 0);
      EXPECT_LT(steps, 2'500) << player << " for " << reader;
    }
  }
}

// Games -------------------------------------------------------------------------------------------

TEST(SqliteStore, stamps_a_finished_game_and_gives_it_back_whole) {
  std::uint64_t now = 1'000;
  const auto database = open(":memory:", {.unix_ms = [&] { return now; }});
  ASSERT_FALSE(database->append(batch_of({game_record("ann", "ben")})));
  now = 2'000;
  ASSERT_FALSE(database->append(batch_of({game_record("ben", "ann")})));

  v1::GameRecord expected = finished_game("ben", "ann");
  expected.set_id(2);
  expected.set_ended_unix_ms(2'000);
  EXPECT_EQ(database->game(2).value().SerializeAsString(), expected.SerializeAsString());
  EXPECT_EQ(database->game(1).value().ended_unix_ms(), 1'000u);
  EXPECT_FALSE(database->game(3).has_value());
  EXPECT_FALSE(database->game(0).has_value());
  EXPECT_FALSE(database->game(~std::uint64_t{0}).has_value());

  expected.clear_moves();
  expected.clear_move_ms();
  expected.mutable_outcome()->clear_lines();
  EXPECT_EQ(database->list_games(0, "", 1).games(0).SerializeAsString(),
            expected.SerializeAsString());
}

TEST(SqliteStore, lists_games_page_by_page_latest_first) {
  const auto database = open(":memory:");
  for (int game = 0; game < 7; ++game) {
    ASSERT_FALSE(database->append(batch_of({game_record("ann", "ben")})));
  }
  const auto first = database->list_games(0, "", 3);
  EXPECT_THAT(ids(first), ElementsAre(7, 6, 5));
  EXPECT_TRUE(first.more());
  const auto last = database->list_games(4, "", 3);
  EXPECT_THAT(ids(last), ElementsAre(3, 2, 1));
  EXPECT_FALSE(last.more());
  EXPECT_THAT(ids(database->list_games(1, "", 3)), ElementsAre());
  EXPECT_THAT(ids(database->list_games(~std::uint64_t{0}, "", 1)), ElementsAre(7));
}

TEST(SqliteStore, lists_the_games_of_one_person_on_either_side_and_no_ais) {
  const auto database = open(":memory:");
  Record against_ai = game_record("ann", "cat");
  against_ai.mutable_game_finished()->mutable_o()->set_kind(v1::Occupant::KIND_AI);
  ASSERT_FALSE(database->append(
      batch_of({game_record("ann", "ben"), game_record("ben", "cat"), game_record("cat", "ann"),
                game_record("dan", "ben"), against_ai, game_record("ann", "ann")})));
  EXPECT_THAT(ids(database->list_games(0, "ann", 10)), ElementsAre(6, 5, 3, 1));
  EXPECT_THAT(ids(database->list_games(0, "cat", 10)), ElementsAre(3, 2));
  EXPECT_THAT(ids(database->list_games(5, "ann", 10)), ElementsAre(3, 1));
  EXPECT_THAT(ids(database->list_games(0, "an", 10)), ElementsAre());
  EXPECT_THAT(ids(database->list_games(0, "ann' OR 1 --", 10)), ElementsAre());
  const auto page = database->list_games(0, "ann", 2);
  EXPECT_THAT(ids(page), ElementsAre(6, 5));
  EXPECT_TRUE(page.more());
}

TEST(SqliteStore, adds_games_of_others_as_they_are) {
  const auto database = open(":memory:", {.unix_ms = [] { return std::uint64_t{5'000}; }});
  v1::GameRecord old = finished_game("ann", "ben");
  old.set_ended_unix_ms(77);
  old.set_imported(true);
  ASSERT_FALSE(database->get().add_games(std::array{old, old}));
  EXPECT_EQ(database->game(2).value().ended_unix_ms(), 77u);
  EXPECT_TRUE(database->game(2).value().imported());
}

TEST(SqliteStore, deletes_games_by_when_they_were_added_and_never_reuses_an_id) {
  std::uint64_t now = 0;
  const auto database = open(":memory:", {.unix_ms = [&] { return now; }});
  v1::GameRecord ancient = finished_game("ann", "ben");
  ancient.set_ended_unix_ms(1);
  for (now = 1'000; now <= 5'000; now += 1'000) {
    ASSERT_FALSE(database->append(batch_of({game_record("ann", "ben")})));
    ASSERT_FALSE(database->get().add_games(std::span(&ancient, 1)));
  }
  EXPECT_FALSE(*database->get().delete_games_before(1'000));
  EXPECT_EQ(database->list_games(0, "", 100).games_size(), 10);
  EXPECT_FALSE(*database->get().delete_games_before(3'000));
  EXPECT_THAT(ids(database->list_games(0, "", 100)), ElementsAre(10, 9, 8, 7, 6, 5));
  EXPECT_FALSE(*database->get().delete_games_before(9'000));
  ASSERT_FALSE(database->append(batch_of({game_record("ann", "ben")})));
  EXPECT_THAT(ids(database->list_games(0, "ann", 100)), ElementsAre(11));
}

TEST(SqliteStore, takes_games_from_a_second_process_meanwhile) {
  TemporaryFolder folder;
  const auto server = open(folder / "journal.db");
  ASSERT_FALSE(server->append(batch_of({game_record("ann", "ben")})));
  const auto importer = *SqliteStore::open(folder / "journal.db");
  ASSERT_FALSE(importer->add_games(std::array{finished_game("cat", "dan")}));
  ASSERT_FALSE(server->append(batch_of({game_record("ann", "ben")})));
  EXPECT_THAT(ids(server->list_games(0, "", 10)), ElementsAre(3, 2, 1));
}

}  // namespace
}  // namespace tictactoe::records::store_games_tests
