// The PostgreSQL store with a database that has a standby, or that does not answer.
#include <gmock/gmock.h>
#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/journal/open.hpp"
#include "server/records/postgres/store.hpp"
#include "tests/support/journal_harness.hpp"
#include "tests/support/temporary_postgres.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::records::store_failover_tests {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

using PostgresTestStore = BasicTestStore<PostgresStore>;

std::unique_ptr<PostgresTestStore> open_store(const std::string& url,
                                              std::chrono::milliseconds patience) {
  PostgresStore::Settings settings;
  settings.patience = patience;
  return std::make_unique<PostgresTestStore>(PostgresStore::open(url, settings));
}

// A primary and a standby.
class Failover : public testing::Test {
 protected:
  /// Commits of the primary wait for the standby from now on.
  void be_synchronous() {
    primary_.sql("ALTER SYSTEM SET synchronous_standby_names = '*'");
    primary_.sql("SELECT pg_reload_conf()");
    primary_.wait_until("SELECT count(*) > 0 FROM pg_stat_replication WHERE sync_state = 'sync'");
  }
  std::unique_ptr<PostgresTestStore> open(std::chrono::milliseconds patience = 60s) const {
    return open_store(TemporaryPostgres::url_of_both(primary_, standby_), patience);
  }
  /// Begins an append that waits for the standby, and returns its outcome after `function` of
  /// PostgreSQL has been called for its process.
  std::optional<Fault> append_and(const std::string& function, PostgresTestStore& store,
                                  const std::vector<Record>& records) {
    auto appended = std::async(std::launch::async, [&] { return store.append(records); });
    primary_.wait_until(waits_for_standby);
    primary_.sql("SELECT " + function +
                 "(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' "
                 "AND usename = 'tictactoe'");
    return appended.get();
  }

  static constexpr const char* waits_for_standby =
      "SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = 'SyncRep' "
      "AND usename = 'tictactoe'";
  TemporaryPostgres primary_;
  TemporaryPostgres standby_{TemporaryPostgres::StandbyOf{primary_}};
};

TEST_F(Failover, a_commit_whose_wait_for_the_standby_was_cancelled_is_not_durable) {
  be_synchronous();
  const auto store = open();
  const std::vector<Record> records{chat_record(1, "hi")};
  const std::vector<Record> game{game_record("ann", "ben")};
  ASSERT_FALSE(store->append({room_record(1, "den")}));
  standby_.stop();
  for (const auto& event : {records, game}) {
    // It can be seen, and is only on the primary.
    const auto fault = append_and("pg_cancel_backend", *store, event);
    ASSERT_TRUE(fault);
    EXPECT_THAT(fault->reason, HasSubstr("synchronous replication"));
    EXPECT_TRUE(append_and("pg_cancel_backend", *store, event));
    EXPECT_TRUE(append_and("pg_terminate_backend", *store, event));
    auto appended = std::async(std::launch::async, [&] { return store->append(event); });
    primary_.wait_until(waits_for_standby);
    standby_.start();
    EXPECT_FALSE(appended.get());
    standby_.stop();
  }
  EXPECT_EQ(primary_.sql("SELECT count(*) FROM chat"), "1");
  EXPECT_EQ(primary_.sql("SELECT count(*) FROM games"), "1");
}

TEST_F(Failover, a_role_that_hides_warnings_hides_no_cancelled_wait) {
  be_synchronous();
  primary_.sql("ALTER ROLE tictactoe SET client_min_messages = 'error'");
  primary_.sql("ALTER ROLE tictactoe SET synchronous_commit = 'remote_write'");
  const auto store = open();
  standby_.stop();
  EXPECT_TRUE(append_and("pg_cancel_backend", *store, {chat_record(1, "hi")}));
  standby_.start();
  EXPECT_FALSE(store->append({chat_record(1, "hi")}));
}

TEST_F(Failover, a_new_owner_waits_for_the_standby_before_it_reads) {
  be_synchronous();
  const auto store = open();
  standby_.stop();
  EXPECT_TRUE(append_and("pg_cancel_backend", *store, {room_record(1, "den")}));
  // What is visible now may be lost with the primary.
  auto other = std::async(std::launch::async, [&] { return open()->saved().rooms_size(); });
  primary_.wait_until(waits_for_standby);
  standby_.start();
  EXPECT_EQ(other.get(), 1);
}

