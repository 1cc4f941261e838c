#include "tests/bench/load/games.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "tests/bench/load/failure.hpp"

namespace tictactoe::load {
namespace {

using Seconds = std::chrono::duration<double>;

// A server that is as quick as it can be has answered everything long before.
constexpr Seconds rest{0.2};
constexpr Seconds standstill{5};

double cpu_seconds(const Usage& usage) {
  return usage.user_seconds + usage.system_seconds;
}

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return Seconds(end - begin).count();
}

}  // namespace

Games::Games(const std::vector<Target>& targets, const GamesPlan& plan, Protocol& protocol)
    : plan_(plan),
      protocol_(protocol),
      gathering_(targets, plan.gathering, protocol),
      progress_(plan.gathering.rooms),
      pings_(gathering_.members().size()),
      ping_requests_(plan.in_flight - 1) {}

Report Games::run() {
  gathering_.gather([this, told = Clock::time_point{}](std::size_t entered) mutable {
    if (!plan_.progress || Clock::now() - told < std::chrono::seconds(1)) return;
    told = Clock::now();
    std::fprintf(stderr, "%zu in their rooms\n", entered);
  });
  gathering_.listen([this](auto& member, auto body, auto now) { take(member, body, now); });
  schedule_begin_ = Clock::now();
  for (std::size_t room = 0; room < progress_.size(); ++room) go_on(room);
  play_for(plan_.warm_up, "warming up");
  latency_.clear();
  for (Progress& room : progress_) room.answered = 0;
  const Counts before = counts();
  play_for(plan_.seconds, "measuring");
  const Counts after = counts();
  Report measured = report(before, after);
  come_to_rest();
  return measured;
}

void Games::take(Gathering::Member& member, std::string_view body, Clock::time_point now) {
  const std::size_t room_index = member.place.room;
  if (take_pong(member, body)) return go_on(room_index);
  const Room& room = gathering_.rooms()[room_index];
  Progress& progress = progress_[room_index];
  const bool own_move = room.check(member.seat, member.revision, body);
  ++member.revision;
  ++updates_;
  if (member.revision == room.revision()) --progress.behind;
  if (own_move) {
    ++moves_;
    ++progress.answered;
    latency_.add(now - progress.sent_by(member.seat));
  }
  go_on(room_index);
}

void Games::go_on(std::size_t room_index) {
  if (!can_act(room_index)) return;
  Room& room = gathering_.rooms()[room_index];
  Progress& progress = progress_[room_index];
  const v1::Mark seat = room.actor();
  Connection& actor = *gathering_.player(room_index, seat).connection;
  const bool is_move = room.moves_next();
  const std::string& request = room.act(++actor.last_request);
  progress.behind = gathering_.members_per_room();
  progress.acted = gathering_.fleet().now();
  if (is_move) {
    progress.sent_by(seat) = plan_.rate > 0 ? due(room_index) : progress.acted;
    ++progress.moves;
  }
  send(actor, request);
}

void Games::send(Connection& actor, const std::string& request) {
  if (ping_requests_.empty()) return gathering_.fleet().send(actor, request);
  requests_.assign(1, request);
  pings_[actor.index].next = actor.last_request + 1;
  for (std::string& ping : ping_requests_) {
    protocol_.ping(++actor.last_request, ping_);
    ping = ping_.request;
    requests_.push_back(ping);
  }
  pings_[actor.index].last = actor.last_request;
  gathering_.fleet().send(actor, requests_);
}

bool Games::take_pong(const Gathering::Member& member, std::string_view body) {
  if (plan_.in_flight == 1) return false;
  Pings& pings = pings_[member.connection->index];
  if (pings.all_answered()) return false;
  protocol_.ping(pings.next, ping_);
  if (body != ping_.answer && !protocol_.same(ping_.answer, body)) return false;
  ++pings.next;
  return true;
}

bool Games::can_act(std::size_t room_index) {
  const Room& room = gathering_.rooms()[room_index];
  const Progress& progress = progress_[room_index];
  if (ending_) return false;
  const Gathering::Member& actor = gathering_.player(room_index, room.actor());
  if (actor.revision != room.revision()) return false;
  if (plan_.in_flight > 1 && !pings_[actor.connection->index].all_answered()) return false;
  if (plan_.gathering.watchers > 0 && progress.behind > 0) return false;
  if (plan_.rate == 0 || !room.moves_next()) return true;
  return progress.moves * progress_.size() + room_index < released_;
}

