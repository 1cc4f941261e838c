// Copies of whole stores, between SQLite and PostgreSQL.
#include "server/journal/copy.hpp"

#include <gmock/gmock.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/journal/open.hpp"
#include "server/journal/unused.hpp"
#include "server/records/postgres/store.hpp"
#include "server/records/sqlite/store.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/temporary_postgres.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::records::store_copy_tests {
namespace {

using namespace test;
using testing::HasSubstr;

constexpr ReaderNumber reader = 77;

std::string digits(std::uint64_t number) {
  return std::to_string(number);
}

class Copies : public testing::Test {
 protected:
  Copies() { postgres().clear(); }

  std::string folder(const std::string& name) const { return folder_ / name; }
  /// Opens what is there as a server does.
  std::unique_ptr<AnyTestStore> open(const std::string& place) const {
    if (is_postgres_url(place)) {
      return std::make_unique<AnyTestStore>(as_any(PostgresStore::open(place, {})));
    }
    std::filesystem::create_directories(place);
    return std::make_unique<AnyTestStore>(as_any(SqliteStore::open(place + "/journal.db")));
  }

  /// Everything that a store can have, and returns what a server restores from it.
  Saved record(const std::string& place) const {
    const auto store = open(place);
    RandomRecords records(5);
    for (int event = 0; event < 300; ++event) {
      std::vector<Record> batch;
      for (int i = 0; i < 20; ++i) batch.push_back(records.next());
      if (event % 10 == 0) batch.push_back(private_game());
      EXPECT_FALSE(store->append(batch));
    }
    Record many = player_record(1'000'000, "Zo\u00eb \\ \"{NULL},");
    many.mutable_player()->set_token_hash(std::string(32, '\xfe'));
    many.set_requester(1'000'000);
    many.set_request_done(12);
    EXPECT_FALSE(store->append({many}));
    Record closed = closed_record(1);
    closed.set_closed_revision(2'000'000'000'000);
    EXPECT_FALSE(store->append({closed}));
    // The latest id is not given again, though the game is gone.
    EXPECT_FALSE(store->append({game_record("last", "one")}));
    EXPECT_FALSE(store->get().finish());
    return store->saved();
  }
  static Record private_game() {
    Record record = game_record("ann", "eve");
    record.mutable_readers()->set_x(reader);
    return record;
  }

