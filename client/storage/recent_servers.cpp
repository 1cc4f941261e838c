#include "client/storage/recent_servers.hpp"

#include <algorithm>

#include "client/model/sanitized.hpp"
#include "client/storage/file.hpp"
#include "common/posix/file.hpp"

namespace tictactoe::client {

RecentServers::RecentServers(const std::string& folder) {
  if (folder.empty()) return;
  path_ = folder + "/servers";
  read();
}

void RecentServers::read() {
  entries_.clear();
  const std::string text = posix::read_file(path_, max_recent_bytes).value_or("");
  std::size_t end = 0;
  for (std::size_t at = 0; entries_.size() < max_recent_servers; at = end + 1) {
    end = text.find('\n', at);
    if (end == std::string::npos) return;
    const std::string line = text.substr(at, end - at);
    const std::size_t tab = std::min(line.find('\t'), line.size());
    const std::string address = line.substr(0, tab);
    if (address != sanitized(address)) continue;
    entries_.push_back({address, tab < line.size() ? sanitized(line.substr(tab + 1)) : ""});
  }
}

void RecentServers::add(const std::string& address, const std::string& name) {
  if (path_.empty()) return put_first(address, name);
  FileChange file(path_);
  if (file.fault().empty()) read();  // with what other programs have added
  put_first(address, name);
  std::string text;
  for (const RecentServer& entry : entries_) {
    text.append(entry.address).append("\t").append(entry.name).append("\n");
  }
  static_cast<void>(file.replace(text));  // the list is not needed for play
}

void RecentServers::put_first(const std::string& address, const std::string& name) {
  std::erase_if(entries_, [&](const RecentServer& entry) { return entry.address == address; });
  entries_.insert(entries_.begin(), {address, name});
  if (entries_.size() > max_recent_servers) entries_.resize(max_recent_servers);
}

}  // namespace tictactoe::client
