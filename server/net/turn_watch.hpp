// Reports events that keep the loop from all others for too long.
#pragma once

#include <chrono>
#include <functional>

#include "server/net/shell.hpp"

namespace tictactoe::net {

/// Measures each event of a shell in CPU time of its thread, so that a busy machine does not make
/// it longer. Costs two system calls an event: for tests, and for a server whose log has the level
/// "debug".
class TurnWatch final : public ShellObserver {
 public:
  /// The longest time that an event should take.
  static constexpr std::chrono::milliseconds usual_limit{5};
  /// Is called on the thread of the shell, at the end of the event.
  using Report = std::function<void(const char* event, std::chrono::microseconds took)>;

  TurnWatch(std::chrono::microseconds longest, Report report)
      : longest_(longest), report_(std::move(report)) {}

  void on_event(const char* name) override;
  void on_event_end() override;

 private:
  std::chrono::nanoseconds longest_;
  Report report_;
  const char* event_ = "";
  std::chrono::nanoseconds began_{0};
};

}  // namespace tictactoe::net
