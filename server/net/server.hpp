// The shell round the host: listens, gives every connection a session, and carries out effects.
#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "server/core/host.hpp"
#include "server/net/recorder.hpp"
#include "server/net/session.hpp"
#include "server/net/thinker.hpp"

namespace tictactoe::net {

/// How much AIs that think for long may take of the machine.
struct Thinking {
  std::size_t threads = 1;
  std::chrono::milliseconds time{1000};  // for one move
};

/// One thread: that which runs the io_context. Must outlive the io_context's handlers, or be
/// destroyed after the io_context has stopped running.
class Server final : public SessionEvents {
 public:
  Server(boost::asio::io_context& io, core::Config config, std::uint64_t seed,
         Thinking thinking = {});

  /// Listens on `address` (IPv4, IPv6, or "::" for both, and for IPv4 alone where there is no IPv6)
  /// and begins to accept. Port 0 takes any that is free. Returns where it listens, or a sentence
  /// that says why it can't.
  boost::system::result<boost::asio::ip::tcp::endpoint, std::string> listen(
      const std::string& address, std::uint16_t port);

  /// See Host::restore. Call it before record_with().
  core::RestoreReport restore(const journal::v1::Saved& saved);
  /// Where records go from now on, those that restoring has caused first. Before listen(), where
  /// the config says that records are kept. Must live until the io_context has stopped running.
  void record_with(Recorder& recorder);
  /// Every record up to this sequence number is safe: what told of them may leave now.
  void durable(std::uint64_t record);
  void recording(core::Recording recording);

  /// Tells everybody that the server will end, and stops once no game is played any more or that
  /// time is over.
  void drain(std::chrono::milliseconds within);
  /// Accepts nobody any more, tells everybody, and lets the io_context run out of work.
  void stop();

  const core::Host& host() const { return host_; }

 private:
  using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp,
                                                  boost::asio::io_context::executor_type>;
  using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp,
                                                      boost::asio::io_context::executor_type>;
  struct Listener {
    Acceptor acceptor;
    boost::asio::steady_timer pause;  // between tries while the machine is out of descriptors
  };

  void accept(Listener& listener);
  void admit(Socket socket);
  Session* find(core::ConnectionId id);
  void drop(core::ConnectionId id);
  /// Turns effects into queued frames and closed sessions. Cutting off a slow peer causes effects
  /// of its own, so it goes on until there are none.
  void carry_out_effects();
  void queue(const core::Send& send, std::vector<core::ConnectionId>& too_slow);
  /// Hands the records among the effects over, all that one event caused in one piece.
  void record();
  void look_up(const core::LookUp& question);
  /// carry_out_effects, one write for each session that has something to say, and the timer set.
  void settle();
  void set_timer();

  void on_frame(core::ConnectionId from, std::string_view body) override;
  void on_fault(core::ConnectionId from, wire::FrameFault fault) override;
  void on_gone(core::ConnectionId gone, const std::string& why) override;
  void on_read_done() override;

  boost::asio::io_context& io_;
  SessionContext context_;
  bool keeps_records_;
  core::Host host_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::vector<std::shared_ptr<Session>> sessions_;  // by slot
  std::vector<core::ConnectionId> unwritten_;       // have frames queued since the last settle
  std::vector<std::shared_ptr<Session>> held_;      // have frames that wait for a record
  Recorder* recorder_ = nullptr;
  std::vector<std::string_view> records_;  // reused
  std::uint64_t recorded_ = 0;  // sequence number of the last record that was handed over
  std::uint64_t durable_ = 0;
  boost::asio::steady_timer timer_;
  std::optional<core::Time> timer_at_;  // while it runs
  boost::asio::steady_timer drained_;
  Thinker thinker_;
  std::string prefix_;
  bool draining_ = false;
  bool stopping_ = false;
};

}  // namespace tictactoe::net
