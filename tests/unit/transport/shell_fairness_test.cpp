// No connection keeps others waiting, or takes their memory: turns, budgets and limits.
#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "server/transport/shell/shell.hpp"
#include "tests/support/shell_harness.hpp"

namespace tictactoe::test::shell_fairness_tests {
namespace {

using std::chrono::milliseconds;
using Crowd = std::vector<std::shared_ptr<FakeConnection>>;

/// Players at addresses of their own, who have read all that they were sent.
Crowd enter_crowd(ShellHarness& harness, int count, const v1::ClientMessage* request = nullptr) {
  Crowd crowd;
  for (int i = 0; i < count; ++i) {
    crowd.push_back(harness.enter("p" + std::to_string(i), static_cast<std::uint64_t>(100 + i)));
    if (request != nullptr) harness.send(*crowd.back(), *request);
  }
  for (const auto& peer : crowd) peer->messages();
  return crowd;
}

/// How many have something to read.
std::size_t heard(const Crowd& crowd) {
  return static_cast<std::size_t>(
      std::ranges::count_if(crowd, [](const auto& peer) { return !peer->arrived.empty(); }));
}

TEST(ShellFairness, handles_a_few_requests_of_one_connection_at_a_time_and_all_in_order) {
  ShellHarness harness(patient());
  harness.runs_slices = false;
  const auto ann = harness.enter("ann");
  const auto ben = harness.enter("ben");
  ann->messages();
  ben->messages();
  harness.send_bytes(*ann, pings(1, 100));
  constexpr std::uint64_t at_once = transport::Shell::requests_at_once;
  harness.send_bytes(*ben, pings(1, at_once + 3));
  EXPECT_EQ(ann->messages().size(), at_once);
  EXPECT_EQ(ben->messages().size(), at_once);
  EXPECT_FALSE(ann->is_reading);
  ASSERT_TRUE(harness.run_slice());
  EXPECT_EQ(ann->messages().size(), at_once);
  EXPECT_TRUE(ben->messages().empty()) << "one connection has its turn";
  ASSERT_TRUE(harness.run_slice());
  EXPECT_EQ(ben->messages().size(), 3u);
  EXPECT_TRUE(ben->is_reading);
  for (std::uint64_t answered = 2 * at_once; answered < 100;) {
    ASSERT_TRUE(harness.run_slice());
    for (const auto& answer : ann->messages()) ASSERT_EQ(answer.request_id(), ++answered);
  }
  EXPECT_TRUE(ann->is_reading);
  harness.run_slices();
  harness.send_bytes(*ann, frame(ping(101)));
  EXPECT_EQ(ann->messages().at(0).request_id(), 101u);
}

TEST(ShellFairness, keeps_requests_in_order_that_wait_for_the_directory_and_for_their_turn) {
  ShellHarness harness(patient(), ShellHarness::Option::late_directory);
  const auto ann = harness.enter("ann");
  harness.answer();
  ann->messages();
  std::string bytes = pings(1, transport::Shell::requests_at_once - 1);
  v1::ClientMessage list = list_request();
  list.set_request_id(transport::Shell::requests_at_once);
  bytes += frame(list) + pings(transport::Shell::requests_at_once + 1, 40);
  harness.send_bytes(*ann, bytes);
  EXPECT_EQ(ann->messages().size(), transport::Shell::requests_at_once - 1);
  std::uint64_t answered = transport::Shell::requests_at_once - 1;
  harness.answer();
  harness.run_slices();
  for (const auto& answer : ann->messages()) ASSERT_EQ(answer.request_id(), ++answered);
  EXPECT_EQ(answered, 40u);
}

TEST(ShellFairness, forgets_the_requests_of_a_connection_that_ends_before_its_turn) {
  ShellHarness harness(patient());
  harness.runs_slices = false;
  const auto ann = harness.enter("ann");
  harness.send_bytes(*ann, pings(1, 100));
  harness.shell().broken(*ann, "the test");
  harness.run_slices();
  EXPECT_TRUE(ann->is_closed());
}

TEST(ShellFairness, writes_news_for_many_a_few_at_a_time) {
  ShellHarness harness(patient());
  const auto ann = harness.enter("ann");
  harness.send(*ann, create_request("den"));
  const v1::ClientMessage watch = watch_request("den");
  const Crowd crowd = enter_crowd(harness, 200, &watch);
  ann->messages();
  harness.runs_slices = false;
  harness.send(*ann, chat_request("hello"));
  EXPECT_EQ(ann->messages().size(), 1u) << "who asked is told first";
  EXPECT_EQ(heard(crowd), transport::Shell::writes_at_once - 1);
  ASSERT_TRUE(harness.run_slice());
  EXPECT_EQ(heard(crowd), 2 * transport::Shell::writes_at_once - 1);
  // What comes meanwhile is written together with what waits.
  harness.send(*ann, chat_request("again"));
  harness.run_slices();
  for (const auto& watcher : crowd) {
    const auto messages = watcher->messages();
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(messages[0].update().chat_said().text(), "hello");
    EXPECT_EQ(messages[1].update().chat_said().text(), "again");
  }
}

TEST(ShellFairness, does_less_in_an_event_if_that_takes_long) {
  ShellHarness harness(patient());
  const auto ann = harness.enter("ann");
  harness.send(*ann, create_request("den"));
  const v1::ClientMessage watch = watch_request("den");
  const Crowd crowd = enter_crowd(harness, 20, &watch);
  ann->messages();
  harness.runs_slices = false;
  harness.look_takes = transport::Shell::max_event_time / 2;
  harness.send(*ann, chat_request("hello"));
  EXPECT_GE(heard(crowd), 1u);
  EXPECT_LT(heard(crowd), 5u);
  for (auto before = heard(crowd); harness.run_slice(); before = heard(crowd)) {
    EXPECT_LT(heard(crowd) - before, 5u);
  }
  EXPECT_EQ(heard(crowd), crowd.size());
  ann->messages();
  harness.send_bytes(*ann, pings(1, 20));
  const std::vector<v1::ServerMessage> first = ann->messages();
  EXPECT_GE(first.size(), 1u);
  EXPECT_LT(first.size(), transport::Shell::requests_at_once);
  harness.run_slices();
  std::uint64_t answered = first.size();
  for (const auto& answer : ann->messages()) ASSERT_EQ(answer.request_id(), ++answered);
  EXPECT_EQ(answered, 20u);
}

TEST(ShellFairness, releases_what_waited_for_a_record_a_few_connections_at_a_time) {
  ShellHarness harness(patient(), ShellHarness::Option::keeps_records);
  const Crowd crowd = enter_crowd(harness, 400);
  harness.runs_slices = false;
  // Those who leave are closed as soon as their last frames can be written.
  for (const auto& peer : crowd) {
    harness.shell().peer_finished(*peer);
    ASSERT_TRUE(peer->is_closing());
  }
  const auto open = [&] {
    return static_cast<std::size_t>(
        std::ranges::count_if(crowd, [](const auto& peer) { return !peer->is_closed(); }));
  };
  harness.commit();
  EXPECT_GE(open(), crowd.size() - transport::Shell::releases_at_once);
  EXPECT_LT(open(), crowd.size());
  harness.commit();  // again, before they have all had their turn
  harness.run_slices();
  EXPECT_EQ(open(), 0u);
  for (const auto& peer : crowd) EXPECT_TRUE(peer->messages().at(0).has_welcome());
}

TEST(ShellFairness, ends_a_few_connections_at_a_time_when_it_stops) {
  ShellHarness harness(patient());
  const Crowd crowd = enter_crowd(harness, 200);
  harness.runs_slices = false;
  harness.shell().stop();
  EXPECT_TRUE(harness.has_stopped()) << "nobody is accepted any more";
  EXPECT_LE(heard(crowd), transport::Shell::writes_at_once);
  harness.send_bytes(*crowd.back(), frame(ping(1)));
  EXPECT_TRUE(crowd.back()->arrived.empty()) << "no more requests are taken";
  for (std::size_t before = heard(crowd); harness.run_slice(); before = heard(crowd)) {
    EXPECT_LE(heard(crowd) - before, transport::Shell::writes_at_once);
  }
  for (const auto& peer : crowd) {
    const auto messages = peer->messages();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0].error().code(), v1::Error::CODE_SERVER_STOPPING);
    EXPECT_TRUE(peer->saw_end);
  }
}

