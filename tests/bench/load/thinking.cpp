#include "tests/bench/load/thinking.hpp"

#include <algorithm>
#include <cstdio>
#include <deque>

#include "tests/bench/load/failure.hpp"
#include "tests/bench/load/stranger.hpp"

namespace tictactoe::load {
namespace {

using Seconds = std::chrono::duration<double>;

/// A stranger's pings in one part of the run.
struct Pings {
  Histogram times;
  Histogram delays;
};

/// Connection 0 is the stranger's; two for each room follow.
class Thinking : public Owner {
 public:
  Thinking(const Target& target, const ThinkingPlan& plan, Protocol& protocol)
      : plan_(plan),
        script_(write_script(plan.rules, plan.plies, 2 * plan.ai_moves)),
        fleet_({target}, 64, protocol, *this),
        stranger_(fleet_, protocol, plan.between_pings),
        context_{.fleet = fleet_,
                 .protocol = protocol,
                 .script = script_,
                 .ai_level = plan.ai_level,
                 .ai_moves = plan.ai_moves,
                 .times = times_,
                 .empty = rules::Game(plan.rules)} {}

  Report run();

  void welcomed(Connection& connection) override {
    if (connection.index > 0) room_of(connection).welcomed(is_x(connection));
  }
  void received(Connection& connection, std::string_view body, Clock::time_point now) override {
    if (connection.index == 0) return stranger_.received(body, now);
    ++received_;
    room_of(connection).received(is_x(connection), body, now);
  }

 private:
  static bool is_x(const Connection& connection) { return connection.index % 2 == 1; }
  ThinkingRoom& room_of(const Connection& connection) {
    return rooms_.at((connection.index - 1) / 2);
  }

  void play();
  void measure_before();
  void measure_thinking();
  template <class Condition>
  void ping_until(Condition condition);
  void check_progress(Clock::time_point now);
  void tell(const char* what) const {
    if (plan_.progress) std::fprintf(stderr, "%s\n", what);
  }
  void add_server(Report& report) const;

