// Servers that share a PostgreSQL database: who is there, who has what, and what becomes of it if a
// server is lost.
#include <gmock/gmock.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <future>
#include <set>
#include <thread>

#include "tests/support/given_room_cases.hpp"
#include "tests/support/postgres_sessions.hpp"

namespace tictactoe::records::store_shared_tests {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(PostgreSQL, StoresOfLobbies, EmptyPostgres);
INSTANTIATE_TYPED_TEST_SUITE_P(PostgreSQL, StoresWithGivenRooms, EmptyPostgres);

using Server = BasicServer<PostgresSessions>;

class SharedStores : public testing::Test {
  EmptyPostgres store_;
};

// Takeovers ---------------------------------------------------------------------------------------

// A commit that has begun decides first; the takeover sees what it has written.
TEST_F(SharedStores, wait_with_a_takeover_for_a_commit_that_is_under_way) {
  Server a("a:1");
  Server b("b:1");
  const auto ann = a.add_player("ann", 'a');
  const auto den = a.add_room("den", ann, ann);
  postgres().sql(
      "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
      "PERFORM pg_sleep(0.3); RETURN NULL; END $$; "
      "CREATE TRIGGER slow AFTER INSERT ON moves EXECUTE FUNCTION slow()");
  a.lose();
  std::atomic<bool> is_done = false;
  bool durable = false;
  std::thread committing([&] {
    durable = a.append({move_record(den, 1, 4)});
    is_done = true;
  });
  while (postgres().sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") ==
         "0") {
    if (is_done) break;
  }
  b.take_over();
  committing.join();
  const Saved adopted = b.adopt_all(10);
  ASSERT_EQ(adopted.rooms_size(), 1);
  EXPECT_TRUE(durable);
  EXPECT_EQ(adopted.rooms(0).moves_size(), 1);
}

TEST_F(SharedStores, give_every_room_to_exactly_one_of_those_who_take_at_once) {
  Server lost("a:1");
  constexpr int rooms = 60;
  for (int i = 0; i < rooms; ++i) {
    const auto player = lost.add_player("p" + std::to_string(i), static_cast<char>('0' + i));
    lost.add_room("r" + std::to_string(i), player, player);
  }
  Server b("b:1");
  Server c("c:1");
  lost.lose();
  std::vector<std::uint64_t> found;
  std::mutex mutex;
  const auto take = [&](Server& server) {
    for (int quiet = 0; quiet < 20;) {
      try {
        server.take_over();
        const Saved part = server.adopt(3);
        const std::lock_guard lock(mutex);
        quiet = part.rooms_size() == 0 ? quiet + 1 : 0;
        for (const SavedRoom& room : part.rooms()) {
          EXPECT_EQ(part.players_size(), part.rooms_size());
          found.push_back(room.room().serial());
        }
      } catch (const std::runtime_error&) {  // two have taken the same at once: try again
      }
    }
  };
  std::thread first([&] { take(b); });
  std::thread second([&] { take(c); });
  first.join();
  second.join();
  EXPECT_THAT(found, SizeIs(rooms));
  EXPECT_THAT(std::set(found.begin(), found.end()), SizeIs(rooms));
}

/// Those that this process has open.
std::set<int> sockets() {
  std::set<int> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (std::filesystem::is_socket(entry.status(gone))) {
      found.insert(std::stoi(entry.path().filename()));
    }
  }
  return found;
}

/// A store that loses its connection while PostgreSQL commits what it adopts.
class LostAdoption {
 public:
  LostAdoption() {
    const std::set<int> others = sockets();
    store_ = open_postgres_store();
    for (const int socket : sockets()) {
      if (!others.contains(socket)) socket_ = socket;
    }
    postgres().sql(
        "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$; "
        "CREATE CONSTRAINT TRIGGER rooms AFTER UPDATE ON rooms DEFERRABLE INITIALLY DEFERRED "
        "FOR EACH ROW EXECUTE FUNCTION wait(); "
        "CREATE CONSTRAINT TRIGGER players AFTER UPDATE ON players DEFERRABLE INITIALLY DEFERRED "
        "FOR EACH ROW EXECUTE FUNCTION wait()");
    holder_.ensure();
    holder_.run("BEGIN");
    holder_.number_of("SELECT 1 FROM pg_advisory_xact_lock(1)");
  }
  /// What the store says of the adoption when the commit has ended, some time after it has asked.
  Saved adopt(StreamId stream) {
    auto lost = adopt_later(stream);
    postgres().wait_until(waits("advisory"));
    shutdown(socket_, SHUT_RDWR);
    EXPECT_FALSE(lost.get());
    auto again = adopt_later(stream);
    while (postgres().sql(waits("transactionid")) == "f" &&
           again.wait_for(5ms) == std::future_status::timeout) {
    }
    holder_.run("COMMIT");
    return value(again.get());
  }

