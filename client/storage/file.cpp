#include "client/storage/file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <thread>

namespace tictactoe::client {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view new_suffix = ".new";
constexpr mode_t private_file = S_IRUSR | S_IWUSR;

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

std::string read_limited(const std::string& path, std::size_t most) {
  std::ifstream file(path);
  std::string text(most, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

bool write_to_file(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

FileChange::FileChange(const std::string& path) {
  std::error_code error;
  const fs::path target = fs::canonical(path, error);  // fails if there is no file yet
  path_ = error ? path : target.string();
  new_path_ = path_ + std::string(new_suffix);
  const std::string lock = (fs::path(path_).parent_path() / ".lock").string();
  lock_ = open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, private_file);
  if (lock_ < 0 || !wait_for(lock_)) {
    fault_ = last_error();
    return;
  }
  unlink(new_path_.c_str());
}

FileChange::~FileChange() {
  if (lock_ >= 0) close(lock_);
}

std::string FileChange::replace(std::string_view text) {
  if (!fault_.empty()) return fault_;
  const int file = open(new_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, private_file);
  if (file < 0) return last_error();
  const bool done = write_to_file(file, text) && fsync(file) == 0 &&
                    std::rename(new_path_.c_str(), path_.c_str()) == 0;
  const std::string fault = done ? std::string() : last_error();
  close(file);
  if (!done) unlink(new_path_.c_str());
  return fault;
}

void remove_leftover(const std::string& path) {
  std::error_code ignored;
  if (fs::exists(path + std::string(new_suffix), ignored)) FileChange{path};
}

}  // namespace tictactoe::client
