// What connections write to the log stays little, whatever they do.
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <sstream>
#include <string>

#include "server/net/limited_log.hpp"
#include "tests/support/shell_harness.hpp"

namespace tictactoe::test {
namespace {

using net::LimitedLines;
using std::chrono::milliseconds;
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

TEST(LimitedLines, let_a_burst_through_and_tell_how_many_were_left_out) {
  LimitedLines lines;
  const LimitedLines::Time start{std::chrono::hours(1)};
  int written = 0;
  std::uint64_t left_out = 0;
  const auto note = [&](LimitedLines::Time now) {
    lines.note(now, [&](std::uint64_t missing) {
      ++written;
      left_out += missing;
    });
  };
  for (int i = 0; i < 1'000; ++i) note(start);
  EXPECT_EQ(written, LimitedLines::burst);
  EXPECT_EQ(left_out, 0u);
  note(start + milliseconds(100));
  EXPECT_EQ(written, LimitedLines::burst + 1);
  EXPECT_EQ(left_out, 900u);
  for (int i = 0; i < 1'000; ++i) note(start + seconds(1) + milliseconds(100));
  EXPECT_EQ(written, LimitedLines::burst + 1 + LimitedLines::per_second);
}

TEST(Log, tells_of_each_connection_if_there_are_few) {
  CapturedLog log;
  ShellHarness harness;
  const auto connection = harness.enter("guest");
  harness.shell().broken(*connection, "it was reset");
  EXPECT_EQ(log.take_lines(), std::vector<std::string>{"connection 0.1 has ended: it was reset"});
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
  EXPECT_EQ(log.take_lines().size(), std::size_t{LimitedLines::burst});
  harness.pass(seconds(10));
  harness.shell().broken(*harness.connect(), "it was reset");
  const auto lines = log.take_lines();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "1900 lines about connections were left out");
}

}  // namespace
}  // namespace tictactoe::test
