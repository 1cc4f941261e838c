#include "common/rules/perft.hpp"

#include <algorithm>
#include <utility>

#include "common/rules/lines.hpp"

namespace tictactoe::rules {

namespace {

/// A position as two sets of cells, X's in the low half, and the number of ways to it and its
/// mirror images.
struct Node {
  std::uint64_t marks = 0;
  std::uint64_t ways = 0;
};

constexpr unsigned o_shift = 32;

class Walk {
 public:
  explicit Walk(const Rules& rules) : rules_(rules) {
    for (int symmetry = 1; symmetry < (rules.rows == rules.cols ? 8 : 4); ++symmetry) {
      std::vector<unsigned>& images = images_.emplace_back();
      for (int i = 0; i < rules.cells(); ++i) images.push_back(image(i, symmetry));
    }
  }

  Perft run(const std::function<void(int, std::uint64_t)>& progress) {
    std::vector<Node> ply_nodes{{0, 1}};
    for (int ply = 0; !ply_nodes.empty(); ++ply) {
      std::uint64_t positions = 0;
      for (const Node& node : ply_nodes) positions += count_images(node.marks);
      result_.positions += positions;
      result_.distinct_positions += ply_nodes.size();
      result_.positions_by_ply.push_back(positions);
      result_.games_by_length.push_back(0);
      if (progress) progress(ply, ply_nodes.size());
      ply_nodes = next_ply(ply_nodes, ply);
    }
    return result_;
  }

 private:
  unsigned image(int index, int symmetry) const {
    int row = index / rules_.cols;
    int col = index % rules_.cols;
    if ((symmetry & 1) != 0) row = rules_.rows - 1 - row;
    if ((symmetry & 2) != 0) col = rules_.cols - 1 - col;
    if ((symmetry & 4) != 0) std::swap(row, col);
    return static_cast<unsigned>(row * rules_.cols + col);
  }

  static std::uint64_t bit(Mark mark, unsigned index) {
    return std::uint64_t{1} << (mark == Mark::o ? index + o_shift : index);
  }
  Mark at(std::uint64_t marks, Cell cell) const {
    const auto index = static_cast<unsigned>(cell.row * rules_.cols + cell.col);
    if ((marks & bit(Mark::x, index)) != 0) return Mark::x;
    return (marks & bit(Mark::o, index)) != 0 ? Mark::o : Mark::none;
  }

  template <class Visit>
  void for_each_image(std::uint64_t marks, Visit&& visit) const {
    for (const std::vector<unsigned>& images : images_) {
      std::uint64_t mirrored = 0;
      for (unsigned i = 0; i < images.size(); ++i) {
        const std::uint64_t both = marks >> i & (std::uint64_t{1} << o_shift | 1);
        mirrored |= both << images[i];
      }
      visit(mirrored);
    }
  }

  std::uint64_t smallest_image(std::uint64_t marks) const {
    std::uint64_t smallest = marks;
    for_each_image(marks, [&](std::uint64_t other) { smallest = std::min(smallest, other); });
    return smallest;
  }

  /// The number of different positions among the mirror images of one.
  std::uint64_t count_images(std::uint64_t marks) const {
    std::vector<std::uint64_t> all{marks};
    for_each_image(marks, [&](std::uint64_t other) {
      if (std::ranges::find(all, other) == all.end()) all.push_back(other);
    });
    return all.size();
  }

  /// The unfinished positions after every move. Finished positions are counted here, but belong to
  /// the next ply.
  std::vector<Node> next_ply(const std::vector<Node>& nodes, int ply) {
    const Mark mover = ply % 2 == 0 ? Mark::x : Mark::o;
    std::vector<Node> next;
    for (const Node& node : nodes) {
      if (finished(node, ply)) continue;
      for (unsigned i = 0; i < static_cast<unsigned>(rules_.cells()); ++i) {
        if ((node.marks & (bit(Mark::x, i) | bit(Mark::o, i))) != 0) continue;
        next.push_back({smallest_image(node.marks | bit(mover, i)), node.ways});
      }
    }
    std::ranges::sort(next, {}, &Node::marks);
    std::size_t kept = 0;
    for (const Node& node : next) {
      if (kept > 0 && next[kept - 1].marks == node.marks) {
        next[kept - 1].ways += node.ways;
      } else {
        next[kept++] = node;
      }
    }
    next.resize(kept);
    return next;
  }

  /// Counts the node if the game has ended there. The other side made the last mark.
  bool finished(const Node& node, int ply) {
    const Mark last = ply % 2 == 0 ? Mark::o : Mark::x;
    const bool won = ply > 0 && has_won(node.marks, last);
    if (!won && ply < rules_.cells()) return false;
    const auto result = static_cast<std::size_t>(won ? last : Mark::none);
    result_.end_positions[result] += count_images(node.marks);
    result_.ended_games[result] += node.ways;
    result_.games += node.ways;
    result_.games_by_length[static_cast<std::size_t>(ply)] += node.ways;
    return true;
  }

  bool has_won(std::uint64_t marks, Mark side) const {
    const auto read = [&](Cell cell) { return at(marks, cell); };
    for (int i = 0; i < rules_.cells(); ++i) {
      const Cell cell{i / rules_.cols, i % rules_.cols};
      if (read(cell) != side) continue;
      for (const LineKind kind : line_kinds) {
        if (wins(rules_, length(run_through(rules_, read, cell, kind)))) return true;
      }
    }
    return false;
  }

  Rules rules_;
  /// For each symmetry except the identity: the image of each cell.
  std::vector<std::vector<unsigned>> images_;
  Perft result_;
};

}  // namespace

Perft perft(const Rules& rules, const std::function<void(int, std::uint64_t)>& progress) {
  return Walk(rules).run(progress);
}

}  // namespace tictactoe::rules
