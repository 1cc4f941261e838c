// What only the PostgreSQL store does: its tables, its role, and a database that fails.
#include "server/records/postgres/store.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <future>
#include <set>
#include <string>
#include <vector>

#include "server/journal/open.hpp"
#include "server/journal/unused.hpp"
#include "tests/support/journal_harness.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/temporary_postgres.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::records::store_postgres_tests {
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
        "CREATE TRIGGER lose AFTER UPDATE ON streams EXECUTE FUNCTION lose()");
  }
  static void stop_losing() { postgres().sql("DROP TRIGGER lose ON streams"); }
};

TEST_F(PostgresStores, refuse_another_schema_version_and_leave_it_as_it_is) {
  open();
  postgres().sql("UPDATE schema_version SET version = 99");
  const auto opened = open_postgres(postgres().url(), 20);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, Fault::Kind::other_version);
  EXPECT_THAT(opened.error().reason, HasSubstr("it has schema version 99"));
  EXPECT_EQ(postgres().sql("SELECT version FROM schema_version"), "99");
}

// A line of chat that the database can't have would end all recording.
TEST_F(PostgresStores, refuse_an_encoding_that_lacks_characters_and_leave_it_as_it_is) {
  const std::string url = postgres().url_of_new("latin", "ENCODING 'LATIN1' LOCALE 'C'");
  const auto opened = open_postgres(url, 20);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, Fault::Kind::unusable);
  EXPECT_THAT(opened.error().reason, HasSubstr("it has the encoding LATIN1. Create a database "
                                               "with ENCODING 'UTF8' and TEMPLATE template0."));
  PostgresDatabase database(url, 5s);
  EXPECT_EQ(database.number_of("SELECT count(*) FROM pg_tables WHERE tableowner = 'tictactoe'"),
            0u);
}

TEST_F(PostgresStores, have_one_id_however_many_servers_make_the_tables) {
  for (int round = 0; round < 10; ++round) {
    postgres().clear();
    std::vector<std::future<std::uint64_t>> ids;
    for (int server = 0; server < 6; ++server) {
      ids.push_back(std::async(std::launch::async, [] {
        const auto store = PostgresStore::open(postgres().url(), {});
        return store ? (*store)->server_id() : 0;
      }));
    }
    std::set<std::uint64_t> drawn;
    for (auto& id : ids) drawn.insert(id.get());
    EXPECT_EQ(drawn.size(), 1u);
    EXPECT_FALSE(drawn.contains(0));
    EXPECT_EQ(postgres().sql("SELECT count(*) FROM store"), "1");
  }
}

