#include "client/storage/recent_servers.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "client/model/sanitized.hpp"

namespace tictactoe::client {

RecentServers::RecentServers(const std::string& folder) {
  if (folder.empty()) return;
  path_ = folder + "/servers";
  std::ifstream file(path_);
  std::string text(max_recent_bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
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
  std::erase_if(entries_, [&](const RecentServer& entry) { return entry.address == address; });
  entries_.insert(entries_.begin(), {address, name});
  if (entries_.size() > max_recent_servers) entries_.resize(max_recent_servers);
  if (!path_.empty()) save();
}

void RecentServers::save() const {
  std::error_code ignored;
  const std::string beside = path_ + ".new";
  {
    std::ofstream file(beside, std::ios::trunc);
    for (const RecentServer& entry : entries_) file << entry.address << '\t' << entry.name << '\n';
    if (!file.flush()) return;
  }
  std::filesystem::rename(beside, path_, ignored);
}

}  // namespace tictactoe::client
