// Records the events of a simulated server: the real decisions, a simulated disk.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/core/host.hpp"
#include "server/net/recorder.hpp"
#include "server/store/commit_queue.hpp"
#include "tests/simulation/agenda.hpp"
#include "tests/simulation/edge_watch.hpp"
#include "tests/simulation/journal.hpp"
#include "tests/simulation/plan.hpp"

namespace tictactoe::simulation {

/// Runs the store::CommitQueue of the server over a Journal, in virtual time. Lives as long as the
/// machine: start() and kill() begin and end one life of the server. Sequence numbers count over
/// all lives; events that are lost leave their numbers to others.
class SimulatedRecorder final : public net::Recorder {
 public:
  /// Called from an event of the agenda, never from within a call of this class.
  struct Events {
    std::function<void(std::uint64_t)> durable;
    std::function<void(core::Recording)> recording;
  };

  SimulatedRecorder(const Plan& plan, Agenda& agenda, Random random, Digest& digest,
                    EdgeWatch& watch, Journal& journal, Events events);

  void start();
  /// As SIGKILL does it: a commit that is under way is done whole, or not at all; the rest is lost.
  void kill();

  std::uint64_t append(std::span<const std::string_view> records) override;
  void look_up(const core::LookUp& question,
               std::function<void(core::LookUpAnswer)> answer) override;

  /// From now on the disk is full (`stalled`), nearly full (`low`) or has space.
  void set_disk(core::Recording recording);
  /// From now on commits are quick.
  void calm() { calm_ = true; }

  std::uint64_t commits() const { return commits_; }

 private:
  std::uint64_t append_now(std::span<const std::string_view> records);
  std::uint64_t append_later(std::span<const std::string_view> records);
  void in(Time delay, void (SimulatedRecorder::*step)());
  void seal();
  /// Does all work that there is now.
  void work();
  void begin_commit();
  void end_commit();
  void apply();
  /// Tells what has changed.
  void tell();
  store::CommitQueue::Time now() const { return store::CommitQueue::Time(agenda_.now()); }

  const Plan& plan_;
  Agenda& agenda_;
  Random random_;
  Digest& digest_;
  EdgeWatch& watch_;
  Journal& journal_;
  Events events_;

  std::optional<store::CommitQueue> queue_;  // of this life
  std::uint64_t life_ = 0;
  std::uint64_t sequence_ = 0;  // of the last event that is in the journal
  std::uint64_t appended_ = 0;
  /// Sequence numbers that are not durable, with the number of records up to each.
  std::deque<std::pair<std::uint64_t, std::uint64_t>> marks_;
  std::uint64_t told_durable_ = 0;
  core::Recording told_ = core::Recording::good;
  bool sealing_ = false;
  bool committing_ = false;
  std::optional<store::CommitQueue::Time> wake_at_;
  core::Recording disk_ = core::Recording::good;
  bool calm_ = false;
  std::uint64_t commits_ = 0;
  bool lies_ = false;  // the disk says that it writes
};

}  // namespace tictactoe::simulation
