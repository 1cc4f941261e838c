// Waits for many sockets at once with epoll. Linux only.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tictactoe::net {

/// Is called when a socket is ready.
class ReadinessHandler {
 public:
  /// `events` as epoll reports them. The handler may watch and unwatch itself and others.
  virtual void on_ready(std::uint32_t events) = 0;

 protected:
  ~ReadinessHandler() = default;
};

/// An edge-triggered epoll of sockets. An io_context waits for it as for one descriptor. Asio 1.81
/// itself tries a read before it waits, so every request costs a read that finds nothing.
/// Level-triggered epoll was measured too; it gained nothing at 500 rooms.
///
/// Keeps its io_context busy while a socket is watched. Must outlive the watched sockets. One
/// thread.
class Readiness {
 public:
  /// Throws boost::system::system_error if the system has no epoll to give.
  explicit Readiness(boost::asio::io_context& io);
  Readiness(const Readiness&) = delete;
  Readiness& operator=(const Readiness&) = delete;

  boost::asio::io_context::executor_type get_executor() { return epoll_.get_executor(); }

  /// Calls `handler` once whenever more can be read or written, or an end or an error has come,
  /// until unwatch(). Returns false if the system refuses.
  bool watch(int socket, ReadinessHandler& handler);
  /// Reports once more what is ready now.
  void report_again(int socket, ReadinessHandler& handler);
  /// Reports nothing any more, not even what was ready already. To be called before the socket is
  /// closed. Does nothing if the socket is not watched.
  void unwatch(int socket, const ReadinessHandler& handler);

 private:
  // At most this many events are handled before timers, accepts and posted work have their turn.
  static constexpr std::size_t batch = 256;

  void wait();
  void report();

  boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type> epoll_;
  std::size_t watched_ = 0;
  bool is_waiting_ = false;
  std::array<epoll_event, batch> events_;
  std::span<epoll_event> unreported_;  // of events_
};

}  // namespace tictactoe::net
