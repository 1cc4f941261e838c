#include "client/model/sanitized.hpp"

#include "common/wire/text.hpp"

namespace tictactoe::client {

std::string sanitized(std::string_view raw, std::size_t most) {
  constexpr std::string_view ellipsis = "...";
  // A code point has at most four bytes: what can't be shown is not even looked at.
  const bool cut = raw.size() > most * 4;
  std::string text = wire::printable(raw.substr(0, most * 4));
  const std::string_view start = wire::first_code_points(text, most);
  if (!cut && start.size() == text.size()) return text;
  text.resize(wire::first_code_points(text, most - ellipsis.size()).size());
  return text.append(ellipsis);
}

}  // namespace tictactoe::client