  /// All games that may be read, whole, latest first.
  static std::vector<std::string> games(AnyTestStore& store) {
    std::vector<std::string> all;
    std::uint64_t before = 0;
    for (;;) {
      const v1::GameList page = store.list_games(before, "", 50, reader);
      for (const v1::GameRecord& game : page.games()) {
        all.push_back(store.game(game.id(), reader)->SerializeAsString());
        before = game.id();
      }
      if (!page.more()) return all;
    }
  }
  static Result<Copied> copy(const std::string& from, const std::string& to) {
    return copy_store(from, to, [](const Copied&, bool) {});
  }
  static std::string refusal(const std::string& from, const std::string& to) {
    const auto copied = copy(from, to);
    return copied ? "" : copied.error().reason;
  }
  TemporaryFolder folder_;
};

TEST_F(Copies, there_and_back_have_the_same_content) {
  const Saved saved = record(folder("first"));
  ASSERT_GT(saved.rooms_size(), 20);
  ASSERT_GT(saved.players_size(), 20);
  const auto there = copy(folder("first"), postgres().url());
  ASSERT_TRUE(there) << there.error().reason;
  EXPECT_EQ(digits(there->games), postgres().sql("SELECT count(*) FROM games"));
  const auto back = copy(postgres().url(), folder("second"));
  ASSERT_TRUE(back) << back.error().reason;
  EXPECT_EQ(there->digest, back->digest);

  // What servers see, which the copy does not look at.
  const auto first = open(folder("first"));
  const auto second = open(postgres().url());
  const auto third = open(folder("second"));
  EXPECT_EQ(first->get().server_id(), second->get().server_id());
  EXPECT_EQ(first->get().server_id(), third->get().server_id());
  EXPECT_TRUE(same(saved, second->saved()));
  EXPECT_TRUE(same(saved, third->saved()));
  const std::vector<std::string> all = games(*first);
  ASSERT_GT(all.size(), 100u);
  EXPECT_EQ(all, games(*second));
  EXPECT_EQ(all, games(*third));
  EXPECT_EQ(second->list_games(0, "eve", 100, reader).games_size(), 30);
  EXPECT_EQ(second->list_games(0, "eve", 100, 0).games_size(), 0);
  EXPECT_EQ(third->list_games(0, "eve", 100, reader).games_size(), 30);
  // All go on, with the same next id.
  std::uint64_t last = 0;
  for (AnyTestStore* store : {first.get(), second.get(), third.get()}) {
    EXPECT_FALSE(store->append({game_record("new", "one")}));
    EXPECT_FALSE(store->get().finish());
    const std::uint64_t id = store->list_games(0, "", 1).games(0).id();
    if (last == 0) last = id;
    EXPECT_EQ(id, last);
  }
}

TEST_F(Copies, do_not_give_the_ids_of_deleted_games_again) {
  {
    const auto store = open(folder("first"));
    ASSERT_FALSE(store->append({game_record("ann", "ben"), game_record("ann", "ben")}));
    ASSERT_FALSE(store->get().finish());
    ASSERT_TRUE(store->get().delete_games_before(~std::uint64_t{0} >> 1U));
  }
  ASSERT_TRUE(copy(folder("first"), postgres().url()));
  ASSERT_TRUE(copy(postgres().url(), folder("second")));
  for (const std::string& place : {postgres().url(), folder("second")}) {
    const auto store = open(place);
    ASSERT_FALSE(store->append({game_record("ann", "ben")}));
    ASSERT_FALSE(store->get().finish());
    EXPECT_EQ(store->list_games(0, "", 10).games(0).id(), 3u);
  }
}

TEST_F(Copies, of_nothing_are_empty) {
  open(folder("first"));
  const auto copied = copy(folder("first"), postgres().url());
  ASSERT_TRUE(copied) << copied.error().reason;
  EXPECT_EQ(copied->players + copied->rooms + copied->games, 0u);
  EXPECT_TRUE(copy(postgres().url(), folder("second")));
}

TEST_F(Copies, need_an_empty_target) {
  record(folder("first"));
  ASSERT_FALSE(open(postgres().url())->append({player_record(1, "ann")}));
  EXPECT_THAT(refusal(folder("first"), postgres().url()), HasSubstr("already contains records"));
  EXPECT_THAT(refusal(postgres().url(), folder("first")), HasSubstr("already contains records"));
  EXPECT_THAT(refusal(folder("first"), folder("first")), HasSubstr("Another server keeps"));
}

TEST_F(Copies, need_a_source) {
  EXPECT_EQ(refusal(folder("none"), postgres().url()),
            "There is no journal in " + folder("none") + ".");
  EXPECT_FALSE(std::filesystem::exists(folder("none")));
}

TEST_F(Copies, are_refused_while_a_server_uses_the_store) {
  record(folder("first"));
  const auto server = open_postgres(postgres().url(), 20);
  ASSERT_TRUE(server);
  EXPECT_THAT(refusal(folder("first"), postgres().url()), HasSubstr("another server uses it"));
  EXPECT_THAT(refusal(postgres().url(), folder("second")), HasSubstr("another server uses it"));
}

TEST_F(Copies, leave_another_schema_version_as_it_is) {
  record(folder("first"));
  open(postgres().url());
  postgres().sql("UPDATE schema_version SET version = 99");
  EXPECT_THAT(refusal(folder("first"), postgres().url()), HasSubstr("schema version 99"));
  EXPECT_THAT(refusal(postgres().url(), folder("second")), HasSubstr("schema version 99"));
  EXPECT_EQ(postgres().sql("SELECT count(*) FROM players"), "0");
  EXPECT_EQ(postgres().sql("SELECT version FROM schema_version"), "99");
}

TEST_F(Copies, that_fail_leave_the_target_empty) {
  record(folder("first"));
  open(postgres().url());
  postgres().sql(
      "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
      "RAISE 'no space'; END $$; CREATE TRIGGER fail BEFORE INSERT ON bans "
      "FOR EACH ROW EXECUTE FUNCTION fail()");
  EXPECT_THAT(refusal(folder("first"), postgres().url()), HasSubstr("no space"));
  EXPECT_EQ(postgres().sql("SELECT count(*) FROM games"), "0");
  postgres().sql("DROP TRIGGER fail ON bans");
  EXPECT_EQ(refusal(folder("first"), postgres().url()), "");
}

TEST_F(Copies, that_the_target_changes_are_found) {
  record(folder("first"));
  open(postgres().url());
  postgres().sql(
      "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
      "IF NEW.id = 40 THEN NEW.kept_unix_ms = 5; END IF; RETURN NEW; END $$; "
      "CREATE TRIGGER spoil BEFORE INSERT ON games FOR EACH ROW EXECUTE FUNCTION spoil()");
  EXPECT_THAT(refusal(folder("first"), postgres().url()), HasSubstr("differs from"));
}

TEST_F(Copies, join_the_rooms_of_several_servers) {
  {
    const auto store = open(postgres().url());
    ASSERT_FALSE(store->append({player_record(1, "ann"), room_record(7, "den")}));
    ASSERT_FALSE(store->get().finish());
    postgres().sql("UPDATE players SET stream = 5; UPDATE rooms SET stream = 9");
    // A claim of a name of which nothing was recorded.
    postgres().sql("INSERT INTO rooms(serial, stream, name) VALUES (8, 5, 'pit')");
    ASSERT_FALSE(store->append({player_record(2, "ben"), room_record(6, "hall")}));
  }
  const auto copied = copy(postgres().url(), folder("second"));
  ASSERT_TRUE(copied) << copied.error().reason;
  const Saved saved = open(folder("second"))->saved();
  ASSERT_EQ(saved.rooms_size(), 2);
  EXPECT_EQ(saved.rooms(1).room().name(), "den");
  EXPECT_EQ(saved.players_size(), 2);
}

}  // namespace
}  // namespace tictactoe::records::store_copy_tests
