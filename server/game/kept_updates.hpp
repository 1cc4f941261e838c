// The latest updates of a room, for players who were away.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "common/wire/frame.hpp"

namespace tictactoe::server {

/// Holds encoded updates with their revisions. They are stored contiguously in two chunks, of
/// which the older is removed when the newer is full: adding changes only the end of one chunk,
/// costs O(1) amortised, and takes no memory once both have been full.
class KeptUpdates {
 public:
  /// At most `most` updates are returned at once, and as many are kept unless they are long.
  explicit KeptUpdates(std::size_t most) : most_(most) {}

  /// `revision` follows the last one, or everything before it is out of date.
  void add(std::uint64_t revision, std::string_view update) {
    if (revision != next_) {
      older().clear();
      newer().clear();
    } else if (newer().count >= most_ || newer().frames.size() > longest_chunk) {
      std::swap(chunks_[0], chunks_[1]);
      newer().clear();
    }
    wire::append_frame(newer().frames, update);
    ++newer().count;
    next_ = revision + 1;
  }

  /// visit(update) for each one after revision `seen`, in order. False, and nothing is visited, if
  /// they are not all here or have more than `most_bytes` together. O(updates kept).
  template <class Visit>
  bool visit_after(std::uint64_t seen, std::size_t most_bytes, Visit visit) const {
    const std::uint64_t first = next_ - older().count - newer().count;
    if (seen >= next_ || seen + 1 < first || next_ - seen - 1 > most_) return false;
    std::size_t bytes = 0;
    visit_from(seen + 1, [&](std::string_view update) { bytes += update.size(); });
    if (bytes > most_bytes) return false;
    visit_from(seen + 1, visit);
    return true;
  }

 private:
  static constexpr std::size_t longest_chunk = std::size_t{16} * 1024;

  struct Chunk {
    std::string frames;       // one for each update: its length and its bytes
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

  // visit(update) for those from `revision` on, which are all here.
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

  std::size_t most_;
  std::uint64_t next_ = 0;  // revision of the next update
  std::array<Chunk, 2> chunks_;
};

}  // namespace tictactoe::server
