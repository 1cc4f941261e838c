#include "client/local/start.hpp"

#include <algorithm>

#include "client/local/saved.hpp"
#include "common/ai/levels.hpp"
#include "server/game/ai_levels.hpp"
#include "server/host/host.hpp"
#include "server/limits/parse.hpp"

namespace tictactoe::local {
namespace {

constexpr std::uint64_t first_player = 1;
constexpr std::uint64_t second_player = 2;
constexpr std::uint64_t room_serial = 1;

void add_player(journal::v1::Saved& saved, std::uint64_t id, const std::string& name,
                const std::string& token) {
  journal::v1::Player& player = *saved.add_players();
  player.set_id(id);
  player.set_name(name);
  player.set_token_hash(server::digest(token));
}

}  // namespace

std::vector<std::string> levels() {
  std::vector<std::string> names;
  for (const ai::Level level : ai::levels) names.emplace_back(ai::name(level));
  return names;
}

std::string default_level() {
  return std::string(ai::name(server::default_ai_level));
}

namespace {

/// The AI's level, if it is offered in such a game.
server::Parsed<server::AiLevel> level_of(const Start& start, const server::Config& config,
                                         const rules::Rules& rules) {
  return server::parse_ai_level(start.level, rules, static_cast<int>(start.moves.size()), config);
}

}  // namespace

server::Config config_of(const Start& start) {
  server::Config config;
  config.server_name = "this terminal";
  config.software.clear();
  config.ai_delay = start.ai_delay;
  config.keeps_records = true;
  server::Limits& limits = config.limits;
  limits.requests_per_second = 0;
  limits.connections_per_address = 0;
  limits.silence_timeout = {};
  limits.restart_grace = {};
  return config;
}

journal::v1::Saved saved_of(const Start& start, const Tokens& tokens) {
  journal::v1::Saved saved;
  add_player(saved, first_player, start.name, tokens.first);
  const bool two = !start.second.empty();
  if (two) add_player(saved, second_player, start.second, tokens.second);

  journal::v1::SavedRoom& room = *saved.add_rooms();
  journal::v1::Room& about = *room.mutable_room();
  about.set_serial(room_serial);
  about.set_name("local");
  *about.mutable_rules() = start.rules;
  about.set_seed(tokens.seed);
  about.mutable_options()->set_hints(true);  // both see them
  about.set_creator(first_player);
  about.set_game(1);
  about.set_starter(client::write_mark(start.starter));
  const bool plays_x = start.seat != client::Mark::o;
  journal::v1::Seat& own = plays_x ? *about.mutable_x() : *about.mutable_o();
  journal::v1::Seat& other = plays_x ? *about.mutable_o() : *about.mutable_x();
  own.set_kind(v1::Occupant::KIND_PERSON);
  own.set_player(first_player);
  other.set_kind(two ? v1::Occupant::KIND_PERSON : v1::Occupant::KIND_AI);
  if (two) other.set_player(second_player);
  if (!two) {
    const server::Config config = config_of(start);
    const auto rules = server::parse_rules(start.rules, config.limits);
    other.set_ai_level(level_of(start, config, *rules)->name());
  }
  for (const std::uint32_t cell : start.moves) {
    journal::v1::Move& move = *room.add_moves();
    move.set_room(room_serial);
    move.set_ply(static_cast<std::uint32_t>(room.moves_size()));
    move.set_cell(cell);
  }
  return saved;
}

std::string play_on(Start& start, const v1::GameRecord& game, std::size_t moves) {
  const auto most = static_cast<std::size_t>(game.moves_size());
  if (moves > most) {
    return "The game has only " + std::to_string(most) + (most == 1 ? " move" : " moves") +
           ": --after can be 0 to " + std::to_string(most) + ".";
  }
  start.rules = game.rules();
  start.starter = client::read_mark(game.starter());
  start.moves.assign(game.moves().begin(),
                     game.moves().begin() + static_cast<std::ptrdiff_t>(moves));
  return {};
}

std::string fault_of(const Start& start) {
  const server::Config config = config_of(start);
  const auto rules = server::parse_rules(start.rules, config.limits);
  if (!rules) return rules.error().message;
  if (start.second.empty()) {
    if (const auto level = level_of(start, config, *rules); !level) return level.error().message;
  }
  if (start.name == start.second) {
    return "Both players are called " + start.name + ". Give the second one a name with --second.";
  }
  // Any two tokens will do.
  server::Host host(config, 1, [] { return server::Token{}; });
  const server::RestoreReport report =
      host.restore(saved_of(start, {std::string("1"), std::string("2"), 1}), server::Time{});
  return report.refused.empty() ? std::string() : report.refused.front().why;
}

}  // namespace tictactoe::local
