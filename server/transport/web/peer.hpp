// HTTP connections as their exchanges and their server see them.
#pragma once

#include <cstddef>
#include <list>
#include <utility>

namespace tictactoe::transport {

/// One connection.
class WebPeer {
 public:
  /// Charges for a request. Returns false if the peer has too few tokens.
  virtual bool pays() = 0;
  virtual bool is_encrypted() const = 0;
  /// Whether it gets nothing but the way to TLS.
  virtual bool must_encrypt() const = 0;
  /// Sends a ping, if it is a WebSocket that takes one now.
  virtual void ping() = 0;

 protected:
  ~WebPeer() = default;
};

/// The WebSockets of one server, in the order in which they get pings.
class WebSocketList {
 public:
  using Place = std::list<WebPeer*>::iterator;

  Place add(WebPeer& peer) { return peers_.insert(peers_.end(), &peer); }
  void remove(Place place) { peers_.erase(place); }

  /// Sends pings to one part of them; after `parts` calls each has got one.
  void ping_some(std::size_t parts) {
    for (std::size_t left = (peers_.size() + parts - 1) / parts; left > 0; --left) {
      peers_.splice(peers_.end(), peers_, peers_.begin());
      peers_.back()->ping();
    }
  }

 private:
  std::list<WebPeer*> peers_;
};

/// The place of one peer in that list, which it leaves at its end at the latest.
class WebSocketPlace {
 public:
  WebSocketPlace() = default;
  ~WebSocketPlace() { leave(); }
  WebSocketPlace(const WebSocketPlace&) = delete;
  WebSocketPlace& operator=(const WebSocketPlace&) = delete;

  /// Does nothing if it has joined before. `list` must outlive the place until leave().
  void join(WebSocketList& list, WebPeer& peer) {
    if (list_ != nullptr) return;
    list_ = &list;
    place_ = list.add(peer);
  }
  void leave() {
    if (list_ != nullptr) std::exchange(list_, nullptr)->remove(place_);
  }

 private:
  WebSocketList* list_ = nullptr;
  WebSocketList::Place place_;
};

}  // namespace tictactoe::transport
