// One connection: a socket, the frames that come out of it and the frames that go into it.
#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
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

namespace tictactoe::net {

class Session;

/// Knows its executor's type: one that is erased costs a call of the heap's kind an operation.
using Socket =
    boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

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

struct SessionLimits {
  std::size_t client_frame_bytes = 0;
  std::size_t outbox_bytes = 0;
};

/// Reads, cuts into frames, reports; gathers frames and writes them. While half of what may wait
/// for the peer does, its requests are left alone, so that it can ask for as much as it likes at
/// once and is never cut off for the answers. Lives by shared ownership of its handlers and of the
/// shell's table, until both have let go. One thread.
///
/// States: open -> (close: what waits is written, the sending side shut, and what still comes in is
/// thrown away until the peer closes or a short time is over, so that the last words are not lost
/// to a reset; a while longer where they wait for a record) -> closed. abort() goes to closed at
/// once.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Socket socket, core::ConnectionId id, SessionLimits limits, OutboxBudget& budget,
          SessionEvents& events);

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

  void read();
  void take_frames();
  void left();
  void gone(const std::string& why);
  void shut_sending_side();
  /// Gives a closing peer so long from now.
  void linger(std::chrono::milliseconds time);

  Socket socket_;
  core::ConnectionId id_;
  SessionEvents& events_;
  wire::FrameReader reader_;
  Outbox outbox_;
  std::unique_ptr<boost::asio::steady_timer> linger_;  // only while closing
  State state_ = State::open;
  bool flush_is_due_ = false;
  bool waits_to_write_ = false;
  bool paused_ = false;  // then a write or a record is waited for, and no read is under way
  bool sending_side_shut_ = false;
};

}  // namespace tictactoe::net
