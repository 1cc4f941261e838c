// The user that owns a server's directory.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <vector>

namespace tictactoe::records {

/// During its life, a root process acts as the owner of a directory, with the directory's group
/// only: its new files belong to the owner, and it can read only what the owner can. It enters the
/// directory by place() even if only root may enter a parent, as with DynamicUser= of systemd. If
/// the directory is missing, its nearest parent counts. Does nothing for other users, for
/// directories of root, and if the system does not let the process become the owner. Affects all
/// threads of the process.
class AsOwner {
 public:
  explicit AsOwner(const std::filesystem::path& directory);
  ~AsOwner();
  AsOwner(const AsOwner&) = delete;
  AsOwner& operator=(const AsOwner&) = delete;

  /// A path of the directory that the process can use during the life of this object: it was opened
  /// before the process became the owner. Only for system calls, not for people, nor for libraries
  /// that resolve paths, such as SQLite.
  const std::filesystem::path& place() const { return place_; }
  /// Whether the directory can be used by its usual path, too.
  bool has_usual_path() const;

 private:
  void become_owner();
  void restore_groups();

  const std::filesystem::path directory_;
  std::filesystem::path place_;
  int opened_ = -1;
  gid_t group_ = 0;            // of root, before
  std::vector<gid_t> groups_;  // the supplementary ones
  bool is_changed_ = false;
};

}  // namespace tictactoe::records
