#include "server/limits/parse.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "common/wire/text.hpp"
#include "server/limits/name_rules.hpp"

namespace tictactoe::server {
namespace {

// Returns nothing if `text` can be shown to other people and has at most `max_length` code points.
std::optional<std::string> text_problem(std::string_view text, std::string_view what,
                                        std::size_t max_length) {
  const wire::TextCheck check = wire::check_text(text);
  if (check.fault == wire::TextFault::not_utf8) {
    return std::string(what) + " must be UTF-8 text.";
  }
  if (check.fault == wire::TextFault::control_character) {
    return std::string(what) + " must not contain control characters.";
  }
  if (check.code_points > max_length) {
    return std::string(what) + " can have at most " + std::to_string(max_length) +
           " characters; this one has " + std::to_string(check.code_points) + ".";
  }
  return std::nullopt;
}

std::string name_of(std::string_view what) {
  return "The " + std::string(what) + "'s name";
}

// Without the spaces at its ends.
std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// Far beyond any board, so that a hostile number can't cause an overflow.
int bounded(std::uint32_t value) {
  return static_cast<int>(std::min<std::uint32_t>(value, 1u << 20));
}

}  // namespace

Parsed<std::string> parse_saved_name(std::string_view name, std::string_view what,
                                     const Limits& limits) {
  const std::string subject = name_of(what);
  if (auto problem = text_problem(name, subject, limits.name_length)) {
    return Problem{v1::Error::CODE_INVALID_NAME, *std::move(problem)};
  }
  if (!wire::check_text(name).visible) {
    return Problem{v1::Error::CODE_INVALID_NAME,
                   subject + " needs at least one visible character."};
  }
  return std::string(name);
}

Parsed<std::string> parse_name(std::string_view name, std::string_view what, const Limits& limits) {
  std::string wanted = normalized_name(name);
  const wire::TextCheck check = wire::check_text(wanted);
  if (check.fault != wire::TextFault::not_utf8 && check.code_points <= limits.name_length) {
    if (auto problem = name_problem(wanted)) {
      return Problem{v1::Error::CODE_INVALID_NAME, name_of(what) + " " + *std::move(problem)};
    }
  }
  return parse_saved_name(wanted, what, limits);
}

Parsed<std::string> parse_player_name(std::string_view name, const Limits& limits) {
  auto parsed = parse_name(name, "player", limits);
  if (!parsed) return parsed;
  if (auto problem = role_problem(*parsed)) {
    return Problem{v1::Error::CODE_INVALID_NAME, name_of("player") + " " + *std::move(problem)};
  }
  return parsed;
}

Parsed<std::string> parse_password(std::string_view password, const Limits& limits) {
  if (auto problem = text_problem(password, "A password", limits.password_length)) {
    return Problem{v1::Error::CODE_INVALID_TEXT, *std::move(problem)};
  }
  return std::string(password);
}

Parsed<std::string> parse_chat(std::string_view text, const Limits& limits) {
  text = trimmed(text);
  if (auto problem = text_problem(text, "A message", limits.chat_length)) {
    return Problem{v1::Error::CODE_INVALID_TEXT, *std::move(problem)};
  }
  if (!wire::check_text(text).visible) {
    return Problem{v1::Error::CODE_INVALID_TEXT, "A message needs at least one visible character."};
  }
  return std::string(text);
}

Parsed<rules::Rules> parse_rules(const v1::Rules& wanted, const Limits& limits) {
  const rules::Rules parsed{bounded(wanted.rows()), bounded(wanted.cols()), bounded(wanted.k()),
                            !wanted.exact()};
  const auto fits = [&](int side) { return side >= limits.min_side && side <= limits.max_side; };
  if (!fits(parsed.rows) || !fits(parsed.cols)) {
    return Problem{v1::Error::CODE_INVALID_RULES, "A board has " + std::to_string(limits.min_side) +
                                                      " to " + std::to_string(limits.max_side) +
                                                      " rows and columns."};
  }
  if (auto problem = parsed.problem()) {
    (*problem)[0] = static_cast<char>(std::toupper((*problem)[0]));
    return Problem{v1::Error::CODE_INVALID_RULES, *problem + "."};
  }
  return parsed;
}

namespace {

std::string in_words(std::chrono::milliseconds limit) {
  constexpr std::chrono::hours day{24};
  if (limit > day && limit % day == limit.zero()) return std::to_string(limit / day) + " days";
  const std::chrono::hours hour{1};
  if (limit % hour == limit.zero()) return std::to_string(limit / hour) + " hours";
  return std::to_string(limit / std::chrono::seconds(1)) + " seconds";
}

}  // namespace

Parsed<RoomOptions> parse_options(const v1::RoomOptions& wanted, const Limits& limits) {
  using std::chrono::milliseconds;
  RoomOptions parsed{{milliseconds(wanted.time().move_ms()), milliseconds(wanted.time().game_ms()),
                      milliseconds(wanted.time().increment_ms())},
                     v1::AwayPolicy_IsValid(wanted.away()) ? wanted.away() : v1::AWAY_FORFEIT,
                     wanted.has_grace_ms() ? milliseconds(wanted.grace_ms()) : limits.default_grace,
                     wanted.unlisted(),
                     wanted.open_ai_seats(),
                     wanted.hints()};
  if (wanted.has_from()) parsed.from = {wanted.from().game(), wanted.from().moves()};
  const TimeControl& time = parsed.time;
  if (time.move.count() > 0 && (time.game.count() > 0 || time.increment.count() > 0)) {
    return problem(v1::Error::CODE_INVALID_OPTIONS,
                   "A clock is either per move or per game, not both.");
  }
  if (time.none() && time.increment.count() > 0) {
    return problem(v1::Error::CODE_INVALID_OPTIONS, "An increment needs a time per game.");
  }
  if (std::max({time.move, time.game, time.increment}) > limits.max_time) {
    return problem(v1::Error::CODE_INVALID_OPTIONS,
                   "A clock can be set to at most " + in_words(limits.max_time) + ".");
  }
  if (parsed.grace > limits.max_hold) {
    return problem(v1::Error::CODE_INVALID_OPTIONS,
                   "A seat can be held for at most " + in_words(limits.max_hold) + ".");
  }
  return parsed;
}

rules::Mark parse_mark(v1::Mark mark) {
  if (mark == v1::MARK_X) return rules::Mark::x;
  if (mark == v1::MARK_O) return rules::Mark::o;
  return rules::Mark::none;
}

}  // namespace tictactoe::server
