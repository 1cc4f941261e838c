// Servers on which the person has played, kept in the user's state folder.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tictactoe::client {

/// Servers that are kept, the latest first, and bytes of the file that are looked at.
inline constexpr std::size_t max_recent_servers = 8;
inline constexpr std::size_t max_recent_bytes = 8192;

/// A server of an earlier time. The texts are sanitized; the address may be none.
struct RecentServer {
  std::string address;
  std::string name;
};

/// The file `servers` in a folder: a line for each, its address, a tab and its name. If it
/// can't be read there are none, and if it can't be written they are forgotten: nothing depends on
/// it.
class RecentServers {
 public:
  /// `folder` is empty if there is none.
  explicit RecentServers(const std::string& folder);

  const std::vector<RecentServer>& entries() const { return entries_; }
  /// Puts this server before those that the file has by now.
  void add(const std::string& address, const std::string& name);

 private:
  void read();
  void put_first(const std::string& address, const std::string& name);

  std::string path_;  // empty: nothing is kept
  std::vector<RecentServer> entries_;
};

}  // namespace tictactoe::client
