// What holds of every store that several servers share: who is there, who has what, and what
// becomes of it if a server is lost.
#pragma once

#include <gmock/gmock.h>

#include <array>

#include "tests/support/sharing_server.hpp"

namespace tictactoe::records {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Place = Whereabouts::Place;

/// `Store` makes an empty store when it is made, and has the type Sessions of BasicServer.
template <class Store>
class StoresOfLobbies : public testing::Test {
  Store store_;
};
TYPED_TEST_SUITE_P(StoresOfLobbies);

// Members -----------------------------------------------------------------------------------------

TYPED_TEST_P(StoresOfLobbies, know_the_servers_that_use_them) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
  Server a("a:1");
  Server b("b:1");
  EXPECT_NE(a.stream(), b.stream());
  const auto members = value(a.membership().members());
  ASSERT_THAT(members, SizeIs(2));
  EXPECT_EQ(members[0].address, "a:1");
  EXPECT_EQ(members[1].address, "b:1");
  EXPECT_EQ(members[1].key, std::string("\xF5\0k", 3));
  require(b.membership().leave(b.stream()));
  EXPECT_THAT(value(a.membership().members()), SizeIs(1));
  EXPECT_FALSE(b.renew());
  EXPECT_FALSE(b.append({chat_record(1, "hi")}));
}

TYPED_TEST_P(StoresOfLobbies, leave_a_server_alone_while_its_lease_runs) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
  Server a("a:1");
  Server b("b:1");
  b.take_over();
  EXPECT_TRUE(a.renew());
  EXPECT_TRUE(a.append({chat_record(1, "hi")}));
  EXPECT_THAT(b.adopt().rooms(), IsEmpty());
}

TYPED_TEST_P(StoresOfLobbies,
             give_what_a_lost_server_had_to_another_with_all_that_it_has_recorded) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
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
  EXPECT_EQ(value(b.store().load(b.stream())).rooms(0).moves_size(), 2);
}

// Names -------------------------------------------------------------------------------------------

TYPED_TEST_P(StoresOfLobbies, let_a_name_be_claimed_once) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
  Server a("a:1");
  Server b("b:1");
  const auto ann = a.add_player("ann", 'a');
  ASSERT_NE(ann, 0u);
  EXPECT_FALSE(value(b.names().claim_player(keyed("Ann"), hash_of('b'))));
  const auto den = a.add_room("den", ann, ann);
  ASSERT_NE(den, 0u);
  EXPECT_EQ(value(b.names().claim_room(keyed("DEN"), 99, 10)).outcome, ClaimedRoom::Outcome::taken);
  ASSERT_TRUE(a.append({closed_record(den), forgotten_record(ann)}));
  EXPECT_TRUE(value(b.names().claim_player(keyed("Ann"), hash_of('b'))));
  EXPECT_EQ(value(b.names().claim_room(keyed("DEN"), 99, 10)).outcome,
            ClaimedRoom::Outcome::claimed);
}

TYPED_TEST_P(StoresOfLobbies, free_a_name_by_the_commit_of_its_end) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
  Server a("a:1");
  Server b("b:1");
  const auto ann = a.add_player("ann", 'a');
  const auto den = a.add_room("den", ann, ann);
  ASSERT_TRUE(a.append({move_record(den, 1, 4)}));
  Record closed = closed_record(den);
  closed.set_closed_revision(500);
  ASSERT_TRUE(a.append({closed, forgotten_record(ann)}));
  EXPECT_EQ(value(a.names().find_player(hash_of('a'))).where.place, Place::unknown);
  EXPECT_EQ(value(b.names().find_player(hash_of('a'))).where.place, Place::unknown);
  EXPECT_EQ(value(a.names().find_room("den")).place, Place::unknown);
  const auto again = b.add_player("ann", 'a');
  ASSERT_NE(again, 0u);
  const ClaimedRoom claimed = value(b.names().claim_room(keyed("den"), ann, 1));
  EXPECT_EQ(claimed.outcome, ClaimedRoom::Outcome::claimed);
  EXPECT_GT(claimed.revision, 500u);
  ASSERT_TRUE(b.append({room_record(claimed.serial, "den", claimed.revision + 1)}));
  EXPECT_EQ(value(a.names().find_player(hash_of('a'))).id, again);
  a.lose();
  b.lose();
  Server c("c:1");
  c.take_over();
  const Saved adopted = c.adopt_all(10);
  ASSERT_EQ(adopted.players_size(), 1);
  EXPECT_EQ(adopted.players(0).id(), again);
  ASSERT_EQ(adopted.rooms_size(), 1);
  EXPECT_EQ(adopted.rooms(0).room().serial(), claimed.serial);
  EXPECT_EQ(value(c.names().find_room("den")).place, Place::here);
}

