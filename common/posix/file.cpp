#include "common/posix/file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "common/posix/retried.hpp"

namespace tictactoe::posix {

namespace {

std::error_code reason() {
  return {errno, std::generic_category()};
}

}  // namespace

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = retried([&] { return ::write(file, text.data(), text.size()); });
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      pollfd writable{file, POLLOUT, 0};
      ::poll(&writable, 1, -1);
    } else {
      return false;
    }
  }
  return true;
}

std::optional<std::string> read_file(const std::string& path, std::size_t max_bytes) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  constexpr std::size_t max_part = std::size_t{64} << 10;
  std::string bytes;
  ssize_t count = 1;
  while (count > 0 && bytes.size() < max_bytes) {
    const std::size_t size = bytes.size();
    bytes.resize(size + std::min(max_part, max_bytes - size));
    count = retried([&] { return ::read(file, bytes.data() + size, bytes.size() - size); });
    bytes.resize(size + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
  const int fault = errno;
  ::close(file);
  errno = fault;
  return count < 0 ? std::nullopt : std::optional(std::move(bytes));
}

std::string target_of(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int max_links = 40;  // as in the kernel
  fs::path target = path;
  std::error_code error;
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
    const fs::path next = fs::read_symlink(target, error);
    if (error || links == max_links) return path;
    target = target.parent_path() / next;  // `next` alone if it is absolute
  }
  return target.string();
}

std::error_code sync_name(const std::string& path) {
  std::error_code error;
  const std::string parent = std::filesystem::absolute(path, error).parent_path().string();
  const int folder = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return {};
  if (::fsync(folder) != 0 && errno != EINVAL && errno != ENOTSUP) error = reason();
  ::close(folder);
  return error;
}

void fail_at_size_limit() {
  std::signal(SIGXFSZ, SIG_IGN);
}

std::error_code replace_file(const std::string& path, std::string_view text,
                             const std::function<bool(int file)>& before_naming) {
  const std::string target = target_of(path);
  const std::string written = target + std::string(new_suffix);
  ::unlink(written.c_str());
  const int file =
      ::open(written.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) return reason();
  std::error_code fault;
  if (!write_all(file, text) || ::fsync(file) != 0 || (before_naming && !before_naming(file)) ||
      std::rename(written.c_str(), target.c_str()) != 0) {
    fault = reason();
    ::unlink(written.c_str());
  }
  ::close(file);
  return fault ? fault : sync_name(target);
}

}  // namespace tictactoe::posix
