// Preloaded into a program. While the file exists that the environment variable STUCK_DISK names,
// nothing becomes durable, as with a disk that does not answer. If the file exists that
// FAILING_DISK names, it is removed, and the sync fails: Linux reports what it could not write
// once.
#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace {

using Sync = int (*)(int);

int wait_and_call(const char* name, int file) {
  const char* const stuck = std::getenv("STUCK_DISK");
  while (stuck != nullptr && access(stuck, F_OK) == 0) usleep(1000);
  const char* const failing = std::getenv("FAILING_DISK");
  if (failing != nullptr && unlink(failing) == 0) {
    errno = EIO;
    return -1;
  }
  return reinterpret_cast<Sync>(dlsym(RTLD_NEXT, name))(file);
}

}  // namespace

extern "C" int fsync(int file) {
  return wait_and_call("fsync", file);
}

extern "C" int fdatasync(int file) {
  return wait_and_call("fdatasync", file);
}
