// One connection without its I/O: frames in, frames out, and how it ends.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "common/wire/frame.hpp"
#include "server/core/effects.hpp"
#include "server/net/outbox.hpp"

namespace tictactoe::net {

/// What the connections of one server share. Must outlive their open connections.
struct ConnectionContext {
  std::size_t frame_bytes = 0;   ///< longest body of a frame from a client
  std::size_t outbox_bytes = 0;  ///< what may wait for one peer
  Backlogs backlogs;             ///< what may wait for all of them
  SpareBuffers buffers{};        ///< for what waits
  /// For a transport that reads and reports what it has read without a pause between.
  std::array<char, 4096> input{};
};

/// Decides everything about one connection and does no I/O. A subclass is the transport: it carries
/// out what the connection wants, and reports to the Shell what has happened. Session does so over
/// an Asio stream, the simulation over its own network. One thread.
///
/// States:
///  - open: bytes become frames, a few in each turn of the event loop. Reading stops while the
///    outbox is over half full, so that a peer may send any number of requests at once and is never
///    cut off for the answers.
///  - closing: the outbox is written, then the sending side is shut. Bytes that still come are
///    discarded until the peer closes or a deadline passes, so that the last frames are not lost to
///    a reset.
///  - closed: for good. The transport closes its stream.
///
/// The connection keeps less than one frame and one read of what its peer has sent, and nothing
/// between frames.
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
  /// The transport keeps so many bytes of what it has to write, for which ready() does not account.
  void keeps(std::size_t bytes) {
    if (state_ != State::closed) outbox_.kept_by_transport(bytes);
  }
  /// Nothing can be written any more. The error is left to reading, which ends with it too.
  void write_failed() { write_failed_ = true; }
  /// The peer gets something else instead.
  void discard_output() { outbox_.clear(); }
  void shut_down();

  // For the Shell.

  core::ConnectionId id() const { return id_; }
  /// `address` as in core::Origin.
  void set_id(core::ConnectionId id, std::uint64_t address) {
    id_ = id;
    outbox_.set_owner(*this, address);
  }

  /// Nothing has been read or queued for it yet that another transport would have to know.
  bool can_be_replaced() const { return is_open() && outbox_.empty() && kept_.empty(); }
  /// Gets the id of `old`, which is closed.
  void take_over(Connection& old);

  /// Takes bytes that the peer has sent. They must stay until end_input().
  void begin_input(std::string_view bytes) {
    input_ = kept_.empty() ? bytes : std::string_view(kept_.append(bytes));
  }
  /// The next frame of the input. State::need_more also if reading is paused or the connection is
  /// not open.
  wire::NextFrame next_frame();
  bool has_input() const { return !input_.empty(); }
  /// Takes no frames until begin_turn(), if there is more input. Returns whether there is.
  bool wait_for_turn() {
    waits_for_turn_ = has_input() && is_open();
    return waits_for_turn_;
  }
  void begin_turn() { waits_for_turn_ = false; }
  /// Keeps the input that next_frame() has not returned.
  void end_input();
  /// Whether requests have to wait: for the peer to read, for a record, or for the host.
  bool is_paused() const { return paused_; }
  /// Takes no frames until resume().
  void pause() { paused_ = true; }
  /// Ends a pause if the outbox is at most half full. Returns whether it has ended one.
  bool resume();

  /// Queues a frame of `prefix` and `body`. It is held until release() has been called with
  /// `record` or a later one; 0: not held. Returns false if the outbox is full; then nothing was
  /// queued.
  bool push(std::string_view prefix, std::string_view body, std::uint64_t record) {
    return outbox_.push(prefix, body, record);
  }
  /// Whether there is space for a frame with that many bytes.
  bool fits(std::size_t bytes) const { return outbox_.fits(bytes); }
  void release(std::uint64_t record) { outbox_.release(record); }
  bool is_held() const { return outbox_.is_held(); }
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
  core::Time deadline() const { return deadline_; }
  void set_deadline(core::Time deadline) { deadline_ = deadline; }

  /// Carries out what the connection wants. Must not call the Shell.
  virtual void update() = 0;

  /// See ConnectionContext.
  std::span<char> shared_input() { return context_.input; }

 private:
  enum class State : std::uint8_t { open, closing, closed };

  // In the order of use: what a request touches lies together.
  core::ConnectionId id_;
  State state_ = State::open;
  bool flush_is_due_ = false;
  bool paused_ = false;
  bool waits_for_turn_ = false;
  bool peer_finished_ = false;
  bool write_failed_ = false;
  bool sending_side_shut_ = false;
  bool may_be_clear_ = false;
  Kind kind_ = Kind::tcp;
  ConnectionContext& context_;
  Outbox outbox_;
  std::string_view input_;  // between begin_input() and end_input()
  std::string kept_;        // the beginning of a frame; while paused, also whole frames
  core::Time deadline_;     // while closing
};

}  // namespace tictactoe::net
