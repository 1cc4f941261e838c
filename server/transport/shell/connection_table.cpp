#include "server/transport/shell/connection_table.hpp"

namespace tictactoe::transport {

namespace {

void end(Connection& connection) {
  connection.abort();
  connection.update();
}

}  // namespace

void ConnectionTable::add(Pointer connection) {
  const std::size_t slot = connection->id().slot;
  if (slot >= open_.size()) open_.resize(slot + 1);
  open_[slot] = std::move(connection);
}

void ConnectionTable::let_go(const Pointer& connection, server::Time until) {
  update_lingering(connection, connection->is_closing() ? std::optional(until) : std::nullopt);
  if (lingering_.size() > max_lingering_) end_first();
}

void ConnectionTable::update_lingering(const Pointer& connection,
                                       std::optional<server::Time> until) {
  if (until) {
    end_linger(*connection);
    connection->set_deadline(*until);
    lingering_.emplace(key_of(*connection), connection);
  }
  connection->update();
  if (connection->is_closed()) end_linger(*connection);
}

ConnectionTable::Pointer ConnectionTable::end_linger(const Connection& connection) {
  auto node = lingering_.extract(key_of(connection));
  return node.empty() ? nullptr : std::move(node.mapped());
}

std::optional<server::Time> ConnectionTable::first_deadline() const {
  if (lingering_.empty()) return std::nullopt;
  return std::get<server::Time>(lingering_.begin()->first);
}

void ConnectionTable::end_first() {
  end(*lingering_.extract(lingering_.begin()).mapped());
}

void ConnectionTable::cut_off() {
  visit_open([](Connection& connection) {
    if (!connection.is_closed()) end(connection);
  });
  for (const auto& [key, connection] : lingering_) {
    if (!connection->is_closed()) end(*connection);
  }
}

}  // namespace tictactoe::transport
