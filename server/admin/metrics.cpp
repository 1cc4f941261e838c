#include "server/admin/metrics.hpp"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <limits>
#include <utility>
#include <vector>

namespace tictactoe::admin {

namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Families = std::vector<MetricFamily>;

double seconds(std::chrono::nanoseconds duration) {
  return std::chrono::duration<double>(duration).count();
}

ClientMetric metric_of(MetricType type, double value) {
  ClientMetric metric;
  (type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
  return metric;
}

MetricFamily& family(Families& all, const char* name, const char* help, MetricType type) {
  return all.emplace_back(MetricFamily{std::string("tictactoe_") + name, help, type, {}});
}

template <class Value>
void add(Families& all, const char* name, const char* help, MetricType type, Value value) {
  family(all, name, help, type).metric.push_back(metric_of(type, static_cast<double>(value)));
}

void add(Families& all, const char* name, const char* help, MetricType type, const char* label,
         const ByLabel& values) {
  MetricFamily& added = family(all, name, help, type);
  for (const auto& [which, value] : values) {
    ClientMetric metric = metric_of(type, static_cast<double>(value));
    metric.label.push_back({label, which});
    added.metric.push_back(std::move(metric));
  }
}

template <const auto& Bounds>
void add(Families& all, const char* name, const char* help,
         const figures::Histogram<Bounds>& durations) {
  ClientMetric metric;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < durations.counts().size(); ++i) {
    count += durations.counts()[i];
    const double bound =
        i < Bounds.size() ? seconds(Bounds.at(i)) : std::numeric_limits<double>::infinity();
    metric.histogram.bucket.push_back({count, bound});
  }
  metric.histogram.sample_count = count;
  metric.histogram.sample_sum = seconds(durations.sum());
  family(all, name, help, MetricType::Histogram).metric.push_back(std::move(metric));
}

void add_version(Families& all, const std::string& version) {
  ClientMetric metric = metric_of(MetricType::Gauge, 1);
  metric.label.push_back({"version", version});
  family(all, "build_info", "Version of the program.", MetricType::Gauge).metric = {metric};
}

void add_people(Families& all, const Figures& figures) {
  constexpr MetricType gauge = MetricType::Gauge;
  constexpr MetricType counter = MetricType::Counter;
  add(all, "ready", "1 if new games can begin and everything is recorded, like /readyz.", gauge,
      static_cast<std::uint64_t>(figures.is_ready));
  add(all, "connections", "Open connections.", gauge, "transport", figures.connections);
  add(all, "connections_closing", "Closing connections.", gauge, figures.lingering);
  add(all, "connections_accepted_total", "Connections opened by peers.", counter, figures.accepted);
  add(all, "connections_expelled_total", "Connections closed with an error.", counter, "code",
      figures.expelled);
  add(all, "connections_ended_total", "Connections that ended without an error.", counter, "reason",
      figures.ended);
  add(all, "requests_refused_total", "Refused requests.", counter, "code", figures.refused);
  add(all, "unread_bytes", "Bytes queued for slow peers.", gauge, figures.unread_bytes);
  add(all, "players", "Connected players.", gauge, figures.players);
  add(all, "players_known", "Known players, connected or away.", gauge, figures.known_players);
  add(all, "rooms", "Rooms.", gauge, "phase", figures.rooms);
  add(all, "rooms_open", "Public rooms with an open seat.", gauge, figures.rooms_with_open_seat);
  add(all, "moves_total", "Moves played.", counter, figures.moves);
  add(all, "games_finished_total", "Finished games.", counter, "reason", figures.games);
  add(all, "ai_thoughts_waiting", "Moves and hints that AIs have yet to choose.", gauge,
      figures.ai_thoughts);
  add(all, "ai_memory_bytes", "Memory used by AI players.", gauge, figures.ai_bytes);
}

void add_journal(Families& all, const Figures::CommitFigures& journal) {
  add(all, "journal_waiting_events", "Events not yet durable.", MetricType::Gauge, journal.waiting);
  add(all, "journal_waiting_bytes", "Bytes of records not yet durable.", MetricType::Gauge,
      journal.waiting_bytes);
  add(all, "journal_commit_failures_total", "Failed commits; each is retried.", MetricType::Counter,
      journal.failures);
  add(all, "journal_commit_seconds", "Duration of successful commits.", journal.commits);
}

}  // namespace

std::string to_prometheus(const Figures& figures) {
  Families all;
  add_version(all, figures.version);
  add(all, "uptime_seconds", "Time since the server started.", MetricType::Gauge,
      figures.uptime.count());
  add_people(all, figures);
  if (figures.journal) add_journal(all, *figures.journal);
  add(all, "loop_turn_seconds", "Time the event loop spent on one event.", figures.slices);
  if (figures.fine_slices) {
    add(all, "loop_turn_fine_seconds", "Time the event loop spent on one event, in finer steps.",
        figures.fine_slices->by_clock);
    add(all, "loop_handler_cpu_seconds", "CPU time of each handler of the event loop.",
        figures.fine_slices->cpu);
  }
  return prometheus::TextSerializer().Serialize(all);
}

}  // namespace tictactoe::admin
