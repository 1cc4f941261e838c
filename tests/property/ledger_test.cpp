// The ledger under any sequence of events answers as a model that never forgets a payer.

// Before rapidcheck/gtest.h, which needs it.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <array>
#include <map>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "server/limits/ledger.hpp"

namespace tictactoe::server::ledger_tests {
namespace {

using std::chrono::milliseconds;

constexpr Time start{std::chrono::hours(1)};
// Rates are in tokens a second and times in quarters of it, so that both sides calculate exactly.
constexpr milliseconds quarter{250};

Limits limits() {
  Limits limits;
  limits.requests_per_second = 4;
  limits.request_burst = 6;
  limits.address_rates = 2;
  limits.address_bursts = 3;
  limits.newcomers_per_minute = 60;
  limits.newcomer_burst = 2;
  limits.invitations_per_minute = 60;
  limits.invitation_burst = 2;
  limits.game_burst = 5;
  limits.games_per_minute = 60;
  limits.network_factor = 2;
  limits.connections_per_address = 3;
  limits.pending_per_address = 2;
  limits.rooms_per_address = 2;
  limits.absences_per_address = 1;
  limits.look_ups_per_address = 2;
  return limits;
}

/// Each owner's tokens in quarters, and what it holds. Nothing is ever forgotten.
class Model {
 public:
  explicit Model(const Tariff& tariff) : tariff_(tariff) {}

  struct Owner {
    PayerKind kind;
    std::uint64_t id;
    friend auto operator<=>(const Owner&, const Owner&) = default;
  };

  long tokens(const Owner& owner, Charge charge, long now) {
    const Rate rate = tariff_.rate(owner.kind, charge);
    auto& [quarters, at] =
        tokens_.try_emplace({owner, charge}, quarters_of(rate.burst), now).first->second;
    quarters = std::min(quarters_of(rate.burst),
                        quarters + static_cast<long>(rate.per_second) * (now - at));
    at = now;
    return quarters;
  }
  bool can_spend(const Owner& owner, Charge charge, long cost, long now) {
    return tokens(owner, charge, now) >= capped(owner, charge, cost);
  }
  void spend(const Owner& owner, Charge charge, long cost, long now) {
    tokens(owner, charge, now);
    tokens_.at({owner, charge}).first -= capped(owner, charge, cost);
  }
  std::size_t& held(const Owner& owner, Holding holding) { return held_[{owner, holding}]; }

 private:
  static long quarters_of(double tokens) { return static_cast<long>(tokens * 4); }
  // A cost over the burst is the burst.
  long capped(const Owner& owner, Charge charge, long cost) const {
    return std::min(cost * 4, quarters_of(tariff_.rate(owner.kind, charge).burst));
  }

  const Tariff& tariff_;
  std::map<std::pair<Owner, Charge>, std::pair<long, long>> tokens_;  // and as of when
  std::map<std::pair<Owner, Holding>, std::size_t> held_;
};

struct Step {
  std::uint8_t what;
  std::uint8_t who;
  std::uint8_t with;
};

void showValue(const Step& step, std::ostream& out) {
  out << "{" << int{step.what} << ", " << int{step.who} << ", " << int{step.with} << "}";
}

/// Connections that come, spend, hold and go, in the ledger and in the model.
class Traffic {
 public:
  void take(const Step& step) {
    switch (step.what % 8) {
      case 0:
        return connect(step);
      case 1:
        return disconnect(step);
      case 2:
        now_ += step.with % 64;
        return;
      case 3:
        return hold(step);
      case 4:
        return give_back(step);
      default:
        return spend(step);
    }
  }

