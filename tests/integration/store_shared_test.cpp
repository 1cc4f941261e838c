// Servers that share a PostgreSQL database: who is there, who has what, and what becomes of it if a
// server is lost.
#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <set>
#include <thread>

#include "tests/support/sharing_server.hpp"

namespace tictactoe::store {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Place = Whereabouts::Place;

class SharedStores : public testing::Test {
 protected:
  SharedStores() { postgres().clear(); }
};

// Members -----------------------------------------------------------------------------------------

TEST_F(SharedStores, know_the_servers_that_use_them) {
  Server a("a:1");
  Server b("b:1");
  EXPECT_NE(a.stream(), b.stream());
  const auto members = value(a.membership().members());
  ASSERT_THAT(members, SizeIs(2));
  EXPECT_EQ(members[0].address, "a:1");
  EXPECT_EQ(members[1].address, "b:1");
  require(b.membership().leave(b.stream()));
  EXPECT_THAT(value(a.membership().members()), SizeIs(1));
  EXPECT_FALSE(b.renew());
  EXPECT_FALSE(b.append({chat_record(1, "hi")}));
}

TEST_F(SharedStores, leave_a_server_alone_while_its_lease_runs) {
  Server a("a:1");
  Server b("b:1");
  b.take_over();
  EXPECT_TRUE(a.renew());
  EXPECT_TRUE(a.append({chat_record(1, "hi")}));
  EXPECT_THAT(b.adopt().rooms(), IsEmpty());
}

TEST_F(SharedStores, give_what_a_lost_server_had_to_another_with_all_that_it_has_recorded) {
  Server a("a:1");
  Server b("b:1");
  const auto ann = a.add_player("ann", 'a');
  const auto ben = a.add_player("ben", 'b');
  const auto idle = a.add_player("idle", 'i');
  const auto den = a.add_room("den", ann, ben);
  ASSERT_TRUE(a.append({move_record(den, 1, 4)}));
  a.lose();
  b.take_over();
  EXPECT_FALSE(a.append({move_record(den, 2, 5)}));
  EXPECT_FALSE(a.renew());
  EXPECT_FALSE(a.names().claim_player(keyed("late"), hash_of('l')));
  EXPECT_FALSE(a.names().claim_room(keyed("late"), ann, 10));
  const Saved first = b.adopt();
  ASSERT_EQ(first.rooms_size(), 1);
  EXPECT_EQ(first.rooms(0).moves_size(), 1);
  ASSERT_EQ(first.players_size(), 2);
  EXPECT_EQ(first.players(0).id(), ann);
  EXPECT_EQ(first.players(1).id(), ben);
  const Saved second = b.adopt();
  ASSERT_EQ(second.players_size(), 1);
  EXPECT_EQ(second.players(0).id(), idle);
  EXPECT_THAT(b.adopt().players(), IsEmpty());
  EXPECT_EQ(value(b.names().find_player(hash_of('a'))).where.place, Place::here);
  EXPECT_TRUE(b.append({move_record(den, 2, 5)}));
  EXPECT_EQ(value(b.store().load(b.stream())).saved.rooms(0).moves_size(), 2);
}

// A commit that has begun decides first; the takeover sees what it has written.
TEST_F(SharedStores, wait_with_a_takeover_for_a_commit_that_is_under_way) {
  Server a("a:1");
  Server b("b:1");
  const auto ann = a.add_player("ann", 'a');
  const auto den = a.add_room("den", ann, ann);
  postgres().sql(
      "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
      "PERFORM pg_sleep(0.3); RETURN NULL; END $$; "
      "CREATE TRIGGER slow AFTER INSERT ON uncompacted EXECUTE FUNCTION slow()");
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

// Names -------------------------------------------------------------------------------------------

TEST_F(SharedStores, let_a_name_be_claimed_once) {
  Server a("a:1");
  Server b("b:1");
  const auto ann = a.add_player("ann", 'a');
  ASSERT_NE(ann, 0u);
  EXPECT_FALSE(value(b.names().claim_player(keyed("Ann"), hash_of('b'))));
  const auto den = a.add_room("den", ann, ann);
  ASSERT_NE(den, 0u);
  EXPECT_EQ(value(b.names().claim_room(keyed("DEN"), 99, 10)).outcome, ClaimedRoom::Outcome::taken);
  ASSERT_TRUE(a.append({closed_record(den), forgotten_record(ann)}));
  require(a.store().finish());
  EXPECT_TRUE(value(b.names().claim_player(keyed("Ann"), hash_of('b'))));
  EXPECT_EQ(value(b.names().claim_room(keyed("DEN"), 99, 10)).outcome,
            ClaimedRoom::Outcome::claimed);
}

TEST_F(SharedStores, limit_the_rooms_of_a_player_on_all_servers_together) {
  Server a("a:1");
  Server b("b:1");
  EXPECT_EQ(value(a.names().claim_room(keyed("one"), 5, 2)).outcome, ClaimedRoom::Outcome::claimed);
  EXPECT_EQ(value(b.names().claim_room(keyed("two"), 5, 2)).outcome, ClaimedRoom::Outcome::claimed);
  EXPECT_EQ(value(a.names().claim_room(keyed("three"), 5, 2)).outcome,
            ClaimedRoom::Outcome::too_many);
}

TEST_F(SharedStores, begin_a_room_after_every_revision_of_a_former_one) {
  Server a("a:1");
  Server b("b:1");
  const ClaimedRoom former = value(a.names().claim_room(keyed("den"), 1, 10));
  Record closed = closed_record(former.serial);
  closed.set_closed_revision(500);
  ASSERT_TRUE(a.append({room_record(former.serial, "den"), closed}));
  require(a.store().finish());
  EXPECT_GT(value(b.names().claim_room(keyed("den"), 1, 10)).revision, 500u);
}

TEST_F(SharedStores, drop_claims_that_were_never_recorded) {
  Server a("a:1");
  Server b("b:1");
  const auto dropped = value(a.names().claim_player(keyed("ann"), hash_of('a')));
  ASSERT_TRUE(dropped);
  require(a.names().drop_player(*dropped));
  const auto leaked = value(a.names().claim_player(keyed("ann"), hash_of('a')));
  ASSERT_TRUE(leaked);
  ASSERT_EQ(value(a.names().claim_room(keyed("den"), 1, 10)).outcome,
            ClaimedRoom::Outcome::claimed);
  a.lose();
  b.take_over();
  EXPECT_THAT(b.adopt().players(), IsEmpty());
  EXPECT_TRUE(value(b.names().claim_player(keyed("ann"), hash_of('b'))));
  EXPECT_EQ(value(b.names().claim_room(keyed("den"), 1, 10)).outcome,
            ClaimedRoom::Outcome::claimed);
}

TEST_F(SharedStores, tell_where_players_and_rooms_are) {
  Server a("a:1");
  Server b("b:1");
  const auto ann = a.add_player("ann", 'a');
  a.add_room("den", ann, ann);
  EXPECT_EQ(value(a.names().find_player(hash_of('a'))).where.place, Place::here);
  EXPECT_EQ(value(a.names().find_room("den")).place, Place::here);
  const FoundPlayer found = value(b.names().find_player(hash_of('a')));
  EXPECT_EQ(found.where.place, Place::elsewhere);
  EXPECT_EQ(found.where.stream, a.stream());
  EXPECT_EQ(found.id, ann);
  EXPECT_EQ(value(b.names().find_room("den")).place, Place::elsewhere);
  EXPECT_EQ(value(b.names().find_player(hash_of('z'))).where.place, Place::unknown);
  EXPECT_EQ(value(b.names().find_room("hall")).place, Place::unknown);
  a.lose();
  b.take_over();
  EXPECT_EQ(value(b.names().find_player(hash_of('a'))).where.place, Place::nobodys);
  EXPECT_EQ(value(b.names().find_room("den")).place, Place::nobodys);
}

TEST_F(SharedStores, let_a_player_move_with_the_latest_state_before_any_compaction) {
  Server a("a:1");
  Server b("b:1");
  const auto ann = a.add_player("ann", 'a');
  Record moved;
  moved.mutable_player_moved()->set_stream(b.stream());
  journal::v1::Player& player = *moved.mutable_player_moved()->mutable_player();
  player = player_record(ann, "ann").player();
  player.set_token_hash(hash_of('a'));
  player.set_last_request_done(41);
  ASSERT_TRUE(a.append({moved}));
  const FoundPlayer found = value(b.names().find_player(hash_of('a')));
  EXPECT_EQ(found.where.place, Place::here);
  ASSERT_TRUE(found.arrived);
  EXPECT_EQ(found.arrived->last_request_done(), 41u);
  EXPECT_EQ(value(a.names().find_player(hash_of('a'))).where.stream, b.stream());
  // Given out once.
  EXPECT_FALSE(value(b.names().find_player(hash_of('a'))).arrived);
  // Older records of the first server change nothing any more.
  require(a.store().finish());
  b.lose();
  a.take_over();
  const Saved adopted = a.adopt_all(10);
  ASSERT_EQ(adopted.players_size(), 1);
  EXPECT_EQ(adopted.players(0).last_request_done(), 41u);
}

// Found by ./run cluster: the player's first record was not compacted yet.
TEST_F(SharedStores, keep_a_player_who_was_sent_to_a_server_that_is_lost) {
  Server a("a:1");
  Server b("b:1");
  const auto ann = a.add_player("ann", 'a');
  Record moved;
  moved.mutable_player_moved()->set_stream(b.stream());
  journal::v1::Player& player = *moved.mutable_player_moved()->mutable_player();
  player = player_record(ann, "ann").player();
  player.set_token_hash(hash_of('a'));
  player.set_last_request_done(41);
  ASSERT_TRUE(a.append({moved}));
  b.lose();
  a.take_over();
  const Saved adopted = a.adopt_all(10);
  ASSERT_EQ(adopted.players_size(), 1);
  EXPECT_EQ(adopted.players(0).name(), "ann");
  EXPECT_EQ(adopted.players(0).last_request_done(), 41u);
  EXPECT_EQ(value(a.names().find_player(hash_of('a'))).where.place, Place::here);
  EXPECT_FALSE(value(a.names().claim_player(keyed("ann"), hash_of('z'))));
  // Records that are older than that change nothing any more.
  require(a.store().finish());
  const Saved compacted = value(a.store().load(a.stream())).saved;
  ASSERT_EQ(compacted.players_size(), 1);
  EXPECT_EQ(compacted.players(0).last_request_done(), 41u);
}

// Bans --------------------------------------------------------------------------------------------

Record banned(const std::string& name, std::uint64_t until = 0) {
  Record record;
  record.mutable_banned()->mutable_subject()->set_player(name);
  record.mutable_banned()->set_until_unix_ms(until);
  return record;
}

Record unbanned(const std::string& name) {
  Record record;
  record.mutable_unbanned()->set_player(name);
  return record;
}

std::vector<std::string> names_of(const Saved& saved) {
  std::vector<std::string> names;
  for (const journal::v1::Ban& ban : saved.bans()) names.push_back(ban.subject().player());
  return names;
}

TEST_F(SharedStores, have_their_bans_in_common_before_any_compaction) {
  Server a("a:1");
  Server b("b:1");
  const auto none = value(b.membership().bans(""));
  ASSERT_TRUE(none);
  EXPECT_THAT(names_of(none->saved), IsEmpty());
  EXPECT_FALSE(value(b.membership().bans(none->version)));
  ASSERT_TRUE(a.append({banned("ann"), banned("ben"), unbanned("ben"), banned("cid")}));
  const auto two = value(b.membership().bans(none->version));
  ASSERT_TRUE(two);
  EXPECT_THAT(names_of(two->saved), ElementsAre("ann", "cid"));
  EXPECT_FALSE(value(a.membership().bans(two->version)));
  // Another end is a change.
  ASSERT_TRUE(b.append({banned("ann", 7)}));
  const auto changed = value(a.membership().bans(two->version));
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->saved.bans(0).until_unix_ms(), 7u);
}

TEST_F(SharedStores, never_return_to_an_older_ban_by_a_compaction) {
  Server a("a:1");
  Server b("b:1");
  ASSERT_TRUE(a.append({banned("ann"), banned("ben", 5), unbanned("cid")}));
  ASSERT_TRUE(b.append({unbanned("ann"), banned("ben", 9), banned("cid")}));
  require(a.store().finish());
  const auto bans = value(b.membership().bans(""));
  ASSERT_TRUE(bans);
  EXPECT_THAT(names_of(bans->saved), ElementsAre("ben", "cid"));
  EXPECT_EQ(bans->saved.bans(0).until_unix_ms(), 9u);
}

TEST_F(SharedStores, take_no_ban_from_a_server_that_is_fenced) {
  Server a("a:1");
  Server b("b:1");
  a.lose();
  b.take_over();
  EXPECT_FALSE(a.append({banned("ann")}));
  EXPECT_THAT(names_of(value(b.membership().bans(""))->saved), IsEmpty());
}

// The list of rooms -------------------------------------------------------------------------------

TEST_F(SharedStores, show_the_rooms_of_others) {
  Server a("a:1");
  Server b("b:1");
  a.add_room("den", 1, 1);
  EXPECT_THAT(value(b.membership().rooms_of_others(b.stream())), IsEmpty());
  const std::array shown{PublishedRoom{"den", "info", 0}};
  require(a.membership().publish(a.stream(), shown));
  const auto rooms = value(b.membership().rooms_of_others(b.stream()));
  ASSERT_THAT(rooms, SizeIs(1));
  EXPECT_EQ(rooms[0].name, "den");
  EXPECT_EQ(rooms[0].info, "info");
  EXPECT_EQ(rooms[0].stream, a.stream());
  EXPECT_THAT(value(a.membership().rooms_of_others(a.stream())), IsEmpty());
  // Only its own server may change it, and takes it out of the list.
  const std::array hidden{PublishedRoom{"den", {}, 0}};
  require(b.membership().publish(b.stream(), hidden));
  EXPECT_THAT(value(b.membership().rooms_of_others(b.stream())), SizeIs(1));
  require(a.membership().publish(a.stream(), hidden));
  EXPECT_THAT(value(b.membership().rooms_of_others(b.stream())), IsEmpty());
}

}  // namespace
}  // namespace tictactoe::store
