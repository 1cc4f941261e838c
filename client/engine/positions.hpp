// Reads positions from a stream of text.
#pragma once

#include <cstddef>
#include <functional>
#include <istream>
#include <ostream>
#include <string>
#include <vector>

#include "common/rules/notation.hpp"

namespace tictactoe::engine {

/// A position as it was typed: its number in the input, from 1, and its rows with the number of the
/// line that each stands on.
struct TypedPosition {
  int number = 0;
  std::vector<std::string> rows;
  std::vector<int> lines;
};

/// Calls visit(TypedPosition) for every position of the input. Positions are separated by blank
/// lines; rows by the ends of lines or by '/'.
void for_each_position(std::istream& input, const std::function<void(const TypedPosition&)>& visit);

/// Answers positions one by one and remembers whether any was bad.
class Answers {
 public:
  Answers(std::ostream& out, std::ostream& err) : out_(out), err_(err) {}

  void answer(const std::string& line) { out_ << line << '\n' << std::flush; }
  /// Says which position is bad, on which line of the input, and why.
  void complain(const TypedPosition& position, std::size_t row, const std::string& reason);
  /// 0, or 1 after a complaint.
  int exit_status() const { return complaints_ == 0 ? 0 : 1; }

 private:
  std::ostream& out_;
  std::ostream& err_;
  int complaints_ = 0;
};

}  // namespace tictactoe::engine
