// Decisions about connections: holding, pausing, closing, lingering, cutting off.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <sstream>
#include <string>

#include "server/base/event_log.hpp"
#include "server/transport/shell/shell.hpp"
#include "tests/support/shell_harness.hpp"

namespace tictactoe::test::shell_tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Shell, writes_once_for_all_that_one_read_has_caused) {
  ShellHarness harness(patient());
  const auto ann = harness.enter("ann");
  ASSERT_TRUE(ann->messages().at(0).has_welcome());
  ann->takes_bytes = 0;
  harness.send_bytes(*ann, frame(ping(1)) + frame(ping(2)));
  ann->takes_bytes = 1000;
  harness.shell().wrote(*ann);
  const auto answers = ann->messages();
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[1].request_id(), 2u);
}

TEST(Shell, holds_what_tells_of_a_record_until_it_is_durable) {
  ShellHarness harness(patient(), ShellHarness::Option::keeps_records);
  const auto ann = harness.enter("ann");
  EXPECT_TRUE(ann->messages().empty());
  harness.commit();
  EXPECT_TRUE(ann->messages().at(0).has_welcome());
}

TEST(Shell, that_can_record_nothing_more_discards_what_waits_and_says_why) {
  ShellHarness harness(patient(), ShellHarness::Option::keeps_records);
  const auto ann = harness.enter("ann");
  const auto ben = harness.enter("ben");
  harness.commit();
  ann->messages();
  ben->messages();
  harness.send(*ann, create_request("den"));
  bool told_all = false;
  harness.shell().fail("The disk has failed.", [&] { told_all = true; });
  harness.run_slices();
  for (const auto& peer : {ann, ben}) {
    const auto messages = peer->messages();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0].error().code(), v1::Error::CODE_SERVER_STOPPING);
    EXPECT_EQ(messages[0].error().message(), "The disk has failed.");
    EXPECT_TRUE(peer->saw_end);
  }
  EXPECT_TRUE(told_all);
}

TEST(Shell, keeps_the_held_answer_to_a_goodbye_after_the_peer_has_finished) {
  ShellHarness harness(patient(), ShellHarness::Option::keeps_records);
  const auto ann = harness.enter("ann");
  harness.commit();
  harness.send(*ann, create_request("den"));
  harness.commit();
  ann->messages();
  harness.send(*ann, goodbye());
  ASSERT_TRUE(ann->is_closing());
  harness.shell().peer_finished(*ann);
  ASSERT_TRUE(ann->is_closing());
  EXPECT_TRUE(ann->messages().empty());
  harness.commit();
  const auto last = ann->messages();
  ASSERT_EQ(last.size(), 1u);
  EXPECT_TRUE(last[0].has_left());
  EXPECT_TRUE(ann->saw_end);
  EXPECT_TRUE(ann->is_closed());
}

TEST(Shell, keeps_what_a_slow_peer_has_not_read_when_it_has_finished) {
  ShellHarness harness(patient());
  const auto ann = harness.enter("ann");
  ann->messages();
  ann->takes_bytes = 1;
  harness.send(*ann, ping(3));
  harness.shell().peer_finished(*ann);
  EXPECT_EQ(harness.shell().host().connections(), 0u);
  ASSERT_FALSE(ann->is_closed());
  ann->takes_bytes = 1000;
  harness.shell().wrote(*ann);
  EXPECT_EQ(ann->messages().at(0).request_id(), 3u);
  EXPECT_TRUE(ann->is_closed());
}

TEST(Shell, discards_what_a_closing_peer_sends_and_aborts_it_after_a_while) {
  ShellHarness harness(patient());
  const auto ann = harness.connect();
  harness.send_bytes(*ann, std::string(100, '\xff'));
  ASSERT_TRUE(ann->is_closing());
  EXPECT_TRUE(ann->saw_end);
  EXPECT_EQ(ann->messages().at(0).error().code(), v1::Error::CODE_MALFORMED_FRAME);
  harness.send_bytes(*ann, std::string(100, 'x'));
  harness.pass(milliseconds(1999));
  EXPECT_TRUE(ann->is_closing());
  harness.pass(milliseconds(1));
  EXPECT_TRUE(ann->is_closed());
}

TEST(Shell, gives_a_closing_peer_longer_while_its_last_frames_wait_for_a_record) {
  ShellHarness harness(patient(), ShellHarness::Option::keeps_records);
  const auto ann = harness.enter("ann");
  harness.commit();
  harness.send(*ann, create_request("den"));
  harness.send(*ann, goodbye());
  harness.pass(seconds(9));
  ASSERT_TRUE(ann->is_closing());
  harness.commit();
  harness.pass(milliseconds(1999));
  EXPECT_TRUE(ann->is_closing());
  harness.pass(milliseconds(1));
  EXPECT_TRUE(ann->is_closed());
}

