// Waits for many sockets at once.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tictactoe::net {

/// Who is told that a socket is ready.
class ReadinessHandler {
 public:
  /// `events` as epoll gives them. May unwatch and watch, itself and others.
  virtual void on_ready(std::uint32_t events) = 0;

 protected:
  ~ReadinessHandler() = default;
};

/// An epoll of sockets, edge-triggered, for which an io_context waits as for one descriptor. Asio
/// itself tries a read before it waits for one, so that each request costs a read that finds
/// nothing, and keeps more about each socket than there is to keep.
///
/// Tried and dropped: level-triggered, which gained nothing at 500 rooms.
///
/// Keeps its io_context busy while anything is watched. Must outlive what it watches. One thread.
class Readiness {
 public:
  /// Throws boost::system::system_error where the system has no epoll to give.
  explicit Readiness(boost::asio::io_context& io);
  Readiness(const Readiness&) = delete;
  Readiness& operator=(const Readiness&) = delete;

  /// Tells `watched` once whenever more can be read or written, or an end or an error has come,
  /// until unwatch(). False where the system refuses.
  bool watch(int socket, ReadinessHandler& watched);
  /// Tells once more what is there now.
  void tell_again(int socket, ReadinessHandler& watched);
  /// Nothing is told any more, not even of what was ready already. Before the socket is closed; of
  /// no effect where it is not watched.
  void unwatch(int socket, const ReadinessHandler& watched);

 private:
  // So many are told before timers, accepts and posted work have their turn.
  static constexpr std::size_t batch = 256;

  void wait();
  void tell();

  boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type> epoll_;
  std::size_t watched_ = 0;
  bool waits_ = false;
  std::array<epoll_event, batch> events_;
  std::span<epoll_event> untold_;  // of events_
};

}  // namespace tictactoe::net
