#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "common/program/help.hpp"
#include "common/program/suggestion.hpp"

namespace tictactoe::program::program_suggestion_tests {
namespace {

const std::vector<std::string> commands{"history", "rooms", "players", "replay", "export", "lan"};

TEST(SimilarWord, has_a_third_of_its_letters_wrong_at_most) {
  EXPECT_EQ(similar_word("romms", commands), "rooms");
  EXPECT_EQ(similar_word("room", commands), "rooms");
  EXPECT_EQ(similar_word("hsitroy", commands), "history");
  EXPECT_EQ(similar_word("lna", commands), "lan");
  EXPECT_EQ(similar_word("den", commands), "");
  EXPECT_EQ(similar_word("ro", commands), "");
  EXPECT_EQ(similar_word("", commands), "");
  EXPECT_EQ(similar_word(std::string(1'000'000, 'x'), commands), "");
}

/// What a program with two commands says to its command line.
class CommandLine : public testing::Test {
 protected:
  CommandLine() {
    declare_common(app, "1");
    app.add_subcommand("solve", "Solves it");
    app.add_subcommand("judge", "Judges it");
    app.require_subcommand(1);
  }
  std::optional<int> parse_words(std::vector<const char*> words) {
    words.insert(words.begin(), "program");
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    const auto status = parse(app, static_cast<int>(words.size()), words.data());
    out = testing::internal::GetCapturedStdout();
    err = testing::internal::GetCapturedStderr();
    return status;
  }

  CLI::App app{"Text", "program"};
  std::string out;
  std::string err;
};

TEST_F(CommandLine, with_an_unknown_command_gets_a_suggestion_alone) {
  EXPECT_EQ(parse_words({"slove", "3"}), bad_options);
  EXPECT_EQ(err,
            "program: unknown command \"slove\"; did you mean solve?\n"
            "Run with --help for the options.\n");
  EXPECT_EQ(parse_words({"\033[2J"}), bad_options);
  EXPECT_EQ(err,
            "program: unknown command \"?[2J\"; there are: solve, judge\n"
            "Run with --help for the options.\n");
}

TEST_F(CommandLine, that_asks_for_help_gets_it) {
  EXPECT_EQ(parse_words({"help"}), 0);
  EXPECT_EQ(out, app.help());
  EXPECT_EQ(parse_words({"help", "judge"}), 0);
  EXPECT_NE(out.find("Judges it"), std::string::npos);
  EXPECT_EQ(out.find("Solves it"), std::string::npos);
}

}  // namespace
}  // namespace tictactoe::program::program_suggestion_tests
