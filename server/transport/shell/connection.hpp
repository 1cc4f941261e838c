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
  std::size_t frame_bytes = 0;   ///< maximum size of a message from a client
  std::size_t outbox_bytes = 0;  ///< what may wait for one peer
  Backlogs backlogs;             ///< what may wait for all peers
  SpareBuffers buffers{};        ///< for waiting output
  /// What a transport reads into. The bytes are handled before the next read.
  std::array<char, 4096> input{};
};

/// What to put before an encoded ServerMessage to give it this request id; empty if it is 0.
std::string encoded_request_id(std::uint64_t request_id);

/// What a peer has sent.
struct Received {
  enum class Kind : std::uint8_t {
    nothing,  ///< at most a part of a message
    message,  ///< `body` is an encoded ClientMessage
    text,     ///< `body` is a ClientMessage in JSON
    control,  ///< of the transport, such as a WebSocket ping
    end,      ///< the peer will send nothing more
    fault,    ///< the rest is unreadable
  };
  Kind kind = Kind::nothing;
  std::string_view body{};  ///< valid until the next call of the connection that is not const
  wire::FrameFault fault = wire::FrameFault::too_long;
  bool is_charged = false;  ///< a control that costs a token
  bool is_alive = false;    ///< a control that is a sign of life
};

/// Makes all decisions about one connection, and does no I/O. A subclass is the transport: it
/// carries out what the connection wants, and reports to the Shell what has happened.
/// SocketConnection does so over sockets, the simulation over its own network. One thread.
///
/// A message is a frame of proto/README.md unless the transport calls have_own_form(). Buffers less
/// than one message and one read, and nothing between messages.
///
/// States:
/// - open: messages are handled, a few in each slice of the event loop. Reading stops while the
///   outbox is more than half full, so that a peer may send any number of requests at once without
///   being cut off for the answers.
/// - closing: the outbox is written, then the sending side is shut. Bytes that still arrive are
///   discarded until the peer closes or a deadline passes, so that a reset does not lose the last
///   messages.
/// - closed: final. The transport closes its stream.
class Connection {
 public:
  explicit Connection(ConnectionContext& context)
      : context_(context), outbox_(context.outbox_bytes, context.backlogs, context.buffers) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  // What the connection wants. The transport checks after each event and in update().

  /// Bytes that can be written now; more may follow. Valid until the next non-const call.
  std::string_view ready() const { return write_failed_ ? std::string_view() : outbox_.ready(); }
  bool wants_read() const {
    if (state_ == State::closed || peer_finished_) return false;
    return state_ == State::closing || write_failed_ || !(paused_ || waits_for_slice_);
  }
  /// Nothing more will be written: shut the sending side.
  bool wants_shutdown() const {
    return state_ == State::closing && !sending_side_shut_ && outbox_.empty();
  }
  /// The transport closes its stream and reports nothing more. The Shell may be destroyed.
  bool is_closed() const { return state_ == State::closed; }

  // What the transport has done.

  /// The first `count` bytes of ready() were written.
  void written(std::size_t count) { outbox_.sent(count); }
  /// Nothing can be written any more. Reading reports the error when it ends.
  void write_failed() { write_failed_ = true; }
  void shut_down();

  // For the Shell.

  server::ConnectionId id() const { return id_; }
  /// `address` as in server::Origin.
  void set_id(server::ConnectionId id, std::uint64_t address) {
    id_ = id;
    outbox_.set_owner(*this, address);
  }

