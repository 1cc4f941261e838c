#include "tests/siege/honest/town.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <vector>

#include "tests/siege/attack.hpp"
#include "tests/siege/honest/pair.hpp"
#include "tests/siege/honest/reader.hpp"
#include "tests/siege/honest/visitor.hpp"

namespace tictactoe::siege {

Town::Town(const sockaddr_in& server, const std::optional<sockaddr_in>& other, std::string password,
           std::uint64_t seed)
    : server_(server), other_(other), password_(std::move(password)) {
  thread_ = std::thread([this, seed] {
    try {
      live(seed);
    } catch (...) {
      failure_ = std::current_exception();
    }
    is_finished_ = true;
  });
}

Town::~Town() {
  part_ = Part::finishing;
  if (thread_.joinable()) thread_.join();
}

void Town::join() {
  thread_.join();
  if (failure_) std::rethrow_exception(failure_);
}

Timings* Town::timings_of(Part part) {
  return part == Part::before ? &before_ : part == Part::during ? &during_ : nullptr;
}

void Town::live(std::uint64_t seed) {
  // The system may otherwise wake a thread 50 us late.
  prctl(PR_SET_TIMERSLACK, 1UL);
  Crowd crowd(server_);
  Pair pair(crowd, harm_, seed);
  Visitor guest(crowd, harm_, looks_in());
  Visitor tourist(crowd, harm_, makes_tours(password_));
  Keeper porch(crowd, harm_, porch_name);
  Keeper vault(crowd, harm_, vault_name, password_);
  Reader reader(crowd, harm_);
  std::vector<HonestPlayer*> all{&pair, &guest, &tourist, &porch, &vault, &reader};
  Crowd other_crowd(other_.value_or(server_));
  Visitor traveller(other_crowd, harm_, opens_rooms());
  if (other_) all.push_back(&traveller);

  Part part = Part::gathering;
  while (part != Part::finishing || !std::ranges::all_of(all, &HonestPlayer::is_finished)) {
    crowd.poll(
        std::min<Clock::duration>(pair.until_due(Clock::now()), std::chrono::milliseconds(1)));
    if (other_) other_crowd.poll(std::chrono::nanoseconds(0));
    if (const Part now = part_; std::exchange(part, now) != now) {
      for (HonestPlayer* const player : all) {
        player->measure(timings_of(part));
        if (part == Part::finishing) player->finish();
      }
    }
    const auto now = Clock::now();
    for (HonestPlayer* const player : all) {
      const bool waits_for_others =
          (player == &guest && !porch.is_ready()) || (player == &tourist && !vault.is_ready());
      if (!waits_for_others) player->go_on(now);
    }
    if (!is_ready_) is_ready_ = std::ranges::all_of(all, &HonestPlayer::is_ready);
  }
}

}  // namespace tictactoe::siege
