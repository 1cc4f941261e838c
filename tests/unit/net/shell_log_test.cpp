// What connections write to the log stays little, whatever they do.
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <sstream>
#include <string>

#include "server/core/event_log.hpp"
#include "tests/support/shell_harness.hpp"

namespace tictactoe::test {
namespace {

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

std::string line(const core::LogEvent& event) {
  return core::to_payload(event);
}

TEST(Log, tells_of_each_connection_if_there_are_few) {
  CapturedLog log;
  ShellHarness harness;
  const auto connection = harness.enter("guest");
  harness.shell().broken(*connection, "it was reset");
  core::LogEvent joined{"player joined", {}};
  core::LogEvent closed{"connection closed", {}};
  for (core::LogEvent* event : {&joined, &closed}) {
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
  const std::size_t of_one_address = core::EventLog::burst / core::EventLog::part;
  EXPECT_EQ(log.take_lines().size(), of_one_address);
  harness.pass(seconds(10));
  harness.shell().broken(*harness.connect(), "it was reset");
  const auto lines = log.take_lines();
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(lines[0].starts_with("events left out")) << lines[0];
}

}  // namespace
}  // namespace tictactoe::test
