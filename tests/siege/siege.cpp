#include "tests/siege/siege.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "tests/bench/load/failure.hpp"
#include "tests/bench/load/server_process.hpp"
#include "tests/siege/honest/town.hpp"

namespace tictactoe::siege {
namespace {

using load::Failure;
using Nanoseconds = std::chrono::nanoseconds;

constexpr std::chrono::seconds max_wait{10};

template <class Condition>
void wait_until(Condition condition, const char* otherwise) {
  const auto begin = Clock::now();
  while (!condition()) {
    if (Clock::now() - begin > max_wait) throw Failure(otherwise);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

// Attackers have machines of their own. Here they get the time that the server and the honest
// players leave. On Linux this is about the calling thread alone.
void let_others_go_first() {
  const sched_param none{};
  constexpr int nicest = 19;
  if (sched_setscheduler(0, SCHED_OTHER, &none) != 0 || setpriority(PRIO_PROCESS, 0, nicest) != 0) {
    throw Failure("The attack can't lower its priority.");
  }
}

std::string vault_password(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string password;
  for (int i = 0; i < vault_digits; ++i) password += static_cast<char>('0' + random() % 10);
  return password;
}

double milliseconds(Nanoseconds time) {
  return static_cast<double>(time.count()) * 1e-6;
}

/// Looks at the figures of one kind of request.
class Judge {
 public:
  Judge(Verdict& verdict, const char* what, Bound bound, int percent)
      : verdict_(verdict), what_(what), bound_(bound), percent_(percent) {}

  void judge(const load::Histogram& before, const load::Histogram& during) {
    add("before", before);
    add("during", during);
    const Nanoseconds usual = before.quantile(percent_ / 100.0);
    const Nanoseconds now = during.quantile(percent_ / 100.0);
    verdict_.report.add(
        fmt::format("{}_p{}_times_usual", what_, percent_),
        fmt::format("honest {} during the attack, times the usual p{}", what_, percent_),
        static_cast<double>(now.count()) /
            static_cast<double>(std::max<std::int64_t>(1, usual.count())),
        2);
    const auto allowed = std::min<Nanoseconds>(
        bound_.max, std::max<Nanoseconds>(bound_.floor, std::chrono::duration_cast<Nanoseconds>(
                                                            usual * max_times_usual)));
    if (during.count() == 0) {
      verdict_.delays.push_back(fmt::format("No {} were answered.", what_));
    } else if (now > allowed) {
      verdict_.delays.push_back(fmt::format(
          "The p{} of {} is {:.2f} ms, usually {:.2f} ms; at most {:.2f} ms may be.", percent_,
          what_, milliseconds(now), milliseconds(usual), milliseconds(allowed)));
    }
  }

 private:
  void add(const char* part, const load::Histogram& times) {
    const auto row = [&](const std::string& figure, double value, int decimals) {
      verdict_.report.add(fmt::format("{}_{}_{}", what_, part, figure),
                          fmt::format("honest {} {} the attack, {}", what_, part, figure), value,
                          decimals);
    };
    row("count", static_cast<double>(times.count()), 0);
    row("p50_ms", milliseconds(times.quantile(0.5)), 3);
    if (percent_ != 99) {
      row(fmt::format("p{}_ms", percent_), milliseconds(times.quantile(percent_ / 100.0)), 3);
    }
    row("p99_ms", milliseconds(times.quantile(0.99)), 3);
    row("max_ms", milliseconds(times.max()), 3);
  }

  Verdict& verdict_;
  const char* what_;
  Bound bound_;
  int percent_;
};

void add_attack(Verdict& verdict, const AttackKind& kind, const Attack& attack, double seconds) {
  load::Report& report = verdict.report;
  report.add("attack", "attack", std::string(kind.name));
  report.add("attempts", "attempts", static_cast<double>(attack.attempts()));
  report.add("refused", "of them refused or cut off", static_cast<double>(attack.refused()));
  if (!attack.result().empty()) report.note("Attack: " + attack.result() + ".");
  const double least = static_cast<double>(kind.min_attempts) * seconds;
  if (static_cast<double>(attack.attempts()) < least) {
    verdict.delays.push_back(fmt::format("{} attempts are no attack: at least {:.0f} must be.",
                                         attack.attempts(), least));
  }
  if (const std::string gained = attack.gained(); !gained.empty()) verdict.faults.push_back(gained);
}

void add_honest(Verdict& verdict, int bound_factor, const Town& town) {
  verdict.report.add("times_allowed", "times the usual p99 that are allowed, from 10 ms on",
                     max_times_usual, 0);
  const auto judge = [&](const char* what, load::Histogram Timings::* times, Bound bound,
                         int percent = 99) {
    Judge(verdict, what, bound.times(bound_factor), percent)
        .judge(town.before().*times, town.during().*times);
  };
  judge("pings", &Timings::pings, answer_bound);
  judge("moves", &Timings::moves, answer_bound);
  // So few of them that the p99 would be the longest one.
  judge("visits", &Timings::visits, visit_bound, 90);
  judge("tours", &Timings::tours, tour_bound, 90);
  if (town.during().travels.count() > 0) {
    judge("travels", &Timings::travels, visit_bound, 90);
  }
  load::Report& report = verdict.report;
  const Nanoseconds late = town.during().delays.quantile(0.99);
  report.add("late_p99_ms", "honest requests sent late, p99_ms", milliseconds(late), 3);

  const Harm& harm = town.harm();
  report.add("honest_refused", "honest requests refused", static_cast<double>(harm.refused));
  report.add("honest_cut", "honest connections cut", static_cast<double>(harm.cut));
  report.add("honest_evicted", "honest players evicted", static_cast<double>(harm.evicted));
  report.add("honest_wrong", "wrong messages to honest players", static_cast<double>(harm.wrong));
  for (const std::string& sentence : harm.sentences) verdict.faults.push_back(sentence);
}

void add_memory(Verdict& verdict, const std::optional<load::ServerProcess>& server) {
  if (!server) return;
  const load::Usage usage = server->usage();
  const auto mebibytes = [](std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); };
  verdict.report.add("memory_mib", "server memory, MiB", mebibytes(usage.resident_bytes), 1);
  verdict.report.add("peak_mib", "its peak, MiB", mebibytes(usage.peak_bytes), 1);
}

}  // namespace

Verdict besiege(const AttackKind& kind, const Plan& plan) {
  const sockaddr_in address = server_at(plan.host, plan.port);
  std::optional<load::ServerProcess> server;
  if (plan.server > 0) server.emplace(plan.server);
  std::optional<sockaddr_in> other;
  if (plan.other_port != 0) other = server_at(plan.host, plan.other_port);
  Town town(address, other, vault_password(plan.seed), plan.seed);
  wait_until([&] { return town.is_ready() || town.is_finished(); },
             "The honest players can't come in.");
  town.set_part(Part::before);
  std::this_thread::sleep_for(plan.before);

  let_others_go_first();
  town.set_part(Part::during);
  Crowd crowd(address);
  const std::unique_ptr<Attack> attack = kind.make({crowd, plan.addresses, plan.seed});
  Crowd other_crowd(other.value_or(address));
  const std::unique_ptr<Attack> other_attack =
      other ? kind.make({other_crowd, plan.addresses, plan.seed + 1}) : nullptr;
  const auto begin = Clock::now();
  const auto end = begin + std::chrono::duration_cast<Clock::duration>(plan.seconds);
  // The attack goes on while visitors finish.
  for (auto now = begin; !town.is_finished(); now = Clock::now()) {
    if (now >= end) town.set_part(Part::finishing);
    attack->go_on(now);
    if (other_attack) {
      other_attack->go_on(now);
      other_crowd.poll(std::chrono::nanoseconds(0));
    }
    crowd.poll(std::chrono::milliseconds(1));
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  town.join();

  Verdict verdict;
  add_attack(verdict, kind, *attack, seconds);
  if (other_attack) verdict.report.note("At the other server: " + other_attack->result() + ".");
  add_honest(verdict, plan.patience, town);
  add_memory(verdict, server);
  return verdict;
}

}  // namespace tictactoe::siege
