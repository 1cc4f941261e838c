#include "client/engine/positions.hpp"

#include <sstream>
#include <utility>

#include "common/wire/text.hpp"

namespace tictactoe::engine {

namespace {

bool is_blank(const std::string& line) {
  return line.find_first_not_of(" \t\r") == std::string::npos;
}

}  // namespace

void for_each_position(std::istream& input,
                       const std::function<void(const TypedPosition&)>& visit) {
  TypedPosition position{.number = 1, .rows = {}, .lines = {}};
  const auto finish = [&] {
    if (position.rows.empty()) return;
    visit(position);
    position = {.number = position.number + 1, .rows = {}, .lines = {}};
  };
  std::string line;
  for (int number = 1; std::getline(input, line); ++number) {
    if (number == 1) line = std::string(wire::without_byte_order_mark(line));
    if (is_blank(line)) {
      finish();
      continue;
    }
    std::istringstream parts(line);
    for (std::string row; std::getline(parts, row, '/');) {
      position.rows.push_back(row);
      position.lines.push_back(number);
    }
  }
  finish();
}

void Answers::complain(const TypedPosition& position, std::size_t row, const std::string& reason) {
  err_ << "position " << position.number << ", line " << position.lines[row] << ": " << reason
       << '\n';
  ++complaints_;
}

}  // namespace tictactoe::engine
