// The thread that makes JSON of large messages.
#include "server/net/json_converter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "server/net/json_form.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::net::json_converter_tests {
namespace {

std::string body(std::size_t size) {
  v1::ServerMessage message;
  message.mutable_error()->set_message(std::string(size, 'x'));
  return message.SerializeAsString();
}

std::string text_of(const LongJson& json) {
  if (json.beginning.empty() || json.text->empty()) return *json.text;
  return json.beginning + json.text->substr(1);
}

class JsonConverterTest : public testing::Test {
 protected:
  JsonConverter::Done note(const std::string& who) {
    return [this, who](const LongJson&) { done_.push_back(who); };
  }
  std::uint64_t convert(core::Origin origin, std::size_t size, const std::string& who = "") {
    return converter_.convert(origin, body(size), note(who));
  }

  boost::asio::io_context io_;
  JsonConverter converter_{io_};
  std::vector<std::string> done_;
};

TEST_F(JsonConverterTest, leaves_the_loop_free_meanwhile) {
  std::string json;
  converter_.convert({1, 1}, body(10'000'000), [&](const LongJson& made) { json = text_of(made); });
  io_.poll();  // its first turn comes long before the answer
  EXPECT_TRUE(json.empty());
  io_.run();
  EXPECT_EQ(json, json_from_message(body(10'000'000)));
  EXPECT_EQ(converter_.size(), 0U);
}

TEST_F(JsonConverterTest, lets_networks_and_their_addresses_take_turns) {
  for (std::size_t i = 0; i < 3; ++i) convert({1, 1}, 1'000 + i, "many");
  convert({2, 1}, 2'000, "neighbour");
  convert({3, 2}, 3'000, "stranger");
  io_.run();
  ASSERT_EQ(done_.size(), 5U);
  const auto place = [&](const char* who) { return std::ranges::find(done_, who) - done_.begin(); };
  EXPECT_LE(place("stranger"), 1) << "at most one of the other network comes before";
  EXPECT_LE(place("neighbour"), 3);
  EXPECT_EQ(done_[4], "many");
}

TEST_F(JsonConverterTest, forgets_what_is_cancelled_also_while_it_runs) {
  const auto runs = convert({1, 1}, 1'000'000, "runs");
  const auto waits = convert({1, 1}, 1'000, "waits");
  convert({1, 1}, 2'000, "last");
  converter_.cancel(runs);
  converter_.cancel(waits);
  EXPECT_EQ(converter_.size(), 1U);
  io_.run();
  EXPECT_EQ(done_, std::vector<std::string>{"last"});
}

TEST_F(JsonConverterTest, that_is_stopped_lets_the_loop_end) {
  convert({1, 1}, 1'000'000, "runs");
  converter_.stop();
  io_.run();
  EXPECT_TRUE(done_.empty());
}

TEST_F(JsonConverterTest, gives_nothing_for_what_is_no_message) {
  std::string json = "something";
  converter_.convert({1, 1}, "\xff\xff", [&](const LongJson& made) { json = text_of(made); });
  io_.run();
  EXPECT_TRUE(json.empty());
}

TEST_F(JsonConverterTest, converts_a_message_once_for_all_who_get_it) {
  std::vector<std::string> texts(200);
  std::vector<std::string> bodies;
  for (std::uint64_t id = 0; id < texts.size(); ++id) {
    v1::ServerMessage message;
    message.mutable_error()->set_message(std::string(100'000, 'x'));
    message.set_request_id(id);  // the shell puts it to the front
    bodies.push_back(message.SerializeAsString());
    const auto note_text = [&texts, id](const LongJson& json) { texts[id] = text_of(json); };
    if (id == 150) {  // also for those who ask when it is done
      io_.run();
      io_.restart();
    }
    converter_.convert({id, id % 3}, bodies.back(), note_text);
  }
  convert({1, 1}, 100'001);
  io_.run();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ASSERT_EQ(texts[i], json_from_message(bodies[i])) << i;
  }
  EXPECT_EQ(converter_.conversions(), 2U);
}

TEST_F(JsonConverterTest, remembers_only_so_much) {
  convert({1, 1}, 1'000);
  io_.run();
  for (std::size_t i = 0; i < 10; ++i) convert({1, 1}, 1'000'000 + i);
  convert({1, 1}, 10'000'000);
  io_.restart();
  io_.run();
  convert({1, 1}, 1'000);
  convert({1, 1}, 10'000'000);
  io_.restart();
  io_.run();
  EXPECT_EQ(converter_.conversions(), 14U);
}

TEST_F(JsonConverterTest, goes_on_for_those_who_stay_when_the_first_one_leaves) {
  convert({9, 9}, 1'000'000);
  const auto first = convert({1, 1}, 1'000, "first");
  convert({2, 2}, 1'000, "second");
  converter_.cancel(first);
  io_.run();
  EXPECT_EQ(done_, (std::vector<std::string>{"", "second"}));
}

TEST_F(JsonConverterTest, takes_only_so_many_of_one_address_and_one_network) {
  constexpr std::size_t of_address = JsonConverter::most_of_address;
  constexpr std::size_t addresses = JsonConverter::most_of_network / of_address;
  for (std::size_t i = 0; i < JsonConverter::most_of_network; ++i) {
    ASSERT_NE(convert({i / of_address, 1}, 1'000 + i), 0U) << i;
  }
  EXPECT_EQ(convert({0, 1}, 10), 0U);
  EXPECT_EQ(convert({addresses, 1}, 10), 0U) << "the network has no more";
  EXPECT_NE(convert({addresses, 1}, 1'001), 0U) << "a message that is there already";
  const auto other = convert({99, 2}, 10);
  EXPECT_NE(other, 0U);
  converter_.cancel(other);
  for (std::size_t i = 0; i < of_address; ++i) ASSERT_NE(convert({99, 2}, 20 + i), 0U) << i;
  EXPECT_EQ(convert({99, 2}, 10), 0U);
  io_.run();
  EXPECT_EQ(converter_.size(), 0U);
  EXPECT_NE(convert({99, 2}, 5), 0U);
}

}  // namespace
}  // namespace tictactoe::net::json_converter_tests
