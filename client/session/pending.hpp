// The unanswered requests of a session, across its connections.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "client/model/room.hpp"
#include "client/model/time.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::client {

/// A request under way ends in one of three ways: it is answered, temporarily refused and then due
/// again, or lost with its connection. Ids count up over all connections, so that
/// Welcome.last_request_done tells which of the lost ones the server has handled. The others are
/// sent again with new ids, because the server counts other requests in between, and nothing is
/// done twice. Without an id, a request was certainly not done. Only a redirected one keeps its id.
class Pending {
 public:
  using Request = v1::ClientMessage;

  std::uint64_t next_id() { return ++last_id_; }
  /// It was sent, with an id.
  void add(Request request) { under_way_.push_back(std::move(request)); }
  /// Takes the request that was answered; nothing if none has that id.
  std::optional<Request> take(std::uint64_t id);
  /// Only the answer to the last ping is of interest.
  void forget_pings();
  /// Under way, the oldest first.
  const std::vector<Request>& under_way() const { return under_way_; }
  /// Whether nothing is under way on this connection or due to be repeated.
  bool is_idle() const { return under_way_.empty() && refused_.empty(); }
  /// Whether any request but a ping has no answer.
  bool is_busy() const;
  void clear();

  /// The server has temporarily refused the request. All such requests become due at `at`.
  void repeat(Request request, Time at);
  void forget_repeats();
  const std::optional<Time>& next_repeat() const { return repeat_at_; }
  /// Those that are due.
  std::vector<Request> take_due(Time now);

  /// The connection has ended. If `keeps`, what is under way is sent over the next one.
  void connection_lost(bool keeps);
  /// The request was redirected to another server; connection_lost() follows.
  void redirect(Request request);
  /// The request that is to go to another server; null if there is none.
  const Request* redirected() const;
  /// Whether it still has no answer, sent or not.
  bool awaits_redirected() const { return redirected_id_ != 0; }
  /// Whether this was the answer to it.
  bool redirected_answered(std::uint64_t id);

  /// At a welcome: whether a lost request to leave the room was done. A watcher leaves with the
  /// connection.
  bool has_left(const v1::Welcome& welcome, bool watches) const;
  /// Forgets the lost requests that were handled.
  void welcomed(const v1::Welcome& welcome, bool watches);
  /// Forgets the lost requests that are pointless in the present room (null: none). `same_wishes`:
  /// the other side's requests are still those that the lost ones may have answered.
  void forget_overtaken(const Room* room, bool same_wishes);
  /// The lost requests, to be sent again. Chat and invitations keep their id if they may have been
  /// done.
  std::vector<Request> take_lost();

 private:
  std::uint64_t last_id_ = 0;
  std::vector<Request> under_way_;
  std::vector<Request> refused_;  // due again at repeat_at_
  std::optional<Time> repeat_at_;
  std::vector<Request> lost_;
  std::uint64_t redirected_id_ = 0;  // 0: none
};

}  // namespace tictactoe::client
