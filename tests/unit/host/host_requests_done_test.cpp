// Which requests are done: what a client that has lost its connection is told.
#include <gtest/gtest.h>

#include "tests/support/host_driver.hpp"
#include "tests/support/ledger.hpp"

namespace tictactoe::test::host_requests_done_tests {
namespace {

class RequestsDoneTest : public testing::Test {
 protected:
  static core::Config config() {
    core::Config config = HostDriver::recording();
    config.server_id = 4711;
    return config;
  }

  /// What the welcome says after the connection was lost.
  std::uint64_t last_done(HostDriver& at, const std::string& secret) {
    const auto id = at.connect();
    v1::ClientMessage hello = hello_request("ann");
    hello.mutable_hello()->set_token(secret);
    const v1::ServerMessage answer = at.ask(id, hello);
    EXPECT_TRUE(answer.welcome().resumed());
    EXPECT_EQ(answer.welcome().server_id(), 4711u);
    return answer.welcome().last_request_done();
  }
  /// The same after the server was killed.
  std::uint64_t last_done_after_restart() {
    const Ledger ledger(driver.records);
    HostDriver next(config(), 2);
    EXPECT_TRUE(next.host().restore(ledger.saved(), next.now()).refused.empty());
    next.collect();
    return last_done(next, token);
  }
  /// The id of the request, which is done afterwards.
  std::uint64_t ask(const v1::ClientMessage& request) {
    const v1::ServerMessage answer = driver.ask(ann, request);
    EXPECT_FALSE(answer.has_error()) << answer.ShortDebugString();
    return answer.request_id();
  }

  HostDriver driver{config()};
  core::ConnectionId ann = driver.enter("ann");
  const std::string token = driver.token(ann);
};

TEST_F(RequestsDoneTest, none_at_first) {
  EXPECT_EQ(last_done(driver, token), 0u);
}

TEST_F(RequestsDoneTest, whatever_changes_something_counts) {
  const auto bob = driver.enter("bob");
  driver.ask(bob, create_request("den"));
  const std::vector<v1::ClientMessage> requests = {join_request("den"),
                                                   chat_request("hello"),
                                                   move_request(0, 0),
                                                   takeback_request(),
                                                   decline_request(),
                                                   draw_request(),
                                                   resign_request(),
                                                   rematch_request(),
                                                   leave_request(),
                                                   create_request("attic"),
                                                   add_ai_request(v1::MARK_O),
                                                   remove_ai_request(v1::MARK_O),
                                                   leave_request(),
                                                   play_request()};
  for (const v1::ClientMessage& request : requests) {
    if (request.has_move()) driver.ask(bob, move_request(1, 1));
    if (request.has_offer_draw())
      driver.pass(std::chrono::seconds(10));  // after the question before
    const std::uint64_t id = ask(request);
    SCOPED_TRACE(request.ShortDebugString());
    EXPECT_EQ(last_done_after_restart(), id);
    ann = driver.come_back(token);
    EXPECT_EQ(last_done(driver, token), id);
    ann = driver.come_back(token);
  }
}

TEST_F(RequestsDoneTest, what_changes_nothing_or_was_refused_does_not) {
  const std::uint64_t done = ask(create_request("den"));
  for (const v1::ClientMessage& request :
       {list_request(), players_request(), snapshot_request(), hint_request(),
        watch_lobby_request(), create_request("other"), move_request(0, 0), decline_request(),
        hello_request("ann")}) {
    driver.ask(ann, request);
  }
  EXPECT_EQ(last_done(driver, token), done);
  EXPECT_EQ(last_done_after_restart(), done);
}

TEST_F(RequestsDoneTest, a_client_may_count_from_one_again) {
  ask(create_request("den"));
  const std::uint64_t done = ask(chat_request("hello"));
  driver.disconnect(ann);
  const auto again = driver.come_back(token);
  v1::ClientMessage low = chat_request("again");
  low.set_request_id(1);
  driver.take(again);
  driver.send_bytes(again, low.SerializeAsString());
  EXPECT_TRUE(driver.inbox(again).back().has_update()) << "ids never make a request be refused";
  EXPECT_EQ(last_done(driver, token), done);
}

TEST_F(RequestsDoneTest, a_refused_hello_can_be_tried_again_until_recording_works) {
  driver.host().recording(core::Recording::stalled, driver.now());
  const auto bob = driver.connect();
  for (int second = 0; second < 30; ++second) {
    const v1::Error error = driver.ask(bob, hello_request("bob")).error();
    ASSERT_EQ(error.code(), v1::Error::CODE_CANNOT_RECORD);
    driver.pass(std::chrono::milliseconds(error.retry_after_ms()));
    ASSERT_TRUE(driver.is_open(bob)) << "after " << second << " s";
  }
  driver.host().recording(core::Recording::good, driver.now());
  EXPECT_TRUE(driver.ask(bob, hello_request("bob")).has_welcome());
}

TEST_F(RequestsDoneTest, a_client_that_gives_up_during_a_stall_is_closed_in_time) {
  driver.host().recording(core::Recording::stalled, driver.now());
  const auto bob = driver.connect();
  driver.ask(bob, hello_request("bob"));
  driver.pass(config().limits.hello_timeout - std::chrono::milliseconds(1));
  EXPECT_TRUE(driver.is_open(bob));
  driver.pass(std::chrono::milliseconds(1));
  EXPECT_FALSE(driver.is_open(bob));
}

}  // namespace
}  // namespace tictactoe::test::host_requests_done_tests
