#include "server/hosting/log_format.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "server/core/event_log.hpp"

namespace tictactoe::hosting {
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
  EXPECT_EQ(json("a \"b\" \\ \n \x1b \x7f"), json_with("a \\\"b\\\" \\\\ \\u000a \\u001b \x7f"));
  EXPECT_EQ(json("M\u00e4dchen \U0001f600"), json_with("M\u00e4dchen \U0001f600"));
}

TEST(LogFormat, json_replaces_what_is_not_utf_8) {
  EXPECT_EQ(json("\xff\xc0\x80"
                 "a"),
            json_with(R"(\ufffd\ufffd\ufffda)"));
  EXPECT_EQ(json("cut \xf0\x9f"), json_with(R"(cut \ufffd\ufffd)"));
  EXPECT_EQ(json("\xc3("), json_with(R"(\ufffd()"));
}

core::LogEvent some_event() {
  core::LogEvent event{"game over", {}};
  event.add("room", "the \"den\"").add("x", "ann").add("o", "a=b").add("moves", 5U);
  event.add("note", "").add("odd", "\x1f");
  return event;
}

TEST(LogFormat, an_event_is_a_text_for_people) {
  EXPECT_EQ(to_text(core::to_payload(some_event())),
            R"(game over: room="the \"den\"" x=ann o="a=b" moves=5 note="" odd=?)");
  EXPECT_EQ(to_text("stopping"), "stopping");
  EXPECT_EQ(to_text(""), "");
}

TEST(LogFormat, an_event_has_its_details_as_members) {
  EXPECT_EQ(json(core::to_payload(some_event())),
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

}  // namespace
}  // namespace tictactoe::hosting
