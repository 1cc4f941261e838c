// The latest updates of a room, for players who were away.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tictactoe::core {

/// Holds encoded updates with their revisions. They are stored contiguously in two chunks, of
/// which the older is removed when the newer is full: adding changes only the end of one chunk,
/// costs O(1) amortised, and takes no memory once both have been full.
class KeptUpdates {
 public:
  /// At most `most` updates are returned at once, and as many are kept unless they are long.
  explicit KeptUpdates(std::size_t most) : most_(most) {}

  /// `revision` follows the last one, or everything before it is out of date.
  void add(std::uint64_t revision, std::string_view update) {
    if (revision != newer().next()) {
      older().begin_at(0);
      newer().begin_at(revision);
    } else if (newer().ends.size() >= most_ || newer().bytes.size() > longest_chunk) {
      std::swap(chunks_[0], chunks_[1]);
      newer().begin_at(revision);
    }
    newer().bytes.append(update);
    newer().ends.push_back(newer().bytes.size());
  }

  /// visit(update) for each one after revision `seen`, in order. False, and nothing is visited, if
  /// they are not all here or have more than `most_bytes` together.
  template <class Visit>
  bool visit_after(std::uint64_t seen, std::size_t most_bytes, Visit visit) const {
    const std::uint64_t end = chunks_[0].next();
    if (seen >= end || end - seen - 1 > most_) return false;
    std::size_t bytes = 0;
    for (std::uint64_t revision = seen + 1; revision < end; ++revision) {
      const Chunk* chunk = holder(revision);
      if (chunk == nullptr) return false;
      bytes += chunk->at(revision).size();
    }
    if (bytes > most_bytes) return false;
    for (std::uint64_t revision = seen + 1; revision < end; ++revision) {
      visit(holder(revision)->at(revision));
    }
    return true;
  }

 private:
  static constexpr std::size_t longest_chunk = std::size_t{16} * 1024;

  struct Chunk {
    std::uint64_t first = 0;  // revision
    std::string bytes;
    std::vector<std::size_t> ends;

    std::uint64_t next() const { return first + ends.size(); }
    bool holds(std::uint64_t revision) const { return revision >= first && revision < next(); }
    std::string_view at(std::uint64_t revision) const {
      const std::size_t index = revision - first;
      const std::size_t begin = index == 0 ? 0 : ends[index - 1];
      return std::string_view(bytes).substr(begin, ends[index] - begin);
    }
    void begin_at(std::uint64_t revision) {
      first = revision;
      bytes.clear();
      ends.clear();
    }
  };

  Chunk& newer() { return chunks_[0]; }
  Chunk& older() { return chunks_[1]; }
  const Chunk* holder(std::uint64_t revision) const {
    for (const Chunk& chunk : chunks_) {
      if (chunk.holds(revision)) return &chunk;
    }
    return nullptr;
  }

  std::size_t most_;
  std::array<Chunk, 2> chunks_;
};

}  // namespace tictactoe::core
