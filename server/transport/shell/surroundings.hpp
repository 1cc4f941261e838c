// The surroundings of a shell: time, threads, the journal, an observer.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "server/base/effects.hpp"
#include "server/people/look_up_answer.hpp"

namespace tictactoe::transport {

/// The clock, the only timer, the listeners and the threads of a Shell. No function may call the
/// Shell.
class ShellIo {
 public:
  virtual server::Time now() = 0;
  /// Calls Shell::timer_expired() at that time. Replaces the time set before.
  virtual void set_timer(server::Time at) = 0;
  virtual void cancel_timer() = 0;
  /// Calls Shell::run_slice() once, after the other events that are ready.
  virtual void ask_for_slice() = 0;
  /// The server has stopped: accept nobody. The server ends as soon as its connections have ended.
  virtual void stopped() = 0;

  /// Thinks about a position off the event loop. Reports to Shell::thought().
  virtual void think(const server::Think& think) = 0;
  /// Cancels a thought. It gets no answer.
  virtual void cancel(server::ThoughtId id) = 0;
  /// Frees the AI players of that room.
  virtual void release(std::uint64_t room) = 0;
  /// Derives the key of a password off the event loop. Reports to Shell::key_derived(). Called
  /// again only after that.
  virtual void derive(const server::DeriveKey& derive) = 0;
  /// Cancels all thoughts and the derivation. They get no answer.
  virtual void cancel_all() = 0;

 protected:
  ~ShellIo() = default;
};

/// Makes events durable, and reports that to Shell::durable() and Shell::set_journal_health(),
/// never from within a call of its own.
struct Recorder {
  /// Appends the encoded Records of one event, which become durable together or not at all. Returns
  /// the event's sequence number, which increases by one with each call.
  std::function<std::uint64_t(std::span<const std::string_view> records)> append;
  /// Answers a question about records: calls `answer` once, later, unless the recorder ends first.
  std::function<void(const server::LookUp& question,
                     std::function<void(server::LookUpAnswer)> answer)>
      look_up;
};

/// Observes the events of a shell and the input and output of the host, before effects are carried
/// out. The simulation uses it for checks and planted mistakes, SliceWatch to name slices.
class ShellObserver {
 public:
  /// The shell begins to handle a report of a transport or another service. Events never nest. The
  /// start and stop() are not events.
  virtual void on_event(const char* /*name*/) {}
  /// Not called for a message in JSON.
  virtual void on_message(server::ConnectionId /*from*/, std::string_view /*body*/) {}
  /// The effects of one call of the host.
  virtual void on_effects(server::Effects& /*effects*/) {}

 protected:
  ~ShellObserver() = default;
};

}  // namespace tictactoe::transport
