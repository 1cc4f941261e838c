#include "client/words/time.hpp"

#include <array>
#include <ctime>
#include <limits>

#include "client/model/room.hpp"

namespace tictactoe::client {
namespace {

struct Unit {
  char letter;
  std::string_view word;
  std::uint64_t ms;
};
constexpr std::array<Unit, 4> units = {Unit{'d', " days", 86'400'000}, Unit{'h', " h", 3'600'000},
                                       Unit{'m', " min", 60'000}, Unit{'s', " s", 1'000}};

std::string two_digits(std::uint64_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

std::string amount(std::uint64_t count, const Unit& unit) {
  const bool one_day = count == 1 && unit.letter == 'd';
  return std::to_string(count).append(one_day ? std::string_view(" day") : unit.word);
}

}  // namespace

std::optional<std::uint32_t> parse_duration(std::string_view text) {
  std::uint64_t total = 0;
  bool any = false;
  for (const Unit& unit : units) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const char letter = digits < text.size() ? text[digits] : '\0';
    if (letter != unit.letter && letter != unit.letter - 'a' + 'A') continue;
    const auto number = parse_number(text.substr(0, digits));
    if (!number) return std::nullopt;
    total += *number * unit.ms;
    any = true;
    text.remove_prefix(digits + 1);
  }
  if (!any || !text.empty() || total > std::numeric_limits<std::uint32_t>::max()) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(total);
}

std::string duration_text(milliseconds duration) {
  if (duration < milliseconds(0)) duration = milliseconds(0);
  const auto ms = static_cast<std::uint64_t>(duration.count());
  if (ms < 10'000 && ms % 1000 != 0) {
    const std::uint64_t tenths = (ms + 50) / 100;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
  }
  for (std::size_t i = 0; i + 1 < units.size(); ++i) {
    if (ms < units[i].ms) continue;
    const std::uint64_t rest = ms % units[i].ms / units[i + 1].ms;
    const std::string text = amount(ms / units[i].ms, units[i]);
    return rest == 0 ? text : text + " " + amount(rest, units[i + 1]);
  }
  return amount(ms / 1000, units.back());
}

std::string clock_text(milliseconds left) {
  if (left < milliseconds(0)) left = milliseconds(0);
  const std::uint64_t seconds = (static_cast<std::uint64_t>(left.count()) + 999) / 1000;
  const std::string tail = ":" + two_digits(seconds % 60);
  const std::uint64_t minutes = seconds / 60;
  if (minutes < 60) return std::to_string(minutes) + tail;
  return std::to_string(minutes / 60) + ":" + two_digits(minutes % 60) + tail;
}

std::string time_control_text(const v1::TimeControl& time) {
  if (time.move_ms() > 0) return duration_text(milliseconds(time.move_ms())) + " a move";
  if (time.game_ms() == 0) return {};
  std::string text = duration_text(milliseconds(time.game_ms()));
  if (time.increment_ms() > 0) {
    text.append(" + " + duration_text(milliseconds(time.increment_ms())) + " a move");
  }
  return text;
}

std::string date_text(std::uint64_t unix_ms) {
  constexpr std::uint64_t year_9999 = 253'370'764'800;
  const std::uint64_t seconds = unix_ms / 1000;
  if (unix_ms == 0 || seconds >= year_9999) return {};
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  std::array<char, 32> text{};
  if (localtime_r(&time, &parts) == nullptr) return {};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts);
  return {text.data(), length};
}

}  // namespace tictactoe::client
