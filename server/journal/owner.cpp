#include "server/journal/owner.hpp"

#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <system_error>

namespace tictactoe::records {

AsOwner::AsOwner(const std::filesystem::path& directory) : group_(::getegid()) {
  if (::geteuid() != 0) return;
  std::error_code error;
  std::filesystem::path place = std::filesystem::absolute(directory, error);
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
  if (!is_changed_) return;
  static_cast<void>(::seteuid(0));
  restore_groups();
}

void AsOwner::restore_groups() {
  static_cast<void>(::setegid(group_));
  static_cast<void>(::setgroups(groups_.size(), groups_.data()));
}

}  // namespace tictactoe::records