TYPED_TEST_P(StoresOfLobbies, limit_the_rooms_of_a_player_on_all_servers_together) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
  Server a("a:1");
  Server b("b:1");
  EXPECT_EQ(value(a.names().claim_room(keyed("one"), 5, 2)).outcome, ClaimedRoom::Outcome::claimed);
  EXPECT_EQ(value(b.names().claim_room(keyed("two"), 5, 2)).outcome, ClaimedRoom::Outcome::claimed);
  EXPECT_EQ(value(a.names().claim_room(keyed("three"), 5, 2)).outcome,
            ClaimedRoom::Outcome::too_many);
}

TYPED_TEST_P(StoresOfLobbies, say_what_a_claim_would_give_and_claim_nothing) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
  using Outcome = ClaimedRoom::Outcome;
  Server a("a:1");
  Server b("b:1");
  const std::uint64_t den = value(a.names().claim_room(keyed("den"), 5, 9)).serial;
  const auto check = [&](const char* name, std::size_t most, std::uint64_t without) {
    return value(b.names().check_room(keyed(name), 5, most, without));
  };
  EXPECT_EQ(check("DEN", 9, 0), Outcome::taken);
  EXPECT_EQ(check("DEN", 9, den), Outcome::claimed);
  EXPECT_EQ(check("one", 9, 0), Outcome::claimed);
  EXPECT_EQ(check("one", 1, 0), Outcome::too_many);
  EXPECT_EQ(check("one", 1, den), Outcome::claimed);
  EXPECT_EQ(value(b.names().claim_room(keyed("one"), 6, 1)).outcome, Outcome::claimed);
}

TYPED_TEST_P(StoresOfLobbies, begin_a_room_after_every_revision_of_a_former_one) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
  Server a("a:1");
  Server b("b:1");
  const ClaimedRoom former = value(a.names().claim_room(keyed("den"), 1, 10));
  Record closed = closed_record(former.serial);
  closed.set_closed_revision(500);
  ASSERT_TRUE(a.append({room_record(former.serial, "den"), closed}));
  EXPECT_GT(value(b.names().claim_room(keyed("den"), 1, 10)).revision, 500u);
}

TYPED_TEST_P(StoresOfLobbies, drop_claims_that_were_never_recorded) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
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

TYPED_TEST_P(StoresOfLobbies, tell_where_players_and_rooms_are) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
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
  EXPECT_EQ(value(b.names().find_player(hash_of('a'))).where.place, Place::unowned);
  EXPECT_EQ(value(b.names().find_room("den")).place, Place::unowned);
}

inline Record ann_moved(std::uint64_t ann, StreamId stream) {
  Record moved;
  moved.mutable_player_moved()->set_stream(stream);
  journal::v1::Player& player = *moved.mutable_player_moved()->mutable_player();
  player = player_record(ann, "ann").player();
  player.set_token_hash(hash_of('a'));
  player.set_last_request_done(41);
  return moved;
}

TYPED_TEST_P(StoresOfLobbies, let_a_player_move_with_the_latest_state) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
  Server a("a:1");
  Server b("b:1");
  const auto ann = a.add_player("ann", 'a');
  ASSERT_TRUE(a.append({ann_moved(ann, b.stream())}));
  const FoundPlayer found = value(b.names().find_player(hash_of('a')));
  EXPECT_EQ(found.where.place, Place::here);
  ASSERT_TRUE(found.arrived);
  EXPECT_EQ(found.arrived->last_request_done(), 41u);
  EXPECT_EQ(value(a.names().find_player(hash_of('a'))).where.stream, b.stream());
  // Given out once.
  EXPECT_FALSE(value(b.names().find_player(hash_of('a'))).arrived);
  b.lose();
  a.take_over();
  const Saved adopted = a.adopt_all(10);
  ASSERT_EQ(adopted.players_size(), 1);
  EXPECT_EQ(adopted.players(0).last_request_done(), 41u);
}

