#include "tests/bench/load/server_process.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
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

ServerProcess::ServerProcess(pid_t pid) : pid_(pid) {
  usage();
}

Usage ServerProcess::usage() const {
  Usage usage;
  read_stat(pid_, usage);
  read_memory(pid_, usage);
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
