// Engines as players: programs that keep to the protocol, and programs that do anything else.
#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <variant>

#include "common/engines/command.hpp"
#include "common/engines/confinement.hpp"
#include "common/engines/player.hpp"

namespace tictactoe::engines {
namespace {

using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::ElementsAre;
using testing::HasSubstr;

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
    return make_engine_player({"robo", {"/bin/sh", "-c", script}}, limits, game);
  }

  /// What is said about a choice of that engine.
  std::string fault(const std::string& script) {
    const auto begun = steady_clock::now();
    const ai::Choice choice = player(script)->choose({});
    EXPECT_LT(steady_clock::now() - begun, limits.patience + std::chrono::seconds(5));
    EXPECT_EQ(game.at(choice.cell), Mark::none);
    EXPECT_FALSE(choice.cannot_lose);
    return choice.engine_fault;
  }

  Limits limits{.turn = milliseconds(300), .patience = milliseconds(500)};
  Game game{Rules{15, 15, 5, true}};
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
  EXPECT_THAT(fault("while read line; do :; done"), HasSubstr("The engine robo gave no answer"));
  EXPECT_THAT(fault(answering(":")), HasSubstr("gave no answer in time"));
  EXPECT_THAT(fault("while :; do :; done"), HasSubstr("gave no answer in time"));
  // One that does not even read.
  for (int i = 0; i < 200; ++i) game.play({i / 15, (i * 2 + i / 15 % 2) % 15});
  if (game.status() == rules::Status::ongoing) {
    EXPECT_THAT(fault("kill -STOP $$"), HasSubstr("gave no answer in time"));
  }
}

TEST_F(Engine, that_ends_is_replaced) {
  EXPECT_THAT(fault("exit 3"), HasSubstr("has ended with status 3"));
  EXPECT_THAT(fault(answering("exit 4")), HasSubstr("has ended with status 4"));
}

TEST_F(Engine, whose_program_cannot_be_run) {
  const auto robo = make_engine_player({"robo", {"/no/such/file"}}, limits, game);
  EXPECT_THAT(robo->choose({}).engine_fault, HasSubstr("could not be run"));
}

TEST_F(Engine, that_answers_nonsense_is_replaced) {
  game.play({7, 7});
  for (const char* const answer : {"7,7", "15,0", "-1,0", "0,15", "99999999999,0", "1", "1,2,3",
                                   "1;2", "hello", "ERROR no", "UNKNOWN", "OK", "1,2 3"}) {
    EXPECT_THAT(fault(answering("echo '" + std::string(answer) + "'")),
                HasSubstr("is no legal move"))
        << answer;
  }
  EXPECT_THAT(fault("read start; echo ERROR too large; read more"),
              HasSubstr("'ERROR too large' to START"));
  EXPECT_THAT(fault(answering("printf 'a\\033[31mb\\n'")), HasSubstr("'a?[31mb'"));
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
  const auto robo = player("while read line; do :; done");
  for (int i = 0; i < 5; ++i) {
    std::stop_source source;
    std::jthread stopper([&source] {
      std::this_thread::sleep_for(milliseconds(30));
      source.request_stop();
    });
    EXPECT_THAT(robo->choose({.stop = source.get_token()}).engine_fault, HasSubstr("in time"));
  }
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

/// What a confined engine tries, as Python has system calls that shells have not. It answers 0,0 if
/// the attempt fails with one of these errors.
class Confined : public Engine {
 protected:
  void SetUp() override {
    if (!can_confine()) GTEST_SKIP() << "no filter of system calls here";
    limits.patience = std::chrono::seconds(20);
    limits.turn = std::chrono::seconds(15);
  }

  void expect_refused(const std::string& attempt) {
    const std::string script =
        "import os, sys, socket, threading, signal, mmap\n"
        "input(); print('OK', flush=True)\n"
        "while True:\n"
        "    if not input().startswith('INFO'): break\n"
        "try:\n"
        "    " +
        attempt +
        "\n"
        "    print('it worked', flush=True)\n"
        "except (OSError, MemoryError, OverflowError) as error:\n"
        "    print('0,0', flush=True)\n"
        "input()\n";
    const auto robo =
        make_engine_player({"robo", {"/usr/bin/python3", "-S", "-c", script}}, limits, game);
    EXPECT_EQ(robo->choose({}).engine_fault, "") << attempt;
  }
};

TEST_F(Confined, creates_no_processes) {
  expect_refused("os.fork()");
  expect_refused("os.posix_spawn('/bin/true', ['true'], {})");
}

TEST_F(Confined, has_no_network) {
  expect_refused("socket.socket()");
  expect_refused("socket.socket(socket.AF_UNIX)");
  expect_refused("socket.socketpair()");
}

TEST_F(Confined, writes_no_files) {
  const std::string file = (std::filesystem::temp_directory_path() / "engine-writes").string();
  std::ofstream(file) << "before";
  expect_refused("open('" + file + "', 'w')");
  expect_refused("open('" + file + "', 'r+')");
  expect_refused("open('" + file + "-new', 'x')");
  expect_refused("os.open('" + file + "', os.O_RDONLY | os.O_TRUNC)");
  expect_refused("os.remove('" + file + "')");
  expect_refused("os.rename('" + file + "', '" + file + "-new')");
  expect_refused("os.mkdir('" + file + "-new')");
  expect_refused("os.chmod('" + file + "', 0)");
  expect_refused("os.truncate('" + file + "', 0)");
  std::string kept;
  std::ifstream(file) >> kept;
  EXPECT_EQ(kept, "before");
  std::filesystem::remove(file);
}

TEST_F(Confined, does_nothing_to_other_processes) {
  const std::string other = std::to_string(::getpid());
  expect_refused("os.kill(" + other + ", 0)");
  expect_refused("os.pidfd_open(" + other + ")");
  expect_refused("os.sched_setaffinity(" + other + ", {0})");
  // Has the kernel send it a signal.
  expect_refused("__import__('fcntl').fcntl(0, __import__('fcntl').F_SETOWN, " + other + ")");
  expect_refused("__import__('fcntl').fcntl(0, 10, 9)");
  expect_refused("__import__('resource').prlimit(" + other +
                 ", __import__('resource').RLIMIT_NOFILE)");
}

TEST_F(Confined, has_a_limit_of_memory) {
  expect_refused("bytearray(300 << 20)");
}

TEST_F(Confined, may_have_threads_and_read_files) {
  const std::string script =
      "import threading\n"
      "input(); print('OK', flush=True)\n"
      "while True:\n"
      "    if not input().startswith('INFO'): break\n"
      "open('/etc/passwd').read()\n"
      "thread = threading.Thread(target=lambda: print('0,0', flush=True))\n"
      "thread.start(); thread.join()\n"
      "input()\n";
  const auto robo =
      make_engine_player({"robo", {"/usr/bin/python3", "-S", "-c", script}}, limits, game);
  EXPECT_EQ(robo->choose({}).engine_fault, "");
}

}  // namespace
}  // namespace tictactoe::engines