TEST(ShellFairness, ends_connections_that_are_lost_while_it_stops) {
  ShellHarness harness(patient(), ShellHarness::Option::keeps_records);
  std::vector<std::shared_ptr<FakeConnection>> crowd;
  for (int i = 0; i < 200; ++i) {
    crowd.push_back(harness.enter("p" + std::to_string(i), static_cast<std::uint64_t>(100 + i)));
    harness.commit();
    harness.send(*crowd.back(), create_request("den" + std::to_string(i)));
    harness.commit();
  }
  harness.runs_slices = false;
  harness.shell().stop();
  for (const auto& peer : crowd) {
    if (peer->is_open()) harness.shell().broken(*peer, "the test");
  }
  harness.run_slices();
  for (const auto& peer : crowd) EXPECT_FALSE(peer->is_open());
}

// The largest backlog of the address with the most goes; a peer that reads everything never does.
TEST(ShellFairness, cuts_off_the_largest_backlog_of_the_address_with_the_most) {
  server::Config config = patient();
  config.limits.all_outboxes_bytes = 100'000;
  config.limits.outbox_bytes_per_address = 60'000;
  ShellHarness harness(config);
  const auto ann = harness.enter("ann", 1);
  harness.send(*ann, create_request("den"));
  const auto watch = [&](const std::string& name, std::uint64_t address) {
    auto watcher = harness.enter(name, address);
    harness.send(*watcher, watch_request("den"));
    return watcher;
  };
  const auto talk = [&](int times) {
    for (int i = 0; i < times; ++i) harness.send(*ann, chat_request(std::string(250, 'x')));
  };
  const auto slow = watch("slow", 2);
  const auto deaf = watch("deaf", 3);
  const auto brisk = watch("brisk", 3);
  deaf->takes_bytes = 0;
  talk(20);
  slow->takes_bytes = 0;
  const auto deaf_too = watch("deaf_too", 3);
  deaf_too->takes_bytes = 0;
  const auto all_open = [&] { return deaf->is_open() && slow->is_open() && deaf_too->is_open(); };
  while (all_open()) talk(1);
  EXPECT_TRUE(deaf->is_closed());
  EXPECT_TRUE(slow->is_open() && deaf_too->is_open());
  while (slow->is_open() && deaf_too->is_open()) talk(1);
  while (slow->is_open() || deaf_too->is_open()) talk(1);
  EXPECT_TRUE(brisk->is_open());
  EXPECT_TRUE(ann->is_open());
  EXPECT_TRUE(brisk->messages().back().has_update());
}

