// Preloaded into a program: nothing becomes durable while the file exists that the environment
// variable STUCK_DISK names, as with a disk that does not answer.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

namespace {

using Sync = int (*)(int);

int wait_and_call(const char* name, int file) {
  const char* const stuck = std::getenv("STUCK_DISK");
  while (stuck != nullptr && access(stuck, F_OK) == 0) usleep(1000);
  return reinterpret_cast<Sync>(dlsym(RTLD_NEXT, name))(file);
}

}  // namespace

extern "C" int fsync(int file) {
  return wait_and_call("fsync", file);
}

extern "C" int fdatasync(int file) {
  return wait_and_call("fdatasync", file);
}
