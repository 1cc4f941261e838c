// The thread that makes JSON of large messages.
#include "server/net/json_converter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "server/net/json_form.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::net {
namespace {

std::string body(std::size_t size) {
  v1::ServerMessage message;
  message.mutable_error()->set_message(std::string(size, 'x'));
  return message.SerializeAsString();
}

class JsonConverterTest : public testing::Test {
 protected:
  JsonConverter::Done note(const std::string& who) {
    return [this, who](std::string&) { done_.push_back(who); };
  }

  boost::asio::io_context io_;
  JsonConverter converter_{io_};
  std::vector<std::string> done_;
};

TEST_F(JsonConverterTest, leaves_the_loop_free_meanwhile) {
  std::string json;
  converter_.convert({1, 1}, body(10'000'000), [&](std::string& made) { json = made; });
  io_.poll();  // its first turn comes long before the answer
  EXPECT_TRUE(json.empty());
  io_.run();
  EXPECT_EQ(json, json_from_message(body(10'000'000)));
  EXPECT_EQ(converter_.size(), 0U);
}

TEST_F(JsonConverterTest, lets_networks_and_their_addresses_take_turns) {
  for (int i = 0; i < 3; ++i) converter_.convert({1, 1}, body(1'000), note("many"));
  converter_.convert({2, 1}, body(1'000), note("neighbour"));
  converter_.convert({3, 2}, body(1'000), note("stranger"));
  io_.run();
  ASSERT_EQ(done_.size(), 5U);
  const auto place = [&](const char* who) { return std::ranges::find(done_, who) - done_.begin(); };
  EXPECT_LE(place("stranger"), 1) << "at most one of the other network comes before";
  EXPECT_LE(place("neighbour"), 3);
  EXPECT_EQ(done_[4], "many");
}

TEST_F(JsonConverterTest, forgets_what_is_cancelled_also_while_it_runs) {
  const auto runs = converter_.convert({1, 1}, body(1'000'000), note("runs"));
  const auto waits = converter_.convert({1, 1}, body(1'000), note("waits"));
  converter_.convert({1, 1}, body(1'000), note("last"));
  converter_.cancel(runs);
  converter_.cancel(waits);
  EXPECT_EQ(converter_.size(), 1U);
  io_.run();
  EXPECT_EQ(done_, std::vector<std::string>{"last"});
}

TEST_F(JsonConverterTest, that_is_stopped_lets_the_loop_end) {
  converter_.convert({1, 1}, body(1'000'000), note("runs"));
  converter_.stop();
  io_.run();
  EXPECT_TRUE(done_.empty());
}

TEST_F(JsonConverterTest, gives_nothing_for_what_is_no_message) {
  std::string json = "something";
  converter_.convert({1, 1}, "\xff\xff", [&](std::string& made) { json = made; });
  io_.run();
  EXPECT_TRUE(json.empty());
}

}  // namespace
}  // namespace tictactoe::net
