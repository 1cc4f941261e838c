// The user that owns a server's directory.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <vector>

namespace tictactoe::records {

/// During its life, a root process acts as the owner of a directory, with the directory's group
/// only: its new files belong to the owner, and it can read only what the owner can. If the
/// directory is missing, its nearest parent counts. Does nothing for other users, for directories
/// of root, and if the system does not let the process become the owner. Affects all threads of the
/// process.
class AsOwner {
 public:
  explicit AsOwner(const std::filesystem::path& directory);
  ~AsOwner();
  AsOwner(const AsOwner&) = delete;
  AsOwner& operator=(const AsOwner&) = delete;

 private:
  void restore_groups();

  gid_t group_ = 0;            // of root, before
  std::vector<gid_t> groups_;  // the supplementary ones
  bool is_changed_ = false;
};

}  // namespace tictactoe::records
