#include "common/program/units.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tictactoe::program {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t size;  // in the smallest unit
};

constexpr std::array times{Unit{"d", 86'400'000}, Unit{"h", 3'600'000}, Unit{"m", 60'000},
                           Unit{"min", 60'000},   Unit{"s", 1'000},     Unit{"ms", 1}};
constexpr std::array amounts{Unit{"GiB", 1024}, Unit{"GB", 1024}, Unit{"G", 1024},
                             Unit{"MiB", 1},    Unit{"MB", 1},    Unit{"M", 1}};
using Units = std::span<const Unit>;                   // the largest first
constexpr std::int64_t max_total = 1'000'000'000'000;  // so that nothing overflows

// In the smallest unit; nothing if it is something else or far too much.
std::optional<std::int64_t> parse(std::string_view text, Units units, std::int64_t own) {
  std::int64_t total = 0;
  std::int64_t last = max_total;
  for (bool first = true; first || !text.empty(); first = false) {
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || number < 0 || number > max_total) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    const std::size_t letters = std::min(text.find_first_of("0123456789"), text.size());
    const auto unit = std::ranges::find(units, text.substr(0, letters), &Unit::name);
    if (unit == units.end() && !(first && text.empty())) return std::nullopt;
    const std::int64_t size = unit == units.end() ? own : unit->size;
    if (size >= last || number > max_total / size) return std::nullopt;  // larger units come first
    total += number * size;
    last = size;
    text.remove_prefix(letters);
  }
  return total;
}

// In the largest unit that divides it: "24h" for 86,400 seconds.
std::string shown(std::int64_t total, Units units) {
  if (total == 0) return "0";
  const auto unit =
      std::ranges::find_if(units, [&](const Unit& each) { return total % each.size == 0; });
  return std::to_string(total / unit->size).append(unit->name);
}

CLI::Validator in_units(Units units, std::int64_t own, std::int64_t min, std::int64_t max,
                        std::string_view what, std::string_view examples) {
  const auto change = [=](std::string& text) -> std::string {
    const auto total = parse(text, units, own);
    const std::string quoted = "\"" + text + "\" is not ";
    if (!total) return (quoted + std::string(what) + ": write ").append(examples);
    if (*total < min * own || *total > max * own) {
      return quoted + "between " + shown(min * own, units) + " and " + shown(max * own, units);
    }
    if (*total % own != 0) return quoted + "a multiple of " + shown(own, units);
    text = std::to_string(*total / own);
    return {};
  };
  return CLI::Validator(change, "");
}

std::string not_between(const std::string& text, std::string_view min, std::string_view max) {
  std::string sentence = "\"" + text + "\" is not a number from ";
  return sentence.append(min).append(" to ").append(max);
}

// Without needless zeros.
std::string shown(double number) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.begin(), text.end(), number).ptr;
  return {text.begin(), end};
}

}  // namespace

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

CLI::Validator number_in(std::uint64_t min, std::uint64_t max) {
  const auto change = [=](std::string& text) -> std::string {
    const auto number = parse_number(text);
    if (!number || *number < min || *number > max) {
      return not_between(text, std::to_string(min), std::to_string(max));
    }
    text = std::to_string(*number);  // CLI11 would read leading zeros as octal
    return {};
  };
  return CLI::Validator(change, "");
}

CLI::Validator decimal_in(double min, double max) {
  const auto change = [=](std::string& text) -> std::string {
    double number = 0;
    const auto [end, fault] =
        std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    const bool is_number = fault == std::errc() && end == text.data() + text.size();
    // Not a number compares as false.
    if (is_number && number >= min && number <= max) return {};
    return not_between(text, shown(min), shown(max));
  };
  return CLI::Validator(change, "");
}

CLI::Validator time_in(std::chrono::milliseconds unit, std::int64_t min, std::int64_t max) {
  if (unit < std::chrono::seconds(1)) {
    return in_units(times, unit.count(), min, max, "a time", "500, 500ms or 2s");
  }
  if (unit < std::chrono::hours(24)) {
    return in_units(times, unit.count(), min, max, "a time", "90, 90s, 5m, 2h or 7d");
  }
  return in_units(times, unit.count(), min, max, "a time", "30 or 30d");
}

CLI::Validator memory_in_mib(std::int64_t min, std::int64_t max) {
  return in_units(amounts, 1, min, max, "an amount of memory", "512, 512M or 2G");
}

}  // namespace tictactoe::program
