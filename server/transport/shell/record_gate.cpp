#include "server/transport/shell/record_gate.hpp"

#include <boost/assert.hpp>

namespace tictactoe::transport {

void RecordGate::record(const server::Effects& effects) {
  BOOST_ASSERT_MSG(recorder_.append, "a host that keeps records has a recorder");
  for (const server::Effect& effect : effects.list()) {
    const auto* record = std::get_if<server::Record>(&effect);
    if (record != nullptr) records_.push_back(effects.bytes(record->body));
  }
  if (records_.empty()) return;
  recorded_ = recorder_.append(records_);
  records_.clear();
}

RecordGate::Pointer RecordGate::release_next() {
  --to_release_;
  Pointer connection = std::move(held_.front());
  held_.pop_front();
  if (connection->is_closed()) return nullptr;
  connection->outbox().release(durable_);
  if (connection->outbox().is_held()) held_.push_back(connection);
  return connection;
}

std::deque<RecordGate::Pointer> RecordGate::fail() {
  has_failed_ = true;
  to_release_ = 0;
  std::erase_if(held_, [](const Pointer& connection) { return connection->is_closed(); });
  for (const Pointer& connection : held_) connection->outbox().discard_held();
  return std::exchange(held_, {});
}

}  // namespace tictactoe::transport
