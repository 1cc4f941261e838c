// Carries out the effects of the host.
#include <spdlog/spdlog.h>

#include <boost/assert.hpp>
#include <utility>

#include "server/transport/shell/shell.hpp"

namespace tictactoe::transport {

using server::Time;

Connection* Shell::find(server::ConnectionId id) {
  if (id.slot >= connections_.size()) return nullptr;
  Connection* const connection = connections_[id.slot].get();
  return connection != nullptr && connection->id() == id ? connection : nullptr;
}

void Shell::carry_out_effects(Time now) {
  for (;;) {
    server::Effects& effects = host_.effects();
    if (observer_ != nullptr) observer_->on_effects(effects);
    if (keeps_records_) record();
    for (const server::Effect& effect : effects.list()) {
      if (const auto* send = std::get_if<server::Send>(&effect)) {
        queue(*send);
      } else {
        carry_out(effect, now);
      }
    }
    write_log(effects.log);
    effects.clear();
    if (too_slow_.empty()) return;
    const server::ConnectionId slow = too_slow_.back();
    too_slow_.pop_back();
    host_.disconnected(slow, now, "it does not read");
  }
}

// Whether the log accepts events can change at any time.
void Shell::write_log(server::EventLog& log) {
  for (const server::LogEvent& event : log.events()) spdlog::info("{}", server::to_payload(event));
  log.clear();
  log.enable(spdlog::should_log(spdlog::level::info));
}

void Shell::carry_out(const server::Effect& effect, Time now) {
  if (const auto* close = std::get_if<server::Close>(&effect)) {
    if (Connection* connection = find(close->connection)) {
      connection->close();
      let_go(std::exchange(connections_[close->connection.slot], nullptr), now);
    }
  } else if (const auto* think = std::get_if<server::Think>(&effect)) {
    thinking_.think(*think);
  } else if (const auto* cancel = std::get_if<server::CancelThinking>(&effect)) {
    thinking_.cancel(cancel->id);
  } else if (const auto* release = std::get_if<server::ReleaseAi>(&effect)) {
    thinking_.release(release->room);
  } else if (const auto* question = std::get_if<server::LookUp>(&effect)) {
    look_up(*question);
  } else if (const auto* resumed = std::get_if<server::ResumeReading>(&effect)) {
    resumed_.push_back(resumed->connection);
  } else if (const auto* derive = std::get_if<server::DeriveKey>(&effect)) {
    keys_.derive(*derive);
  }
}

void Shell::queue(const server::Send& send) {
  Connection* const connection = find(send.to);
  if (connection == nullptr) return;
  // A message may depend on any record so far, not only on those of its own event.
  const bool waits = send.durability == server::Durability::after_records && recorded_ > durable_;
  if (waits && has_failed_) return;
  const bool was_held = connection->outbox().is_held();
  const server::Effects& effects = host_.effects();
  if (connection->send(send.request_id, effects.bytes(send.body), waits ? recorded_ : 0)) {
    if (!was_held && connection->outbox().is_held()) held_.push_back(connections_[send.to.slot]);
    if (connection->claim_flush()) unwritten_.push_back(send.to);
    return;
  }
  ++ends_.too_slow;
  connection->abort();
  let_go(std::exchange(connections_[send.to.slot], nullptr), {});
  too_slow_.push_back(send.to);
}

void Shell::record() {
  BOOST_ASSERT_MSG(recorder_.append, "a host that keeps records has a recorder");
  for (const server::Effect& effect : host_.effects().list()) {
    const auto* record = std::get_if<server::Record>(&effect);
    if (record != nullptr) records_.push_back(host_.effects().bytes(record->body));
  }
  if (records_.empty()) return;
  recorded_ = recorder_.append(records_);
  records_.clear();
}

void Shell::look_up(const server::LookUp& question) {
  recorder_.look_up(question,
                    [this, from = question.from, request_id = question.request_id,
                     for_room = question.request.has_create_room()](server::LookUpAnswer answer) {
                      begin_event("looked up");
                      if (for_room) {
                        host_.position_found(from, answer, io_.now());
                        return finish_event(io_.now());
                      }
                      const Connection* const connection = find(from);
                      // No answer to a question cuts off a peer that does not read.
                      if (connection != nullptr && !connection->fits(answer.size())) {
                        answer = server::no_space_for_answer();
                      }
                      host_.looked_up(from, request_id, answer);
                      finish_event(io_.now());
                    });
}

void Shell::cut_off() {
  const auto end = [](const Pointer& connection) {
    if (!connection || connection->is_closed()) return;
    connection->abort();
    connection->update();
  };
  for (const Pointer& connection : connections_) end(connection);
  for (const auto& [key, connection] : lingering_) end(connection);
}

}  // namespace tictactoe::transport
