// Other people's programs: their protocol, confinement and start.
#include <gmock/gmock.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "common/engines/command.hpp"
#include "common/engines/confinement.hpp"
#include "common/engines/file_access.hpp"
#include "common/engines/launcher.hpp"
#include "common/engines/player.hpp"
#include "common/engines/process.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::engines::engines_tests {
namespace {

using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;
using std::chrono::milliseconds;
using testing::AllOf;
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
  EXPECT_THAT(fault_of("x=sh 'a"), HasSubstr("not closed"));
}

TEST(Command, that_cannot_be_run_is_told_why) {
  const test::TemporaryFolder folder;
  const auto script = [&](const std::string& name, const std::string& text, int mode) {
    std::ofstream(folder / name) << text;
    EXPECT_EQ(::chmod((folder / name).c_str(), static_cast<mode_t>(mode)), 0);
    return folder / name;
  };
  const auto said = [](const std::string& why) {
    return "The engine x can't be run: " + why + ".";
  };
  EXPECT_EQ(fault_of("x=/no/such"), said("there is no program /no/such"));
  const std::string plain = script("plain", "#!/bin/sh\n", 0644);
  EXPECT_EQ(fault_of("x=" + plain), said(plain + " is not executable; `chmod +x` makes it so"));
  EXPECT_EQ(fault_of("x=" + folder.path().string()),
            said(folder.path().string() + " is a directory"));
  std::filesystem::create_symlink("none", folder / "link");
  EXPECT_EQ(fault_of("x=" + (folder / "link")),
            said("there is no program " + (folder / "link") + ": it is a symbolic link to " +
                 (folder / "none") + ", which does not exist"));
  const std::string alien = script("alien", "#! /no/such/python -u\n", 0755);
  EXPECT_EQ(fault_of("x=" + alien),
            said(alien + " begins with #! /no/such/python, which does not exist"));
  const std::string windows = script("windows", "#!/bin/sh\r\nexit\r\n", 0755);
  EXPECT_EQ(fault_of("x=" + windows),
            said(windows + " has lines that end with CR LF; save it with LF"));
  EXPECT_EQ(fault_of("x=" + script("good", "#!/bin/sh -u\n", 0755)), "");
  EXPECT_EQ(fault_of("x=" + script("no_line", "", 0755)), "");
  // Of the programs in PATH, the first that can be run counts.
  std::filesystem::create_directory(folder / "later");
  std::filesystem::copy(folder / "good", folder / "later/plain");
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", ((folder / "") + ":" + (folder / "later")).c_str(), 1);
  EXPECT_EQ(fault_of("x=plain"), "");
  EXPECT_EQ(fault_of("x=alien"),
            said((folder / "") + "/alien begins with #! /no/such/python, which does not exist"));
  ::setenv("PATH", before.c_str(), 1);
}

TEST(Launcher, starts_processes_at_the_priority_of_its_maker) {
  Limits limits{.confined = false};
  const auto policy = [&limits] {
    Process program({"python",
                     {"/usr/bin/python3", "-S", "-c",
                      "import os; print(os.sched_getscheduler(0), flush=True)"}},
                    limits);
    return program.receive(std::chrono::steady_clock::now() + limits.start, {});
  };
  const auto launcher = std::make_shared<Launcher>();
  std::thread([&] {
    const sched_param none{};
    ASSERT_EQ(::sched_setscheduler(0, SCHED_IDLE, &none), 0);
    EXPECT_EQ(policy(), std::to_string(SCHED_IDLE));
    limits.launcher = launcher;
    EXPECT_EQ(policy(), std::to_string(SCHED_OTHER));
    EXPECT_THROW(Process({"robo", {"/no/such/file"}}, limits), std::system_error);
    EXPECT_EQ(policy(), std::to_string(SCHED_OTHER));
  }).join();
}

