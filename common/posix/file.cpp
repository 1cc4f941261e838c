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

bool is_pipe(int file) {
  struct stat found{};
  return ::fstat(file, &found) == 0 && S_ISFIFO(found.st_mode);
}

enum class Extent : bool { all, first_line };

std::optional<std::string> read(const std::string& path, std::size_t max_bytes, Extent extent) {
  // Without O_NONBLOCK, opening a pipe waits for a writer.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  constexpr std::size_t max_part = std::size_t{64} << 10;
  std::string bytes;
  int fault = 0;
  while (bytes.size() < max_bytes) {
    const std::size_t size = bytes.size();
    bytes.resize(size + std::min(max_part, max_bytes - size));
    const ssize_t count =
        retried([&] { return ::read(file, bytes.data() + size, bytes.size() - size); });
    fault = count < 0 ? errno : 0;
    bytes.resize(size + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (fault == EAGAIN) {
      pollfd readable{file, POLLIN, 0};
      ::poll(&readable, 1, -1);
      continue;
    }
    if (count == 0 && bytes.empty() && is_pipe(file)) fault = ENXIO;
    if (count <= 0) break;
    const std::size_t end = extent == Extent::all ? std::string::npos : bytes.find('\n', size);
    if (end != std::string::npos) {
      bytes.resize(end);
      break;
    }
  }
  ::close(file);
  errno = fault;
  return fault == 0 ? std::optional(std::move(bytes)) : std::nullopt;
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
  return read(path, max_bytes, Extent::all);
}

std::optional<std::string> read_first_line(const std::string& path, std::size_t max_bytes) {
  return read(path, max_bytes, Extent::first_line);
}

std::string why_unreadable(const std::string& path, int error) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (error == EISDIR) return "it is a directory";
  if (error == ENXIO && fs::is_fifo(path, ignored)) {
    return "it is a pipe into which nothing is written";
  }
  if (error == ENXIO && fs::is_socket(path, ignored)) return "it is a socket";
  if (error == ENOENT && fs::is_symlink(path, ignored)) {
    return "it is a symbolic link to " + target_of(path) + ", which does not exist";
  }
  return std::generic_category().message(error);
}

std::string why_not_regular(const std::string& path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0) return why_unreadable(path, errno);
  if (S_ISREG(found.st_mode)) return {};
  if (S_ISDIR(found.st_mode)) return why_unreadable(path, EISDIR);
  if (S_ISFIFO(found.st_mode)) return "it is a pipe, but it is read more than once";
  return "it is not a regular file";
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
