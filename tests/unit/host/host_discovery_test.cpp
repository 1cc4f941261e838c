// What a host answers to discovery queries.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_discovery_tests {
namespace {

using testing::ElementsAre;

class HostDiscoveryTest : public testing::Test {
 protected:
  v1::ServerInfo info(int most = 16) {
    v1::ServerInfo info;
    driver.host().describe_to(info, most);
    return info;
  }
  std::vector<std::string> listed(int most = 16) {
    std::vector<std::string> names;
    const v1::ServerInfo told = info(most);
    for (const v1::OpenRoom& room : told.listed()) {
      names.push_back(room.name() + (room.needs_password() ? " (locked)" : ""));
    }
    return names;
  }
  core::ConnectionId create(const std::string& name, const std::string& password = {}) {
    const core::ConnectionId id = driver.enter("of " + name);
    v1::ClientMessage request = create_request(name, rules::Rules{5, 6, 4, false});
    request.mutable_create_room()->set_password(password);
    EXPECT_TRUE(driver.ask(id, request).has_snapshot());
    return id;
  }

  HostDriver driver;
};

TEST_F(HostDiscoveryTest, an_empty_server) {
  driver.connect();  // no player before its hello
  EXPECT_EQ(info().name(), "tictactoe");
  ASSERT_EQ(info().protocol_versions_size(), 1);
  EXPECT_EQ(info().protocol_versions(0), 1u);
  EXPECT_EQ(info().players(), 0u);
  EXPECT_EQ(info().rooms(), 0u);
  EXPECT_TRUE(driver.host().effects().list().empty());
}

TEST_F(HostDiscoveryTest, open_rooms_those_with_a_password_last) {
  create("a-locked", "sesame");
  create("z");
  create("b");
  EXPECT_THAT(listed(), ElementsAre("z", "b", "a-locked (locked)"));
  EXPECT_THAT(listed(1), ElementsAre("z"));
  EXPECT_EQ(info().players(), 3u);
  EXPECT_EQ(info().rooms(), 3u);
  EXPECT_EQ(info(1).open_rooms(), 2u) << "listed or not, but only those that anybody may enter";
  const v1::Rules rules = info().listed(0).rules();
  EXPECT_EQ(rules.rows(), 5u);
  EXPECT_EQ(rules.cols(), 6u);
  EXPECT_EQ(rules.k(), 4u);
  EXPECT_TRUE(rules.exact());
}

TEST_F(HostDiscoveryTest, neither_full_rooms_nor_deserted_ones) {
  const core::ConnectionId owner = create("duel");
  const core::ConnectionId locker = create("locked", "sesame");
  ASSERT_TRUE(driver.ask(driver.enter("bob"), join_request("duel")).has_snapshot());
  EXPECT_THAT(listed(), ElementsAre("locked (locked)"));
  driver.disconnect(locker);
  EXPECT_THAT(listed(), ElementsAre());
  EXPECT_EQ(info().rooms(), 2u) << "it is held for its owner";
  driver.disconnect(owner);
  EXPECT_EQ(info().players(), 1u);
}

TEST_F(HostDiscoveryTest, a_deserted_room_is_open_again_with_somebody_who_watches) {
  driver.disconnect(create("duel"));
  EXPECT_THAT(listed(), ElementsAre());
  ASSERT_TRUE(driver.ask(driver.enter("bob"), watch_request("duel")).has_snapshot());
  EXPECT_THAT(listed(), ElementsAre("duel"));
  EXPECT_EQ(driver.ask(driver.enter("carol"), play_request()).snapshot().name(), "duel");
}

TEST_F(HostDiscoveryTest, no_names_of_a_server_with_a_password) {
  core::Config config = HostDriver::patient();
  config.server_password_hash = core::digest("swordfish");
  HostDriver closed(config);
  const auto id = closed.connect();
  v1::ClientMessage hello = hello_request("alice");
  hello.mutable_hello()->set_server_password("swordfish");
  ASSERT_TRUE(closed.ask(id, hello).has_welcome());
  ASSERT_TRUE(closed.ask(id, create_request("den")).has_snapshot());
  v1::ServerInfo told;
  closed.host().describe_to(told, 16);
  EXPECT_EQ(told.listed_size(), 0);
  EXPECT_EQ(told.rooms(), 1u);
}

}  // namespace
}  // namespace tictactoe::test::host_discovery_tests