  void end() {
    while (!connections_.empty()) disconnect({0, 0, 0});
    now_ += 1'000'000;
    // Each new payer lets go of two that are as new.
    for (std::uint64_t i = 0; i < 100; ++i) ledger_.of(PayerKind::room, 1'000 + i, time());
    RC_ASSERT(ledger_.size() <= 2u);
  }

 private:
  struct Connection {
    Payers payers;
    std::vector<Model::Owner> owners;
    std::array<int, holdings> held{};
  };

  Time time() const { return start + quarter * now_; }

  void connect(const Step& step) {
    const Origin origin{step.who % 5U, step.who % 5U / 2U};
    Connection made;
    made.payers = ledger_.hold(origin, Holding::connections, time());
    made.owners = {{PayerKind::address, origin.address}, {PayerKind::network, origin.network}};
    if (step.with % 4 != 0) {
      made.owners.push_back({PayerKind::player, step.with});
      made.payers.player = &ledger_.of(PayerKind::player, step.with, time());
      ledger_.hold(*made.payers.player, Holding::connections);
    }
    ++made.held[0];
    for (const auto& owner : made.owners) ++model_.held(owner, Holding::connections);
    connections_.push_back(std::move(made));
  }

  void disconnect(const Step& step) {
    if (connections_.empty()) return;
    const std::size_t index = step.who % connections_.size();
    Connection& gone = connections_[index];
    for (std::size_t i = 0; i < holdings; ++i) {
      while (gone.held[i] > 0) give_back(gone, i);
    }
    connections_.erase(connections_.begin() + static_cast<std::ptrdiff_t>(index));
  }

  void give_back(Connection& connection, std::size_t index) {
    const auto holding = static_cast<Holding>(index);
    --connection.held[index];
    for (const auto& owner : connection.owners) --model_.held(owner, holding);
    ledger_.release(connection.payers, holding);
  }

  void give_back(const Step& step) {
    if (connections_.empty()) return;
    Connection& connection = connections_[step.who % connections_.size()];
    const std::size_t index = 1 + step.with % (holdings - 1);
    if (connection.held[index] > 0) give_back(connection, index);
  }

  void hold(const Step& step) {
    if (connections_.empty()) return;
    Connection& connection = connections_[step.who % connections_.size()];
    const std::size_t index = 1 + step.with % (holdings - 1);
    const auto holding = static_cast<Holding>(index);
    bool is_full = false;
    for (const auto& owner : connection.owners) {
      is_full |= model_.held(owner, holding) >= tariff_.max(owner.kind, holding);
    }
    RC_ASSERT((ledger_.full(connection.payers, holding) != nullptr) == is_full);
    if (is_full) return;
    ledger_.hold(connection.payers, holding);
    ++connection.held[index];
    for (const auto& owner : connection.owners) ++model_.held(owner, holding);
  }

  void spend(const Step& step) {
    if (connections_.empty()) return;
    Connection& connection = connections_[step.who % connections_.size()];
    const auto charge = static_cast<Charge>(step.with % charges);
    const long cost = 1 + step.with / charges % 8;
    bool can = true;
    for (const auto& owner : connection.owners) can &= model_.can_spend(owner, charge, cost, now_);
    const auto wait = ledger_.spend(connection.payers, charge, static_cast<double>(cost), time());
    RC_ASSERT(wait.has_value() != can);
    if (can) {
      for (const auto& owner : connection.owners) model_.spend(owner, charge, cost, now_);
      return;
    }
    // The wait is as long as it has to be, and no longer.
    const long until = now_ + (wait->count() + quarter.count() - 1) / quarter.count();
    bool enough = true;
    bool too_early = true;
    for (const auto& owner : connection.owners) {
      Model later = model_;
      enough &= later.can_spend(owner, charge, cost, until);
      too_early &= later.can_spend(owner, charge, cost, until - 1) || until - 1 < now_;
    }
    RC_ASSERT(enough);
    RC_ASSERT(!too_early || until == now_ + 1);
  }

  Limits limits_ = limits();
  Tariff tariff_{limits_};
  Ledger ledger_{limits_};
  Model model_{tariff_};
  std::vector<Connection> connections_;
  long now_ = 0;
};

}  // namespace
}  // namespace tictactoe::server::ledger_tests

namespace rc {

template <>
struct Arbitrary<tictactoe::server::ledger_tests::Step> {
  static Gen<tictactoe::server::ledger_tests::Step> arbitrary() {
    using tictactoe::server::ledger_tests::Step;
    return gen::build<Step>(gen::set(&Step::what), gen::set(&Step::who), gen::set(&Step::with));
  }
};

}  // namespace rc

namespace tictactoe::server::ledger_tests {
namespace {

RC_GTEST_PROP(Ledger, answers_as_if_nothing_were_forgotten, (const std::vector<Step>& steps)) {
  Traffic traffic;
  for (const Step& step : steps) traffic.take(step);
  traffic.end();
}

TEST(Ledger, takes_bounded_memory) {
  Limits few = limits();
  few.idle_payers = 10;
  Ledger ledger(few);
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    Payer& payer = ledger.of(PayerKind::player, i, start);
    ASSERT_FALSE(ledger.spend(payer, Charge::requests, 1, start));
    ASSERT_LE(ledger.size(), few.idle_payers);
  }
}

}  // namespace
}  // namespace tictactoe::server::ledger_tests