TEST_F(Failover, goes_on_with_the_standby_that_was_promoted) {
  be_synchronous();
  const auto store = open();
  ASSERT_FALSE(store->append({room_record(1, "den")}));
  primary_.stop();
  const std::vector<Record> records{move_record(1, 1, 4), game_record("ann", "ben")};
  EXPECT_TRUE(store->append(records));
  standby_.promote();
  standby_.sql("ALTER SYSTEM RESET synchronous_standby_names");
  standby_.sql("SELECT pg_reload_conf()");
  const auto fault = store->append(records);
  EXPECT_FALSE(fault) << fault->reason;
  EXPECT_EQ(store->saved().rooms(0).moves_size(), 1);
  EXPECT_EQ(store->list_games(0, "", 10).games_size(), 1);
}

TEST_F(Failover, commits_wait_for_a_standby_on_few_connections) {
  be_synchronous();
  const auto store = open(200ms);
  while (store->append({room_record(1, "den")})) continue;
  standby_.stop();
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(store->append({chat_record(1, "hi")}));
  EXPECT_LE(
      std::stoi(primary_.sql("SELECT count(*) FROM pg_stat_activity WHERE usename = 'tictactoe'")),
      2);
  standby_.start();
  primary_.wait_until("SELECT count(*) > 0 FROM pg_stat_replication WHERE sync_state = 'sync'");
  while (store->append({chat_record(1, "hi")})) continue;
  EXPECT_EQ(store->position().sequence, 2u);
  EXPECT_EQ(primary_.sql("SELECT count(*) FROM chat"), "1");
}

// A database that does not answer -----------------------------------------------------------------

class Unanswered : public testing::Test {
 protected:
  Unanswered() { postgres().clear(); }
};

TEST_F(Unanswered, commits_fail_and_are_not_done_twice_when_they_are_answered) {
  const auto store = open_store(postgres().url(), 3s);
  ASSERT_FALSE(store->append({room_record(1, "den")}));
  const std::vector<Record> records{move_record(1, 1, 4), game_record("ann", "ben")};
  const pid_t stopped = postgres().backend();
  kill(stopped, SIGSTOP);
  const auto fault = store->append({chat_record(1, "hi")});
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->reason, "the database does not answer");
  EXPECT_FALSE(store->append({chat_record(1, "hi")}));
  kill(stopped, SIGCONT);
  // Now the old process does what it was asked for.
  postgres().wait_until("SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = " +
                        std::to_string(stopped));
  EXPECT_FALSE(store->append(records));
  EXPECT_EQ(store->saved().rooms(0).moves_size(), 1);
  EXPECT_EQ(store->saved().rooms(0).chat_size(), 1);
}

TEST_F(Unanswered, commits_pause_the_games) {
  Loop loop;
  Told told;
  PostgresStore::Settings settings;
  settings.patience = 2s;
  auto store = PostgresStore::open(postgres().url(), settings);
  ASSERT_TRUE(store);
  const StreamPosition position = *(*store)->own(local_stream);
  auto reader = *(*store)->open_reader();
  Journal::Settings writing;
  writing.queue.pause = 10ms;
  Journal journal({*std::move(store), std::move(reader), local_stream, position}, writing,
                  told.events(), loop.post());
  const std::uint64_t first = append(journal, encoded(room_record(1, "den")));
  loop.run_until([&] { return told.is_durable(first); });
  // A lock that nobody releases for a while.
  auto locked = std::async(std::launch::async, [&] {
    postgres().sql("BEGIN; LOCK TABLE moves; SELECT pg_sleep(5); COMMIT");
  });
  postgres().wait_until("SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
  const std::uint64_t second = append(journal, encoded(move_record(1, 1, 4)));
  loop.run_until([&] { return told.is_durable(second) && told.healths.size() == 2; });
  EXPECT_THAT(told.healths, ElementsAre(Health::stalled, Health::good));
  EXPECT_EQ(journal.close(), 0u);
}

}  // namespace
}  // namespace tictactoe::records::store_failover_tests
