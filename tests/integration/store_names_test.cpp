// Names and accounts of servers that share a PostgreSQL database.
#include <gmock/gmock.h>

#include <string>

#include "server/records/postgres/accounts.hpp"
#include "tests/support/postgres_sessions.hpp"

namespace tictactoe::records::store_names_tests {
namespace {

using namespace test;
using Place = Whereabouts::Place;

using Server = BasicServer<PostgresSessions>;

class SharedNamesInPostgres : public testing::Test {
  EmptyPostgres store_;
};

// Accounts ----------------------------------------------------------------------------------------

TEST_F(SharedNamesInPostgres, find_the_player_of_an_account_at_any_server) {
  Server a("a:1");
  Server b("b:1");
  EXPECT_EQ(value(b.names().find_named(keyed("ann"))).where.place, Place::unknown);
  const auto ann = value(a.names().claim_account(keyed("ann"), hash_of('a'), 0));
  ASSERT_TRUE(ann);
  EXPECT_FALSE(value(b.names().claim_account(keyed("ann"), hash_of('b'), 0)));
  const FoundPlayer found = value(b.names().find_named(keyed("ann")));
  EXPECT_EQ(found.id, *ann);
  EXPECT_EQ(found.where.place, Place::elsewhere);
  EXPECT_EQ(found.where.stream, a.stream());
  EXPECT_EQ(value(a.names().find_named(keyed("ann"))).where.place, Place::here);
}

TEST_F(SharedNamesInPostgres, give_the_name_of_an_account_that_a_look_alike_had) {
  Server a("a:1");
  Server b("b:1");
  const auto other = a.add_player("ANN", 'a');
  EXPECT_FALSE(value(a.names().claim_account(keyed("ann"), hash_of('b'), 0)));
  const auto ann = value(a.names().claim_account(keyed("ann"), hash_of('b'), other));
  ASSERT_TRUE(ann);
  EXPECT_EQ(value(b.names().find_named(keyed("ann"))).id, *ann);
  // The other one plays on, and its end takes nothing from the account.
  EXPECT_EQ(value(b.names().find_player(hash_of('a'))).id, other);
  ASSERT_TRUE(a.append({forgotten_record(other)}));
  EXPECT_EQ(value(b.names().find_named(keyed("ann"))).id, *ann);
}

TEST_F(SharedNamesInPostgres, find_a_player_by_a_new_token_from_its_commit_on) {
  Server a("a:1");
  Server b("b:1");
  const auto ann = a.add_player("ann", 'a');
  Record renewed = player_record(ann, "ann");
  renewed.mutable_player()->set_token_hash(hash_of('n'));
  renewed.set_has_new_token(true);
  ASSERT_TRUE(a.append({renewed}));
  EXPECT_EQ(value(b.names().find_player(hash_of('n'))).id, ann);
  EXPECT_EQ(value(b.names().find_player(hash_of('a'))).where.place, Place::unknown);
  a.lose();
  b.take_over();
  const Saved adopted = b.adopt_all(10);
  ASSERT_EQ(adopted.players_size(), 1);
  EXPECT_EQ(adopted.players(0).token_hash(), hash_of('n'));
  // A server that is fenced changes no token.
  renewed.mutable_player()->set_token_hash(hash_of('x'));
  EXPECT_FALSE(a.append({renewed}));
  EXPECT_EQ(value(b.names().find_player(hash_of('n'))).id, ann);
}

TEST_F(SharedNamesInPostgres, keep_accounts_and_tell_when_they_have_changed) {
  const auto accounts = value(PostgresAccounts::open(postgres().url()));
  const auto other = value(PostgresAccounts::open(postgres().url()));
  const auto none = value(accounts->read(""));
  ASSERT_TRUE(none);
  EXPECT_FALSE(value(accounts->read(none->version)));
  const auto add = [](const std::string& name) {
    return [name](journal::v1::Accounts& all) {
      all.add_accounts()->set_name(name);
      return true;
    };
  };
  EXPECT_TRUE(value(other->change(add("ben"))));
  EXPECT_TRUE(value(accounts->change(add("ann"))));
  EXPECT_FALSE(value(other->change([](journal::v1::Accounts& all) {
    all.Clear();
    return false;
  })));
  const auto two = value(accounts->read(none->version));
  ASSERT_TRUE(two);
  ASSERT_EQ(two->accounts.accounts_size(), 2);
  EXPECT_EQ(two->accounts.accounts(0).name(), "ann");
  EXPECT_TRUE(value(other->change([](journal::v1::Accounts& all) {
    all.mutable_accounts()->RemoveLast();
    all.mutable_accounts(0)->set_id("new");
    return true;
  })));
  const auto one = value(accounts->read(two->version));
  ASSERT_TRUE(one);
  ASSERT_EQ(one->accounts.accounts_size(), 1);
  EXPECT_EQ(one->accounts.accounts(0).id(), "new");
}

// Names -------------------------------------------------------------------------------------------

// Each hello of an unknown token asks.
TEST_F(SharedNamesInPostgres, are_found_without_reading_whole_tables) {
  Server other("a:1");
  const std::string stream = std::to_string(other.stream());
  postgres().sql(
      "INSERT INTO players(id, name, token_hash, played, stream) SELECT n, 'p' || n, "
      "decode(md5('p' || n), 'hex'), true, " +
      stream +
      " FROM generate_series(1000001, 1010000) AS n; "
      "INSERT INTO player_names SELECT decode(md5('p' || id), 'hex'), id FROM players; "
      "INSERT INTO rooms(serial, name, game, creator, stream) SELECT n, 'r' || n, 1, n, " +
      stream +
      " FROM generate_series(1000001, 1010000) AS n; "
      "INSERT INTO room_names SELECT decode(md5('r' || serial), 'hex'), serial FROM rooms");
  postgres().sql("VACUUM ANALYZE");
  const std::string rows_read =
      "SELECT sum(seq_tup_read) FROM pg_stat_user_tables "
      "WHERE relname IN ('players', 'rooms', 'player_names', 'room_names')";
  Server asking("b:1");
  const std::string sessions = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'tictactoe'";
  const std::string idle = postgres().sql(sessions);
  const std::string before = postgres().sql(rows_read);
  {
    const auto names = PostgresSessions::make_names(asking.stream(), 1);
    // A statement may get another plan when it has run some times.
    for (int times = 0; times < 8; ++times) {
      EXPECT_EQ(value(names->find_player(hash_of('a'))).where.place, Place::unknown);
      EXPECT_EQ(value(names->find_named(keyed("ann"))).where.place, Place::unknown);
      EXPECT_EQ(value(names->find_room("den")).place, Place::unknown);
      const auto ann = value(names->claim_player(keyed("ann"), hash_of('a')));
      ASSERT_TRUE(ann);
      EXPECT_FALSE(value(names->claim_account(keyed("ann"), hash_of('b'), 0)));
      const ClaimedRoom den = value(names->claim_room(keyed("den"), *ann, 3));
      EXPECT_EQ(den.outcome, ClaimedRoom::Outcome::claimed);
      value(names->check_room(keyed("den"), *ann, 3, den.serial));
      require(names->drop_room(den.serial));
      require(names->drop_player(*ann));
    }
  }
  // The end of a session adds up what it has read.
  postgres().wait_until(sessions.substr(0, 15) + " = " + idle + sessions.substr(15));
  EXPECT_EQ(postgres().sql(rows_read), before);
}

TEST_F(SharedNamesInPostgres, keep_nothing_of_what_has_ended) {
  Server a("a:1");
  const auto ann = a.add_player("ann", 'a');
  const auto den = a.add_room("den", ann, ann);
  ASSERT_TRUE(a.append({closed_record(den), forgotten_record(ann)}));
  EXPECT_EQ(postgres().sql("SELECT count(*) FROM players"), "0");
  EXPECT_EQ(postgres().sql("SELECT count(*) FROM rooms"), "0");
}

// A client that tries again after a fault must not be told that its own name is taken.
TEST_F(SharedNamesInPostgres, have_a_name_again_of_which_a_claim_or_the_end_of_one_has_failed) {
  Server a("a:1");
  postgres().sql("ALTER TABLE streams RENAME COLUMN last_revision TO hidden");
  EXPECT_FALSE(a.names().claim_room(keyed("den"), 1, 1));
  postgres().sql("ALTER TABLE streams RENAME COLUMN hidden TO last_revision");
  EXPECT_EQ(postgres().sql("SELECT count(*) FROM rooms"), "1");
  const ClaimedRoom den = value(a.names().claim_room(keyed("den"), 1, 1));
  EXPECT_EQ(den.outcome, ClaimedRoom::Outcome::claimed);
  const auto ann = value(a.names().claim_player(keyed("ann"), hash_of('a')));
  ASSERT_TRUE(ann);
  postgres().sql(
      "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$; "
      "CREATE TRIGGER fail BEFORE DELETE ON rooms EXECUTE FUNCTION fail(); "
      "CREATE TRIGGER fail BEFORE DELETE ON players EXECUTE FUNCTION fail()");
  EXPECT_TRUE(a.names().drop_room(den.serial));
  EXPECT_TRUE(a.names().drop_player(*ann));
  postgres().sql("DROP TRIGGER fail ON rooms; DROP TRIGGER fail ON players");
  EXPECT_TRUE(value(a.names().claim_player(keyed("ann"), hash_of('b'))));
  // Once: what is recorded under the name stays.
  const auto again = a.add_room("den", 1, 1);
  ASSERT_NE(again, 0u);
  EXPECT_EQ(value(a.names().claim_room(keyed("den"), 1, 10)).outcome, ClaimedRoom::Outcome::taken);
  EXPECT_EQ(postgres().sql("SELECT count(*) FROM rooms"), "1");
}

}  // namespace
}  // namespace tictactoe::records::store_names_tests