  const ThinkingPlan& plan_;
  ThinkingScript script_;
  Fleet fleet_;
  Stranger stranger_;
  ThinkingTimes times_;
  ThinkingRoom::Context context_;
  std::deque<ThinkingRoom> rooms_;  // addresses stay
  std::uint64_t received_ = 0;      // by players
  std::uint64_t last_received_ = 0;
  Clock::time_point last_progress_ = Clock::now();
  Pings before_;
  Pings meanwhile_;
  Clock::duration played_{0};
  Clock::duration thought_{0};
  std::optional<Usage> usage_before_;
  std::optional<Usage> usage_after_;
};

void Thinking::check_progress(Clock::time_point now) {
  if (std::exchange(last_received_, received_) != received_) last_progress_ = now;
  if (now - last_progress_ > plan_.patience) throw Failure("Players are not answered in time.");
}

void Thinking::play() {
  tell("playing");
  const auto begin = Clock::now();
  last_progress_ = begin;
  // One connection after the other, so that each finds its room.
  for (std::size_t i = 0; i < plan_.rooms; ++i) {
    Connection& x = fleet_.open();
    rooms_.emplace_back(i, x, fleet_.open(), context_);
  }
  while (!std::ranges::all_of(rooms_, &ThinkingRoom::has_played)) {
    fleet_.poll(std::chrono::milliseconds(0));
    check_progress(fleet_.now());
  }
  played_ = Clock::now() - begin;
}

// Waits while nothing is due for a millisecond, so that the AIs have the other core; then spins.
template <class Condition>
void Thinking::ping_until(Condition condition) {
  while (!condition()) {
    const auto wait = stranger_.until_due(Clock::now());
    fleet_.poll(std::chrono::floor<std::chrono::milliseconds>(wait));
    stranger_.send_due(Clock::now());
  }
}

void Thinking::measure_before() {
  tell("measuring pings");
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(plan_.before);
  stranger_.measure(before_.times, before_.delays);
  ping_until([&] { return Clock::now() >= end; });
}

void Thinking::measure_thinking() {
  tell("thinking");
  if (plan_.server != nullptr) usage_before_ = plan_.server->usage();
  const auto begin = Clock::now();
  last_progress_ = begin;
  stranger_.measure(meanwhile_.times, meanwhile_.delays);
  for (ThinkingRoom& room : rooms_) room.start();
  ping_until([&] {
    check_progress(fleet_.now());
    return std::ranges::all_of(rooms_, &ThinkingRoom::is_done);
  });
  thought_ = Clock::now() - begin;
  if (plan_.server != nullptr) usage_after_ = plan_.server->usage();
  stranger_.stop();
  const auto end = Clock::now() + plan_.patience;
  while (stranger_.awaits_answers()) {
    fleet_.poll(std::chrono::milliseconds(1));
    if (Clock::now() > end) throw Failure("Pings are not answered in time.");
  }
}

void add_pings(Report& report, const std::string& key, const std::string& label,
               const Pings& pings) {
  report.add(key + "_pings", label + ": pings", static_cast<double>(pings.times.count()));
  report.add(key + "_p50_us", label + ": ping p50, us", pings.times.quantile(0.5));
  report.add(key + "_p99_us", label + ": ping p99, us", pings.times.quantile(0.99));
  report.add(key + "_max_us", label + ": ping max, us", pings.times.max());
  report.add(key + "_late_p99_us", label + ": sent late p99, us", pings.delays.quantile(0.99));
  report.add(key + "_late_max_us", label + ": sent late max, us", pings.delays.max());
}

void add_times(Report& report, const std::string& key, const std::string& label,
               const Histogram& times) {
  constexpr double us_per_ms = 1000;
  const auto milliseconds = [](std::chrono::nanoseconds time) {
    return std::chrono::duration<double, std::micro>(time).count() / us_per_ms;
  };
  report.add(key, label, static_cast<double>(times.count()));
  report.add(key + "_p50_ms", label + ": p50, ms", milliseconds(times.quantile(0.5)), 1);
  report.add(key + "_max_ms", label + ": max, ms", milliseconds(times.max()), 1);
}

void Thinking::add_server(Report& report) const {
  if (!usage_before_) return;
  constexpr double mib = 1 << 20;
  const auto add = [&](const char* key, const char* label, std::uint64_t bytes) {
    report.add(key, label, static_cast<double>(bytes) / mib, 1);
  };
  add("server_before_mib", "server memory before thinking, MiB", usage_before_->resident_bytes);
  add("server_after_mib", "server memory after it, MiB", usage_after_->resident_bytes);
  add("server_peak_mib", "server memory at most, MiB", usage_after_->peak_bytes);
  report.add("server_user_seconds", "server CPU while thinking, user, s",
             usage_after_->user_seconds - usage_before_->user_seconds, 2);
  report.add("server_system_seconds", "server CPU while thinking, system, s",
             usage_after_->system_seconds - usage_before_->system_seconds, 2);
}

Report Thinking::run() {
  play();
  measure_before();
  measure_thinking();
  Report report;
  report.add("rooms", "rooms", static_cast<double>(plan_.rooms));
  report.add("plies", "plies in each", static_cast<double>(plan_.plies));
  report.add("board", "board",
             std::to_string(plan_.rules.rows) + "x" + std::to_string(plan_.rules.cols) + "x" +
                 std::to_string(plan_.rules.k));
  report.add("played_seconds", "seconds to play them", Seconds(played_).count(), 1);
  add_pings(report, "before", "before", before_);
  add_pings(report, "thinking", "thinking", meanwhile_);
  report.add("thinking_seconds", "seconds until all was answered", Seconds(thought_).count(), 2);
  add_times(report, "first_hints", "first hints", times_.first_hints);
  add_times(report, "takebacks", "takebacks", times_.takebacks);
  add_times(report, "later_hints", "hints after them", times_.later_hints);
  add_times(report, "arrivals", "AIs that took over", times_.arrivals);
  add_times(report, "ai_moves", "their replies", times_.ai_moves);
  add_server(report);
  return report;
}

}  // namespace

Report thinking(const Target& target, const ThinkingPlan& plan, Protocol& protocol) {
  return Thinking(target, plan, protocol).run();
}

}  // namespace tictactoe::load
