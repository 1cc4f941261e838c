// Engines as players: programs that keep to the protocol, and programs that do anything else.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "common/engines/command.hpp"
#include "common/engines/player.hpp"
#include "tests/support/scale.hpp"

namespace tictactoe::engines::engines_tests {
namespace {

using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;
using std::chrono::milliseconds;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Command parsed(const std::string& text) {
  auto result = parse_command(text);
  EXPECT_TRUE(std::holds_alternative<Command>(result)) << std::get<std::string>(result);
  return std::get<Command>(result);
}

std::string fault_of(const std::string& text) {
  const auto result = parse_command(text);
  return std::holds_alternative<std::string>(result) ? std::get<std::string>(result) : "";
}

TEST(Command, is_split_into_words) {
  const Command command = parsed("cat=/bin/cat  -u 'a b' \"c 'd'\" '' e'f g'");
  EXPECT_EQ(command.name, "cat");
  EXPECT_THAT(command.words, ElementsAre("/bin/cat", "-u", "a b", "c 'd'", "", "ef g"));
}

TEST(Command, is_looked_up) {
  EXPECT_TRUE(parsed("x=sh -c true").words[0].ends_with("/sh"));
  EXPECT_THAT(fault_of("x=no-such-program"), HasSubstr("no program no-such-program"));
  EXPECT_THAT(fault_of("x=/no/such"), HasSubstr("no program /no/such"));
  EXPECT_THAT(fault_of("x="), HasSubstr("no command"));
  EXPECT_THAT(fault_of("sh"), HasSubstr("NAME=COMMAND"));
  EXPECT_THAT(fault_of("=sh"), HasSubstr("NAME=COMMAND"));
  EXPECT_THAT(fault_of("x=sh 'a"), HasSubstr("no end"));
}

/// A player whose engine is that script of the shell, whose own commands need no other process.
class Engine : public testing::Test {
 protected:
  Engine() { ::signal(SIGPIPE, SIG_IGN); }

  std::unique_ptr<ai::Player> player(const std::string& script) {
    return make_engine_player({"robo", {"/bin/sh", "-c", script}}, limits, game,
                              [this](const std::string& sentence) { reported = sentence; });
  }

  /// What is said about a choice of that engine.
  std::string fault(const std::string& script) {
    const ai::Choice choice = player(script)->choose({});
    EXPECT_EQ(game.at(choice.cell), Mark::none);
    EXPECT_FALSE(choice.cannot_lose);
    return choice.engine_fault;
  }