TEST(ShellFairness, shares_all_outboxes_among_one_address_if_addresses_have_no_limits) {
  server::Config config = patient();
  config.limits.connections_per_address = 0;
  config.limits.all_outboxes_bytes = 100'000;
  config.limits.outbox_bytes_per_address = 30'000;
  ShellHarness harness(config);
  const auto ann = harness.enter("ann", 1);
  harness.send(*ann, create_request("den"));
  const auto deaf = harness.enter("deaf", 2);
  harness.send(*deaf, watch_request("den"));
  deaf->takes_bytes = 0;
  for (int i = 0; i < 200; ++i) harness.send(*ann, chat_request(std::string(250, 'x')));
  EXPECT_TRUE(deaf->is_open());
  while (deaf->is_open()) harness.send(*ann, chat_request(std::string(250, 'x')));
}

TEST(ShellFairness, cuts_off_a_closing_connection_with_the_largest_backlog) {
  server::Config config = patient();
  config.limits.all_outboxes_bytes = 20'000;
  ShellHarness harness(config);
  const auto ann = harness.enter("ann", 1);
  harness.send(*ann, create_request("den"));
  const auto leaver = harness.enter("leaver", 2);
  harness.send(*leaver, watch_request("den"));
  leaver->takes_bytes = 0;
  for (int i = 0; i < 30; ++i) harness.send(*ann, chat_request(std::string(250, 'x')));
  harness.send(*leaver, goodbye());
  ASSERT_TRUE(leaver->is_closing());
  const auto deaf = harness.enter("deaf", 3);
  harness.send(*deaf, watch_request("den"));
  deaf->takes_bytes = 0;
  for (int i = 0; i < 20; ++i) harness.send(*ann, chat_request(std::string(250, 'x')));
  EXPECT_TRUE(leaver->is_closed());
  EXPECT_TRUE(deaf->is_open());
}

