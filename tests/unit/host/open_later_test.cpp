// Rooms that clients call open although a newcomer gets a seat only after the running game.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::open_later_tests {
namespace {

using testing::ElementsAre;

class OpenLater : public testing::Test {
 protected:
  v1::ServerInfo info(int max = 16) {
    v1::ServerInfo info;
    driver.host().describe_to(info, max);
    return info;
  }
  std::vector<std::string> listed(int max = 16) {
    std::vector<std::string> names;
    const v1::ServerInfo told = info(max);
    for (const v1::OpenRoom& room : told.listed()) names.push_back(room.name());
    return names;
  }

  HostDriver driver;
};

// As the lobby says, and as `./run` makes its room.
TEST_F(OpenLater, rooms_where_an_ai_gives_its_seat_after_the_game_are_discovered) {
  const server::ConnectionId alice = driver.enter("alice");
  v1::ClientMessage request = create_request("den");
  request.mutable_create_room()->mutable_options()->set_open_ai_seats(true);
  driver.ask(alice, request);
  driver.ask(alice, add_ai_request(v1::MARK_O, "random"));
  EXPECT_THAT(listed(), ElementsAre("den"));
  driver.ask(alice, move_request(1, 1));
  driver.ask(driver.enter("bob"), create_request("z"));
  EXPECT_THAT(listed(), ElementsAre("z", "den")) << "later than those with a seat now";
  EXPECT_THAT(listed(1), ElementsAre("z"));
  EXPECT_EQ(info(1).open_rooms(), 2u);
  driver.disconnect(alice);
  EXPECT_THAT(listed(), ElementsAre("z"));
  EXPECT_EQ(info().open_rooms(), 1u);
}

}  // namespace
}  // namespace tictactoe::test::open_later_tests
