// The connections of a shell: open ones, and closing ones whose peers read their last messages.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "server/transport/shell/connection.hpp"

namespace tictactoe::transport {

/// Owns open connections by slot, and at most `max_lingering` closing ones by deadline. A closing
/// connection lingers until its peer has closed it or its deadline has passed. Open ones cost O(1),
/// lingering ones O(log n).
class ConnectionTable {
 public:
  using Pointer = std::shared_ptr<Connection>;

  explicit ConnectionTable(std::size_t max_lingering) : max_lingering_(max_lingering) {}

  /// Adds an open connection, which has its id.
  void add(Pointer connection);
  /// The open connection with this id; null if there is none.
  Connection* find(server::ConnectionId id) const {
    if (id.slot >= open_.size()) return nullptr;
    Connection* const connection = open_[id.slot].get();
    return connection != nullptr && connection->id() == id ? connection : nullptr;
  }
  /// Shares an open connection, so that what it does can't destroy it.
  Pointer share(server::ConnectionId id) const { return open_[id.slot]; }
  /// Removes an open connection.
  Pointer take(server::ConnectionId id) { return std::exchange(open_[id.slot], nullptr); }

  /// Updates a connection that was taken. If it is closing, it lingers until `until`. If too many
  /// linger, ends the one that has had the most time to read.
  void let_go(const Pointer& connection, server::Time until);
  /// Updates a closing connection, which may have a new deadline.
  void update_lingering(const Pointer& connection, std::optional<server::Time> until);
  /// Removes a connection from those that linger; null if it is not one of them.
  Pointer end_linger(const Connection& connection);
  /// When the first lingering connection must end; nothing if none lingers.
  std::optional<server::Time> first_deadline() const;
  /// Ends that connection.
  void end_first();
  std::size_t lingering() const { return lingering_.size(); }

  /// Calls `visit(Connection&)` for all that are open.
  template <class Visit>
  void visit_open(Visit visit) const {
    for (const Pointer& connection : open_) {
      if (connection != nullptr) visit(*connection);
    }
  }
  /// Closes all connections at once, without a message.
  void cut_off();

 private:
  using Key = std::tuple<server::Time, std::uint32_t, std::uint32_t>;  // deadline and id

  static Key key_of(const Connection& connection) {
    return {connection.deadline(), connection.id().slot, connection.id().generation};
  }

  std::size_t max_lingering_;
  std::vector<Pointer> open_;  // by slot
  std::map<Key, Pointer> lingering_;
};

}  // namespace tictactoe::transport
