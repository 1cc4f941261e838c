// What holds of every store that several servers share if one of them gives a room to another while
// both run.
#pragma once

#include <tuple>

#include "tests/support/lobby_store_cases.hpp"

namespace tictactoe::records {

template <class Store>
class StoresWithGivenRooms : public testing::Test {
  Store store_;
};
TYPED_TEST_SUITE_P(StoresWithGivenRooms);

/// Of ann's and ben's room, after the move that they have made.
inline Record room_moved(std::uint64_t den, std::uint64_t ann, std::uint64_t ben, StreamId stream) {
  Record record;
  journal::v1::RoomMoved& moved = *record.mutable_room_moved();
  moved.set_stream(stream);
  *moved.mutable_room() = room_record(den, "den", 9).room();
  moved.mutable_room()->mutable_x()->set_kind(v1::Occupant::KIND_PERSON);
  moved.mutable_room()->mutable_x()->set_player(ann);
  moved.mutable_room()->mutable_o()->set_kind(v1::Occupant::KIND_PERSON);
  moved.mutable_room()->mutable_o()->set_player(ben);
  for (const auto& [id, name, token] : {std::tuple(ann, "ann", 'a'), std::tuple(ben, "ben", 'b')}) {
    journal::v1::Player& player = *moved.add_players();
    player = player_record(id, name).player();
    player.set_token_hash(hash_of(token));
    player.set_last_request_done(41);
  }
  return record;
}

template <class Server>
struct GivenRoom {
  explicit GivenRoom(Server& a, Server& b) {
    ann = a.add_player("ann", 'a');
    ben = a.add_player("ben", 'b');
    den = a.add_room("den", ann, ben);
    EXPECT_TRUE(a.append({move_record(den, 1, 4), chat_record(den, "hi")}));
    EXPECT_TRUE(a.append({room_moved(den, ann, ben, b.stream())}));
  }
  void expect_in(const Saved& saved) const {
    ASSERT_EQ(saved.rooms_size(), 1);
    EXPECT_EQ(saved.rooms(0).room().serial(), den);
    EXPECT_EQ(saved.rooms(0).room().revision(), 9u);
    EXPECT_EQ(saved.rooms(0).moves_size(), 1);
    EXPECT_EQ(saved.rooms(0).chat_size(), 1);
    ASSERT_EQ(saved.players_size(), 2);
    EXPECT_EQ(saved.players(0).id(), ann);
    EXPECT_EQ(saved.players(0).last_request_done(), 41u);
    EXPECT_EQ(saved.players(1).id(), ben);
  }
  std::uint64_t ann = 0;
  std::uint64_t ben = 0;
  std::uint64_t den = 0;
};

TYPED_TEST_P(StoresWithGivenRooms, give_them_by_one_commit) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
  Server a("a:1");
  Server b("b:1");
  const auto other = a.add_room("pit", 98, 99);
  const GivenRoom<Server> given(a, b);
  // From the commit on, everybody is sent there.
  EXPECT_EQ(value(a.names().find_player(hash_of('a'))).where.stream, b.stream());
  EXPECT_EQ(value(a.names().find_room("den")).stream, b.stream());
  const FoundPlayer here = value(b.names().find_player(hash_of('b')));
  EXPECT_EQ(here.where.place, Place::here);
  EXPECT_FALSE(here.arrived) << "the player comes with the room";
  EXPECT_EQ(value(a.membership().count_arriving(10)), 1u);
  given.expect_in(b.take_arrived());
  EXPECT_THAT(b.take_arrived().rooms(), IsEmpty()) << "told once";
  EXPECT_EQ(value(a.membership().count_arriving(10)), 0u);
  // Both go on with what they have.
  EXPECT_TRUE(a.append({move_record(other, 1, 4)}));
  EXPECT_TRUE(b.append({move_record(given.den, 2, 5)}));
  EXPECT_THAT(b.adopt().rooms(), IsEmpty());
  EXPECT_EQ(value(b.store().load(b.stream())).rooms(0).moves_size(), 2);
  const Saved left = value(a.store().load(a.stream()));
  ASSERT_EQ(left.rooms_size(), 1);
  EXPECT_EQ(left.rooms(0).room().serial(), other);
  EXPECT_THAT(left.players(), IsEmpty());
}

TYPED_TEST_P(StoresWithGivenRooms, give_them_also_if_the_giver_is_lost) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
  Server a("a:1");
  Server b("b:1");
  Server c("c:1");
  const GivenRoom<Server> given(a, b);
  a.lose();
  c.take_over();
  EXPECT_THAT(c.adopt().rooms(), IsEmpty()) << "it is not nobody's";
  given.expect_in(b.take_arrived());
}

TYPED_TEST_P(StoresWithGivenRooms,
             give_them_to_another_server_if_the_one_that_was_to_have_them_is_lost) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
  Server a("a:1");
  Server b("b:1");
  Server c("c:1");
  const GivenRoom<Server> given(a, b);
  b.lose();
  c.take_over();
  EXPECT_THAT(c.take_arrived().rooms(), IsEmpty());
  given.expect_in(c.adopt());
  EXPECT_EQ(value(a.names().find_player(hash_of('a'))).where.stream, c.stream());
  EXPECT_EQ(value(c.membership().count_arriving(10)), 0u);
  EXPECT_THAT(c.adopt().players(), IsEmpty());
}

TYPED_TEST_P(StoresWithGivenRooms, give_none_by_a_commit_of_a_server_that_is_fenced) {
  using Server = test::BasicServer<typename TypeParam::Sessions>;
  Server a("a:1");
  Server b("b:1");
  const auto ann = a.add_player("ann", 'a');
  const auto ben = a.add_player("ben", 'b');
  const auto den = a.add_room("den", ann, ben);
  a.lose();
  b.take_over();
  EXPECT_FALSE(a.append({room_moved(den, ann, ben, b.stream())}));
  EXPECT_THAT(b.take_arrived().rooms(), IsEmpty());
  EXPECT_EQ(b.adopt().rooms_size(), 1);
}

REGISTER_TYPED_TEST_SUITE_P(StoresWithGivenRooms, give_them_by_one_commit,
                            give_them_also_if_the_giver_is_lost,
                            give_them_to_another_server_if_the_one_that_was_to_have_them_is_lost,
                            give_none_by_a_commit_of_a_server_that_is_fenced);

}  // namespace tictactoe::records
