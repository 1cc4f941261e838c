#include "server/lobby/similar_name.hpp"

#include "common/wire/text.hpp"
#include "server/limits/name_rules.hpp"

namespace tictactoe::server {
namespace {

// The longest prefix of at most `length` code points that is a name: not cut within an emoji.
std::string_view shortened(std::string_view name, std::size_t length) {
  std::string_view prefix = wire::first_code_points(name, length);
  if (prefix.size() == name.size()) return prefix;
  while (length > 1 && name_problem(prefix)) prefix = wire::first_code_points(prefix, --length);
  return prefix;
}

}  // namespace

std::string similar_name(std::string_view base, std::size_t length, int attempt,
                         std::mt19937_64& random) {
  if (attempt == 1) return std::string(shortened(base, length));
  constexpr int first_random = 10;
  constexpr std::uint64_t numbers = 1'000'000;
  const std::uint64_t number =
      attempt < first_random ? static_cast<std::uint64_t>(attempt) : random() % numbers;
  const std::string suffix = "-" + std::to_string(number);
  return std::string(shortened(base, length - suffix.size())) + suffix;
}

}  // namespace tictactoe::server
