// What the owner asks fits one answer, however large the server is.
#include <gmock/gmock.h>

#include "tests/support/host_driver.hpp"
#include "tictactoe/admin/v1/admin.pb.h"

namespace tictactoe::test::host_owner_pages_tests {
namespace {

core::Config large() {
  core::Config config = HostDriver::recording();
  config.limits.watchers_per_room = 2'000;
  config.limits.connections_per_address = 0;
  config.limits.pending_connections = 2'000;
  return config;
}

TEST(OwnerPages, of_a_room_with_very_many_watchers_name_the_first_thousand) {
  HostDriver driver(large());
  driver.ask(driver.enter("alice"), create_request("den"));
  constexpr std::uint32_t watchers = 1'200;
  for (std::uint32_t i = 0; i < watchers; ++i) {
    const auto watcher = driver.enter("watcher " + std::to_string(i));
    ASSERT_TRUE(driver.ask(watcher, watch_request("den")).has_snapshot()) << i;
  }
  admin::v1::Request request;
  request.mutable_room()->set_name("den");
  admin::v1::Response response;
  driver.host().owner_asks(request, driver.now(), response);
  EXPECT_EQ(response.room().summary().info().watchers(), watchers);
  EXPECT_EQ(response.room().watchers_size(), 1'000);
}

}  // namespace
}  // namespace tictactoe::test::host_owner_pages_tests