TEST(Shell, stops_reading_while_the_outbox_is_over_half_full) {
  server::Config config = patient();
  config.limits.outbox_bytes = 1000;
  ShellHarness harness(config);
  const auto ann = harness.enter("ann");
  ann->messages();
  ann->takes_bytes = 0;
  harness.send_bytes(*ann, pings(1, 500));
  EXPECT_FALSE(ann->is_reading);
  std::uint64_t answered = 0;
  while (answered < 500) {
    ann->takes_bytes = 100;
    harness.shell().wrote(*ann);
    harness.run_slices();
    for (const auto& answer : ann->messages()) ASSERT_EQ(answer.request_id(), ++answered);
  }
  EXPECT_TRUE(ann->is_reading);
}

TEST(Shell, answers_all_that_a_peer_has_asked_for_while_a_record_was_written) {
  server::Config config = patient();
  config.limits.outbox_bytes = 1000;
  ShellHarness harness(config, ShellHarness::Option::keeps_records);
  const auto ann = harness.enter("ann");
  harness.commit();
  ann->messages();
  harness.send_bytes(*ann, frame(create_request("den")) + pings(1, 500));
  EXPECT_FALSE(ann->is_reading);
  EXPECT_TRUE(ann->messages().empty());
  harness.commit();
  harness.run_slices();
  EXPECT_EQ(ann->messages().size(), 501u);
  EXPECT_TRUE(ann->is_reading);
}

TEST(Shell, a_paused_peer_is_not_expelled_as_silent) {
  server::Config config = patient();
  config.limits.outbox_bytes = 1000;
  config.limits.silence_timeout = seconds(30);
  ShellHarness harness(config);
  const auto ann = harness.enter("ann");
  ann->messages();
  ann->takes_bytes = 0;
  harness.send_bytes(*ann, pings(1, 500));
  ASSERT_FALSE(ann->is_reading);
  harness.pass(seconds(300));
  EXPECT_TRUE(ann->is_open());
  ann->takes_bytes = std::size_t{1} << 20;
  harness.shell().wrote(*ann);
  harness.run_slices();
  ASSERT_TRUE(ann->is_reading);
  harness.pass(seconds(31));
  EXPECT_FALSE(ann->is_open()) << "now it is silent";
}

TEST(Shell, delivers_no_frame_while_the_directory_is_asked_for_the_one_before) {
  server::Config config = patient();
  config.limits.silence_timeout = seconds(30);
  ShellHarness harness(config, ShellHarness::Option::late_directory);
  const auto ann = harness.connect();
  v1::ClientMessage hello = hello_request("ann");
  hello.set_request_id(1);
  harness.send_bytes(*ann, frame(hello) + frame(ping(2)) + frame(ping(3)));
  EXPECT_FALSE(ann->is_reading);
  EXPECT_TRUE(ann->messages().empty());
  while (!ann->is_reading) harness.answer();
  const auto answers = ann->messages();
  ASSERT_EQ(answers.size(), 3u);
  EXPECT_TRUE(answers[0].has_welcome());
  EXPECT_EQ(answers[1].request_id(), 2u);
  EXPECT_EQ(answers[2].request_id(), 3u);
}

// Nothing else owns it while it is not read. Seen by AddressSanitizer.
TEST(Shell, cuts_off_a_peer_whose_waiting_requests_go_on) {
  server::Config config = patient();
  config.limits.all_outboxes_bytes = 1;
  ShellHarness harness(config, ShellHarness::Option::late_directory);
  auto ann = harness.enter("ann");
  harness.answer();
  ASSERT_EQ(ann->messages().size(), 1u);
  ann->takes_bytes = 0;
  std::string bytes = frame(list_request());
  // The answers to the last of them are more than is not counted.
  while (bytes.size() < transport::Outbox::uncounted_bytes) bytes += frame(ping(1u << 31));
  harness.send_bytes(*ann, bytes);
  ann.reset();
  harness.answer();
  harness.run_slices();
  EXPECT_EQ(harness.shell().host().connections(), 0u);
}

TEST(Shell, cuts_off_a_peer_that_does_not_read) {
  server::Config config = patient();
  config.limits.outbox_bytes = 10'000;
  ShellHarness harness(config);
  const auto ann = harness.enter("ann");
  harness.send(*ann, create_request("den"));
  const auto ben = harness.enter("ben");
  harness.send(*ben, watch_request("den"));
  ben->takes_bytes = 0;
  ann->messages();
  bool is_cut_off = false;
  for (int said = 0; said < 100 && !is_cut_off; ++said) {
    harness.send(*ann, chat_request(std::string(250, 'x')));
    is_cut_off = ben->is_closed();
  }
  ASSERT_TRUE(is_cut_off);
  EXPECT_EQ(harness.shell().host().connections(), 1u);
  EXPECT_TRUE(ann->messages().back().update().has_watchers_changed());
}