TEST(ShellFairness, refuses_an_answer_about_records_for_which_there_is_no_space) {
  server::Config config = patient();
  config.limits.outbox_bytes = 10'000;
  config.limits.look_ups_per_connection = 2;
  config.limits.look_ups_per_address = 2;
  config.limits.look_ups_per_network = 2;
  ShellHarness harness(config, ShellHarness::Option::keeps_records);
  const auto ann = harness.enter("ann");
  harness.commit();
  ann->messages();
  for (std::uint64_t id = 1; id <= 2; ++id) {
    v1::ClientMessage request;
    request.set_request_id(id);
    request.mutable_get_game()->set_id(7);
    harness.send(*ann, request);
  }
  ASSERT_EQ(harness.look_ups.size(), 2u);
  ann->takes_bytes = 0;
  v1::ServerMessage found;
  for (int i = 0; i < 6'000; ++i) found.mutable_game_found()->mutable_game()->add_moves(1);
  for (const auto& answer : harness.look_ups)
    answer(server::encode_answer(found, config.limits.server_frame_bytes));
  ASSERT_TRUE(ann->is_open());
  ann->takes_bytes = 100'000;
  harness.shell().wrote(*ann);
  const auto messages = ann->messages();
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].game_found().game().moves_size(), 6'000);
  EXPECT_EQ(messages[0].request_id(), 1u);
  EXPECT_EQ(messages[1].error().code(), v1::Error::CODE_RATE_LIMITED);
}

TEST(ShellFairness, lets_no_more_closing_peers_linger_than_it_may) {
  server::Config config = patient();
  config.limits.lingering_connections = 2;
  ShellHarness harness(config);
  std::vector<std::shared_ptr<FakeConnection>> closing;
  for (int i = 0; i < 5; ++i) {
    closing.push_back(harness.connect());
    harness.send_bytes(*closing.back(), std::string(100, '\xff'));
    EXPECT_EQ(closing.back()->messages().size(), 1u);
    harness.pass(milliseconds(1));
  }
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(closing[static_cast<std::size_t>(i)]->is_closed());
  EXPECT_TRUE(closing[3]->is_closing());
  EXPECT_TRUE(closing[4]->is_closing());
}

TEST(ShellFairness, ends_only_some_of_the_closing_peers_at_once) {
  ShellHarness harness(patient());
  std::vector<std::shared_ptr<FakeConnection>> closing;
  for (int i = 0; i < 100; ++i) {
    closing.push_back(harness.connect());
    harness.send_bytes(*closing.back(), std::string(100, '\xff'));
  }
  harness.let_time_pass(std::chrono::seconds(3));
  const auto ended = [&] {
    return std::ranges::count_if(closing, [](const auto& each) { return each->is_closed(); });
  };
  std::ptrdiff_t before = 0;
  while (ended() < 100) {
    harness.shell().timer_expired();
    EXPECT_LE(ended(), before + std::ptrdiff_t{transport::Shell::ends_at_once});
    ASSERT_GT(ended(), before);
    before = ended();
  }
}

}  // namespace
}  // namespace tictactoe::test::shell_fairness_tests