TEST(Process, gives_what_was_there_in_time_to_a_thread_that_comes_late) {
  // The pipe has both lines, and the first receive() reads only one of them.
  Process program({"python",
                   {"/usr/bin/python3", "-S", "-c",
                    "import os; os.write(1, b'a' * 4095 + b'\\nb\\n'); input()"}},
                  Limits{});
  const auto now = std::chrono::steady_clock::now();
  ASSERT_EQ(program.receive(now + std::chrono::seconds(30), {}), std::string(4095, 'a'));
  EXPECT_EQ(program.receive(now, {}), "b");
  EXPECT_EQ(program.receive(now, {}), std::nullopt);
  EXPECT_TRUE(program.is_late());
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
      .move_time = milliseconds(300), .patience = milliseconds(500), .start = milliseconds(500)};
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

TEST_F(Engine, begins_again_if_its_move_was_replaced) {
  const auto robo = player(
      "read start; echo OK; while read word rest; do case $word in DONE) echo 3,4 ;; TURN) echo "
      "9,9 ;; esac; done");
  robo->played({0, 0});
  EXPECT_EQ(robo->choose({}), (ai::Choice{{4, 3}, false}));
  robo->played({7, 7});
  robo->played({8, 8});
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
  EXPECT_THAT(fault("exit 3"), HasSubstr("exited with status 3"));
  EXPECT_THAT(fault(answering("exit 4")), HasSubstr("exited with status 4"));
}

TEST_F(Engine, whose_program_cannot_be_run) {
  const auto robo = make_engine_player({"robo", {"/no/such/file"}}, limits, game,
                                       [this](const std::string& said) { reported = said; });
  EXPECT_THAT(robo->choose({}).engine_fault,
              HasSubstr("could not be started (No such file or directory)"))
      << reported;
}

TEST_F(Engine, whose_interpreter_has_vanished) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "robo") << "#!/no/such/python\n";
  ASSERT_EQ(::chmod((folder / "robo").c_str(), 0755), 0);
  const auto robo = make_engine_player({"robo", {folder / "robo"}}, limits, game,
                                       [this](const std::string& said) { reported = said; });
  const std::string fault = "could not be started (No such file or directory)";
  EXPECT_EQ(robo->choose({}).engine_fault,
            "The engine robo " + fault + ": the AI level strong has moved in its place.");
  EXPECT_THAT(reported, HasSubstr("the engine robo " + fault + ": " + (folder / "robo") +
                                  " begins with #! /no/such/python, which does not exist"));
}

TEST_F(Engine, that_answers_nonsense_is_replaced) {
  game.play({7, 7});
  for (const char* const answer : {"7,7", "15,0", "-1,0", "0,15", "99999999999,0", "1", "1,2,3",
                                   "1;2", "hello", "SUGGEST 7,7", "SUGGEST hello", "OK", "1,2 3"}) {
    EXPECT_THAT(fault(answering("echo '" + std::string(answer) + "'")),
                AnyOf(HasSubstr("answered with an illegal move:"), HasSubstr("no move:")))
        << answer;
    EXPECT_THAT(reported, HasSubstr(answer));
  }
}

// They are for people, unlike other answers.
TEST_F(Engine, that_answers_error_or_unknown_is_quoted) {
  for (const char* const answer : {"ERROR no such size", "UNKNOWN command", "error", "Unknown"}) {
    const std::string said = "The engine robo answered '" + std::string(answer) +
                             "': the AI level strong has moved in its place.";
    EXPECT_EQ(fault(answering("echo '" + std::string(answer) + "'")), said);
    EXPECT_EQ(reported, "the engine robo answered '" + std::string(answer) + "'");
  }
  EXPECT_EQ(
      fault(answering("printf 'ERROR \033[31m\303 \244.\n'")),
      "The engine robo answered 'ERROR ?[31m? ?.': the AI level strong has moved in its place.");
  const std::string words = "ERROR " + std::string(100, 's');
  EXPECT_EQ(fault(answering("echo " + words)),
            "The engine robo answered '" + words.substr(0, 60) +
                "': the AI level strong has moved in its place.");
}