// When the next move of a room should be sent.
Clock::time_point Games::due(std::size_t room) const {
  const std::uint64_t number = progress_[room].moves * progress_.size() + room;
  const Seconds after(static_cast<double>(number) / plan_.rate);
  return schedule_begin_ + std::chrono::duration_cast<Clock::duration>(after);
}

void Games::release_due(Clock::time_point now) {
  const double number = seconds_between(schedule_begin_, now) * plan_.rate;
  while (static_cast<double>(released_) < number) go_on(released_++ % progress_.size());
}

void Games::play_for(Seconds time, const char* what) {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
  auto told = Clock::now();
  std::uint64_t told_moves = moves_;
  for (auto now = told; now < end; now = gathering_.fleet().now()) {
    gathering_.fleet().poll(std::chrono::milliseconds(0));
    if (plan_.rate > 0) release_due(now);
    if (now - told < std::chrono::seconds(1)) continue;
    look_for_standstill(now);
    if (plan_.progress) {
      std::fprintf(stderr, "%s: %.0f moves/s\n", what,
                   static_cast<double>(moves_ - told_moves) / seconds_between(told, now));
    }
    told = now;
    told_moves = moves_;
  }
}

// A stopped room would improve the figures of the others.
void Games::look_for_standstill(Clock::time_point now) const {
  for (std::size_t room = 0; room < progress_.size(); ++room) {
    if (progress_[room].behind > 0 && now - progress_[room].acted > standstill) {
      throw Failure("Room " + std::to_string(room) + " stands still: " +
                    std::to_string(progress_[room].behind) + " there wait for an update.");
    }
  }
}

// No new requests: open ones are answered, and nothing may follow.
void Games::come_to_rest() {
  ending_ = true;
  const auto is_behind = [](const Progress& room) { return room.behind > 0; };
  while (std::ranges::any_of(progress_, is_behind) ||
         !std::ranges::all_of(pings_, &Pings::all_answered)) {
    gathering_.fleet().poll(std::chrono::milliseconds(1));
    look_for_standstill(Clock::now());
  }
  const auto begin = Clock::now();
  while (Clock::now() - begin < rest) gathering_.fleet().poll(std::chrono::milliseconds(10));
}

Games::Counts Games::counts() const {
  Counts counts;
  counts.time = Clock::now();
  counts.moves = moves_;
  counts.updates = updates_;
  for (const Room& room : gathering_.rooms()) counts.games += room.games();
  counts.received_bytes = gathering_.fleet().received_bytes();
  counts.sent_bytes = gathering_.fleet().sent_bytes();
  counts.segments = gathering_.fleet().received_segments();
  counts.idle = gathering_.fleet().idle();
  counts.own_cpu = own_cpu_seconds();
  if (plan_.server != nullptr) counts.server = plan_.server->usage();
  return counts;
}

