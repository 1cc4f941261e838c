// The latest updates of a room, for players who return.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "common/wire/frame.hpp"

namespace tictactoe::server {

/// Holds encoded updates with their revisions in two chunks of contiguous bytes. When the newer
/// chunk is full, the older one is cleared. Adding an update appends to one chunk: O(1) amortised,
/// and no allocation once both have been full.
class KeptUpdates {
 public:
  /// Returns at most `max` updates at once. Keeps at least as many, unless they are long.
  explicit KeptUpdates(std::size_t max) : max_(max) {}

  /// Adds an update. Unless `revision` follows the last one, forgets everything before it.
  void add(std::uint64_t revision, std::string_view update) {
    if (revision != next_) {
      older().clear();
      newer().clear();
    } else if (newer().count >= max_ || newer().frames.size() > max_chunk_bytes) {
      std::swap(chunks_[0], chunks_[1]);
      newer().clear();
    }
    wire::append_frame(newer().frames, update);
    ++newer().count;
    next_ = revision + 1;
  }

  /// Calls visit(update) for each update after revision `seen`, in order. If they are not all kept,
  /// or have more than `max_bytes` in total, visits nothing and returns false. O(updates kept).
  template <class Visit>
  bool visit_after(std::uint64_t seen, std::size_t max_bytes, Visit visit) const {
    const std::uint64_t first = next_ - older().count - newer().count;
    if (seen >= next_ || seen + 1 < first || next_ - seen - 1 > max_) return false;
    std::size_t bytes = 0;
    visit_from(seen + 1, [&](std::string_view update) { bytes += update.size(); });
    if (bytes > max_bytes) return false;
    visit_from(seen + 1, visit);
    return true;
  }

 private:
  static constexpr std::size_t max_chunk_bytes = std::size_t{16} * 1024;

  struct Chunk {
    std::string frames;       // each update: its length and its bytes
    std::uint32_t count = 0;  // of updates

    void clear() {
      frames.clear();
      count = 0;
    }
  };

  Chunk& newer() { return chunks_[0]; }
  const Chunk& newer() const { return chunks_[0]; }
  Chunk& older() { return chunks_[1]; }
  const Chunk& older() const { return chunks_[1]; }

  // Calls visit(update) for the updates from `revision` on. Requires that all are kept.
  template <class Visit>
  void visit_from(std::uint64_t revision, const Visit& visit) const {
    std::uint64_t next = next_ - older().count - newer().count;
    for (const Chunk* chunk : {&older(), &newer()}) {
      std::string_view rest = chunk->frames;
      for (; !rest.empty(); ++next) {
        const std::string_view update = wire::take_frame(rest, rest.size()).body;
        if (next >= revision) visit(update);
      }
    }
  }

  std::size_t max_;
  std::uint64_t next_ = 0;  // revision of the next update
  std::array<Chunk, 2> chunks_;
};

}  // namespace tictactoe::server
