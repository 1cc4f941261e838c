// HTTP connections as seen by their exchanges and their server.
#pragma once

#include <cstddef>
#include <list>
#include <utility>

namespace tictactoe::transport {

/// One connection.
class WebPeer {
 public:
  /// Charges for a request. Returns false if the peer has too few tokens.
  virtual bool pay() = 0;
  virtual bool is_encrypted() const = 0;
  /// Whether it is only told how to reach TLS.
  virtual bool must_encrypt() const = 0;
  /// Sends a ping if it is a WebSocket that takes one now.
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

  /// Sends pings to a part of them. After `parts` calls each has got one.
  void ping_some(std::size_t parts) {
    for (std::size_t left = (peers_.size() + parts - 1) / parts; left > 0; --left) {
      peers_.splice(peers_.end(), peers_, peers_.begin());
      peers_.back()->ping();
    }
  }

 private:
  std::list<WebPeer*> peers_;
};

/// The place of one peer in the list. Leaves the list when destroyed, at the latest.
class WebSocketPlace {
 public:
  WebSocketPlace() = default;
  ~WebSocketPlace() { leave(); }
  WebSocketPlace(const WebSocketPlace&) = delete;
  WebSocketPlace& operator=(const WebSocketPlace&) = delete;

  /// No effect if it has joined already. `list` must outlive the place until leave().
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
