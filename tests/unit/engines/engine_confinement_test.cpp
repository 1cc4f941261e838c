// What an engine can't do to the server and its machine.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>

#include "common/engines/command.hpp"
#include "common/engines/confinement.hpp"
#include "common/engines/file_access.hpp"
#include "common/engines/player.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::engines::engine_confinement_tests {
namespace {

using rules::Game;
using rules::Rules;

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

  Limits limits{.turn = std::chrono::seconds(15), .patience = std::chrono::seconds(20)};
  Game game{Rules{15, 15, 5, true}};
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
bool has_threads_up_to(int most, const Limits& limits, const Game& game) {
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
      std::to_string(most) +
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
  if (status == 3) GTEST_SKIP() << "no user namespaces here";
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
  if (::getuid() != 0) GTEST_SKIP() << "this user has other threads, whose number is not known";
  const int status = status_of_child([&] {
    const rlimit threads{120, 120};
    if (::setrlimit(RLIMIT_NPROC, &threads) != 0 || !forbid_namespaces()) return 2;
    if (can_limit_threads()) return 3;
    return has_threads_up_to(60, limits, game) ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
}

TEST_F(Confined, reads_nothing_of_others) {
  if (!can_restrict_files()) GTEST_SKIP() << "no Landlock here";
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
  if (!can_restrict_files()) GTEST_SKIP() << "no Landlock here";
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

}  // namespace
}  // namespace tictactoe::engines::engine_confinement_tests
