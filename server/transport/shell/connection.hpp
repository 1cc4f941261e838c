// One connection without its I/O: messages in, messages out, and how it ends.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "common/wire/frame.hpp"
#include "server/base/effects.hpp"
#include "server/transport/shell/outbox.hpp"

namespace tictactoe::transport {

/// What the connections of one server share. Must outlive their open connections.
struct ConnectionContext {
  std::size_t frame_bytes = 0;   ///< longest message from a client
  std::size_t outbox_bytes = 0;  ///< what may wait for one peer
  Backlogs backlogs;             ///< what may wait for all of them
  SpareBuffers buffers{};        ///< for what waits
  /// What a transport reads into: it is handled before anything else is read.
  std::array<char, 4096> input{};
};

/// What comes before an encoded ServerMessage so that it has that request id; empty if that is 0.
std::string encoded_request_id(std::uint64_t request_id);

/// What a peer has sent.
struct Received {
  enum class Kind : std::uint8_t {
    nothing,  ///< no more than a part of something
    message,  ///< `body` is an encoded ClientMessage
    text,     ///< `body` is a ClientMessage in JSON
    control,  ///< of the transport, such as a ping of a WebSocket
    end,      ///< the peer will send nothing more
    fault,    ///< what follows can't be read
  };
  Kind kind = Kind::nothing;
  std::string_view body{};  ///< valid until the next call of the connection that is not const
  wire::FrameFault fault = wire::FrameFault::too_long;
  bool is_charged = false;  ///< a control that costs a token
  bool is_alive = false;    ///< a control that is a sign of life
};

/// Decides everything about one connection and does no I/O. A subclass is the transport: it carries
/// out what the connection wants, and reports to the Shell what has happened. Session does so over
/// sockets, the simulation over its own network. One thread.
///
/// A message is a frame of proto/README.md unless the transport calls have_own_form(). Keeps less
/// than one message and one read, and nothing between messages.
///
/// States:
///  - open: messages are handled, a few in each turn of the event loop. Reading stops while the
///    outbox is over half full, so that a peer may send any number of requests at once and is never
///    cut off for the answers.
///  - closing: the outbox is written, then the sending side is shut. Bytes that still arrive are
///    discarded until the peer closes or a deadline passes, so that the last messages are not lost
///    to a reset.
///  - closed: for good. The transport closes its stream.
class Connection {
 public:
  explicit Connection(ConnectionContext& context)
      : context_(context), outbox_(context.outbox_bytes, context.backlogs, context.buffers) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  // What it wants. The transport looks after each event and in update().

  /// Bytes that can be written now; there may be more after them. Valid until the next call that is
  /// not const.
  std::string_view ready() const { return write_failed_ ? std::string_view() : outbox_.ready(); }
  bool wants_read() const {
    if (state_ == State::closed || peer_finished_) return false;
    return state_ == State::closing || write_failed_ || !(paused_ || waits_for_turn_);
  }
  /// Nothing more will be written: shut the sending side.
  bool wants_shutdown() const {
    return state_ == State::closing && !sending_side_shut_ && outbox_.empty();
  }
  /// The transport closes its stream and reports nothing more. The Shell may be gone.
  bool is_closed() const { return state_ == State::closed; }

  // What the transport has done about it.

  /// The first `count` bytes of ready() were written.
  void written(std::size_t count) { outbox_.sent(count); }
  /// Nothing can be written any more. The error is left to reading, which ends with it too.
  void write_failed() { write_failed_ = true; }
  void shut_down();

  // For the Shell.

  server::ConnectionId id() const { return id_; }
  /// `address` as in server::Origin.
  void set_id(server::ConnectionId id, std::uint64_t address) {
    id_ = id;
    outbox_.set_owner(*this, address);
  }

