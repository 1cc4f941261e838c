#include "server/journal/owner.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace tictactoe::records {

AsOwner::AsOwner(const std::filesystem::path& directory)
    : directory_(directory), place_(directory), group_(::getegid()) {
  if (::geteuid() != 0) return;
  opened_ = ::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  become_owner();
  const std::filesystem::path opened = "/proc/self/fd/" + std::to_string(opened_);
  // Not without /proc.
  if (is_changed_ && opened_ >= 0 && ::access(opened.c_str(), F_OK) == 0) place_ = opened;
}

void AsOwner::become_owner() {
  std::error_code error;
  std::filesystem::path place = std::filesystem::absolute(directory_, error);
  struct stat status{};
  while (::stat(place.c_str(), &status) != 0) {
    if (!place.has_relative_path()) return;
    place = place.parent_path();
  }
  if (status.st_uid == 0) return;
  const int count = ::getgroups(0, nullptr);
  if (count < 0) return;
  groups_.resize(static_cast<std::size_t>(count));
  if (::getgroups(count, groups_.data()) != count || ::setgroups(0, nullptr) != 0) return;
  // The user last: the owner may not change the groups.
  is_changed_ = ::setegid(status.st_gid) == 0 && ::seteuid(status.st_uid) == 0;
  if (!is_changed_) restore_groups();
}

AsOwner::~AsOwner() {
  if (opened_ >= 0) ::close(opened_);
  if (!is_changed_) return;
  static_cast<void>(::seteuid(0));
  restore_groups();
}

bool AsOwner::has_usual_path() const {
  return ::faccessat(AT_FDCWD, directory_.c_str(), X_OK, AT_EACCESS) == 0 || errno == ENOENT;
}

void AsOwner::restore_groups() {
  static_cast<void>(::setegid(group_));
  static_cast<void>(::setgroups(groups_.size(), groups_.data()));
}

}  // namespace tictactoe::records
