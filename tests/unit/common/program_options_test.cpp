// Values of options, mistakes in them, and password files.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "common/program/config_file.hpp"
#include "common/program/help.hpp"
#include "common/program/password.hpp"
#include "common/program/units.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::program::program_options_tests {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

/// A program with a few options.
class OptionValuesTest : public testing::Test {
 protected:
  OptionValuesTest() {
    declare_common(app, "1");
    app.add_option("--port", port, "Port")->transform(number_in(0, 65'535));
    app.add_option("--seconds", wait, "Time")->transform(decimal_in(0, 100));
    app.add_option("--drain", drain, "Time")->transform(time_in(seconds(1), 0, 86'400));
    app.add_option("--pause", pause, "Time")->transform(time_in(milliseconds(1), 1, 600'000));
    app.add_option("--keep", keep, "Time")->transform(time_in(hours(24), 0, 36'500));
    app.add_option("--memory", memory, "Size")->transform(memory_in_mib(16, 16'384));
    app.add_option("--log", log, "Level")->check(CLI::IsMember({"debug", "info", "warn"}));
    CLI::App* const ctl = app.add_subcommand("account", "Command");
    ctl->add_option("action", action, "Action")->check(CLI::IsMember({"add", "list"}))->required();
    ctl->add_option("name", name, "Name");
    ctl->add_flag("--json", json, "Flag");
  }
  std::vector<std::string> mistakes(const std::vector<std::string>& arguments) {
    return parse_again(app, arguments);
  }
  std::string mistake(const std::vector<std::string>& arguments) {
    const auto all = mistakes(arguments);
    EXPECT_EQ(all.size(), 1u) << testing::PrintToString(all);
    return all.empty() ? "" : all.front();
  }

  CLI::App app{"", "program"};
  std::uint16_t port = 0;
  double wait = -1;
  int drain = -1;
  int pause = -1;
  int keep = -1;
  int memory = -1;
  std::string log;
  std::string action;
  std::string name;
  bool json = false;
};

TEST_F(OptionValuesTest, times_have_units) {
  EXPECT_THAT(mistakes({"--drain", "5m", "--pause", "2s", "--keep", "30d", "--memory", "2G"}),
              ElementsAre());
  EXPECT_EQ(drain, 300);
  EXPECT_EQ(pause, 2'000);
  EXPECT_EQ(keep, 30);
  EXPECT_EQ(memory, 2'048);
}

TEST_F(OptionValuesTest, numbers_alone_count_in_the_unit_of_the_option) {
  EXPECT_THAT(mistakes({"--drain", "90", "--pause", "600", "--keep", "7", "--memory", "512"}),
              ElementsAre());
  EXPECT_EQ(drain, 90);
  EXPECT_EQ(pause, 600);
  EXPECT_EQ(keep, 7);
  EXPECT_EQ(memory, 512);
}

TEST_F(OptionValuesTest, units_can_be_put_together) {
  EXPECT_THAT(mistakes({"--drain", "1h30m", "--memory", "512MiB"}), ElementsAre());
  EXPECT_EQ(drain, 5'400);
  EXPECT_EQ(memory, 512);
}

TEST_F(OptionValuesTest, what_is_no_time_is_refused_with_an_example) {
  for (const char* bad :
       {"soon", "5x", "-1", "5 m", "30m1h", "5m90", "1.5h", "", "99999999999999999999"}) {
    EXPECT_THAT(mistake({"--drain", bad}),
                HasSubstr("--drain: \"" + std::string(bad) + "\" is not a time"));
  }
  EXPECT_THAT(mistake({"--drain", "2d"}), HasSubstr("not between 0 and 1d"));
  EXPECT_THAT(mistake({"--keep", "12h"}), HasSubstr("not a multiple of 1d"));
  EXPECT_THAT(mistake({"--memory", "1M"}), HasSubstr("not between 16MiB and 16GiB"));
}

TEST_F(OptionValuesTest, a_mistyped_option_is_named) {
  EXPECT_EQ(mistake({"--darin=5"}), "there is no option --darin");
  EXPECT_EQ(mistake({"--colour", "red"}), "there is no option --colour");
  EXPECT_EQ(mistake({"account", "list", "--jsno"}), "there is no option --jsno");
  EXPECT_EQ(mistake({"account", "list", "--port", "5"}), "--port must come before account");
}

TEST_F(OptionValuesTest, a_mistyped_word_is_named_with_those_that_there_are) {
  EXPECT_EQ(mistake({"acount", "add", "ann"}), "unknown command \"acount\"; there are: account");
  EXPECT_EQ(mistake({"account", "frobnicate"}),
            "unknown command \"frobnicate\"; there are: add, list");
  EXPECT_EQ(mistake({"account"}), "missing argument: action");
  EXPECT_EQ(mistake({"--log", "noise"}),
            "--log: there is no \"noise\"; choose one of debug, info, warn");
  EXPECT_EQ(mistake({"account", "add", "ann", "bob"}), "unexpected argument \"bob\"");
}

TEST_F(OptionValuesTest, numbers_are_decimal) {
  EXPECT_THAT(mistakes({"--port", "007654"}), ElementsAre());
  EXPECT_EQ(port, 7'654);
  EXPECT_THAT(mistakes({"--port", "08"}), ElementsAre());
  EXPECT_EQ(port, 8);
  EXPECT_THAT(mistakes({"--seconds", "010.50"}), ElementsAre());
  EXPECT_EQ(wait, 10.5);
}

TEST_F(OptionValuesTest, what_is_no_number_is_refused_with_the_numbers_that_there_are) {
  for (const char* bad : {"0x1f", "1'000", "1_000", "0b1", "0o17", "+5", "-1", " 5", "5 ", "5.0",
                          "1e3", "", "65536", "0107654", "99999999999999999999", "five"}) {
    EXPECT_EQ(mistake({"--port", bad}),
              "--port: \"" + std::string(bad) + "\" is not a number from 0 to 65535");
  }
  for (const char* bad : {"nan", "inf", "0x10", "1e3", "-1", "+5", "", "100.5", "5,5"}) {
    EXPECT_EQ(mistake({"--seconds", bad}),
              "--seconds: \"" + std::string(bad) + "\" is not a number from 0 to 100");
  }
}

TEST_F(OptionValuesTest, sentences_have_no_control_characters) {
  EXPECT_EQ(mistake({"--\x1b[2J"}), "there is no option --?[2J");
}

/// What a program with two commands says to its command line.
class CommandLine : public testing::Test {
 protected:
  CommandLine() {
    declare_common(app, "1");
    app.add_subcommand("solve", "Solves it");
    app.add_subcommand("judge", "Judges it")->add_flag("--strict");
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

TEST_F(CommandLine, with_an_unknown_command_is_told_of_it_alone) {
  EXPECT_EQ(parse_words({"slove", "3"}), bad_options);
  EXPECT_EQ(err,
            "program: unknown command \"slove\"; there are: solve, judge\n"
            "Run with --help for the options.\n");
  EXPECT_EQ(parse_words({"\033[2J"}), bad_options);
  EXPECT_EQ(err,
            "program: unknown command \"?[2J\"; there are: solve, judge\n"
            "Run with --help for the options.\n");
}

TEST_F(CommandLine, with_an_unknown_option_of_a_command_is_told_of_it) {
  for (const bool fallthrough : {false, true}) {
    app.fallthrough(fallthrough);
    EXPECT_EQ(parse_words({"judge", "--strcit"}), bad_options);
    EXPECT_EQ(err,
              "program: there is no option --strcit\n"
              "Run with --help for the options.\n");
  }
}

TEST_F(CommandLine, that_asks_for_help_gets_it) {
  EXPECT_EQ(parse_words({"help"}), 0);
  EXPECT_EQ(out, app.help());
  EXPECT_EQ(parse_words({"help", "judge"}), 0);
  EXPECT_NE(out.find("Judges it"), std::string::npos);
  EXPECT_EQ(out.find("Solves it"), std::string::npos);
}

// Files with passwords, as editors on other systems write them ------------------------------------

class PasswordFileTest : public testing::Test {
 protected:
  PasswordRead read(const std::string& text) {
    std::ofstream(folder / "password", std::ios::binary) << text;
    return read_password_file(folder / "password");
  }

  test::TemporaryFolder folder;
};

TEST_F(PasswordFileTest, may_begin_with_a_byte_order_mark) {
  EXPECT_EQ(read("\xEF\xBB\xBFopen sesame\r\n").password, "open sesame");
  EXPECT_EQ(read("\xEF\xBB\xBFö").password, "ö");
  EXPECT_NE(read("\xEF\xBB\xBF\r\n").fault, "") << "nothing but the mark";
}

TEST_F(PasswordFileTest, must_be_utf_8) {
  for (const std::string& text :
       {std::string("caf\xE9\n"), std::string("\xFF\xFEo\0p\0\n\0", 8), std::string("o\0p\0e\0", 6),
        std::string("\xC3"), std::string("\xF8\x88\x80\x80\x80")}) {
    const PasswordRead password = read(text);
    EXPECT_NE(password.fault.find("UTF-8"), std::string::npos) << password.fault;
    EXPECT_EQ(password.password, "");
  }
}

TEST_F(PasswordFileTest, is_read_up_to_the_end_of_its_line) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ASSERT_EQ(::write(ends[1], "sesame\nplay\n", 12), 12);
  // More may follow.
  EXPECT_EQ(read_password_file("/dev/fd/" + std::to_string(ends[0])).password, "sesame");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(PasswordFileTest, that_cannot_be_read_is_told_why) {
  const auto fault_of = [&](const std::string& name) {
    return read_password_file(folder / name).fault;
  };
  const auto because = [&](const std::string& name, const std::string& why) {
    return (folder / name) + ": can't be read: " + why + ".";
  };
  EXPECT_EQ(fault_of("none"), because("none", "No such file or directory"));
  std::filesystem::create_directory(folder / "directory");
  EXPECT_EQ(fault_of("directory"), because("directory", "it is a directory"));
  std::filesystem::create_symlink("none", folder / "link");
  EXPECT_EQ(fault_of("link"), because("link", "it is a symbolic link to " + (folder / "none") +
                                                  ", which does not exist"));
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), S_IRUSR | S_IWUSR), 0);
  EXPECT_EQ(fault_of("pipe"), because("pipe", "it is a pipe into which nothing is written"));
}

// The file of options -----------------------------------------------------------------------------

class ConfigFileTest : public testing::Test {
 protected:
  std::vector<std::string> read(const std::string& name, const std::string& usual = "") {
    CLI::App app{"", "program"};
    declare_common(app, "1");
    app.add_option("--port", port, "Port");
    const auto file = ConfigFile::declare(app, usual, "File of options");
    auto mistakes =
        parse_again(app, name.empty() ? std::vector<std::string>()
                                      : std::vector<std::string>{"--config", folder / name});
    path = file->path();
    return mistakes;
  }
  std::string mistake_of(const std::string& name) {
    const auto all = read(name);
    EXPECT_EQ(all.size(), 1u) << testing::PrintToString(all);
    return all.empty() ? "" : all.front();
  }

  test::TemporaryFolder folder;
  int port = 0;
  std::string path;
};

TEST_F(ConfigFileTest, may_be_missing_unless_it_is_named) {
  EXPECT_THAT(read("", folder / "usual"), testing::IsEmpty());
  EXPECT_EQ(path, "");
  std::ofstream(folder / "usual") << "port = 5\n";
  EXPECT_THAT(read("", folder / "usual"), testing::IsEmpty());
  EXPECT_EQ(port, 5);
  EXPECT_EQ(path, folder / "usual");
  std::ofstream(folder / "named") << "port = 6\n";
  EXPECT_THAT(read("named", folder / "usual"), testing::IsEmpty());
  EXPECT_EQ(port, 6);
}

TEST_F(ConfigFileTest, that_cannot_be_read_is_told_why) {
  const auto because = [&](const std::string& name, const std::string& why) {
    return "--config: Can't read " + (folder / name) + ": " + why + ".";
  };
  EXPECT_EQ(mistake_of("none"), because("none", "No such file or directory"));
  std::filesystem::create_directory(folder / "directory");
  EXPECT_EQ(mistake_of("directory"), because("directory", "it is a directory"));
  std::filesystem::create_symlink("none", folder / "link");
  EXPECT_EQ(mistake_of("link"), because("link", "it is a symbolic link to " + (folder / "none") +
                                                    ", which does not exist"));
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), S_IRUSR | S_IWUSR), 0);
  EXPECT_EQ(mistake_of("pipe"), because("pipe", "it is a pipe into which nothing is written"));
}

TEST_F(ConfigFileTest, may_be_a_pipe) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ASSERT_EQ(::write(ends[1], "port = 5\n", 9), 9);
  ::close(ends[1]);
  std::filesystem::create_symlink("/dev/fd/" + std::to_string(ends[0]), folder / "pipe");
  EXPECT_THAT(read("pipe"), testing::IsEmpty());
  ::close(ends[0]);
  EXPECT_EQ(port, 5);
  EXPECT_EQ(path, folder / "pipe");
}

}  // namespace
}  // namespace tictactoe::program::program_options_tests