TEST_F(Engine, that_refuses_to_start_is_quoted) {
  for (const char* const answer : {"ERROR too large", "error - too large", "UNKNOWN command"}) {
    const std::string refused = "refused to start ('" + std::string(answer) + "')";
    EXPECT_EQ(fault("read start; echo '" + std::string(answer) + "'; read more"),
              "The engine robo " + refused + ": the AI level strong has moved in its place.");
    EXPECT_EQ(reported, "the engine robo " + refused);
  }
}

TEST_F(Engine, may_suggest_a_move_first) {
  for (const char* const word : {"SUGGEST", "suggest"}) {
    const auto robo = player(answering("echo " + std::string(word) +
                                       " 3,4; read play; [ \"$play\" = 'PLAY 3,4' ] && echo 3,4"));
    EXPECT_EQ(robo->choose({}), (ai::Choice{{4, 3}, false})) << word;
  }
}

// As other managers do.
TEST_F(Engine, may_write_moves_and_words_in_other_ways) {
  for (const char* const answer :
       {" 3, 4", "3 ,4", "3,4 ", "3,\\t4\\t", "3,4\\r", "message hello\\n3,4", "Debug x\\n3,4",
        "MESSAGE\\n3,4", "\\n\\r\\n3,4"}) {
    const auto robo = player(answering("printf '" + std::string(answer) + "\\n'"));
    EXPECT_EQ(robo->choose({}), (ai::Choice{{4, 3}, false})) << answer;
  }
}

TEST_F(Engine, tells_the_operator_its_last_line_of_standard_error) {
  limits.confined = false;
  EXPECT_THAT(fault("echo first >&2; echo 'no file x' >&2; echo >&2; exit 2"),
              Not(HasSubstr("no file")));
  EXPECT_EQ(reported,
            "the engine robo exited with status 2; its standard error ends with 'no file x'");
  // Without an end, with letters that are not for terminals, and while it still runs.
  fault("printf 'a\033b' >&2; exit 2");
  EXPECT_THAT(reported, HasSubstr("ends with 'a?b'"));
  fault(answering("echo out of luck >&2; echo what"));
  EXPECT_EQ(reported,
            "the engine robo gave an answer that is no move: 'what'; its standard error ends with "
            "'out of luck'");
  fault(answering("echo still here >&2"));
  EXPECT_THAT(reported, HasSubstr("in time; its standard error ends with 'still here'"));
}

TEST_F(Engine, is_not_held_up_by_its_standard_error) {
  const auto robo = player(answering(
      "i=0; while [ $i -lt 3000 ]; do echo 'a line of some length, as engines log it' >&2; "
      "i=$((i+1)); done; echo 3,4"));
  limits.patience = std::chrono::seconds(20);
  EXPECT_EQ(robo->choose({}), (ai::Choice{{4, 3}, false}));
}

