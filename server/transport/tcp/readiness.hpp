// Waits for many sockets at once with epoll. Linux only.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <boost/intrusive/list.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

namespace tictactoe::transport {

/// Called when a socket is ready.
class ReadinessHandler {
 public:
  /// `network` is that of the peer, see server::Origin.
  explicit ReadinessHandler(std::uint64_t network) : network_(network) {}
  virtual ~ReadinessHandler() = default;
  /// `events` as epoll reports them. The handler may watch and unwatch itself and others.
  virtual void on_ready(std::uint32_t events) = 0;

 protected:
  std::uint64_t network() const { return network_; }

 private:
  friend class Readiness;

  using Hook = boost::intrusive::list_member_hook<
      boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

  Hook hook_;  // in a list of Readiness
  std::uint64_t network_;
  std::uint32_t waiting_events_ = 0;  // not reported yet; 0 if none
};

/// An edge-triggered epoll instance. An io_context waits for it as for one descriptor. Asio 1.81
/// itself tries a read before it waits, so every request would cost a read that finds nothing.
/// Level-triggered epoll gained nothing in measurements at 500 rooms.
///
/// If more sockets are ready than a slice of the event loop has time for, the networks of their
/// peers are served round robin: a network waits for one socket of each other network, however many
/// those have.
///
/// Keeps its io_context busy while a socket is watched. Must outlive the watched sockets. One
/// thread.
class Readiness {
 public:
  /// Throws boost::system::system_error if the system refuses.
  explicit Readiness(boost::asio::io_context& io);
  Readiness(const Readiness&) = delete;
  Readiness& operator=(const Readiness&) = delete;

  /// Calls `handler` once whenever more can be read or written, or an end or an error has occurred,
  /// until unwatch(). Returns false if the system refuses.
  bool watch(int socket, ReadinessHandler& handler);
  /// Reports these events in a later slice of the event loop. Requires that the socket is watched.
  void report_again(ReadinessHandler& handler, std::uint32_t events);
  /// Stops reporting, even events that were ready already. Call it before the socket is closed. No
  /// effect if the socket is not watched.
  void unwatch(int socket, ReadinessHandler& handler);

  /// Space for what a handler reads. Valid until the handler returns.
  std::span<char> space() { return space_; }

 private:
  using Handlers =
      boost::intrusive::list<ReadinessHandler,
                             boost::intrusive::member_hook<ReadinessHandler, ReadinessHandler::Hook,
                                                           &ReadinessHandler::hook_>,
                             boost::intrusive::constant_time_size<false>>;

  // Maximum number of events per system call.
  static constexpr std::size_t batch = 256;

  void wait();
  void report_later();
  void report();
  void queue(ReadinessHandler& handler, std::uint32_t events);
  void fetch();
  void queue_fetched();
  void report_next();

  boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type> epoll_;
  std::size_t watched_ = 0;
  bool is_waiting_ = false;  // for epoll
  bool is_posted_ = false;   // report() is posted
  bool is_reporting_ = false;
  std::array<char, std::size_t{16} * 1024> space_;
  std::array<epoll_event, batch> events_;
  std::size_t fetched_ = 0;  // of events_
  std::size_t next_ = 0;     // of fetched_
  std::map<std::uint64_t, Handlers>
      unreported_;                  // of each network, those that wait for a later slice
  std::uint64_t last_network_ = 0;  // served last
};

}  // namespace tictactoe::transport
