// How a client handles the answers to its queries, from any sender.
#include <gmock/gmock.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include "client/lines/listing.hpp"
#include "client/net/servers_found.hpp"
#include "common/wire/discovery.hpp"
#include "common/wire/text.hpp"

namespace tictactoe::client::net_servers_found_tests {
namespace {

using boost::asio::ip::make_address;
using boost::asio::ip::udp;
using client::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ServersFoundTest : public ::testing::Test {
 protected:
  static v1::DiscoveryAnswer answer(std::uint64_t id, const std::string& name = "den",
                                    std::uint64_t nonce = 1) {
    v1::DiscoveryAnswer answer;
    answer.set_magic(wire::discovery_answer_magic);
    answer.set_version(wire::discovery_version);
    answer.set_nonce(nonce);
    answer.set_server_id(id);
    answer.mutable_server()->set_name(name);
    answer.mutable_server()->set_port(7654);
    answer.mutable_server()->add_protocol_versions(1);
    return answer;
  }
  bool receive(const v1::DiscoveryAnswer& answer, const std::string& from = "10.0.0.1") {
    return found.received(answer.SerializeAsString(), udp::endpoint(make_address(from), 7654), now);
  }
  std::vector<std::string> addresses() const {
    std::vector<std::string> texts;
    for (const FoundServer& server : found.servers()) texts.push_back(server.address.text);
    return texts;
  }

  ServersFound found;
  client::Time now{client::milliseconds(1'000'000)};
  const std::string asked = found.ask(1);
};

TEST_F(ServersFoundTest, a_query_is_as_long_as_the_longest_answer) {
  v1::DiscoveryQuery query;
  ASSERT_TRUE(query.ParseFromString(asked));
  EXPECT_EQ(asked.size(), wire::max_discovery_bytes);
  EXPECT_EQ(query.magic(), wire::discovery_query_magic);
  EXPECT_EQ(query.nonce(), 1u);
}

TEST_F(ServersFoundTest, are_reported_with_name_and_address) {
  EXPECT_TRUE(receive(answer(2, "den"), "10.0.0.2"));
  EXPECT_TRUE(receive(answer(1, "attic"), "10.0.0.1"));
  EXPECT_TRUE(receive(answer(3, "den"), "10.0.0.1"));
  EXPECT_THAT(addresses(), ElementsAre("10.0.0.1:7654", "10.0.0.1:7654", "10.0.0.2:7654"));
  EXPECT_EQ(found.servers().front().info.name(), "attic");
  EXPECT_TRUE(found.servers().front().compatible);
  now += news_interval;
  EXPECT_FALSE(receive(answer(1, "attic"), "10.0.0.1")) << "nothing has changed";
  now += news_interval;
  EXPECT_TRUE(receive(answer(1, "cellar"), "10.0.0.1"));
}

TEST_F(ServersFoundTest, what_answers_no_query_is_ignored) {
  EXPECT_FALSE(receive(answer(1, "den", 2))) << "not our nonce";
  v1::DiscoveryAnswer other = answer(1);
  other.set_magic(wire::discovery_query_magic);
  EXPECT_FALSE(receive(other));
  other = answer(1);
  other.set_version(2);
  EXPECT_FALSE(receive(other));
  for (const std::uint32_t port : {0U, 65'536U, 4'000'000'000U}) {
    other = answer(1);
    other.mutable_server()->set_port(port);
    EXPECT_FALSE(receive(other)) << port;
  }
  const udp::endpoint source(make_address("10.0.0.1"), 7654);
  EXPECT_FALSE(found.received("", source, now));
  EXPECT_FALSE(found.received("garbage", source, now));
  EXPECT_FALSE(found.received(asked, source, now)) << "our own query";
  other = answer(1);
  other.mutable_server()->set_software(std::string(wire::max_discovery_bytes, 's'));
  EXPECT_FALSE(receive(other)) << "too long";
  EXPECT_THAT(found.servers(), ElementsAre());
}

TEST_F(ServersFoundTest, the_latest_queries_can_be_answered) {
  for (std::uint64_t nonce = 2; nonce <= 1 + open_queries; ++nonce) found.ask(nonce);
  EXPECT_FALSE(receive(answer(1, "late", 1)));
  EXPECT_TRUE(receive(answer(1, "in time", 2)));
}

TEST_F(ServersFoundTest, one_that_answers_twice_over_is_one_and_has_its_best_address) {
  receive(answer(1), "fe80::1");
  EXPECT_THAT(addresses(), ElementsAre("[fe80::1]:7654"));
  receive(answer(1), "fd00::1");
  EXPECT_THAT(addresses(), ElementsAre("[fd00::1]:7654"));
  EXPECT_TRUE(receive(answer(1), "10.0.0.1"));
  EXPECT_FALSE(receive(answer(1), "fe80::1"));
  EXPECT_FALSE(receive(answer(1), "10.0.0.9")) << "no better than the one it has";
  EXPECT_THAT(addresses(), ElementsAre("10.0.0.1:7654"));
  receive(answer(1), "127.0.0.1");
  EXPECT_THAT(addresses(), ElementsAre("localhost:7654"));
}

// A backup that was restored into a second directory has the same id, and may have the same key.
TEST_F(ServersFoundTest, two_that_were_made_from_one_backup_are_two) {
  v1::DiscoveryAnswer first = answer(1);
  first.set_instance(10);
  v1::DiscoveryAnswer second = answer(1);
  second.set_instance(20);
  second.mutable_server()->set_port(7655);
  EXPECT_TRUE(receive(first, "10.0.0.1"));
  EXPECT_TRUE(receive(second, "10.0.0.1"));
  EXPECT_FALSE(receive(first, "fd00::1"));
  EXPECT_FALSE(receive(second, "fd00::1"));
  EXPECT_THAT(addresses(), ElementsAre("10.0.0.1:7654", "10.0.0.1:7655"));
}

TEST_F(ServersFoundTest, one_that_starts_again_is_the_same) {
  v1::DiscoveryAnswer first = answer(1);
  first.set_instance(10);
  receive(first, "10.0.0.1");
  now += news_interval;
  first.set_instance(11);
  EXPECT_FALSE(receive(first, "10.0.0.1"));
  EXPECT_FALSE(receive(first, "fd00::1"));
  EXPECT_THAT(addresses(), ElementsAre("10.0.0.1:7654"));
}

TEST_F(ServersFoundTest, each_address_has_its_own_port) {
  receive(answer(1), "10.0.0.1");
  v1::DiscoveryAnswer other = answer(1);
  other.mutable_server()->set_port(9);
  receive(other, "fe80::1");
  EXPECT_THAT(addresses(), ElementsAre("10.0.0.1:7654"));
}

TEST_F(ServersFoundTest, one_that_misses_two_queries_is_gone) {
  receive(answer(1), "10.0.0.1");
  now += forget_after;
  EXPECT_FALSE(found.forget(now));
  now += milliseconds(1);
  EXPECT_TRUE(found.forget(now));
  EXPECT_THAT(addresses(), ElementsAre());
  EXPECT_FALSE(found.forget(now));
}

TEST_F(ServersFoundTest, an_address_that_falls_silent_gives_way_to_one_that_works) {
  receive(answer(1), "10.0.0.1");
  for (int second = 0; second < 3; ++second) {
    now += milliseconds(1000);
    EXPECT_FALSE(found.forget(now)) << "it is still heard of";
    receive(answer(1), "fe80::1");
  }
  EXPECT_THAT(addresses(), ElementsAre("[fe80::1]:7654"));
}

TEST_F(ServersFoundTest, their_number_is_bounded_by_address_and_in_all) {
  for (std::uint64_t id = 0; id < 1000; ++id) receive(answer(id), "10.0.0.1");
  EXPECT_EQ(found.servers().size(), max_servers_per_address);
  EXPECT_TRUE(receive(answer(5000), "10.0.0.2")) << "one can't crowd out the others";
  for (std::uint64_t id = 10'000; id < 20'000; ++id) {
    receive(answer(id), boost::asio::ip::address_v4(static_cast<std::uint32_t>(id)).to_string());
  }
  EXPECT_EQ(found.servers().size(), max_servers);
}

TEST_F(ServersFoundTest, one_that_always_says_something_new_is_not_always_listened_to) {
  int news = 0;
  for (int i = 0; i < 1000; ++i, now += milliseconds(1)) {
    news += receive(answer(1, std::to_string(i))) ? 1 : 0;
  }
  EXPECT_EQ(news, 10);
  EXPECT_FALSE(found.forget(now + forget_after - milliseconds(1))) << "but it is there";
}

TEST_F(ServersFoundTest, lists_are_kept_short) {
  v1::DiscoveryAnswer endless = answer(1);
  for (int i = 0; i < 350; ++i) {
    endless.mutable_server()->add_listed();
    endless.mutable_server()->add_protocol_versions(1);
  }
  ASSERT_TRUE(receive(endless));
  const FoundServer server = found.servers().front();
  EXPECT_EQ(server.info.listed_size(), max_listed);
  EXPECT_EQ(server.info.protocol_versions_size(), max_listed);
}

TEST_F(ServersFoundTest, hostile_texts_can_be_shown) {
  v1::DiscoveryAnswer hostile = answer(1, "\x1b]0;gotcha\x07\xe2\x80\xae" + std::string(500, 'n'));
  hostile.mutable_server()->set_software("\r\n\x1b[2J");
  hostile.mutable_server()->set_players(4'294'967'295);
  v1::OpenRoom& room = *hostile.mutable_server()->add_listed();
  room.set_name("\x1b[31mred\n");
  room.mutable_rules()->set_rows(4'294'967'295);
  ASSERT_TRUE(receive(hostile));
  for (std::string text : {draw_server_table(found.servers()), server_json(found.servers()),
                           choose(found.servers()).note}) {
    std::erase(text, '\n');
    EXPECT_FALSE(wire::check_text(text).fault) << text;
    EXPECT_LT(text.size(), 1000u);
  }
}

TEST_F(ServersFoundTest, the_table_names_rooms_and_counts_the_rest) {
  v1::DiscoveryAnswer busy = answer(1);
  busy.mutable_server()->set_players(7);
  busy.mutable_server()->set_rooms(9);
  busy.mutable_server()->set_open_rooms(5);
  for (const char* name : {"a", "b", "c", "d"}) {
    v1::OpenRoom& room = *busy.mutable_server()->add_listed();
    room.set_name(name);
    room.mutable_rules()->set_rows(3);
    room.mutable_rules()->set_cols(3);
    room.mutable_rules()->set_k(3);
    room.set_needs_password(*name == 'c');
  }
  receive(busy);
  EXPECT_EQ(draw_server_table(found.servers()),
            "SERVER  ADDRESS        PLAYERS  ROOMS  OPEN\n"
            "den     10.0.0.1:7654  7        9      a (3 x 3), b (3 x 3), c (3 x 3, password) "
            "and 3 more\n");
}

TEST_F(ServersFoundTest, json_is_what_it_says) {
  receive(answer(1, "quo\"te"));
  v1::FoundServers parsed;
  const std::string json = server_json(found.servers());
  ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(json, &parsed).ok()) << json;
  ASSERT_EQ(parsed.servers_size(), 1);
  EXPECT_EQ(parsed.servers(0).address(), "10.0.0.1:7654");
  EXPECT_EQ(parsed.servers(0).server().name(), "quo\"te");
  EXPECT_EQ(server_json({}), "{\"servers\":[]}");
}

TEST_F(ServersFoundTest, the_only_one_is_chosen) {
  EXPECT_EQ(choose({}).address->text, "localhost:7654");
  EXPECT_THAT(choose({}).note, HasSubstr("`tictactoe HOST`"));
  receive(answer(1));
  EXPECT_EQ(choose(found.servers()).address->text, "10.0.0.1:7654");
  EXPECT_EQ(choose(found.servers()).note, "Found the server \"den\" at 10.0.0.1:7654.\n");

  v1::DiscoveryAnswer foreign = answer(2, "of the future");
  foreign.mutable_server()->set_protocol_versions(0, 9);
  receive(foreign, "10.0.0.2");
  EXPECT_EQ(choose(found.servers()).address->text, "10.0.0.1:7654") << "we can't talk to the other";

  receive(answer(3, "attic"), "10.0.0.3");
  const Choice choice = choose(found.servers());
  EXPECT_FALSE(choice.address);
  EXPECT_THAT(choice.note, HasSubstr("attic"));
  EXPECT_THAT(choice.note, HasSubstr("--server"));
}

}  // namespace
}  // namespace tictactoe::client::net_servers_found_tests
