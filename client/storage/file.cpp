#include "client/storage/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <system_error>

namespace tictactoe::client {

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

std::string replace_file(const std::string& path, std::string_view text) {
  std::string temporary = path + ".XXXXXX";
  const int file = mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return std::generic_category().message(errno);
  const bool done = write_to_file(file, text) && fsync(file) == 0 &&
                    std::rename(temporary.c_str(), path.c_str()) == 0;
  const std::string fault = done ? std::string() : std::generic_category().message(errno);
  close(file);
  if (!done) unlink(temporary.c_str());
  return fault;
}

}  // namespace tictactoe::client