  Limits limits{
      .turn = milliseconds(300), .patience = milliseconds(500), .start = milliseconds(500)};
  Game game{Rules{15, 15, 5, true}};
  std::string reported;
};

/// Answers START, and the first command after the INFOs like this.
std::string answering(const std::string& answer) {
  return "read start; echo OK; while read word rest; do case $word in INFO|*,*) ;; *) " + answer +
         " ;; esac; done";
}

TEST_F(Engine, plays_what_it_says) {
  const auto robo = player(answering("echo 3,4"));
  EXPECT_EQ(robo->choose({}), (ai::Choice{{4, 3}, false}));
}

TEST_F(Engine, is_told_the_game) {
  const auto folder = std::filesystem::temp_directory_path();
  game.play({7, 8});
  game.play({1, 2});
  game.play({9, 9});
  // The engine has lost if any word differs: it answers only what it expects.
  const auto robo = player(
      "read a b; [ \"$a $b\" = 'START 15' ] && echo OK;"
      "while read word rest && [ \"$word\" = INFO ]; do case $rest in 'timeout_turn 300') t=1;;"
      "'rule 0') r=1;; 'max_memory 201326592') m=1;; esac; done;"
      "[ \"$t$r$m$word\" = 111BOARD ] && read p && [ $p = 8,7,2 ] && read p && [ $p = 2,1,1 ] &&"
      "read p && [ $p = 9,9,2 ] && read p && [ $p = DONE ] && echo 0,0;"
      "read word p; [ \"$word $p\" = 'TURN 5,5' ] && echo MESSAGE hello && echo 1,0;"
      "while read rest; do :; done");
  const ai::Choice first = robo->choose({});
  EXPECT_EQ(first, (ai::Choice{{0, 0}, false})) << first.engine_fault;
  robo->played({0, 0});
  robo->played({5, 5});
  const ai::Choice second = robo->choose({});
  EXPECT_EQ(second, (ai::Choice{{0, 1}, false})) << second.engine_fault;
}

TEST_F(Engine, begins_again_in_another_position) {
  const auto robo = player(answering("echo 3,4"));
  robo->played({0, 0});
  EXPECT_EQ(robo->choose({}).engine_fault, "");
  robo->played({4, 3});
  robo->undone();
  EXPECT_EQ(robo->choose({}), (ai::Choice{{4, 3}, false}));
}

TEST_F(Engine, that_says_nothing_is_not_waited_for) {
  EXPECT_THAT(fault("while read line; do :; done"), HasSubstr("The engine robo did not start"));
  EXPECT_THAT(fault(answering(":")), HasSubstr("gave no answer in time"));
  EXPECT_THAT(fault("while :; do :; done"), HasSubstr("did not start in time"));
  // One that does not even read.
  for (int i = 0; i < 200; ++i) game.play({i / 15, (i * 2 + i / 15 % 2) % 15});
  if (game.status() == rules::Status::ongoing) {
    EXPECT_THAT(fault("echo OK; kill -STOP $$"), HasSubstr("gave no answer in time"));
  }
}

TEST_F(Engine, that_ends_is_replaced) {
  EXPECT_THAT(fault("exit 3"), HasSubstr("has ended with status 3"));
  EXPECT_THAT(fault(answering("exit 4")), HasSubstr("has ended with status 4"));
}

TEST_F(Engine, whose_program_cannot_be_run) {
  const auto robo = make_engine_player({"robo", {"/no/such/file"}}, limits, game,
                                       [this](const std::string& said) { reported = said; });
  EXPECT_THAT(robo->choose({}).engine_fault, HasSubstr("could not be run")) << reported;
}

TEST_F(Engine, that_answers_nonsense_is_replaced) {
  game.play({7, 7});
  for (const char* const answer : {"7,7", "15,0", "-1,0", "0,15", "99999999999,0", "1", "1,2,3",
                                   "1;2", "hello", "ERROR no", "UNKNOWN", "OK", "1,2 3"}) {
    EXPECT_THAT(fault(answering("echo '" + std::string(answer) + "'")),
                HasSubstr("is no legal move"))
        << answer;
  }
  EXPECT_THAT(fault("read start; echo ERROR too large; read more"), HasSubstr("refused to start"));
  EXPECT_EQ(reported, "the engine robo answered 'ERROR too large'");
}

TEST_F(Engine, is_quoted_to_the_operator_only) {
  EXPECT_THAT(fault(answering("printf 'a\\033[31mb\\n'")), Not(HasSubstr("31mb")));
  EXPECT_EQ(reported, "the engine robo answered 'a?[31mb'");
  const std::string secret(100, 's');
  EXPECT_THAT(fault(answering("echo " + secret)), Not(HasSubstr("ss")));
  EXPECT_EQ(reported, "the engine robo answered '" + secret.substr(0, 40) + "'");
}

/// Leaves this process no descriptor to open.
class AllDescriptors {
 public:
  AllDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit few{std::min<rlim_t>(before_.rlim_cur, 100), before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
    for (int number = 0; number >= 0;) held_.push_back(number = ::dup(STDIN_FILENO));
  }
  ~AllDescriptors() {
    for (const int number : held_) ::close(number);
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }
  AllDescriptors(const AllDescriptors&) = delete;
  AllDescriptors& operator=(const AllDescriptors&) = delete;

