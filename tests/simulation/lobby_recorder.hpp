// Records the events of a simulated server in the store that it shares, in virtual time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "server/net/recorder.hpp"
#include "server/store/commit_queue.hpp"
#include "tests/simulation/agenda.hpp"
#include "tests/simulation/lobby_plan.hpp"
#include "tests/simulation/shared_sessions.hpp"

namespace tictactoe::simulation {

/// Runs the store::CommitQueue of a server, of one life of it. What it has sent to the store goes
/// on without it.
class LobbyRecorder final : public net::Recorder {
 public:
  struct Events {
    std::function<void(std::uint64_t)> durable;
    std::function<void(store::Health)> health;
    /// Runs a step of the server after that time, unless the server is gone by then.
    std::function<void(Time, std::function<void()>)> later;
    std::function<bool()> is_calm;
  };

  /// `shared` outlives the agenda's events.
  LobbyRecorder(const LobbyPlan& plan, Agenda& agenda, Random random, SharedStore& shared,
                std::shared_ptr<StoreLine> line, store::StreamId stream,
                store::StreamPosition position, Events events);
  /// What is on its way to the store may arrive or not.
  ~LobbyRecorder();

  std::uint64_t append(std::span<const std::string_view> records) override;
  void look_up(const core::LookUp& question,
               std::function<void(core::LookUpAnswer)> answer) override;
  bool is_idle() const { return queue_.waiting() == 0; }

 private:
  /// Lives on while a commit is on its way.
  struct Session {
    Session(SharedStore& shared, std::shared_ptr<StoreLine> to)
        : line(std::move(to)), records(shared, *line) {}
    std::shared_ptr<StoreLine> line;
    SharedRecords records;
  };

  void work();
  void begin_commit();
  void commit_ended(const store::Result<store::AppendOutcome>& outcome);
  void tell();
  store::CommitQueue::Time now() const { return store::CommitQueue::Time(agenda_.now()); }

  const LobbyPlan& plan_;
  Agenda& agenda_;
  Random random_;
  SharedStore& shared_;
  const std::shared_ptr<Session> session_;
  const store::StreamId stream_;
  const std::uint64_t epoch_;
  const Events events_;
  store::CommitQueue queue_;
  std::uint64_t told_durable_;
  store::Health told_ = store::Health::good;
  bool sealing_ = false;
  std::shared_ptr<bool> arrives_;  // whether the commit under way reaches the store
  std::optional<store::CommitQueue::Time> wake_at_;
};

}  // namespace tictactoe::simulation
