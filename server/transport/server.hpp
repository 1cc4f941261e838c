// The server on Asio: the I/O of a Shell.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/thinking/thinker.hpp"
#include "server/transport/shell/limited_log.hpp"
#include "server/transport/shell/shell.hpp"
#include "server/transport/tcp/listener.hpp"
#include "server/transport/tcp/proxy_gate.hpp"
#include "server/transport/web/http_rules.hpp"
#include "server/worker/worker.hpp"

namespace tictactoe::transport {

/// Limits on AIs that think for long.
struct Thinking {
  std::size_t threads = 1;
  std::chrono::milliseconds time{1000};  // per move
  thinking::MakePlayer make_player = thinking::make_own_player;
};

struct TlsIdentity;
struct SocketContext;

/// Runs on the thread of the io_context, which must outlive the server, and must not run after the
/// server is destroyed.
class Server final : private ShellIo {
 public:
  Server(boost::asio::io_context& io, server::Config config, std::uint64_t seed,
         Thinking thinking = {}, const server::Host::ChooseDirectory& choose = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Names by which browsers may also reach the server. Call before listen().
  void allow_names(PublicNames names);
  /// By which addresses the page invites others on this machine's networks, if it was loaded from
  /// this machine. See Invitations.
  void invite_to(std::vector<std::string> addresses);
  /// By which addresses clients invite others in other networks. See Invitations.
  void invite_from_outside(std::vector<std::string> addresses);
  /// Uses this key for new TLS connections. Existing connections keep theirs.
  void use_tls(const TlsIdentity& identity);
  /// Refuses or redirects everything unencrypted. Call before listen(), after use_tls().
  void require_tls();
  /// Also serves browsers of other machines without TLS instead of redirecting them to https. Those
  /// of this machine or behind trusted proxies never need TLS. Call before listen().
  void allow_plain_http();
  /// Connections from these begin with a header of the PROXY protocol. Call before listen().
  void trust_proxies(Networks proxies);
  /// See Listener::listen.
  Listening listen(const std::string& address, std::uint16_t port);

  /// Takes ownership of a listening socket and accepts on it. Otherwise like listen().
  Listening listen_on(int socket);
  /// Calls `call` once the server has stopped: it must end all that keeps the io_context running.
  void when_stopped(std::function<void()> call) { when_stopped_ = std::move(call); }

  /// See Shell::set_servers(). The pages of these servers may connect here, and so may those of the
  /// last 64 that have left.
  void set_servers(std::vector<server::Directory::LobbyServer> servers);

  /// Closes all listeners and connections at once. Call it after the io_context has stopped for
  /// good, so that clients look elsewhere while threads of this server still end.
  void cut_off();

  const server::Host& host() const { return shell_.host(); }
  const thinking::AiPool& ai() const { return thinker_.pool(); }
  /// For events that are not the transport's. After Shell::stop() the io_context runs out of work.
  Shell& shell() { return shell_; }

 private:
  server::Time now() override;
  void set_timer(server::Time at) override;
  void cancel_timer() override { timer_.cancel(); }
  void ask_for_slice() override;
  void stopped() override;
  void accept_nobody();
  void think(const server::Think& think) override { thinker_.think(think); }
  void cancel(server::ThoughtId id) override { thinker_.cancel(id); }
  void release(std::uint64_t room) override { thinker_.release(room); }
  void derive(const server::DeriveKey& derive) override;
  void cancel_all() override {
    thinker_.cancel_all();
    keys_.stop();
  }

  /// Begins the pings unless they have begun already.
  void begin_pings();
  void send_pings();

  std::unique_ptr<Listener> make_listener();
  void accepted(TcpSocket socket, const boost::asio::ip::address& peer);
  /// `comes_through_proxy`: through a trusted one.
  void admit(TcpSocket socket, const boost::asio::ip::address& peer, bool comes_through_proxy);

  boost::asio::io_context& io_;
  boost::asio::steady_timer timer_;
  thinking::Thinker thinker_;
  worker::Worker keys_;  // derives one key at a time
  ProxyGate::Limits gate_limits_;
  std::unique_ptr<SocketContext> sockets_;
  std::chrono::milliseconds ping_interval_;  // 0: no pings
  boost::asio::steady_timer ping_timer_;
  bool pings_are_sent_ = false;
  Shell shell_;
  std::unique_ptr<ProxyGate> gate_;  // null: no trusted proxies
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::function<void()> when_stopped_;
  LimitedLog refused_;
};

}  // namespace tictactoe::transport
