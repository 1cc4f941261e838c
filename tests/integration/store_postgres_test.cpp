// What only the PostgreSQL store does: its tables, its role, and a database that fails.
#include "server/store/postgres_store.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "server/store/open.hpp"
#include "tests/support/journal_harness.hpp"
#include "tests/support/temporary_postgres.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::store {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

using PostgresTestStore = BasicTestStore<PostgresStore>;

class PostgresStores : public testing::Test {
 protected:
  PostgresStores() { postgres().clear(); }

  static std::unique_ptr<PostgresTestStore> open() {
    return std::make_unique<PostgresTestStore>(PostgresStore::open(postgres().url(), {}));
  }
  /// The connection of each commit is lost before its answer.
  static void lose_commits() {
    postgres().sql(
        "CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$; "
        "CREATE TRIGGER lose AFTER INSERT ON uncompacted EXECUTE FUNCTION lose()");
  }
  static void stop_losing() { postgres().sql("DROP TRIGGER lose ON uncompacted"); }
};

TEST_F(PostgresStores, refuse_a_newer_schema_and_leave_it_as_it_is) {
  open();
  postgres().sql("UPDATE schema_version SET version = 99");
  const auto opened = open_postgres(postgres().url(), 20);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, Fault::Kind::newer);
  EXPECT_THAT(opened.error().reason, HasSubstr("it has schema version 99"));
  EXPECT_EQ(postgres().sql("SELECT version FROM schema_version"), "99");
}

TEST_F(PostgresStores, are_upgraded_once_and_as_a_whole) {
  const auto current = postgres_migrations();
  std::vector<std::string_view> newer(current.begin(), current.end());
  newer.emplace_back("ALTER TABLE games ADD COLUMN more bigint");
  newer.emplace_back("ALTER TABLE missing ADD COLUMN more bigint");
  const auto version = [&] { return postgres().sql("SELECT version FROM schema_version"); };
  open();
  PostgresStore::Settings settings;
  settings.migrations = newer;
  EXPECT_FALSE(PostgresStore::open(postgres().url(), settings));
  EXPECT_EQ(version(), std::to_string(current.size()));
  settings.migrations = std::span(newer).first(current.size() + 1);
  EXPECT_TRUE(PostgresStore::open(postgres().url(), settings));
  EXPECT_TRUE(PostgresStore::open(postgres().url(), settings));
  EXPECT_EQ(version(), std::to_string(current.size() + 1));
}

TEST_F(PostgresStores, of_the_first_version_are_upgraded_with_their_content) {
  PostgresStore::Settings first;
  first.migrations = postgres_migrations().first(1);
  {
    // What this program writes needs later columns, so the first version's rows are written by
    // hand.
    ASSERT_TRUE(PostgresStore::open(postgres().url(), first));
    const std::string state = player_record(3, "ann").player().SerializeAsString();
    std::string hex;
    for (const char byte : state) {
      constexpr std::string_view digits = "0123456789abcdef";
      hex += digits[static_cast<unsigned char>(byte) >> 4U];
      hex += digits[static_cast<unsigned char>(byte) & 15U];
    }
    postgres().sql("INSERT INTO players VALUES(3, 0, '\\x" + hex + "', 8)");
  }
  const auto saved = open()->saved();
  ASSERT_EQ(saved.players_size(), 1);
  EXPECT_EQ(saved.players(0).name(), "ann");
  EXPECT_EQ(saved.players(0).last_request_done(), 8u);
}

TEST_F(PostgresStores, keep_a_second_server_out) {
  const auto first = open_postgres(postgres().url(), 20);
  ASSERT_TRUE(first) << first.error().reason;
  const auto second = open_postgres(postgres().url(), 20);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, Fault::Kind::in_use);
  EXPECT_THAT(second.error().reason, HasSubstr("another server uses it"));
}

TEST_F(PostgresStores, tell_no_passwords) {
  for (const std::string url :
       {"postgresql://ann:geheim@127.0.0.1:1/lobby", "postgresql://ann@127.0.0.1:1/?geheim",
        "postgresql://ann:geheim", "geheim", "postgresql://ann:1@geheim@h/lobby",
        "postgresql://ann:1/geheim@h/lobby",
        "postgresql://ann@127.0.0.1:1/lobby?password=geheim"}) {
    const auto opened = open_postgres(url, 20);
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().reason, testing::Not(HasSubstr("geheim")));
    EXPECT_THAT(opened.error().reason, testing::Not(HasSubstr("\n")));
  }
  EXPECT_EQ(*PostgresConnection::name_of("postgresql://ann:geheim@a,b:1/lobby"),
            "postgresql://a,b/lobby");
}

