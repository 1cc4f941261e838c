#include "tests/bench/load/server_process.hpp"

#include <linux/perf_event.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "tests/bench/load/failure.hpp"

namespace tictactoe::load {
namespace {

std::string folder_of(pid_t pid) {
  return "/proc/" + std::to_string(pid);
}

// The kernel's number of the event "a system call begins"; nothing if it is not available.
std::optional<std::uint64_t> syscall_event() {
  for (const char* root : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
    std::ifstream file(std::string(root) + "/events/raw_syscalls/sys_enter/id");
    if (std::uint64_t id = 0; file >> id) return id;
  }
  return std::nullopt;
}

int open_counter(std::uint64_t event, pid_t thread) {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_TRACEPOINT;
  attributes.size = sizeof(attributes);
  attributes.config = event;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

void read_stat(pid_t pid, Usage& usage) {
  std::ifstream file(folder_of(pid) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');  // a program's name may hold blanks
  if (name_end == std::string::npos) {
    throw Failure("There is no process " + std::to_string(pid) + " (any more).");
  }
  // See proc(5): utime and stime are fields 14 and 15, the state after the name is the third.
  std::istringstream fields(text.substr(name_end + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  usage.user_seconds = user / ticks;
  usage.system_seconds = system / ticks;
}

void read_memory(pid_t pid, Usage& usage) {
  std::ifstream file(folder_of(pid) + "/status");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    std::uint64_t kilobytes = 0;
    words >> name >> kilobytes;
    if (name == "VmRSS:") usage.resident_bytes = kilobytes * 1024;
    if (name == "VmHWM:") usage.peak_bytes = kilobytes * 1024;
  }
}

}  // namespace

ServerProcess::ServerProcess(pid_t pid, bool count_syscalls) : pid_(pid) {
  usage();
  if (!count_syscalls) return;
  const auto event = syscall_event();
  if (!event) throw Failure("The kernel's trace events are not open to us: can't count syscalls.");
  for (const auto& task : std::filesystem::directory_iterator(folder_of(pid) + "/task")) {
    const int counter = open_counter(*event, std::stoi(task.path().filename().string()));
    if (counter < 0) throw Failure("The kernel does not let us count syscalls.");
    counters_.push_back(counter);
  }
}

ServerProcess::~ServerProcess() {
  for (const int counter : counters_) close(counter);
}

Usage ServerProcess::usage() const {
  Usage usage;
  read_stat(pid_, usage);
  read_memory(pid_, usage);
  if (counters_.empty()) return usage;
  std::uint64_t all = 0;
  for (const int counter : counters_) {
    std::uint64_t count = 0;
    if (read(counter, &count, sizeof(count)) == sizeof(count)) all += count;
  }
  usage.syscalls = all;
  return usage;
}

double own_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace tictactoe::load
