#include "common/record/values.hpp"

#include <chrono>
#include <limits>

#include "common/record/cell.hpp"
#include "common/record/notation.hpp"
#include "common/text/utc.hpp"

namespace tictactoe::record {
namespace {

// 23:59:59.999 on the last day of the year 9999; a later one would need a longer date.
constexpr std::uint64_t last_date_ms = 253'402'300'799'999;

std::string padded(std::uint64_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  if (text.size() < digits) text.insert(0, digits - text.size(), '0');
  return text;
}

// A number of a date. Its digits must exist.
unsigned digits_at(std::string_view text, std::size_t begin, std::size_t count) {
  return *parse_number(text.substr(begin, count));
}

bool is_side(std::optional<std::uint32_t> number) {
  return number && *number > 0 && *number <= max_side;
}

}  // namespace

std::string seconds_text(std::uint32_t milliseconds) {
  std::string text = std::to_string(milliseconds / 1000);
  if (milliseconds % 1000 != 0) text += "." + padded(milliseconds % 1000, 3);
  return text;
}

std::optional<std::uint32_t> parse_seconds(std::string_view text) {
  const std::size_t point = text.find('.');
  const auto whole = parse_number(text.substr(0, point));
  std::uint32_t thousandths = 0;
  if (point != std::string_view::npos) {
    std::string decimals(text.substr(point + 1));
    if (decimals.empty() || decimals.size() > 3) return std::nullopt;
    decimals.resize(3, '0');
    const auto number = parse_number(decimals);
    if (!number) return std::nullopt;
    thousandths = *number;
  }
  if (!whole) return std::nullopt;
  const std::uint64_t all = std::uint64_t{*whole} * 1000 + thousandths;
  if (all > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return static_cast<std::uint32_t>(all);
}

std::string date_text(std::uint64_t unix_ms) {
  return unix_ms > last_date_ms ? std::string() : text::utc(unix_ms);
}

std::optional<std::uint64_t> parse_date(std::string_view text) {
  using namespace std::chrono;
  constexpr std::string_view form = "0000-00-00T00:00:00.000Z";
  if (text.size() != form.size()) return std::nullopt;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (form[i] == '0' ? !digit : text[i] != form[i]) return std::nullopt;
  }
  const year_month_day date{year(static_cast<int>(digits_at(text, 0, 4))),
                            month(digits_at(text, 5, 2)), day(digits_at(text, 8, 2))};
  const hours hour(digits_at(text, 11, 2));
  const minutes minute(digits_at(text, 14, 2));
  const seconds second(digits_at(text, 17, 2));
  if (!date.ok() || hour >= 24h || minute >= 60min || second >= 60s) return std::nullopt;
  const sys_time<milliseconds> time =
      sys_days(date) + hour + minute + second + milliseconds(digits_at(text, 20, 3));
  if (time.time_since_epoch().count() < 0) return std::nullopt;
  return static_cast<std::uint64_t>(time.time_since_epoch().count());
}

std::string rules_text(const v1::Rules& rules) {
  return std::to_string(rules.rows()) + "x" + std::to_string(rules.cols()) + "x" +
         std::to_string(rules.k()) + (rules.exact() ? " exact" : "");
}

std::optional<v1::Rules> parse_rules(std::string_view text) {
  constexpr std::string_view exact = " exact";
  v1::Rules rules;
  if (text.ends_with(exact)) {
    rules.set_exact(true);
    text.remove_suffix(exact.size());
  }
  const std::size_t first = text.find('x');
  const std::size_t second = text.rfind('x');
  if (first == second) return std::nullopt;
  const auto rows = parse_number(text.substr(0, first));
  const auto cols = parse_number(text.substr(first + 1, second - first - 1));
  const auto k = parse_number(text.substr(second + 1));
  if (!is_side(rows) || !is_side(cols) || !is_side(k)) return std::nullopt;
  rules.set_rows(*rows);
  rules.set_cols(*cols);
  rules.set_k(*k);
  return rules;
}

std::string time_text(const v1::TimeControl& time) {
  if (time.move_ms() > 0) return seconds_text(time.move_ms()) + "/move";
  if (time.game_ms() == 0 && time.increment_ms() == 0) return {};
  return seconds_text(time.game_ms()) + "+" + seconds_text(time.increment_ms());
}

std::optional<v1::TimeControl> parse_time(std::string_view text) {
  constexpr std::string_view per_move = "/move";
  v1::TimeControl time;
  if (text.ends_with(per_move)) {
    const auto move = parse_seconds(text.substr(0, text.size() - per_move.size()));
    if (!move) return std::nullopt;
    time.set_move_ms(*move);
    return time;
  }
  const std::size_t plus = text.find('+');
  if (plus == std::string_view::npos) return std::nullopt;
  const auto game = parse_seconds(text.substr(0, plus));
  const auto increment = parse_seconds(text.substr(plus + 1));
  if (!game || !increment) return std::nullopt;
  time.set_game_ms(*game);
  time.set_increment_ms(*increment);
  return time;
}

}  // namespace tictactoe::record