 private:
  rlimit before_{};
  std::vector<int> held_;
};

TEST_F(Engine, needs_no_descriptors_once_it_plays) {
  if (support::needs_descriptors) GTEST_SKIP() << "UBSan needs descriptors to check objects";
  const auto robo = player("n=0; " + answering("n=$((n+1)); echo $n,4"));
  EXPECT_EQ(robo->choose({}), (ai::Choice{{4, 1}, false}));
  robo->played({4, 1});
  robo->played({0, 0});
  const AllDescriptors all;
  EXPECT_EQ(robo->choose({}), (ai::Choice{{4, 2}, false}));
  EXPECT_THAT(fault(answering("echo 3,4")),
              HasSubstr("could not be started (Too many open files)"));
}

TEST_F(Engine, that_floods_is_not_read_to_the_end) {
  EXPECT_THAT(fault("while :; do echo MESSAGE all is well; done"), HasSubstr("wrote too much"));
  EXPECT_THAT(fault("while :; do printf 0123456789; done"), HasSubstr("wrote too much"));
}

TEST_F(Engine, is_given_up_after_three_faults) {
  const auto robo = player("exit 1");
  for (int i = 0; i < 3; ++i) {
    const ai::Choice choice = robo->choose({});
    EXPECT_THAT(choice.engine_fault, HasSubstr("has ended with status 1"));
    robo->played(choice.cell);
  }
  EXPECT_THAT(robo->choose({}).engine_fault, HasSubstr("has failed too often"));
}

TEST_F(Engine, a_thought_that_is_stopped_is_not_its_fault) {
  limits.patience = std::chrono::seconds(60);
  limits.turn = std::chrono::seconds(50);
  const auto robo = player(answering(":"));
  for (int i = 0; i < 5; ++i) {
    std::stop_source source;
    std::jthread stopper([&source] {
      std::this_thread::sleep_for(milliseconds(30));
      source.request_stop();
    });
    EXPECT_THAT(robo->choose({.stop = source.get_token()}).engine_fault,
                AnyOf(HasSubstr("in time"), HasSubstr("still loading")));
  }
}

TEST_F(Engine, is_not_asked_if_the_move_cannot_wait) {
  const auto robo = player(answering("echo 3,4"));
  EXPECT_THAT(robo->choose({.nodes = 1}).engine_fault, HasSubstr("could not wait"));
  EXPECT_EQ(robo->choose({}), (ai::Choice{{4, 3}, false}));
}

TEST_F(Engine, ends_with_its_player) {
  const auto file =
      std::filesystem::temp_directory_path() / ("engine-process-" + std::to_string(::getpid()));
  limits.confined = false;
  auto robo = player("echo $$ > " + file.string() + "; " + answering("echo 0,0"));
  EXPECT_EQ(robo->choose({}).engine_fault, "");
  pid_t process = 0;
  std::ifstream(file) >> process;
  std::filesystem::remove(file);
  ASSERT_GT(process, 0);
  EXPECT_EQ(::kill(process, 0), 0);
  // It is stopped while it is not its turn, so that it uses no time of others.
  std::string state;
  for (int i = 0; i < 1'000 && state != "T"; ++i) {
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    std::string word;
    stat >> word >> word >> state;
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_EQ(state, "T");
  robo.reset();
  EXPECT_NE(::kill(process, 0), 0);
}

TEST_F(Engine, leaves_no_children) {
  const auto file =
      std::filesystem::temp_directory_path() / ("engine-child-" + std::to_string(::getpid()));
  limits.confined = false;
  auto robo = player("sleep 1000 & echo $! > " + file.string() + "; " + answering("echo 0,0"));
  EXPECT_EQ(robo->choose({}).engine_fault, "");
  pid_t child = 0;
  std::ifstream(file) >> child;
  std::filesystem::remove(file);
  ASSERT_GT(child, 0);
  robo.reset();
  // The process that adopts it may leave it as a zombie.
  std::string state = "?";
  for (int i = 0; i < 1'000 && state != "Z" && !state.empty(); ++i) {
    std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
    std::string word;
    state.clear();
    stat >> word >> word >> state;
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_TRUE(state.empty() || state == "Z") << state;
}

}  // namespace
}  // namespace tictactoe::engines::engines_tests
