#include "tests/siege/honest/newcomer.hpp"

#include "tests/siege/attack.hpp"

namespace tictactoe::siege {
namespace {

constexpr std::chrono::seconds between_queries{1};
constexpr std::chrono::seconds patience{3};
constexpr std::uint32_t newcomers_address = honest_from + 30;

}  // namespace

Newcomer::Newcomer(Crowd& crowd, Harm& harm, const sockaddr_in& discovery)
    : HonestPlayer(crowd, harm),
      seeker_(newcomers_address, discovery),
      answered_at_(Clock::now()) {}

void Newcomer::go_on(Clock::time_point now) {
  if (seeker_.answers() > 0) {
    was_answered_ = true;
    answered_at_ = now;
  }
  if (now - answered_at_ > patience) {
    harm().add(harm().refused, "A newcomer has not found the server for three seconds.");
    answered_at_ = now;
  }
  if (now < next_at_) return;
  next_at_ = now + between_queries;
  seeker_.ask();
}

}  // namespace tictactoe::siege
