#include "client/storage/passwords.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace tictactoe::client {
namespace {

std::string reason() {
  return std::generic_category().message(errno);
}

std::string folder_in(const std::string& folder) {
  return folder + "/passwords";
}

std::string path_in(const std::string& folder, const std::string& file) {
  return folder_in(folder) + "/" + file;
}

// Only the owner can have read or written it.
bool is_private(const std::string& path) {
  struct stat found{};
  return lstat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == geteuid() &&
         (found.st_mode & 077U) == 0;
}

}  // namespace

Passwords load_passwords(const std::string& folder, const std::string& name) {
  const std::string path = path_in(folder, name);
  Passwords passwords;
  if (folder.empty() || !is_private(path)) return passwords;
  std::ifstream file(path);
  std::getline(file, passwords.server);
  std::getline(file, passwords.account);
  return passwords;
}

std::string save_passwords(const std::string& folder, const std::string& name,
                           const Passwords& passwords) {
  if (folder.empty()) return "neither HOME nor XDG_STATE_HOME is set";
  const std::string path = path_in(folder, name);
  if (passwords.empty()) {
    unlink(path.c_str());
    return {};
  }
  std::error_code ignored;  // open reports it
  std::filesystem::create_directories(folder_in(folder), ignored);
  const std::string beside = path + ".new";
  unlink(beside.c_str());
  const int file = open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return reason();
  const std::string text = passwords.server + "\n" + passwords.account + "\n";
  const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const bool done = close(file) == 0 && written && rename(beside.c_str(), path.c_str()) == 0;
  return done ? std::string() : reason();
}

}  // namespace tictactoe::client
