// Records on their way into the journal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tictactoe::store {

/// Encoded tictactoe.journal.v1.Records, in order, in one piece of memory.
class Batch {
 public:
  void add(std::string_view record) {
    bytes_ += record;
    ends_.push_back(bytes_.size());
  }
  /// Forgets all, and keeps the memory unless a huge batch had blown it up.
  void clear() {
    if (bytes_.capacity() > worth_keeping) *this = {};
    bytes_.clear();
    ends_.clear();
  }

  bool empty() const { return ends_.empty(); }
  std::size_t size() const { return ends_.size(); }
  std::size_t bytes() const { return bytes_.size(); }
  std::string_view operator[](std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(bytes_).substr(begin, ends_[index] - begin);
  }

 private:
  static constexpr std::size_t worth_keeping = std::size_t{1024} * 1024;

  std::string bytes_;
  std::vector<std::size_t> ends_;
};

}  // namespace tictactoe::store
