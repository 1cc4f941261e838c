#include "tests/bench/load/quiet.hpp"

#include <cstdio>

#include "tests/bench/load/failure.hpp"

namespace tictactoe::load {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr double mib = 1 << 20;

/// Connections that send nothing after their hello, and should get nothing.
class Silent : public Owner {
 public:
  explicit Silent(Protocol& protocol) : protocol_(protocol) {}
  void welcomed(Connection&) override {}
  void received(Connection&, std::string_view body, Clock::time_point) override {
    throw Failure("Nobody has asked for this: " + protocol_.text(body));
  }

 private:
  Protocol& protocol_;
};

void add_memory(Report& report, const Usage& before, const Usage& after, std::size_t connections) {
  const double grown =
      static_cast<double>(after.resident_bytes) - static_cast<double>(before.resident_bytes);
  report.add("server_resident_mib", "server memory, MiB",
             static_cast<double>(after.resident_bytes) / mib, 1);
  report.add("server_bytes_per_connection", "server memory for each connection, bytes",
             grown / static_cast<double>(connections));
}

/// Sends each connection's pings in their turn and counts the answers.
class Pings {
 public:
  Pings(Gathering& gathering, Protocol& protocol, std::chrono::seconds interval)
      : gathering_(gathering), protocol_(protocol), interval_(interval), begin_(Clock::now()) {
    gathering_.listen([this](auto& member, auto body, auto) {
      protocol_.ping(member.connection->last_request, exchange_);
      if (body != exchange_.answer && !protocol_.same(exchange_.answer, body)) {
        throw Failure("A ping was answered by this: " + protocol_.text(body));
      }
      ++answered_;
    });
  }

  void send_due(Clock::time_point now) {
    const auto size = gathering_.members().size();
    const double due = Seconds(now - begin_) / Seconds(interval_) * static_cast<double>(size);
    while (static_cast<double>(sent_) < due) {
      // At most one of each connection is under way, for a whole interval.
      if (sent_ >= answered_ + size) throw Failure("Pings are not answered in time.");
      Connection& connection = *gathering_.members()[sent_++ % size].connection;
      protocol_.ping(++connection.last_request, exchange_);
      gathering_.fleet().send(connection, exchange_.request);
    }
  }

  std::uint64_t answered() const { return answered_; }

 private:
  Gathering& gathering_;
  Protocol& protocol_;
  std::chrono::seconds interval_;
  Clock::time_point begin_;
  Exchange exchange_;  // reused
  std::uint64_t sent_ = 0;
  std::uint64_t answered_ = 0;
};

}  // namespace

Report storm(const Target& target, const StormPlan& plan, Protocol& protocol) {
  std::optional<Usage> before;
  if (plan.server != nullptr) before = plan.server->usage();
  Silent silent(protocol);
  Fleet fleet({target}, plan.at_once, protocol, silent);
  const auto begin = Clock::now();
  for (std::size_t i = 0; i < plan.connections; ++i) fleet.open();
  auto last_change = begin;
  for (std::size_t welcomed = 0; welcomed < plan.connections;) {
    fleet.poll(std::chrono::milliseconds(0));
    if (std::exchange(welcomed, fleet.welcomed()) != fleet.welcomed()) last_change = Clock::now();
    if (Clock::now() - last_change > plan.patience) {
      throw Failure("Only " + std::to_string(welcomed) + " connections were welcomed.");
    }
  }
  const double seconds = Seconds(Clock::now() - begin).count();
  const auto count = static_cast<double>(plan.connections);
  Report report;
  report.add("connections", "connections", count);
  report.add("at_once", "on their way at once", static_cast<double>(plan.at_once));
  report.add("seconds", "seconds until all were welcome", seconds, 3);
  report.add("connections_per_second", "connections/s", count / seconds);
  report.add("welcome_p50_us", "connect to welcome p50, us", fleet.greetings().quantile(0.5));
  report.add("welcome_p99_us", "connect to welcome p99, us", fleet.greetings().quantile(0.99));
  report.add("sent_bytes", "bytes sent", static_cast<double>(fleet.sent_bytes()));
  report.add("received_bytes", "bytes received", static_cast<double>(fleet.received_bytes()));
  if (!before) return report;
  const Usage after = plan.server->usage();
  const double user = after.user_seconds - before->user_seconds;
  const double system = after.system_seconds - before->system_seconds;
  report.add("server_user_us", "server CPU a connection, user, us", user / count * 1e6, 1);
  report.add("server_system_us", "server CPU a connection, system, us", system / count * 1e6, 1);
  add_memory(report, *before, after, plan.connections);
  return report;
}

Report idle(const Target& target, const IdlePlan& plan, Protocol& protocol) {
  std::optional<Usage> before;
  if (plan.server != nullptr) before = plan.server->usage();
  Gathering gathering({target}, plan.gathering, protocol);
  gathering.gather([](std::size_t) {});
  Pings pings(gathering, protocol, plan.between_pings);
  std::optional<Usage> gathered;
  if (plan.server != nullptr) gathered = plan.server->usage();
  const auto begin = Clock::now();
  auto told = begin;
  for (auto now = begin; now - begin < plan.duration; now = Clock::now()) {
    gathering.fleet().poll(std::chrono::milliseconds(20));
    pings.send_due(now);
    if (!plan.progress || now - told < std::chrono::seconds(5)) continue;
    told = now;
    std::fprintf(stderr, "idle for %.0f s, %llu pings answered\n", Seconds(now - begin).count(),
                 static_cast<unsigned long long>(pings.answered()));
  }
  const std::size_t connections = gathering.members().size();
  Report report;
  report.add("connections", "connections, two in each room", static_cast<double>(connections));
  report.add("seconds", "seconds", Seconds(Clock::now() - begin).count(), 1);
  report.add("pings", "pings answered", static_cast<double>(pings.answered()));
  if (!before) return report;
  const Usage after = plan.server->usage();
  add_memory(report, *before, after, connections);
  report.add(
      "server_grown_bytes", "memory grown while idle, bytes",
      static_cast<double>(after.resident_bytes) - static_cast<double>(gathered->resident_bytes));
  report.add("server_load", "server's share of a core, %",
             (after.user_seconds + after.system_seconds - gathered->user_seconds -
              gathered->system_seconds) /
                 Seconds(Clock::now() - begin).count() * 100,
             2);
  return report;
}

}  // namespace tictactoe::load