TEST(Shell, a_connection_outlives_it) {
  ShellHarness harness(patient(), ShellHarness::Option::keeps_records);
  const auto open = harness.enter("ann");
  const auto closing = harness.enter("ben");
  harness.send(*closing, goodbye());
  harness.destroy();
  EXPECT_TRUE(open->is_closed());
  EXPECT_TRUE(closing->is_closed());
}

TEST(Shell, stops_when_the_time_to_drain_is_over_and_sets_no_timer_once_all_have_gone) {
  ShellHarness harness(patient());
  const auto ann = harness.enter("ann");
  const auto ben = harness.enter("ben");
  harness.send(*ann, create_request("den"));
  harness.send(*ben, join_request("den"));
  harness.send(*ann, move_request(0, 0));
  harness.shell().drain(seconds(60));
  harness.pass(seconds(59));
  EXPECT_FALSE(harness.has_stopped());
  harness.pass(seconds(1));
  EXPECT_TRUE(harness.has_stopped());
  ASSERT_TRUE(ann->is_closing());
  harness.shell().peer_finished(*ann);
  EXPECT_TRUE(harness.has_timer());
  harness.shell().peer_finished(*ben);
  EXPECT_FALSE(harness.has_timer());
  EXPECT_EQ(ann->messages().back().error().code(), v1::Error::CODE_SERVER_STOPPING);
}

TEST(Shell, waits_half_a_second_for_peers_at_its_end_as_all_wait_for_the_next_start) {
  ShellHarness harness(patient());
  const auto ann = harness.enter("ann");
  harness.shell().stop();
  harness.pass(milliseconds(499));
  EXPECT_TRUE(ann->is_closing());
  harness.pass(milliseconds(1));
  EXPECT_TRUE(ann->is_closed());
  EXPECT_FALSE(harness.has_timer());
}

// What connections write to the log stays little, whatever they do.

using std::chrono::seconds;

/// The lines of the log as long as this lives.
class CapturedLog {
 public:
  CapturedLog() {
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_st>(text_);
    auto logger = std::make_shared<spdlog::logger>("captured", std::move(sink));
    logger->set_pattern("%v");
    spdlog::set_default_logger(std::move(logger));
  }
  ~CapturedLog() { spdlog::set_default_logger(before_); }
  CapturedLog(const CapturedLog&) = delete;
  CapturedLog& operator=(const CapturedLog&) = delete;

  /// Since the last call.
  std::vector<std::string> take_lines() {
    std::istringstream all(text_.str());
    text_.str({});
    std::vector<std::string> lines;
    for (std::string line; std::getline(all, line);) lines.push_back(line);
    return lines;
  }

 private:
  std::ostringstream text_;
  std::shared_ptr<spdlog::logger> before_ = spdlog::default_logger();
};

std::string line(const server::LogEvent& event) {
  return server::to_payload(event);
}

TEST(Log, tells_of_each_connection_if_there_are_few) {
  CapturedLog log;
  ShellHarness harness;
  const auto connection = harness.enter("guest");
  harness.shell().broken(*connection, "it was reset");
  server::LogEvent joined{"player joined", {}};
  server::LogEvent closed{"connection closed", {}};
  for (server::LogEvent* event : {&joined, &closed}) {
    event->add("connection", "0.1").add("address", "0.0.0.1").add("player", "guest");
  }
  joined.add("known", "no");
  closed.add("reason", "it was reset");
  EXPECT_EQ(log.take_lines(), (std::vector<std::string>{line(joined), line(closed)}));
}

TEST(Log, of_connections_that_come_and_go_stays_short) {
  CapturedLog log;
  ShellHarness harness;
  for (int i = 0; i < 1'000; ++i) {
    const auto connection = harness.connect();
    harness.send_bytes(*connection, "\xff\xff\xff\xff\xff\xff");
    const auto other = harness.connect();
    harness.shell().broken(*other, "it was reset");
  }
  const std::size_t of_one_address = server::EventLog::burst / server::EventLog::part;
  EXPECT_EQ(log.take_lines().size(), of_one_address);
  harness.pass(seconds(10));
  harness.shell().broken(*harness.connect(), "it was reset");
  const auto lines = log.take_lines();
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(lines[0].starts_with("events left out")) << lines[0];
}

}  // namespace
}  // namespace tictactoe::test::shell_tests
