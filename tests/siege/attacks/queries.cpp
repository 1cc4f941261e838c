// Asks for discovery answers over UDP from many addresses, much faster than they are given.
#include <memory>
#include <vector>

#include "tests/siege/attack.hpp"
#include "tests/siege/seeker.hpp"

namespace tictactoe::siege {
namespace {

class Queries : public Attack {
 public:
  explicit Queries(const Field& field) : Attack(field, 50) {
    for (std::uint32_t i = 0; i < addresses(); ++i) {
      seekers_.push_back(std::make_unique<Seeker>(attackers_from + i, field.discovery));
    }
  }

  void go_on(Clock::time_point now) override {
    for (int due = queries_.due(now); due > 0; --due) {
      Seeker& seeker = *seekers_[next_++ % seekers_.size()];
      seeker.ask();
      answers_ += seeker.answers();
      attempt();
    }
  }

  std::string result() const override { return std::to_string(answers_) + " answers came"; }

 private:
  std::vector<std::unique_ptr<Seeker>> seekers_;
  Pace queries_{50'000};
  std::size_t next_ = 0;
  std::uint64_t answers_ = 0;
};

}  // namespace

std::unique_ptr<Attack> make_queries(const Field& field) {
  return std::make_unique<Queries>(field);
}

}  // namespace tictactoe::siege