TEST_F(PostgresStores, need_no_privilege_outside_their_schema) {
  open();
  EXPECT_EQ(postgres().sql("SELECT count(*) FROM pg_tables WHERE tableowner = 'tictactoe' AND "
                           "schemaname <> 'tictactoe'"),
            "0");
  EXPECT_EQ(postgres().sql("SELECT has_database_privilege('tictactoe', 'tictactoe', 'CREATE')"),
            "f");
}

// Failures ----------------------------------------------------------------------------------------

TEST_F(PostgresStores, append_again_what_a_lost_connection_has_not_committed) {
  const auto store = open();
  lose_commits();
  const std::vector<Record> records{room_record(1, "den"), game_record("ann", "ben")};
  EXPECT_TRUE(store->append(records));
  EXPECT_TRUE(store->append(records));
  stop_losing();
  EXPECT_FALSE(store->append(records));
  EXPECT_EQ(store->saved().rooms_size(), 1);
  EXPECT_EQ(store->list_games(0, "", 10).games_size(), 1);
}

TEST_F(PostgresStores, do_not_append_again_what_was_committed_before_the_connection_was_lost) {
  const auto store = open();
  lose_commits();
  const std::vector<Record> records{chat_record(1, "hi")};
  ASSERT_TRUE(store->append(records));
  stop_losing();
  // The commit happened after all.
  postgres().sql("UPDATE streams SET sequence = sequence + 1 WHERE stream = 0");
  EXPECT_FALSE(store->append(records));
  EXPECT_EQ(postgres().sql("SELECT count(*) FROM uncompacted"), "0");
  EXPECT_EQ(store->position().sequence, 1u);
}

TEST_F(PostgresStores, are_fenced_after_an_unknown_outcome_if_another_server_took_over) {
  const auto store = open();
  lose_commits();
  ASSERT_TRUE(store->append({room_record(1, "den")}));
  stop_losing();
  const auto other = open();
  ASSERT_FALSE(other->append({room_record(2, "hall")}));
  EXPECT_EQ(store->append({room_record(1, "den")})->reason, "fenced");
  EXPECT_EQ(other->saved().rooms_size(), 1);
}

TEST_F(PostgresStores, that_are_read_only_refuse_commits_until_they_can_be_written_again) {
  const auto store = open();
  postgres().sql("ALTER DATABASE tictactoe SET default_transaction_read_only = on");
  postgres().sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'tictactoe'");
  EXPECT_TRUE(store->append({room_record(1, "den")}));
  EXPECT_TRUE(store->append({room_record(1, "den")}));
  postgres().sql(
      "BEGIN READ WRITE; ALTER DATABASE tictactoe RESET default_transaction_read_only; COMMIT");
  EXPECT_FALSE(store->append({room_record(1, "den")}));
}

TEST_F(PostgresStores, of_a_journal_go_on_by_themselves_when_the_database_is_back) {
  Loop loop;
  Told told;
  auto opened = open_postgres(postgres().url(), 20);
  ASSERT_TRUE(opened);
  Journal::Settings settings;
  settings.queue.pause = 10ms;
  Journal journal(std::move(opened->stream), settings, told.events(), loop.post());
  const std::uint64_t first = append(journal, encoded(room_record(1, "den")));
  loop.run_until([&] { return told.is_durable(first); });
  postgres().stop();
  const std::uint64_t second = append(journal, encoded(move_record(1, 1, 4)));
  loop.run_until([&] { return !told.healths.empty(); });
  EXPECT_FALSE(told.is_durable(second));
  postgres().start();
  loop.run_until([&] { return told.is_durable(second) && told.healths.size() == 2; });
  EXPECT_THAT(told.healths, ElementsAre(Health::stalled, Health::good));
  EXPECT_EQ(journal.close(), 0u);
  EXPECT_EQ(open()->saved().rooms(0).moves_size(), 1);
}

}  // namespace
}  // namespace tictactoe::store
