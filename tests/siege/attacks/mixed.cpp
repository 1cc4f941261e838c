// Attacks at random: up to three at a time, each for a random time from random addresses.
#include <algorithm>

#include "tests/siege/attack.hpp"

namespace tictactoe::siege {
namespace {

class Mixed : public Attack {
 public:
  explicit Mixed(const Field& field) : Attack(field), field_(field) {}

  void go_on(Clock::time_point now) override {
    if (now >= next_at_) {
      if (going_.size() < max_at_once) begin(now);
      next_at_ = now + milliseconds(200, 1'500);
    }
    for (Going& going : going_) {
      const std::uint64_t attempts = going.attack->attempts();
      const std::uint64_t refused = going.attack->refused();
      going.attack->go_on(now);
      attempt(going.attack->attempts() - attempts);
      for (auto more = going.attack->refused() - refused; more > 0; --more) refuse();
    }
    std::erase_if(going_, [&](const Going& going) {
      if (now < going.until) return false;
      if (gained_.empty()) gained_ = going.attack->gained();
      return true;
    });
  }

  // It has no connections of its own.
  void connected(Peer& /*peer*/) override {}

  std::string result() const override { return "these attacks:" + log_; }
  std::string gained() const override {
    for (const Going& going : going_) {
      if (const std::string now = going.attack->gained(); !now.empty()) return now;
    }
    return gained_;
  }

 private:
  static constexpr std::size_t max_at_once = 3;

  struct Going {
    std::unique_ptr<Attack> attack;
    Clock::time_point until;
  };

  std::chrono::milliseconds milliseconds(std::uint64_t min, std::uint64_t max) {
    return std::chrono::milliseconds(min + below(max - min + 1));
  }

  void begin(Clock::time_point now) {
    const AttackKind& kind = attack_kinds()[below(attack_kinds().size())];
    if (kind.make == make_mixed) return;
    Field field = field_;
    field.seed = below(~std::uint64_t{0});
    // Mostly as many addresses as the attack needs.
    field.addresses = below(3) == 0 ? static_cast<std::uint32_t>(1 + below(50)) : 0;
    going_.push_back({kind.make(field), now + milliseconds(500, 5'000)});
    if (log_.size() < 2'000) log_ += std::string(" ") + kind.name;
  }

  Field field_;
  std::vector<Going> going_;
  Clock::time_point next_at_;
  std::string log_;
  std::string gained_;
};

}  // namespace

std::unique_ptr<Attack> make_mixed(const Field& field) {
  return std::make_unique<Mixed>(field);
}

}  // namespace tictactoe::siege
