// Many connections from many addresses, driven by one thread on epoll: what the load generator and
// attacks share.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/wire/frame.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::load {

using Clock = std::chrono::steady_clock;

class Crowd;
class Peer;

/// Decides what its connections send. Outlives them.
class PeerOwner {
 public:
  virtual ~PeerOwner() = default;
  virtual void connected(Peer& peer) = 0;
  /// The body of a frame; `now` is when it had been read. Not called for a peer that discards.
  virtual void received(Peer& peer, std::string_view body, Clock::time_point now) = 0;
  /// These bytes have come for a peer that discards what comes.
  virtual void discarded(Peer& /*peer*/, std::string_view /*bytes*/) {}
  /// The server has ended the connection, or it could not be made. The peer is destroyed after
  /// the call.
  virtual void ended(Peer& peer) = 0;
};

/// One connection. Unlike a client it may leave what it gets unread, and the server may end it at
/// any time. Owned by its crowd.
class Peer {
 public:
  Peer(Crowd& crowd, PeerOwner& owner, int socket, std::size_t tag)
      : crowd_(crowd), owner_(owner), socket_(socket), tag_(tag) {}
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  /// What the owner has given to open().
  std::size_t tag() const { return tag_; }
  /// Sends a request. Returns its id. What the kernel does not take at once follows later.
  std::uint64_t ask(v1::ClientMessage message);
  /// Sends a frame with this body, for owners that choose the ids.
  void send_body(std::string_view body);
  /// Sends these bytes, which need not be frames: use discard() if the answers are none either.
  void send_bytes(std::string_view bytes);
  /// Bytes that the kernel has not taken.
  std::size_t unsent() const { return unsent_.size(); }
  /// From now on nothing is read: the kernel's buffers fill, then the server's.
  void stop_reading();
  /// From now on what is read goes to discarded().
  void discard() { discards_ = true; }
  /// Closes with a reset, which leaves nothing behind in the kernel. ended() is not called.
  void close();
  bool is_closed() const { return closed_; }
  /// Why it has ended, as errno has it; 0 if the server has closed it.
  int error() const { return error_; }
  int socket() const { return socket_; }

 private:
  friend class Crowd;
  void handle(std::uint32_t events);
  void read();
  void write();
  void watch(int operation);
  void end(int error);

  Crowd& crowd_;
  PeerOwner& owner_;
  int socket_;
  std::size_t tag_;
  bool is_connected_ = false;
  bool reads_ = true;
  bool discards_ = false;
  bool waits_to_write_ = false;
  bool closed_ = false;
  int error_ = 0;
  std::uint64_t last_request_ = 0;
  std::string unsent_;
  wire::FrameReader reader_{std::size_t{5} << 20};
};

/// Owns peers.
class Crowd {
 public:
  /// The address and port of the server that open() connects to.
  explicit Crowd(const sockaddr_in& server = {});
  ~Crowd();
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  /// Connects from that IPv4 address (in the machine's byte order). A `receive_buffer` of 0 bytes
  /// is the system's. Throws load::Failure if this machine has no more sockets or ports.
  Peer& open(std::uint32_t from, PeerOwner& owner, std::size_t tag, int receive_buffer = 0);
  /// Connects to another server, from any address.
  Peer& open_to(const sockaddr_storage& server, socklen_t length, PeerOwner& owner,
                std::size_t tag);
  /// Handles what has come; waits for that at most this long. Returns whether something has come.
  bool poll(std::chrono::nanoseconds max_wait);
  std::size_t size() const { return peers_.size(); }
  /// In frames or discarded, of all peers.
  std::uint64_t received_bytes() const { return received_bytes_; }
  /// Closes all peers of this owner.
  void close_all(const PeerOwner& owner);

 private:
  friend class Peer;
  static int new_socket(int family);
  Peer& add(int socket, const sockaddr* server, socklen_t length, PeerOwner& owner,
            std::size_t tag);
  void sweep();

  sockaddr_in server_;
  int epoll_;
  std::unordered_map<Peer*, std::unique_ptr<Peer>> peers_;
  std::vector<Peer*> closed_;  // to be destroyed: events may still name them
  std::uint64_t received_bytes_ = 0;
};

/// The address of the server. Throws load::Failure if it is no IPv4 address.
sockaddr_in server_at(const std::string& address, std::uint16_t port);

/// Reads a body into `out`. Throws load::Failure if it is no message.
void parse(std::string_view body, v1::ServerMessage& out);

}  // namespace tictactoe::load
