#include "client/local/analysis.hpp"

#include <thread>
#include <utility>

#include "common/ai/turning_point.hpp"
#include "server/limits/config.hpp"
#include "server/limits/parse.hpp"

namespace tictactoe::local {
namespace {

// Takes a few seconds.
constexpr std::uint64_t max_nodes = 4'000'000;

client::Mark mark_of(rules::Mark mark) {
  if (mark == rules::Mark::none) return client::Mark::none;
  return mark == rules::Mark::x ? client::Mark::x : client::Mark::o;
}

// Nothing if the game breaks the rules.
std::optional<rules::Game> game_of(const v1::GameRecord& record) {
  const auto rules = server::parse_rules(record.rules(), server::Limits{});
  if (!rules || record.starter() == v1::MARK_NONE) return std::nullopt;
  rules::Game game(*rules, record.starter() == v1::MARK_O ? rules::Mark::o : rules::Mark::x);
  const auto cols = static_cast<std::uint32_t>(rules->cols);
  for (const std::uint32_t index : record.moves()) {
    const rules::Cell cell{static_cast<int>(index / cols), static_cast<int>(index % cols)};
    if (!rules->contains(cell) || game.play(cell)) return std::nullopt;
  }
  return game;
}

}  // namespace

std::optional<client::Decision> decision_of(const v1::GameRecord& record,
                                            const std::stop_token& stop) {
  const auto game = game_of(record);
  if (!game) return std::nullopt;
  const auto found = ai::find_turning_point(*game, {.nodes = max_nodes, .stop = stop});
  if (!found) return std::nullopt;
  client::Decision decision{mark_of(found->result), static_cast<std::size_t>(found->plies), {}};
  if (found->before) decision.before = mark_of(*found->before);
  return decision;
}

std::shared_ptr<void> analyse(const v1::GameRecord& game,
                              std::function<void(std::optional<client::Decision>)> done) {
  return std::make_shared<std::jthread>(
      [game, done = std::move(done)](const std::stop_token& stop) {
        done(decision_of(game, stop));
      });
}

}  // namespace tictactoe::local
