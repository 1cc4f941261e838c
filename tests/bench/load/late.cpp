#include "tests/bench/load/late.hpp"

#include "tests/bench/load/failure.hpp"

namespace tictactoe::load {
namespace {

constexpr std::chrono::seconds patience{20};

/// Takes the updates about new watchers.
class LateComers {
 public:
  LateComers(Gathering& gathering, Protocol& protocol)
      : gathering_(gathering), protocol_(protocol), room_(gathering.rooms().front()) {
    gathering_.listen([this](auto& member, auto body, auto now) { take(member, body, now); });
  }

  void come() {
    Gathering::Member& one = gathering_.add_watcher(room_.number());
    wait_until([&] { return one.connection->welcome; });
    protocol_.enter(one.place, ++one.connection->last_request, exchange_);
    asked_ = Clock::now();
    gathering_.fleet().send(*one.connection, exchange_.request);
    wait_until([&] { return one.entered; });
  }

  const Histogram& times() const { return times_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void take(Gathering::Member& member, std::string_view body, Clock::time_point now) {
    if (member.entered) {
      if (!protocol_.is_arrival(room_.number(), member.revision++, body)) {
        throw Failure("Somebody came to watch, but this was told: " + protocol_.text(body));
      }
      return;
    }
    if (!protocol_.is_entry(member.place, member.connection->last_request, body, member.revision,
                            room_.game())) {
      throw Failure("This is not the game that was played: " + protocol_.text(body));
    }
    member.entered = true;
    times_.add(now - asked_);
    bytes_ = body.size();
  }

  template <class Condition>
  void wait_until(Condition condition) {
    for (const auto begin = Clock::now(); !condition();) {
      gathering_.fleet().poll(std::chrono::milliseconds(0));
      if (Clock::now() - begin > patience) throw Failure("Nobody is let in late.");
    }
  }

  Gathering& gathering_;
  Protocol& protocol_;
  const Room& room_;
  Clock::time_point asked_;
  Histogram times_;
  std::size_t bytes_ = 0;
  Exchange exchange_;
};

}  // namespace

void add_late_comers(Report& report, Gathering& gathering, Protocol& protocol, std::size_t count) {
  LateComers late(gathering, protocol);
  for (std::size_t i = 0; i < count; ++i) late.come();
  report.add("late_moves", "moves that late comers find",
             static_cast<double>(gathering.rooms().front().game().ply()));
  report.add("late_bytes", "bytes that each is sent", static_cast<double>(late.bytes()));
  report.add("late_p50_us", "until each has them p50, us", late.times().quantile(0.5));
  report.add("late_max_us", "until each has them max, us", late.times().max());
}

}  // namespace tictactoe::load