// Beside a transaction, a commit that waits for a lock fails once a second, for hours.
TEST_F(PostgresStores, keep_no_prepared_statements_that_fail) {
  PostgresDatabase database(postgres().url(), 5s);
  for (int tries = 0; tries < 10; ++tries) {
    EXPECT_THROW(database.run("SELECT 1 / CAST(?1 AS bigint)", std::uint64_t{0}), PostgresFailure);
  }
  EXPECT_LT(database.number_of("SELECT count(*) FROM pg_prepared_statements"), 5u);
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
  EXPECT_EQ(*PostgresDatabase::name_of("postgresql://ann:geheim@a,b:1/lobby"),
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

// Names -------------------------------------------------------------------------------------------

TEST_F(PostgresStores, forget_a_player) {
  {
    const auto store = open();
    Record private_game = game_record("zoe", "annabel");
    private_game.mutable_readers()->set_o(5);
    ASSERT_FALSE(
        store->append({player_record(1, "annabel"), player_record(2, "anna"), room_record(1, "den"),
                       game_record("annabel", "forgotten-4"), private_game}));
  }
  // Servers that were killed have left claims, and what they showed to others.
  postgres().sql(
      "INSERT INTO rooms(serial, stream, name) VALUES(9, 7, 'annabel'); "
      "INSERT INTO room_names VALUES('annabel', 9); "
      "INSERT INTO players(id, stream, token_hash) VALUES(9, 7, 'x'); "
      "INSERT INTO player_names VALUES('annabel', 9); "
      "INSERT INTO listed_rooms VALUES(7, 'den', 'annabel'); "
      "INSERT INTO servers(stream, address, key, lease_until, rooms, is_draining, said, "
      "player_list)"
      " VALUES(7, '', '', now(), 0, false, 'annabel', 'annabel')");
  const auto forgotten = forget_player(postgres().url(), "annabel");
  ASSERT_TRUE(forgotten) << forgotten.error().reason;
  EXPECT_EQ(forgotten->name, "forgotten-5");
  EXPECT_EQ(forgotten->players, 1u);
  EXPECT_EQ(forgotten->games, 2u);
  const auto store = open();
  const Saved saved = store->saved();
  ASSERT_EQ(saved.players_size(), 1);
  EXPECT_EQ(saved.players(0).name(), "anna");
  EXPECT_EQ(store->list_games(0, "forgotten-5", 10).games_size(), 1);
  EXPECT_EQ(store->list_games(0, "forgotten-5", 10, 5).games_size(), 2);
  EXPECT_EQ(store->list_games(0, "annabel", 10, 5).games_size(), 0);
  EXPECT_EQ(forget_player(postgres().url(), "annabel")->name, "");
  EXPECT_EQ(postgres().sql(
                "SELECT string_agg(row_text, '; ') FROM (SELECT 'room ' || r::text FROM rooms AS r "
                "UNION SELECT 'key ' || n::text FROM room_names AS n "
                "UNION SELECT 'key ' || n::text FROM player_names AS n "
                "UNION SELECT 'list ' || l::text FROM listed_rooms AS l "
                "UNION SELECT 'server ' || s::text FROM servers AS s) AS found(row_text) "
                "WHERE row_text LIKE '%annabel%' OR "
                "position(encode('annabel', 'hex') IN row_text) > 0"),
            "");
}

// The games with a short name may be millions, which are decoded between two statements.
TEST_F(PostgresStores, may_pause_for_minutes_while_they_forget) {
  ASSERT_FALSE(open()->append({player_record(1, "annabel")}));
  postgres().sql(
      "CREATE TABLE seen(setting text); GRANT ALL ON seen TO tictactoe; "
      "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO seen "
      "VALUES(current_setting('idle_in_transaction_session_timeout')); RETURN NULL; END $$; "
      "CREATE TRIGGER note AFTER DELETE ON players EXECUTE FUNCTION note()");
  ASSERT_TRUE(forget_player(postgres().url(), "annabel"));
  EXPECT_EQ(postgres().sql("SELECT min(setting) FROM seen"), "10min");
}

TEST_F(PostgresStores, forget_no_name_while_a_server_uses_them) {
  const auto server = open_postgres(postgres().url(), 20);
  ASSERT_TRUE(server);
  const auto forgotten = forget_player(postgres().url(), "ann");
  ASSERT_FALSE(forgotten);
  EXPECT_EQ(forgotten.error().kind, Fault::Kind::in_use);
}

TEST_F(PostgresStores, take_imported_games_while_a_server_uses_them) {
  const auto server = open_postgres(postgres().url(), 20);
  ASSERT_TRUE(server);
  const auto opened = open_for_import(postgres().url());
  ASSERT_TRUE(opened) << opened.error().reason;
  v1::GameRecord game = finished_game("ann", "ben");
  game.set_imported(true);
  game.set_ended_unix_ms(5);
  ASSERT_FALSE(opened->store->add_games(std::vector{game}));
  const auto list = server->stream.reader->list_games(0, "", 10, 0);
  ASSERT_TRUE(list);
  ASSERT_EQ(list->games_size(), 1);
  EXPECT_EQ(list->games(0).ended_unix_ms(), 5u);
}

TEST_F(PostgresStores, list_games_without_looking_at_private_ones_of_others) {
  ASSERT_FALSE(open()->get().add_games(std::vector{finished_game("ann", "ben")}));
  postgres().sql(
      "INSERT INTO games(kept_unix_ms, x_kind, x_name, o_kind, o_name, readers_x, readers_o)"
      " SELECT 0, 'person', 'ann', 'person', 'ben', 8, 9 FROM generate_series(1, 5000); "
      "ANALYZE games");
  const auto rows_read = [] {
    // A connection counts when it ends.
    postgres().wait_until("SELECT count(*) = 0 FROM pg_stat_activity WHERE usename = 'tictactoe'");
    return std::stoi(postgres().sql(
        "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables WHERE relname = 'games'"));
  };
  const int before = rows_read();
  for (const char* player : {"", "ann"}) {
    for (const ReaderNumber reader : {ReaderNumber{0}, ReaderNumber{7}}) {
      const auto list = SqlReader(std::make_shared<PostgresDatabase>(postgres().url()))
                            .list_games(0, player, 10, reader);
      ASSERT_TRUE(list) << list.error().reason;
      EXPECT_EQ(list->games_size(), 1);
    }
  }
  EXPECT_LT(rows_read() - before, 100);
}

TEST_F(PostgresStores, keep_the_locks_of_a_frozen_program_for_seconds) {
  PostgresDatabase database(postgres().url(), max_patience);
  std::string limit;
  database.visit("SELECT current_setting('idle_in_transaction_session_timeout')",
                 [&](const SqlRow& row) { limit = row.bytes(0); });
  EXPECT_EQ(limit, "4s");
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
  const std::vector<Record> records{room_record(1, "den")};
  ASSERT_TRUE(store->append(records));
  stop_losing();
  // The commit happened after all.
  postgres().sql("UPDATE streams SET sequence = sequence + 1 WHERE stream = 0");
  EXPECT_FALSE(store->append(records));
  EXPECT_EQ(postgres().sql("SELECT count(*) FROM rooms"), "0");
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

// A long run --------------------------------------------------------------------------------------

// Many games in a few rooms. Each commit writes the row of the stream, and each move and line is
// inserted and deleted again. Prints figures of docs/postgresql.md; GAMES sets how many games.
TEST_F(PostgresStores, do_not_grow_in_a_long_run) {
  const char* wanted = std::getenv("GAMES");
  const int games = wanted == nullptr ? support::scaled(400) : std::atoi(wanted);
  constexpr std::uint64_t rooms = 20;
  postgres().sql("ALTER SYSTEM SET autovacuum_naptime = '1s'");
  postgres().sql("SELECT pg_reload_conf()");
  const auto store = open();
  std::vector<Record> all;
  for (std::uint64_t room = 1; room <= rooms; ++room) {
    all.push_back(room_record(room, "room " + std::to_string(room)));
  }
  ASSERT_FALSE(store->append(all));
  for (int game = 0; game < games; ++game) {
    for (std::uint32_t ply = 1; ply <= 9; ++ply) {
      std::vector<Record> moves;
      for (std::uint64_t room = 1; room <= rooms; ++room) {
        moves.push_back(move_record(room, ply, ply));
        moves.push_back(chat_record(room, "good move"));
      }
      ASSERT_FALSE(store->append(moves));
    }
    std::vector<Record> ends;
    for (std::uint64_t room = 1; room <= rooms; ++room) {
      ends.push_back(undone_record(room, 0));
      ends.push_back(room_record(room, "room " + std::to_string(room), std::uint64_t(game)));
    }
    ASSERT_FALSE(store->append(ends));
  }
  const std::string sizes = postgres().sql(
      "SELECT string_agg(relname || ' ' || pg_total_relation_size(relid) / 1024 || ' KiB with ' || "
      "n_dead_tup || ' dead rows, vacuumed ' || autovacuum_count || ' times', '; ' "
      "ORDER BY relname) FROM pg_stat_user_tables WHERE relname IN "
      "('streams', 'moves', 'chat', 'rooms')");
  std::cerr << games * 10 << " commits; " << sizes << '\n';
  // Neither of them has more than some rows at any time.
  EXPECT_EQ(postgres().sql("SELECT pg_total_relation_size('streams') < 4 * 1024 * 1024"), "t");
  EXPECT_EQ(postgres().sql("SELECT pg_total_relation_size('moves') < 32 * 1024 * 1024"), "t");
  EXPECT_EQ(postgres().sql("SELECT pg_total_relation_size('rooms') < 32 * 1024 * 1024"), "t");
}

}  // namespace
}  // namespace tictactoe::records::store_postgres_tests
