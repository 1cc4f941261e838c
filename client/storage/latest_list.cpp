#include "client/storage/latest_list.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "client/storage/file.hpp"
#include "common/posix/file.hpp"

namespace tictactoe::client {

LatestList::LatestList(std::string path, std::size_t max_entries)
    : path_(std::move(path)), max_entries_(max_entries) {
  if (!path_.empty()) read();
}

void LatestList::read() {
  entries_.clear();
  const std::string text = posix::read_file(path_, max_latest_bytes).value_or("");
  std::size_t end = 0;
  for (std::size_t at = 0; entries_.size() < max_entries_; at = end + 1) {
    end = text.find('\n', at);
    if (end == std::string::npos) return;
    const std::string line = text.substr(at, end - at);
    const std::size_t tab = std::min(line.find('\t'), line.size());
    entries_.push_back({line.substr(0, tab), line.substr(std::min(tab + 1, line.size()))});
  }
}

void LatestList::put_first(Entry entry) {
  std::optional<FileChange> file;
  if (!path_.empty()) file.emplace(path_);
  if (file && file->fault().empty()) read();  // with what other programs have added
  std::erase_if(entries_, [&](const Entry& other) { return other.name == entry.name; });
  entries_.insert(entries_.begin(), std::move(entry));
  if (entries_.size() > max_entries_) entries_.resize(max_entries_);
  if (!file) return;
  std::string text;
  for (const Entry& each : entries_) text.append(each.name + "\t" + each.text + "\n");
  static_cast<void>(file->replace(text));
}

}  // namespace tictactoe::client
