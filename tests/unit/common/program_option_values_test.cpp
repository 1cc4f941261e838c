// Values of options, and what is said about mistyped ones.
#include <gmock/gmock.h>

#include <sstream>

#include "common/program/help.hpp"
#include "common/program/units.hpp"
#include "common/program/wording.hpp"

namespace tictactoe::program::program_option_values_tests {
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
    app.add_option("--port", port, "Port");
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

TEST_F(OptionValuesTest, a_mistyped_option_is_named_with_the_one_that_was_meant) {
  EXPECT_EQ(mistake({"--prot", "5"}), "there is no option --prot; did you mean --port?");
  EXPECT_EQ(mistake({"--darin=5"}), "there is no option --darin; did you mean --drain?");
  EXPECT_EQ(mistake({"--colour", "red"}), "there is no option --colour");
  EXPECT_EQ(mistake({"account", "list", "--jsno"}),
            "there is no option --jsno; did you mean --json?");
  EXPECT_EQ(mistake({"account", "list", "--port", "5"}), "--port has to come before account");
}

TEST_F(OptionValuesTest, a_mistyped_word_is_named_with_the_one_that_was_meant) {
  EXPECT_EQ(mistake({"acount", "add", "ann"}), "unknown command \"acount\"; did you mean account?");
  EXPECT_THAT(mistakes({"--log", "noise", "acount"}),
              ElementsAre(HasSubstr("noise"), HasSubstr("unknown command \"acount\"")));
  EXPECT_EQ(mistake({"account", "lsit"}), "unknown command \"lsit\"; did you mean list?");
  EXPECT_EQ(mistake({"account", "frobnicate"}),
            "unknown command \"frobnicate\"; there are: add, list");
  EXPECT_EQ(mistake({"account"}), "an argument is missing: action");
  EXPECT_EQ(mistake({"--log", "noise"}),
            "--log: there is no \"noise\"; choose one of debug, info, warn");
  EXPECT_EQ(mistake({"account", "add", "ann", "bob"}), "\"bob\" is one argument too many");
}

TEST_F(OptionValuesTest, a_number_that_does_not_fit_is_named) {
  EXPECT_EQ(mistake({"--port", "99999"}),
            "--port: \"99999\" is not a number that is possible here");
}

TEST_F(OptionValuesTest, sentences_have_no_control_characters) {
  EXPECT_EQ(mistake({"--\x1b[2J"}), "there is no option --?[2J");
}

TEST(DidYouMean, takes_exchanged_missing_and_further_letters_for_mistakes) {
  const std::vector<std::string> words{"status", "players", "rooms", "room", "kick"};
  EXPECT_EQ(did_you_mean("satus", words), "; did you mean status?");
  EXPECT_EQ(did_you_mean("romms", words), "; did you mean rooms?");
  EXPECT_EQ(did_you_mean("rom", words), "; did you mean room?");
  EXPECT_EQ(did_you_mean("dance", words), "");
  EXPECT_EQ(did_you_mean("", words), "");
  EXPECT_EQ(did_you_mean(std::string(10'000, 'k'), words), "");
}

}  // namespace
}  // namespace tictactoe::program::program_option_values_tests
