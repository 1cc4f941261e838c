#include "server/store/owner.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <system_error>

namespace tictactoe::store {

AsOwner::AsOwner(const std::filesystem::path& directory) : group_(::getegid()) {
  if (::geteuid() != 0) return;
  std::error_code error;
  std::filesystem::path place = std::filesystem::absolute(directory, error);
  struct stat status{};
  while (::stat(place.c_str(), &status) != 0) {
    if (!place.has_relative_path()) return;
    place = place.parent_path();
  }
  if (status.st_uid == 0 || ::setegid(status.st_gid) != 0) return;
  // The group first: the owner may not change it.
  is_changed_ = ::seteuid(status.st_uid) == 0;
  if (!is_changed_) static_cast<void>(::setegid(group_));
}

AsOwner::~AsOwner() {
  if (!is_changed_) return;
  static_cast<void>(::seteuid(0));
  static_cast<void>(::setegid(group_));
}

}  // namespace tictactoe::store
