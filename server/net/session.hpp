// One connection: a socket, the frames that come out of it and the frames that go into it.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "common/wire/frame.hpp"
#include "server/core/effects.hpp"
#include "server/net/outbox.hpp"
#include "server/net/readiness.hpp"
#include "server/net/stream.hpp"

namespace tictactoe::net {

/// Who is told what happens on a session. Must outlive it.
class SessionEvents {
 public:
  virtual void on_frame(core::ConnectionId from, std::string_view body) = 0;
  virtual void on_fault(core::ConnectionId from, wire::FrameFault fault) = 0;
  /// The peer is gone, or was cut off; nothing more comes from this session.
  virtual void on_gone(core::ConnectionId gone, const std::string& why) = 0;
  /// Everything that came with one read was handed over: the moment to write what it caused.
  virtual void on_read_done() = 0;

 protected:
  ~SessionEvents() = default;
};

/// What all sessions of a server share. Must outlive them.
struct SessionContext {
  boost::asio::io_context& io;
  SessionEvents& events;
  std::size_t client_frame_bytes = 0;
  std::size_t outbox_bytes = 0;
  OutboxBudget budget;
  Readiness readiness{io};
  /// Where every read begins; what is left of the last frame then moves to its session.
  std::array<char, 4096> read_buffer{};
};

/// Reads, cuts into frames, reports; gathers frames and writes them. While half of what may wait
/// for the peer does, its requests are left alone, so that it can ask for as much as it likes at
/// once and is never cut off for the answers. Owned by the shell's table, and while it says its
/// last words by the timer that ends them. One thread.
///
/// It keeps less than a frame and a read of what its peer sent, and nothing while no frame is under
/// way.
///
/// States: open -> (close: what waits is written, the sending side shut, and what still comes in is
/// thrown away until the peer closes or a short time is over, so that the last words are not lost
/// to a reset; a while longer where they wait for a record) -> closed. abort() goes to closed at
/// once.
class Session final : public ReadinessHandler, public std::enable_shared_from_this<Session> {
 public:
  /// Takes over a connected socket that does not block.
  Session(int socket, core::ConnectionId id, SessionContext& context)
      : stream_(socket),
        id_(id),
        context_(context),
        outbox_(context.outbox_bytes, context.budget) {}
  ~Session() { abort(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  core::ConnectionId id() const { return id_; }

  /// Begins to read. Called once.
  void start();
  /// Queues a frame, held until that record is safe (0: not at all); false where the outbox is
  /// full, and then nothing was queued.
  bool push(std::string_view prefix, std::string_view body, std::uint64_t record) {
    return outbox_.push(prefix, body, record);
  }
  /// True for the first who asks since the last flush(): whether to remember that one is due.
  bool wants_flush() { return !std::exchange(flush_is_due_, true); }
  /// Every record up to this one is safe: writes what waited for it.
  void release(std::uint64_t record);
  bool is_held() const { return outbox_.is_held(); }
  /// Goes on with a peer whose requests were left alone, once little enough waits for it.
  void resume();
  /// Writes what may be written and the socket takes now, and the rest as soon as it takes more.
  void flush();
  /// Ends the session after what is queued was written. Reports nothing.
  void close();
  /// Ends the session at once. Reports nothing.
  void abort();

 private:
  enum class State : std::uint8_t { open, closing, closed };

  void on_ready(std::uint32_t events) override;
  /// Reads once; true where there may be more. `is_broken`: nobody reads what is written any more.
  bool read(bool is_broken);
  /// Hands over the frames among what was kept and these bytes.
  void take_frames(std::string_view bytes);
  void keep(std::string_view rest);
  void left();
  void gone(const std::string& why);
  void shut_sending_side();
  bool reads() const { return !said_all_ && (!paused_ || state_ == State::closing); }
  void read_again() { context_.readiness.tell_again(stream_.handle(), *this); }
  /// Gives a closing peer so long from now.
  void linger(std::chrono::milliseconds time);

  // In the order of use: what a request touches lies together.
  Stream stream_;
  core::ConnectionId id_;
  State state_ = State::open;
  bool flush_is_due_ = false;
  bool waits_to_write_ = false;
  bool paused_ = false;    // then a write or a record is waited for, and nothing is read
  bool said_all_ = false;  // the peer
  bool sending_side_shut_ = false;
  SessionContext& context_;
  Outbox outbox_;
  std::string kept_;  // a frame whose end has not come; while paused, whole ones before it
  std::unique_ptr<boost::asio::steady_timer> linger_;  // only while closing
};

}  // namespace tictactoe::net
