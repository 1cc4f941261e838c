#include "common/posix/file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "common/posix/retried.hpp"

namespace tictactoe::posix {

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

std::error_code replace_file(const std::string& path, std::string_view text) {
  const auto reason = [] { return std::error_code(errno, std::generic_category()); };
  const std::string written = path + std::string(new_suffix);
  ::unlink(written.c_str());
  const int file =
      ::open(written.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) return reason();
  std::error_code fault;
  if (!write_all(file, text) || ::fsync(file) != 0 ||
      std::rename(written.c_str(), path.c_str()) != 0) {
    fault = reason();
    ::unlink(written.c_str());
  }
  ::close(file);
  return fault;
}

}  // namespace tictactoe::posix