TEST_F(Engine, is_quoted_to_the_operator_only) {
  EXPECT_THAT(fault(answering("printf 'a\\033[31mb\\n'")), Not(HasSubstr("31mb")));
  EXPECT_EQ(reported, "the engine robo gave an answer that is no move: 'a?[31mb'");
  const std::string secret(100, 's');
  EXPECT_THAT(fault(answering("echo " + secret)), Not(HasSubstr("ss")));
  EXPECT_EQ(reported,
            "the engine robo gave an answer that is no move: '" + secret.substr(0, 60) + "'");
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

TEST_F(Engine, may_say_much_with_each_answer) {
  // 180 KB each time; 256 KiB are too much for one answer.
  const std::string much =
      "i=0; while [ $i -lt 45 ]; do i=$((i+1)); echo MESSAGE " + std::string(4'000, '.') + "; done";
  const auto robo = player("n=0; " + answering("n=$((n+1)); " + much + "; echo $n,4"));
  for (int n = 1; n <= 3; ++n) {
    EXPECT_EQ(robo->choose({}), (ai::Choice{{4, n}, false})) << reported;
    robo->played({4, n});
    robo->played({0, n});
  }
}

TEST_F(Engine, is_given_up_after_three_faults) {
  const auto robo = player("exit 1");
  for (int i = 0; i < 3; ++i) {
    const ai::Choice choice = robo->choose({});
    EXPECT_THAT(choice.engine_fault, HasSubstr("exited with status 1"));
    robo->played(choice.cell);
  }
  EXPECT_THAT(robo->choose({}).engine_fault, HasSubstr("has failed too often"));
}

TEST_F(Engine, a_thought_that_is_stopped_is_not_its_fault) {
  limits.patience = std::chrono::seconds(60);
  limits.move_time = std::chrono::seconds(50);
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
  EXPECT_EQ(reported, "");
}

TEST_F(Engine, is_not_asked_if_the_move_cannot_wait) {
  const auto robo = player(answering("echo 3,4"));
  EXPECT_THAT(robo->choose({.nodes = 1}).engine_fault, HasSubstr("no time to wait"));
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

TEST_F(Engine, ends_with_its_fault) {
  const auto file =
      std::filesystem::temp_directory_path() / ("engine-fault-" + std::to_string(::getpid()));
  limits.confined = false;
  const auto robo = player("echo $$ > " + file.string() + "; " + answering("echo nonsense"));
  EXPECT_NE(robo->choose({}).engine_fault, "");
  pid_t process = 0;
  std::ifstream(file) >> process;
  std::filesystem::remove(file);
  ASSERT_GT(process, 0);
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

// What an engine can't do to the server and its machine -------------------------------------------

/// What a confined engine tries, as Python has system calls that shells have not. It answers 0,0 if
/// the attempt fails with one of these errors.
class Confined : public testing::Test {
 protected:
  Confined() { ::signal(SIGPIPE, SIG_IGN); }

  void SetUp() override {
    if (!can_confine()) GTEST_SKIP() << "this kernel does not filter system calls";
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

  Limits limits{.move_time = std::chrono::seconds(15), .patience = std::chrono::seconds(20)};
  Game game{Rules{15, 15, 5, true}};
};

/// What the operator is told about an engine with this command.
std::string reported_of(const std::vector<std::string>& words, const Limits& limits,
                        const Game& game) {
  std::string reported;
  const auto report = [&](const std::string& sentence) { reported = sentence; };
  make_engine_player({"robo", words}, limits, game, report)->choose({});
  return reported;
}

TEST_F(Confined, is_said_of_one_that_ends) {
  const test::TemporaryFolder folder;
  const test::TemporaryFolder other;
  const std::string script = folder / "wrapper.sh";
  std::ofstream(script) << "#!/bin/sh\n/bin/true\n/bin/true\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const std::string of_wrapper = reported_of({script}, limits, game);
  EXPECT_THAT(of_wrapper, HasSubstr("its standard error ends with '" + script));
  EXPECT_THAT(of_wrapper, HasSubstr("Cannot fork"));
  EXPECT_THAT(of_wrapper, HasSubstr("It can't start other programs"));
  // What it may read is named.
  if (!can_restrict_files()) GTEST_SKIP() << "this kernel has no Landlock";
  EXPECT_THAT(of_wrapper, HasSubstr("reads only /usr, /bin, "));
  EXPECT_THAT(of_wrapper, HasSubstr(" and " + folder.path().string()));
  const std::string library = other / "library.py";
  std::ofstream(library) << "x = 1\n";
  EXPECT_THAT(
      reported_of({"/usr/bin/python3", "-S", "-c", "open('" + library + "')"}, limits, game),
      HasSubstr("Permission denied: '" + library));
  // Its interpreter can't be executed.
  std::filesystem::copy("/bin/sh", other / "own-shell");
  std::ofstream(script) << "#!" << other / "own-shell" << "\n";
  EXPECT_THAT(
      reported_of({script}, limits, game),
      AllOf(HasSubstr("could not be started (Permission denied)"), HasSubstr("reads only")));
}

TEST_F(Confined, creates_no_processes) {
  expect_refused("os.fork()");
  expect_refused("os.posix_spawn('/bin/true', ['true'], {})");
}

#if defined(__x86_64__)
TEST_F(Confined, makes_no_calls_of_another_architecture) {
  const pid_t child = ::fork();
  if (child == 0) {
    long result = 20;  // getpid() of 32 bits, writev() of 64
    if (confine(confinement())) asm volatile("int $0x80" : "+a"(result) : : "memory");
    ::_exit(result < 0 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status)) << status;
}
#endif

TEST_F(Confined, has_no_network) {
  expect_refused("socket.socket()");
  expect_refused("socket.socket(socket.AF_UNIX)");
  expect_refused("socket.socketpair()");
}

TEST_F(Confined, may_use_ipv4_if_it_is_allowed_to) {
  limits.network = true;
  const std::string script =
      "import socket; link = socket.socket(type=socket.SOCK_DGRAM); "
      "link.connect(('127.0.0.1', 9)); print(link.getpeername()[0])";
  Process program({"python", {"/usr/bin/python3", "-S", "-c", script}}, limits);
  EXPECT_EQ(program.receive(std::chrono::steady_clock::now() + limits.start, {}), "127.0.0.1");
  expect_refused("socket.socket(socket.AF_INET6)");
  expect_refused("socket.socket(socket.AF_UNIX)");
  expect_refused("socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)");
  expect_refused("os.fork()");
}

TEST_F(Confined, writes_no_files) {
  const test::TemporaryFolder folder;
  const std::string file = folder / "engine-writes";
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
  // Root could raise its limits, so none can be set.
  expect_refused(
      "__import__('resource').prlimit(0, __import__('resource').RLIMIT_NOFILE, (32, 32))");
}

/// Whether an engine that makes 300 threads gets some, and no more than that.
bool has_threads_up_to(int max, const Limits& limits, const Game& game) {
  const std::string script =
      "import threading\n"
      "input(); print('OK', flush=True)\n"
      "while input().startswith('INFO'): pass\n"
      "threading.stack_size(32768)\n"
      "end = threading.Event()\n"
      "try:\n"
      "    for _ in range(300): threading.Thread(target=end.wait, daemon=True).start()\n"
      "except RuntimeError: pass\n"
      "print('0,0' if 30 < threading.active_count() <= " +
      std::to_string(max) +
      " else 'no', flush=True)\n"
      "input()\n";
  const auto robo =
      make_engine_player({"robo", {"/usr/bin/python3", "-S", "-c", script}}, limits, game);
  return robo->choose({}).engine_fault.empty();
}

/// The exit status of a process without root's rights that does this.
template <class Act>
int status_of_child(Act&& act) {
  const pid_t child = ::fork();
  if (child == 0) {
    // Of whom there are no other processes, nor any of a test at the same time.
    const auto user = static_cast<uid_t>(20'000 + ::getpid() % 40'000);
    const bool is_root = ::getuid() == 0;
    ::_exit(is_root && ::setresuid(user, user, user) != 0 ? 2 : act());
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(Confined, has_a_limit_of_threads) {
  const int status = status_of_child([&] {
    if (!can_limit_threads()) return 3;
    return has_threads_up_to(64, limits, game) ? 0 : 1;
  });
  if (status == 3) GTEST_SKIP() << "this system allows no user namespaces";
  EXPECT_EQ(status, 0);
}

/// Refuses this process namespaces, as systemd does.
bool forbid_namespaces() {
  std::array<sock_filter, 4> filter{
      sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unshare, 0, 1),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  return confine({filter.begin(), filter.end()});
}

TEST_F(Confined, leaves_half_of_the_threads_without_namespaces) {
  if (::getuid() != 0) GTEST_SKIP() << "needs root, to become a user without other threads";
  const int status = status_of_child([&] {
    const rlimit threads{120, 120};
    if (::setrlimit(RLIMIT_NPROC, &threads) != 0 || !forbid_namespaces()) return 2;
    if (can_limit_threads()) return 3;
    return has_threads_up_to(60, limits, game) ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
}

TEST_F(Confined, reads_nothing_of_others) {
  if (!can_restrict_files()) GTEST_SKIP() << "this kernel has no Landlock";
  const std::string server = "/proc/" + std::to_string(::getpid());
  for (const char* const file : {"/environ", "/mem", "/maps", "/cmdline", "/fd/0"}) {
    expect_refused("open('" + server + file + "', 'rb').read(1)");
  }
  expect_refused("os.listdir('" + server + "/fd')");
  expect_refused("open('/proc/self/environ').read()");
  expect_refused("open('/etc/passwd').read()");
  expect_refused("os.listdir('/')");
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "engine-secret";
  std::ofstream(file) << "secret";
  expect_refused("open('" + file.string() + "').read()");
  std::filesystem::remove(file);
}

TEST_F(Confined, reads_its_own_folder_but_nothing_that_is_hidden) {
  if (!can_restrict_files()) GTEST_SKIP() << "this kernel has no Landlock";
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("engine-folder-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder / "data");
  std::ofstream(folder / "data" / "secret") << "secret";
  std::ofstream(folder / "robo.py") << "import os\n"
                                       "input(); print('OK', flush=True)\n"
                                       "while input().startswith('INFO'): pass\n"
                                       "folder = os.path.dirname(__file__)\n"
                                       "try:\n"
                                       "    open(folder + '/data/secret').read()\n"
                                       "    print('0,0', flush=True)\n"
                                       "except OSError: print('1,1', flush=True)\n"
                                       "input()\n";
  const Command command{"robo", {"/usr/bin/python3", "-S", folder / "robo.py"}};
  const auto choice = [&] { return make_engine_player(command, limits, game)->choose({}); };
  EXPECT_EQ(choice(), (ai::Choice{{0, 0}, false}));
  limits.hidden = {folder / "data"};
  EXPECT_EQ(choice(), (ai::Choice{{1, 1}, false}));
  std::filesystem::remove_all(folder);
}

TEST_F(Confined, may_have_threads_and_read_files) {
  const std::string script =
      "import os, threading\n"
      "input(); print('OK', flush=True)\n"
      "while True:\n"
      "    if not input().startswith('INFO'): break\n"
      "open(os.__file__).read()\n"
      "thread = threading.Thread(target=lambda: print('0,0', flush=True))\n"
      "thread.start(); thread.join()\n"
      "input()\n";
  const auto robo =
      make_engine_player({"robo", {"/usr/bin/python3", "-S", "-c", script}}, limits, game);
  EXPECT_EQ(robo->choose({}).engine_fault, "");
}

// Engines that load slowly, and what they answer to START -----------------------------------------

class EngineStart : public testing::Test {
 protected:
  EngineStart() { ::signal(SIGPIPE, SIG_IGN); }

  /// A player whose engine is a script of the shell: `start` answers START, and it moves to 3,4.
  std::unique_ptr<ai::Player> player(const std::string& start) const {
    const std::string script = "read word size; " + start +
                               "; while read word rest; do case $word in INFO|*,*) ;; "
                               "*) echo 3,4 ;; esac; done";
    return make_engine_player({"robo", {"/bin/sh", "-c", script}}, limits,
                              rules::Game{rules::Rules{15, 15, 5, true}});
  }
  /// How often it was not ready.
  static int await_ready(ai::Player& robo) {
    int times = 0;
    while (!robo.is_ready()) ++times;
    return times;
  }

  const ai::Choice engines_move{{4, 3}, false};
  const std::string slowly = "sleep 0.6; echo OK";
  Limits limits{.move_time = milliseconds(100),
                .patience = milliseconds(300),
                .start = std::chrono::seconds(20),
                .confined = false};
};

TEST_F(EngineStart, ends_with_ok) {
  for (const char* const answer :
       {"OK", "OK - everything is good", "OK\tfine", "OK \r", "ok", " Ok", "OK.", "OK, ready",
        "\xEF\xBB\xBFOK", "Gomoku 1.0 (c) me\\nOK",
        "name=\"x\", version=\"1\"\\n\\nMESSAGE ready\\nok"}) {
    const auto robo = player("printf '" + std::string(answer) + "\\n'");
    EXPECT_EQ(robo->choose({}), engines_move) << answer;
  }
  limits.start = milliseconds(300);
  for (const char* const answer : {"OKAY", "OK2", "hello\\nMESSAGE OK"}) {
    const auto robo = player("printf '" + std::string(answer) + "\\n'");
    EXPECT_NE(robo->choose({}).engine_fault.find("did not start in time"), std::string::npos)
        << answer;
  }
}

TEST_F(EngineStart, tells_its_problem_before_a_move_is_asked_for) {
  const auto good = player("echo OK");
  await_ready(*good);
  EXPECT_EQ(good->problem(), "");
  EXPECT_EQ(good->choose({}), engines_move);
  const auto bad = player("sleep 0.2; echo ERROR size");
  EXPECT_GT(await_ready(*bad), 1);
  EXPECT_EQ(bad->problem(),
            "The engine robo refused to start ('ERROR size'): the AI level strong will move in its "
            "place.");
  EXPECT_NE(bad->choose({}).engine_fault.find("refused to start ('ERROR size')"),
            std::string::npos);
}

TEST_F(EngineStart, loading_is_no_part_of_the_turn) {
  EXPECT_EQ(player(slowly)->choose({}), engines_move);
}

TEST_F(EngineStart, is_waited_for_in_short_steps) {
  const auto robo = player(slowly);
  EXPECT_GT(await_ready(*robo), 1);
  // The time of the thought went into the loading.
  std::stop_source over;
  over.request_stop();
  EXPECT_EQ(robo->choose({.stop = over.get_token()}), engines_move);
  // Once it plays it is ready, and the time of a thought counts again.
  robo->played({4, 3});
  robo->played({0, 0});
  EXPECT_TRUE(robo->is_ready());
  EXPECT_NE(robo->choose({.stop = over.get_token()}).engine_fault, "");
}

TEST_F(EngineStart, a_stop_while_it_loads_is_not_its_fault) {
  const auto robo = player(slowly);
  std::stop_source stop;
  stop.request_stop();
  for (int i = 0; i < 5; ++i) {
    EXPECT_NE(robo->choose({.stop = stop.get_token()}).engine_fault.find("is still loading"),
              std::string::npos);
  }
  EXPECT_EQ(robo->choose({}), engines_move);
}

TEST_F(EngineStart, has_a_limit) {
  limits.start = milliseconds(100);
  const auto robo = player("sleep 1000");
  await_ready(*robo);
  EXPECT_NE(robo->choose({}).engine_fault.find("did not start in time"), std::string::npos);
}

TEST_F(EngineStart, one_that_ends_while_it_loads_is_replaced) {
  const auto robo = player("exit 3");
  for (int i = 0; i < 3; ++i) {
    await_ready(*robo);
    EXPECT_NE(robo->choose({}).engine_fault.find("exited with status 3"), std::string::npos);
  }
  EXPECT_TRUE(robo->is_ready());
  EXPECT_NE(robo->choose({}).engine_fault.find("has failed too often"), std::string::npos);
}

}  // namespace
}  // namespace tictactoe::engines::engines_tests
