#include "server/game/ai_levels.hpp"

#include <algorithm>

#include "common/ai/levels.hpp"
#include "common/ai/perfect.hpp"

namespace tictactoe::server {

namespace {

Problem unknown_level(const Config& config) {
  std::string known;
  const auto add = [&](std::string_view name) {
    known.append(known.empty() ? "" : ", ").append(name);
  };
  for (const ai::Level each : ai::levels) add(ai::name(each));
  for (const std::string& engine : config.engines) add(engine);
  return problem(v1::Error::CODE_UNKNOWN_AI_LEVEL,
                 "There is no such AI level. Choose one of: " + known + ".");
}

Parsed<AiLevel> parse_engine(const std::string& name, const rules::Rules& rules) {
  constexpr int in_a_row = 5;
  if (rules.k != in_a_row || rules.rows != rules.cols || rules.rows > max_engine_side) {
    return problem(v1::Error::CODE_NOT_ALLOWED,
                   "The engine " + name + " plays five in a row on square boards of up to " +
                       std::to_string(max_engine_side) + " x " + std::to_string(max_engine_side) +
                       " only.");
  }
  return AiLevel(name);
}

}  // namespace

std::string ai_player_name(const AiLevel& level) {
  std::string name = "AI (" + level.name();
  const std::string_view meaning = level.engine.empty() ? ai::meaning(level.level) : "";
  if (!meaning.empty()) name.append(", ").append(meaning);
  return name.append(")");
}

std::optional<std::string> why_not_perfect(const rules::Rules& rules, int plies) {
  if (auto why = ai::why_not_perfect(rules)) return why;
  // The first move of either side is never a mistake that matters, see ai::why_not_perfect().
  if (plies > 1) return "Others started this game, so it may already be lost.";
  return std::nullopt;
}

Parsed<AiLevel> parse_ai_level(std::string_view name, const rules::Rules& rules, int plies,
                               const Config& config) {
  if (name.empty()) return AiLevel(default_ai_level);
  const auto engine = std::ranges::find(config.engines, name);
  if (engine != config.engines.end()) return parse_engine(*engine, rules);
  const auto level = ai::parse_level(name);
  if (!level) return unknown_level(config);
  if (*level != ai::Level::perfect) return AiLevel(*level);
  if (const auto why = why_not_perfect(rules, plies)) {
    return problem(v1::Error::CODE_NOT_ALLOWED,
                   "The AI level perfect is not offered in this game. " + *why +
                       " The strongest level here is strong.");
  }
  return AiLevel(*level);
}

std::optional<std::string> engine_name_problem(std::string_view name) {
  constexpr std::size_t max_length = 16;
  const auto is_allowed = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '-' || letter == '_' || letter == '.';
  };
  if (name.empty() || name.size() > max_length || !std::ranges::all_of(name, is_allowed)) {
    return "The name of an engine has 1 to 16 letters, digits, '-', '_' and '.'.";
  }
  if (ai::parse_level(name)) return std::string(name) + " is the name of a level.";
  return std::nullopt;
}

std::optional<AiLevel> parse_saved_ai_level(std::string_view name) {
  if (const auto level = ai::parse_level(name)) return AiLevel(*level);
  if (engine_name_problem(name)) return std::nullopt;
  return AiLevel(std::string(name));
}

}  // namespace tictactoe::server