TYPED_TEST_P(StoresOfLobbies, keep_a_player_who_was_sent_to_a_server_that_is_lost) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
  Server a("a:1");
  Server b("b:1");
  const auto ann = a.add_player("ann", 'a');
  ASSERT_TRUE(a.append({ann_moved(ann, b.stream())}));
  b.lose();
  a.take_over();
  const Saved adopted = a.adopt_all(10);
  ASSERT_EQ(adopted.players_size(), 1);
  EXPECT_EQ(adopted.players(0).name(), "ann");
  EXPECT_EQ(adopted.players(0).last_request_done(), 41u);
  EXPECT_EQ(value(a.names().find_player(hash_of('a'))).where.place, Place::here);
  EXPECT_FALSE(value(a.names().claim_player(keyed("ann"), hash_of('z'))));
}

// Bans --------------------------------------------------------------------------------------------

inline Record banned(const std::string& name, std::uint64_t until = 0) {
  Record record;
  record.mutable_banned()->mutable_subject()->set_player(name);
  record.mutable_banned()->set_until_unix_ms(until);
  return record;
}

inline Record unbanned(const std::string& name) {
  Record record;
  record.mutable_unbanned()->set_player(name);
  return record;
}

inline std::vector<std::string> names_of(const Saved& saved) {
  std::vector<std::string> names;
  for (const journal::v1::Ban& ban : saved.bans()) names.push_back(ban.subject().player());
  return names;
}

TYPED_TEST_P(StoresOfLobbies, have_their_bans_in_common) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
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

TYPED_TEST_P(StoresOfLobbies, keep_the_latest_of_two_bans) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
  Server a("a:1");
  Server b("b:1");
  ASSERT_TRUE(a.append({banned("ann"), banned("ben", 5), unbanned("cid")}));
  ASSERT_TRUE(b.append({unbanned("ann"), banned("ben", 9), banned("cid")}));
  const auto bans = value(b.membership().bans(""));
  ASSERT_TRUE(bans);
  EXPECT_THAT(names_of(bans->saved), ElementsAre("ben", "cid"));
  EXPECT_EQ(bans->saved.bans(0).until_unix_ms(), 9u);
}

TYPED_TEST_P(StoresOfLobbies, take_no_ban_from_a_server_that_is_fenced) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
  Server a("a:1");
  Server b("b:1");
  a.lose();
  b.take_over();
  EXPECT_FALSE(a.append({banned("ann")}));
  EXPECT_THAT(names_of(value(b.membership().bans(""))->saved), IsEmpty());
}

// The list of rooms -------------------------------------------------------------------------------

TYPED_TEST_P(StoresOfLobbies, show_what_is_said_at_others_and_who_is_there) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
  Server a("a:1");
  Server b("b:1");
  a.say(std::string("\0hi", 3));
  a.say("ho");
  bool found = false;
  for (const Member& member : value(b.membership().members())) {
    EXPECT_EQ(member.lines_said, member.stream == a.stream() ? 2u : 0u);
    EXPECT_EQ(member.said, member.stream == a.stream() ? "ho" : "");
    found = found || member.stream == a.stream();
  }
  EXPECT_TRUE(found);
  require(a.membership().publish_players(a.stream(), std::string("\0ann", 4)));
  require(b.membership().publish_players(b.stream(), "ben"));
  EXPECT_THAT(value(b.membership().players_of_others(b.stream())),
              testing::Contains(std::string("\0ann", 4)));
  EXPECT_THAT(value(b.membership().players_of_others(b.stream())),
              testing::Not(testing::Contains("ben")));
  a.lose();
  b.take_over();
  EXPECT_THAT(value(b.membership().players_of_others(b.stream())),
              testing::Not(testing::Contains(std::string("\0ann", 4))));
}

TYPED_TEST_P(StoresOfLobbies, show_the_rooms_of_others) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
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

REGISTER_TYPED_TEST_SUITE_P(StoresOfLobbies, know_the_servers_that_use_them,
                            leave_a_server_alone_while_its_lease_runs,
                            give_what_a_lost_server_had_to_another_with_all_that_it_has_recorded,
                            let_a_name_be_claimed_once, free_a_name_by_the_commit_of_its_end,
                            limit_the_rooms_of_a_player_on_all_servers_together,
                            say_what_a_claim_would_give_and_claim_nothing,
                            begin_a_room_after_every_revision_of_a_former_one,
                            drop_claims_that_were_never_recorded, tell_where_players_and_rooms_are,
                            let_a_player_move_with_the_latest_state,
                            keep_a_player_who_was_sent_to_a_server_that_is_lost,
                            have_their_bans_in_common, keep_the_latest_of_two_bans,
                            take_no_ban_from_a_server_that_is_fenced,
                            show_what_is_said_at_others_and_who_is_there, show_the_rooms_of_others);

}  // namespace tictactoe::records
