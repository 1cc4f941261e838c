#include "client/storage/file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <thread>

#include "common/posix/file.hpp"

namespace tictactoe::client {
namespace {

namespace fs = std::filesystem;

constexpr mode_t private_file = S_IRUSR | S_IWUSR;

std::string new_path_of(const std::string& path) {
  return path + std::string(posix::new_suffix);
}

std::string last_error() {
  return std::generic_category().message(errno);
}

// False, with the reason in errno, if another program has it for too long.
bool wait_for(int lock) {
  constexpr std::chrono::milliseconds step{5};
  for (auto left = lock_patience / step; flock(lock, LOCK_EX | LOCK_NB) != 0; --left) {
    if ((errno != EWOULDBLOCK && errno != EINTR) || left <= 0) return false;
    std::this_thread::sleep_for(step);
  }
  return true;
}

}  // namespace

bool make_private_folder(const std::string& path) {
  std::error_code ignored;  // mkdir reports it
  fs::create_directories(fs::path(path).parent_path(), ignored);
  return mkdir(path.c_str(), S_IRWXU) == 0 || errno == EEXIST;
}

FileChange::FileChange(const std::string& path) {
  path_ = posix::target_of(path);
  const std::string lock = (fs::path(path_).parent_path() / ".lock").string();
  lock_ = open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, private_file);
  if (lock_ < 0 || !wait_for(lock_)) {
    fault_ = last_error();
    return;
  }
  unlink(new_path_of(path_).c_str());
}

FileChange::~FileChange() {
  if (lock_ >= 0) close(lock_);
}

std::string FileChange::replace(std::string_view text) {
  if (!fault_.empty()) return fault_;
  const std::error_code fault = posix::replace_file(path_, text);
  return fault ? fault.message() : std::string();
}

}  // namespace tictactoe::client