Report Games::report(const Counts& before, const Counts& after) const {
  const rules::Rules& rules = plan_.gathering.rules;
  const double seconds = seconds_between(before.time, after.time);
  const auto per_second = [seconds](std::uint64_t begin, std::uint64_t end) {
    return static_cast<double>(end - begin) / seconds;
  };
  const auto per_move = [&](std::uint64_t begin, std::uint64_t end) {
    return static_cast<double>(end - begin) / static_cast<double>(after.moves - before.moves);
  };
  const auto [fewest, most] = std::ranges::minmax(progress_, {}, &Progress::answered);
  Report report;
  report.add("board", "board",
             fmt::format("{}x{}x{}", rules.rows, rules.cols, rules.k) +
                 (rules.overline_wins ? "" : " exact"));
  report.add("rooms", "rooms", static_cast<double>(progress_.size()));
  report.add("watchers", "watchers in each", static_cast<double>(plan_.gathering.watchers));
  if (gathering_.fleet().redirects() > 0) {
    report.add("redirects", "redirects followed",
               static_cast<double>(gathering_.fleet().redirects()));
  }
  if (plan_.rate > 0) report.add("rate", "moves/s asked for", plan_.rate);
  if (plan_.in_flight > 1) {
    report.add("in_flight", "requests in flight of a player who moves",
               static_cast<double>(plan_.in_flight));
  }
  report.add("seconds", "measured seconds", seconds, 2);
  report.add("moves", "moves", static_cast<double>(after.moves - before.moves));
  report.add("moves_per_second", "moves/s", per_second(before.moves, after.moves));
  report.add("updates_per_second", "updates/s to all", per_second(before.updates, after.updates));
  report.add("games_per_second", "games/s", per_second(before.games, after.games), 1);
  report.add("sent_bytes_per_move", "bytes sent a move",
             per_move(before.sent_bytes, after.sent_bytes), 2);
  report.add("received_bytes_per_move", "bytes received a move",
             per_move(before.received_bytes, after.received_bytes), 2);
  report.add("server_writes_per_move", "writes of the server a move",
             per_move(before.segments, after.segments), 2);
  report.add("fewest_moves", "moves of the slowest room", static_cast<double>(fewest.answered));
  report.add("most_moves", "moves of the quickest room", static_cast<double>(most.answered));
  report.add("latency_p50_us", "latency p50, us", latency_.quantile(0.5));
  report.add("latency_p99_us", "latency p99, us", latency_.quantile(0.99));
  report.add("latency_p999_us", "latency p99.9, us", latency_.quantile(0.999));
  report.add("latency_max_us", "latency max, us", latency_.max());
  if (plan_.server != nullptr) add_server(report, before, after);
  add_generator(report, before, after);
  if (plan_.rate == 0 && fewest.answered == 0) {
    throw Failure("A room has not made a single move while the others were measured.");
  }
  return report;
}

void Games::add_server(Report& report, const Counts& before, const Counts& after) const {
  const auto moves = static_cast<double>(after.moves - before.moves);
  const auto updates = static_cast<double>(after.updates - before.updates);
  const double user = after.server->user_seconds - before.server->user_seconds;
  const double system = after.server->system_seconds - before.server->system_seconds;
  report.add("server_user_us_per_move", "server CPU a move, user, us", user / moves * 1e6, 2);
  report.add("server_system_us_per_move", "server CPU a move, system, us", system / moves * 1e6, 2);
  report.add("server_us_per_move", "server CPU a move, us", (user + system) / moves * 1e6, 2);
  report.add("server_us_per_update", "server CPU an update, us", (user + system) / updates * 1e6,
             2);
  report.add("server_load", "server's share of a core, %",
             (user + system) / seconds_between(before.time, after.time) * 100, 1);
  report.add("server_resident_mib", "server memory, MiB",
             static_cast<double>(after.server->resident_bytes) / (1 << 20), 1);
}

// Whose limit it was that was measured.
void Games::add_generator(Report& report, const Counts& before, const Counts& after) const {
  const double seconds = seconds_between(before.time, after.time);
  const double busy = 1 - Seconds(after.idle - before.idle).count() / seconds;
  const double own = (after.own_cpu - before.own_cpu) / seconds;
  const double moves = static_cast<double>(after.moves - before.moves) / seconds;
  report.add("generator_busy", "generator busy, %", busy * 100, 1);
  report.add("generator_core", "generator's share of a core, %", own * 100, 1);
  // If the server is never idle, there is always something to read, and the server is the limit.
  double server = 0;
  if (plan_.server != nullptr) server = cpu_seconds(*after.server) - cpu_seconds(*before.server);
  if (busy > 0.9 && server < 0.95 * seconds) {
    report.note(
        fmt::format("The generator was busy {:.0f} % of the time and the server was not: these "
                    "figures are not the server's limit.",
                    busy * 100));
  }
  if (own < 0.95) {
    report.note(fmt::format(
        "The generator had only {:.0f} % of a core: latencies include its waits.", own * 100));
  }
  if (plan_.rate > 0 && moves < 0.99 * plan_.rate) {
    report.note("The moves asked for were not reached: latencies grow with the time measured.");
  }
}

}  // namespace tictactoe::load