  /// Takes bytes from the peer, which must stay valid until end_input(). Call Shell::received
  /// afterwards.
  void take(std::string_view bytes) {
    if (is_open()) input_ = kept_.empty() ? bytes : std::string_view(kept_.append(bytes));
  }
  /// Charges the peer for work that no message has caused, such as key updates of TLS: a token
  /// each. Call Shell::received afterwards.
  void charge(std::size_t times) { uncharged_ += times; }
  /// Takes the next message of the peer. Kind::nothing also while requests have to wait, and unless
  /// the connection is open.
  Received next();
  /// Whether next() may return something.
  bool has_input() const { return uncharged_ > 0 || !input_.empty(); }
  /// Releases the bytes that were taken last. Input that next() has not returned is kept or
  /// discarded.
  void end_input(bool is_kept);
  /// Handles nothing until begin_turn(), if there is more input. Returns whether there is.
  bool wait_for_turn() {
    waits_for_turn_ = has_input() && is_open();
    return waits_for_turn_;
  }
  void begin_turn() { waits_for_turn_ = false; }
  /// Whether requests have to wait: for the peer to read, for a record, or for the host.
  bool is_paused() const { return paused_; }
  /// Handles nothing until resume().
  void pause() { paused_ = true; }
  /// Ends a pause if the outbox is at most half full. Returns whether it has ended one.
  bool resume();

  /// Queues a message for the peer: `body`, an encoded ServerMessage, with that request id unless
  /// it is 0. It is held until Outbox::release() has been called with `record` or a later one; 0:
  /// not held. Returns false if the outbox is full; then nothing was queued.
  bool send(std::uint64_t request_id, std::string_view body, std::uint64_t record);
  /// Whether there is space for a message of that many bytes with its request id.
  virtual bool fits(std::size_t bytes) const { return outbox_.fits(bytes + max_head); }
  /// What waits for the peer.
  Outbox& outbox() { return outbox_; }
  /// Returns true for the first call since the last flushed(): the caller must arrange for
  /// update().
  bool needs_flush() { return !std::exchange(flush_is_due_, true); }
  void flushed() { flush_is_due_ = false; }

  /// Nobody on the way can read what this connection carries, or the owner does not mind: it stays
  /// on this machine, or comes through a trusted proxy.
  void allow_clear_text() { may_be_clear_ = true; }
  bool may_be_clear() const { return may_be_clear_; }

  /// What carries it, for metrics.
  enum class Kind : std::uint8_t { tcp, tls, web, web_tls };
  static constexpr std::size_t kinds = 4;
  Kind kind() const { return kind_; }
  void set_kind(Kind kind) { kind_ = kind; }

  bool is_open() const { return state_ == State::open; }
  bool is_closing() const { return state_ == State::closing; }
  /// Enters the state closing, if open.
  void close();
  /// The peer will send nothing more. It may still read: answers that wait for a record are for it
  /// too.
  void peer_finished();
  /// Enters the state closed.
  void abort();
  /// When a closing connection is aborted.
  server::Time deadline() const { return deadline_; }
  void set_deadline(server::Time deadline) { deadline_ = deadline; }

  /// Carries out what the connection wants. Must not call the Shell.
  virtual void update() = 0;

 protected:
  /// From now on messages are not frames: the next two functions read and write them.
  void have_own_form() { has_own_form_ = true; }
  /// Takes the next message off the front of `input`.
  virtual Received next_of_transport(std::string_view& /*input*/) { return {}; }
  /// Appends a message, see send(). A message of no bytes is dropped.
  virtual void append_for_transport(std::string& /*out*/, std::uint64_t /*request_id*/,
                                    std::string_view /*body*/) const {}

  /// Adds bytes of the transport before what is held.
  void send_first(std::string_view bytes) { outbox_.push_first(bytes); }
  /// Adds bytes of the transport after everything else.
  void send_last(std::string_view bytes) {
    outbox_.push(0, [bytes](std::string& out) { out.append(bytes); });
  }
  /// The peer gets something else instead.
  void discard_output() { outbox_.clear(); }
  ConnectionContext& context() { return context_; }

 private:
  enum class State : std::uint8_t { open, closing, closed };

  // Of a message: its length and its request id.
  static constexpr std::size_t max_head = wire::max_length_bytes + 11;

  // In the order of use: what a request touches lies together.
  server::ConnectionId id_;
  State state_ = State::open;
  bool flush_is_due_ = false;
  bool paused_ = false;
  bool waits_for_turn_ = false;
  bool peer_finished_ = false;
  bool write_failed_ = false;
  bool sending_side_shut_ = false;
  bool may_be_clear_ = false;
  bool has_own_form_ = false;
  Kind kind_ = Kind::tcp;
  ConnectionContext& context_;
  std::string_view input_;  // not handled: the end of kept_, or of the bytes that were taken last
  std::string kept_;        // the beginning of a message; while paused, also whole messages
  std::size_t uncharged_ = 0;
  Outbox outbox_;
  server::Time deadline_;  // while closing
};

}  // namespace tictactoe::transport