  /// Takes bytes, which must stay valid until end_input(). Call Shell::received() afterwards.
  void take(std::string_view bytes) {
    if (is_open()) input_ = kept_.empty() ? bytes : std::string_view(kept_.append(bytes));
  }
  /// Charges the peer for work that no message has caused, such as TLS key updates: a token each.
  /// Call Shell::received() afterwards.
  void charge(std::size_t times) { uncharged_ += times; }
  /// Takes the next message of the peer. Returns Kind::nothing also while requests must wait, and
  /// unless the connection is open.
  Received next();
  /// Whether next() may return something.
  bool has_input() const { return uncharged_ > 0 || !input_.empty(); }
  /// Releases the bytes passed to take(). Keeps or discards the input that next() has not returned.
  void end_input(bool is_kept);
  /// If there is more input, handles nothing until begin_slice(). Returns whether there is.
  bool wait_for_slice() {
    waits_for_slice_ = has_input() && is_open();
    return waits_for_slice_;
  }
  void begin_slice() { waits_for_slice_ = false; }
  /// Whether requests must wait: for the peer to read, for a record, or for the host.
  bool is_paused() const { return paused_; }
  /// Handles nothing until resume().
  void pause() { paused_ = true; }
  /// Ends a pause if the outbox is at most half full. Returns whether it has ended one.
  bool resume();

  /// Queues `body`, an encoded ServerMessage, for the peer, with this request id unless it is 0.
  /// Holds it until Outbox::release() is called with `record` or a later one; 0: not held. Returns
  /// false, and queues nothing, if the outbox is full.
  bool send(std::uint64_t request_id, std::string_view body, std::uint64_t record);
  /// Whether a message of this many bytes with its request id fits.
  virtual bool fits(std::size_t bytes) const { return outbox_.fits(bytes + max_head); }
  /// The messages that wait for the peer.
  Outbox& outbox() { return outbox_; }
  /// True for the first call since flushed(): the caller must arrange for update().
  bool claim_flush() { return !std::exchange(flush_is_due_, true); }
  void flushed() { flush_is_due_ = false; }

  /// The transport, for metrics.
  enum class Kind : std::uint8_t { tcp, tls, web, web_tls };
  static constexpr std::size_t kinds = 4;
  Kind kind() const { return kind_; }
  void set_kind(Kind kind) { kind_ = kind; }

  bool is_open() const { return state_ == State::open; }
  bool is_closing() const { return state_ == State::closing; }
  /// Enters the state closing if open.
  void close();
  /// The peer will send nothing more. It may still read, including answers that wait for a record.
  void peer_finished();
  /// Enters the state closed.
  void abort();
  /// When a closing connection is aborted.
  server::Time deadline() const { return deadline_; }
  void set_deadline(server::Time deadline) { deadline_ = deadline; }

  /// Carries out what the connection wants. Must not call the Shell.
  virtual void update() = 0;

 protected:
  /// From now on messages are not frames. The next two functions read and write them.
  void have_own_form() { has_own_form_ = true; }
  /// Takes the next message off the front of `input`.
  virtual Received next_of_transport(std::string_view& /*input*/) { return {}; }
  /// Appends a message, see send(). Appending nothing drops the message.
  virtual void append_for_transport(std::string& /*out*/, std::uint64_t /*request_id*/,
                                    std::string_view /*body*/) const {}

  /// Adds bytes of the transport before messages that are held.
  void send_first(std::string_view bytes) { outbox_.push_first(bytes); }
  /// Adds bytes of the transport after everything else.
  void send_last(std::string_view bytes) {
    outbox_.push(0, [bytes](std::string& out) { out.append(bytes); });
  }
  /// Discards the output: the peer gets something else.
  void discard_output() { outbox_.clear(); }
  ConnectionContext& context() { return context_; }

 private:
  enum class State : std::uint8_t { open, closing, closed };

  // Bytes of a message's length and request id.
  static constexpr std::size_t max_head = wire::max_length_bytes + 11;

  // Ordered by use: what a request touches is adjacent.
  server::ConnectionId id_;
  State state_ = State::open;
  bool flush_is_due_ = false;
  bool paused_ = false;
  bool waits_for_slice_ = false;
  bool peer_finished_ = false;
  bool write_failed_ = false;
  bool sending_side_shut_ = false;
  bool has_own_form_ = false;
  Kind kind_ = Kind::tcp;
  ConnectionContext& context_;
  std::string_view input_;  // not handled: the end of kept_, or of the bytes taken last
  std::string kept_;        // the beginning of a message; while paused, also whole messages
  std::size_t uncharged_ = 0;
  Outbox outbox_;
  server::Time deadline_;  // while closing
};

}  // namespace tictactoe::transport
