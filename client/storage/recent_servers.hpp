// Servers on which the person has played, stored in the user's state folder.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tictactoe::client {

/// Maximum number of servers, the latest first, and of bytes read from the file.
inline constexpr std::size_t max_recent_servers = 8;
inline constexpr std::size_t max_recent_bytes = 8192;

/// A server used earlier. The texts are sanitized; the address may be invalid.
struct RecentServer {
  std::string address;
  std::string name;
};

/// The file `servers` in a folder: a line for each, its address, a tab and its name. Faults are
/// ignored, because nothing depends on it.
class RecentServers {
 public:
  /// `folder` is empty if there is none.
  explicit RecentServers(const std::string& folder);

  const std::vector<RecentServer>& entries() const { return entries_; }
  /// Puts this server first, before those that the file has by now.
  void add(const std::string& address, const std::string& name);

 private:
  void read();
  void put_first(const std::string& address, const std::string& name);

  std::string path_;  // empty: nothing is kept
  std::vector<RecentServer> entries_;
};

}  // namespace tictactoe::client
