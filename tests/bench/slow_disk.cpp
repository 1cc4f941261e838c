// Preloaded into a server, makes its disk slow: fdatasync() and fsync() take SLOW_DISK_MS longer.
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

namespace {

void wait() {
  static const char* const milliseconds = std::getenv("SLOW_DISK_MS");
  if (milliseconds == nullptr) return;
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(std::atof(milliseconds)));
}

}  // namespace

extern "C" int fdatasync(int file) {
  wait();
  return static_cast<int>(syscall(SYS_fdatasync, file));
}

extern "C" int fsync(int file) {
  wait();
  return static_cast<int>(syscall(SYS_fsync, file));
}
