// Lists of players: of the server, and of one room.
#include <gmock/gmock.h>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_lists_tests {
namespace {

using testing::ElementsAre;

class ListsTest : public testing::Test {
 protected:
  static core::Config config() {
    core::Config config = HostDriver::patient();
    config.limits.requests_per_second = 0;
    config.limits.names_per_list = 3;
    return config;
  }

  /// All pages: "name" or "name in room".
  std::vector<std::string> players(core::ConnectionId asking) {
    std::vector<std::string> all;
    std::string after;
    for (bool more = true; more;) {
      const v1::PlayerList list = driver.ask(asking, players_request(after)).player_list();
      EXPECT_LE(list.players_size(), 3);
      for (const v1::PlayerInfo& player : list.players()) {
        all.push_back(player.name() + (player.room().empty() ? "" : " in " + player.room()));
        after = player.name();
      }
      more = list.more();
    }
    return all;
  }

  HostDriver driver{config()};
};

TEST_F(ListsTest, players_are_listed_in_the_order_of_their_names) {
  const auto dan = driver.enter("dan");
  driver.enter("bob");
  const auto ann = driver.enter("ann");
  const auto away = driver.enter("away");
  driver.enter("eve");
  driver.connect();  // no player before the hello
  driver.disconnect(away);
  driver.ask(ann, create_request("den"));
  EXPECT_THAT(players(dan), ElementsAre("ann in den", "bob", "dan", "eve"));
  driver.ask(dan, goodbye_request());
  EXPECT_THAT(players(ann), ElementsAre("ann in den", "bob", "eve"));
}

TEST_F(ListsTest, a_room_with_a_password_is_named_only_to_people_in_it) {
  const auto ann = driver.enter("ann");
  const auto bob = driver.enter("bob");
  const auto eve = driver.enter("eve");
  driver.ask(ann, create_request("den", "pw"));
  driver.ask(bob, watch_request("den", "pw"));
  driver.ask(eve, create_request("attic", "pw"));
  EXPECT_THAT(players(ann), ElementsAre("ann in den", "bob in den", "eve"));
  EXPECT_THAT(players(eve), ElementsAre("ann", "bob", "eve in attic"));
}

TEST_F(ListsTest, members_are_the_seats_and_then_the_watchers) {
  const auto ann = driver.enter("ann");
  driver.ask(ann, create_request("den"));
  driver.ask(ann, add_ai_request(v1::MARK_O, "random"));
  for (const char* name : {"w4", "w1", "w3", "w2", "w5"}) {
    driver.ask(driver.enter(name), watch_request("den"));
  }
  const v1::MemberList first = driver.ask(ann, members_request()).member_list();
  EXPECT_EQ(first.x().name(), "ann");
  EXPECT_EQ(first.o().kind(), v1::Occupant::KIND_AI);
  EXPECT_THAT(first.watchers(), ElementsAre("w1", "w2", "w3"));
  EXPECT_TRUE(first.more());
  const v1::MemberList second = driver.ask(ann, members_request("w3")).member_list();
  EXPECT_FALSE(second.has_x());
  EXPECT_FALSE(second.has_o());
  EXPECT_THAT(second.watchers(), ElementsAre("w4", "w5"));
  EXPECT_FALSE(second.more());
}

TEST_F(ListsTest, people_in_a_room_can_list_its_members) {
  const auto ann = driver.enter("ann");
  EXPECT_EQ(driver.ask(ann, members_request()).error().code(), v1::Error::CODE_NOT_IN_ROOM);
}

}  // namespace
}  // namespace tictactoe::test::host_lists_tests