 private:
  static std::string waits(const std::string& event) {
    return "SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = '" + event + "'";
  }
  std::future<Result<Saved>> adopt_later(StreamId stream) {
    return std::async(std::launch::async, [this, stream] { return store_->adopt(stream, 10); });
  }

  std::unique_ptr<PostgresStore> store_;
  int socket_ = -1;
  PostgresDatabase holder_{postgres().url(), max_patience};
};

TEST_F(SharedStores, return_rooms_whose_adoption_was_committed_after_its_connection_was_lost) {
  Server a("a:1");
  Server b("b:1");
  const auto ann = a.add_player("ann", 'a');
  const auto den = a.add_room("den", ann, ann);
  a.lose();
  b.take_over();
  const Saved adopted = LostAdoption().adopt(b.stream());
  ASSERT_EQ(adopted.rooms_size(), 1);
  EXPECT_EQ(adopted.rooms(0).room().serial(), den);
  EXPECT_EQ(adopted.players_size(), 1);
}

TEST_F(SharedStores, return_players_whose_adoption_was_committed_after_its_connection_was_lost) {
  Server a("a:1");
  Server b("b:1");
  const auto ann = a.add_player("ann", 'a');
  a.lose();
  b.take_over();
  const Saved adopted = LostAdoption().adopt(b.stream());
  ASSERT_EQ(adopted.players_size(), 1);
  EXPECT_EQ(adopted.players(0).id(), ann);
}

// A commit changes rooms in any order. If the two waited for each other, the database would end one
// of them after a second.
TEST_F(SharedStores, publish_rooms_without_a_lock_that_a_commit_has) {
  Server a("a:1");
  const auto ann = a.add_player("ann", 'a');
  const auto first = a.add_room("first", ann, ann);
  PostgresDatabase committing(postgres().url());
  committing.run("BEGIN");
  committing.run("UPDATE rooms SET ply = 1 WHERE serial = ?1", first);
  const std::array shown{PublishedRoom{"first", "1", 0}};
  EXPECT_FALSE(a.membership().publish(a.stream(), shown));
  committing.run("COMMIT");
  EXPECT_EQ(postgres().sql("SELECT count(*) FROM listed_rooms"), "1");
}

TEST_F(SharedStores, take_over_from_a_server_that_was_alone) {
  {
    BasicTestStore<PostgresStore> alone(PostgresStore::open(postgres().url(), {}));
    Record room = room_record(7, "den");
    room.mutable_room()->mutable_x()->set_kind(v1::Occupant::KIND_PERSON);
    room.mutable_room()->mutable_x()->set_player(3);
    ASSERT_FALSE(alone.append({player_record(3, "ann"), room}));
  }
  Server b("b:1");
  b.take_over();
  const Saved adopted = b.adopt_all(10);
  ASSERT_EQ(adopted.rooms_size(), 1);
  ASSERT_EQ(adopted.players_size(), 1);
  EXPECT_EQ(value(b.names().find_player(adopted.players(0).token_hash())).where.place, Place::here);
  EXPECT_EQ(value(b.names().find_room("den")).place, Place::here);
  EXPECT_FALSE(value(b.names().claim_player(keyed("ANN"), hash_of('x'))));
  EXPECT_GT(b.add_player("ben", 'b'), 3u);
  EXPECT_GT(b.add_room("hall", 3, 3), 7u);
}

TEST_F(SharedStores, keep_a_server_out_that_wants_to_be_alone) {
  const auto sharing = open_postgres_store();
  const auto also_sharing = open_postgres_store();
  const auto alone = open_postgres_store();
  EXPECT_FALSE(sharing->share());
  EXPECT_FALSE(also_sharing->share());
  EXPECT_TRUE(alone->claim());
}

}  // namespace
}  // namespace tictactoe::records::store_shared_tests
