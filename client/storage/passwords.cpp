#include "client/storage/passwords.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <sstream>

#include "client/storage/file.hpp"
#include "common/posix/file.hpp"

namespace tictactoe::client {
namespace {

// Largest file that is looked at.
constexpr std::size_t max_file_bytes = 4096;

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
  if (folder.empty()) return passwords;
  remove_leftover(path);
  if (!is_private(path)) return passwords;
  std::istringstream file(posix::read_file(path, max_file_bytes).value_or(""));
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
    remove_leftover(path);
    return {};
  }
  make_private_folder(folder_in(folder));  // FileChange reports a fault
  return FileChange(path).replace(passwords.server + "\n" + passwords.account + "\n");
}

}  // namespace tictactoe::client
