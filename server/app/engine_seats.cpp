#include "server/app/engine_seats.hpp"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/engines/confinement.hpp"
#include "common/engines/file_access.hpp"
#include "common/engines/player.hpp"

namespace tictactoe::app {

namespace {

/// How much longer than its time an engine may take, on a busy machine.
constexpr std::chrono::seconds tolerance{3};

/// Logs what is wrong with an engine, at most once a second. Called by the AI threads.
engines::Report logging_report() {
  return [last_second = std::make_shared<std::atomic<std::int64_t>>(-1)](const std::string& text) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const std::int64_t second = std::chrono::duration_cast<std::chrono::seconds>(now).count();
    if (last_second->exchange(second) != second) spdlog::warn("{}", text);
  };
}

/// An engine, and what its players in all rooms share.
struct EngineSeat {
  engines::Command command;
  engines::Report report;
};

/// Files that no engine may read, even in its own folder.
std::vector<std::filesystem::path> hidden_from_engines(const ServerOptions& options) {
  std::vector<std::filesystem::path> hidden{options.password_file, options.tls_key,
                                            options.file->path()};
  if (const auto folder = options.data_folder()) hidden.push_back(*folder);
  // An engine in a person's home directory gets only its own file.
  if (const char* const home = std::getenv("HOME")) {  // NOLINT(concurrency-mt-unsafe): early
    hidden.emplace_back(home);
  }
  std::erase(hidden, std::filesystem::path());
  return hidden;
}

}  // namespace

thinking::MakePlayer player_maker(const ServerOptions& options) {
  if (options.engines.empty()) return thinking::make_own_player;
  if (!engines::can_confine()) {
    spdlog::warn("this system does not restrict the system calls of engines");
  }
  if (!engines::can_restrict_files()) {
    spdlog::warn(
        "this system has no Landlock: engines can read all files that the server can read");
  }
  if (!engines::can_limit_threads()) {
    spdlog::warn("can't limit the threads of each engine, because {}",
                 ::getuid() == 0 ? "this server runs as root"
                                 : "this server can't create user namespaces: all engines "
                                   "together leave it half of its user's threads");
  }
  engines::Limits limits;
  const std::chrono::milliseconds time(options.ai_time_ms);
  // The rest is for its answer. Engines stop late when the machine is busy.
  limits.move_time = time * 7 / 10;
  limits.patience = time + tolerance;
  limits.start = std::chrono::seconds(options.engine_start_s);
  limits.memory = static_cast<std::size_t>(options.engine_memory_mib) << 20;
  limits.hidden = hidden_from_engines(options);
  // The AI threads have idle priority, at which an engine would get nothing on a busy machine.
  limits.launcher = std::make_shared<engines::Launcher>();
  std::vector<EngineSeat> seats;
  for (const engines::Command& command : options.engines) {
    seats.push_back({command, logging_report()});
  }
  return [seats = std::move(seats), limits](const server::AiLevel& level, const rules::Game& empty,
                                            std::uint64_t seed) {
    const auto seat = std::ranges::find(seats, level.engine,
                                        [](const EngineSeat& each) { return each.command.name; });
    if (seat == seats.end()) return thinking::make_own_player(level, empty, seed);
    return engines::make_engine_player(seat->command, limits, empty, seat->report);
  };
}

}  // namespace tictactoe::app
