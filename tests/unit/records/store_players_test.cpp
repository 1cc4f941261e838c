// What a store keeps of players.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::records::store_players_tests {
namespace {

using namespace test;

TEST(PlayersInAStore, have_their_highest_request_done) {
  TemporaryFolder folder;
  {
    TestStore database(folder / "journal.db");
    const auto done = [](Record record, std::uint64_t player, std::uint64_t request) {
      record.set_requester(player);
      record.set_request_done(request);
      return record;
    };
    ASSERT_FALSE(database.append({done(player_record(1, "ann"), 1, 7), room_record(1, "den"),
                                  player_record(2, "ben"), player_record(3, "cat")}));
    ASSERT_FALSE(database.append({done(move_record(1, 1, 0), 2, 40)}));
    ASSERT_FALSE(
        database.append({done(move_record(1, 2, 1), 2, 41), done(chat_record(1, "x"), 2, 39),
                         done(forgotten_record(3), 3, 5)}));
  }
  const Saved saved = TestStore(folder / "journal.db").saved();
  ASSERT_EQ(saved.players_size(), 2);
  EXPECT_EQ(saved.players(0).last_request_done(), 7u);
  EXPECT_EQ(saved.players(1).last_request_done(), 41u);
}

TEST(PlayersInAStore, have_their_highest_request_done_however_large_its_number) {
  constexpr std::uint64_t half = std::uint64_t{1} << 63U;
  for (const auto& [first, second] :
       {std::pair(std::uint64_t{5}, half), std::pair(half, ~std::uint64_t{0}),
        std::pair(half - 1, half), std::pair(half + 1, half), std::pair(half, std::uint64_t{5})}) {
    TemporaryFolder folder;
    TestStore database(folder / "journal.db");
    ASSERT_FALSE(database.append({player_record(1, "ann"), room_record(1, "den")}));
    for (const std::uint64_t request : {first, second}) {
      Record move = move_record(1, 1, 0);
      move.set_requester(1);
      move.set_request_done(request);
      ASSERT_FALSE(database.append({move}));
    }
    EXPECT_EQ(database.saved().players(0).last_request_done(), std::max(first, second));
  }
}

TEST(PlayersInAStore, have_played_or_not) {
  TemporaryFolder folder;
  const auto played = [](Record record, bool value) {
    record.mutable_player()->set_played(value);
    return record;
  };
  {
    TestStore database(folder / "journal.db");
    ASSERT_FALSE(database.append({played(player_record(1, "ann"), false), room_record(1, "den"),
                                  played(player_record(2, "ben"), false)}));
    Record move = move_record(1, 1, 0);
    move.set_requester(1);
    move.set_request_done(4);
    ASSERT_FALSE(database.append({move, played(player_record(1, "ann"), true)}));
    move = move_record(1, 2, 1);
    move.set_requester(1);
    move.set_request_done(5);
    ASSERT_FALSE(database.append({move}));
  }
  TestStore database(folder / "journal.db");
  const Saved saved = database.saved();
  ASSERT_EQ(saved.players_size(), 2);
  EXPECT_TRUE(saved.players(0).played());
  EXPECT_EQ(saved.players(0).last_request_done(), 5u);
  EXPECT_FALSE(saved.players(1).played());
}

}  // namespace
}  // namespace tictactoe::records::store_players_tests
