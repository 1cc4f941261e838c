// The lines of the log, and the thread that writes them.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "server/base/event_log.hpp"
#include "server/logging/async_log.hpp"
#include "server/logging/log_format.hpp"

namespace tictactoe::app::log_tests {
namespace {

using spdlog::level::level_enum;

const spdlog::log_clock::time_point some_time{std::chrono::milliseconds(1'700'000'000'007)};

std::string json(std::string_view message) {
  return to_line(LogFormat::json, level_enum::warn, some_time, message);
}

std::string json_with(const std::string& text) {
  return R"({"time":"2023-11-14T22:13:20.007Z","level":"warning","message":")" + text + "\"}\n";
}

TEST(LogFormat, json_has_the_time_the_level_and_the_message) {
  EXPECT_EQ(json("stopping"), json_with("stopping"));
}

TEST(LogFormat, json_escapes_what_it_has_to) {
  EXPECT_EQ(json("a \"b\" \\ M\u00e4dchen \U0001f600"),
            json_with("a \\\"b\\\" \\\\ M\u00e4dchen \U0001f600"));
}

TEST(LogFormat, replaces_what_could_control_a_terminal_and_what_is_not_utf_8) {
  const std::string shown = "\ufffd[31m \ufffd\ufffd";
  EXPECT_EQ(json("\x1b[31m \n\xff"), json_with(shown));
  EXPECT_EQ(to_text("\x1b[31m \n\xff"), shown);
  EXPECT_EQ(to_text(server::to_payload(server::LogEvent{"x", {{"name", "\x1b\xff"}}})),
            "x: name=\"\ufffd\ufffd\"");
}

server::LogEvent some_event() {
  server::LogEvent event{"game over", {}};
  event.add("room", "the \"den\"").add("x", "ann").add("o", "a=b").add("moves", 5U);
  event.add("note", "").add("odd", "\x1f");
  return event;
}

TEST(LogFormat, an_event_is_a_text_for_people) {
  EXPECT_EQ(to_text(server::to_payload(some_event())),
            R"(game over: room="the \"den\"" x=ann o="a=b" moves=5 note="" odd=?)");
  EXPECT_EQ(to_text("stopping"), "stopping");
  EXPECT_EQ(to_text(""), "");
}

TEST(LogFormat, an_event_has_its_details_as_members) {
  EXPECT_EQ(json(server::to_payload(some_event())),
            R"({"time":"2023-11-14T22:13:20.007Z","level":"warning","message":"game over",)"
            R"("room":"the \"den\"","x":"ann","o":"a=b","moves":"5","note":"","odd":"?"})"
            "\n");
}

TEST(LogFormat, the_journal_gets_priorities) {
  const auto line = [](level_enum level) {
    return to_line(LogFormat::journal, level, some_time, "so");
  };
  EXPECT_EQ(line(level_enum::debug), "<7>so\n");
  EXPECT_EQ(line(level_enum::info), "<6>so\n");
  EXPECT_EQ(line(level_enum::warn), "<4>so\n");
  EXPECT_EQ(line(level_enum::err), "<3>so\n");
  EXPECT_EQ(line(level_enum::critical), "<2>so\n");
}

TEST(LogFormat, people_get_the_time_the_level_and_an_event_as_text) {
  const std::string line =
      to_line(LogFormat::text, level_enum::warn, some_time,
              server::to_payload(server::LogEvent{"room closed", {{"room", "den"}}}));
  // The time is local.
  EXPECT_THAT(line, testing::MatchesRegex("\\[20..-..-.. ..:..:...007\\] \\[tictactoe-server\\] "
                                          "\\[.*warning.*\\] room closed: room=den\n"));
}

using std::chrono::hours;
using std::chrono::milliseconds;
using testing::ElementsAre;

/// What was written. Blocks the first write until the test releases it.
class BlockedOutput {
 public:
  void write(std::string_view text) {
    if (!blocked_) {
      blocked_ = true;
      began_.set_value();
      released_.get_future().wait();
    }
    const std::lock_guard lock(mutex_);
    texts_.emplace_back(text);
  }
  void wait_for_write() { began_.get_future().wait(); }
  void release() { released_.set_value(); }
  std::vector<std::string> texts() {
    const std::lock_guard lock(mutex_);
    return texts_;
  }

 private:
  bool blocked_ = false;  // of the writer's thread
  std::promise<void> began_;
  std::promise<void> released_;
  std::mutex mutex_;
  std::vector<std::string> texts_;
};

TEST(AsyncLog, writes_everything_in_order_before_it_ends) {
  std::string written;
  AsyncLog log([&](std::string_view text) { written += text; }, LogFormat::journal, 2'000);
  std::string expected;
  for (int i = 0; i < 1000; ++i) {
    log.logger()->info("{}", i);
    expected += "<6>" + std::to_string(i) + "\n";
  }
  EXPECT_TRUE(log.finish(hours(1)));
  EXPECT_EQ(written, expected);
}

TEST(AsyncLog, drops_and_counts_the_oldest_lines_while_its_output_is_blocked) {
  const auto output = std::make_shared<BlockedOutput>();
  AsyncLog log([output](std::string_view text) { output->write(text); }, LogFormat::journal, 2);
  log.logger()->info("1");
  output->wait_for_write();
  for (int i = 2; i <= 5; ++i) log.logger()->info("{}", i);
  output->release();
  EXPECT_TRUE(log.finish(hours(1)));
  EXPECT_THAT(
      output->texts(),
      ElementsAre("<6>1\n", "<4>2 log lines were dropped: the log was not read fast enough\n<6>4\n",
                  "<6>5\n"));
}

TEST(AsyncLog, ends_although_its_output_is_blocked) {
  const auto output = std::make_shared<BlockedOutput>();
  {
    AsyncLog log([output](std::string_view text) { output->write(text); }, LogFormat::journal);
    log.logger()->info("first");
    output->wait_for_write();
    EXPECT_FALSE(log.finish(milliseconds(1)));
  }
  output->release();
}

TEST(AsyncLog, does_not_wait_for_a_blocked_standard_error_at_the_end) {
  std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
  const std::string full(4096, 'x');
  while (::write(ends[1], full.data(), full.size()) > 0) {
  }
  ::fcntl(ends[1], F_SETFL, 0);
  const int standard_error = ::dup(STDERR_FILENO);
  ::dup2(ends[1], STDERR_FILENO);
  report_to_standard_error("nobody reads this\n", milliseconds(1));
  ::dup2(standard_error, STDERR_FILENO);
  for (const int end : {ends[0], ends[1], standard_error}) ::close(end);
}

}  // namespace
}  // namespace tictactoe::app::log_tests
