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

/// How much AIs that think for long may take of the machine.
struct Thinking {
  std::size_t threads = 1;
  std::chrono::milliseconds time{1000};  // for one move
  server::MakePlayer make_player = server::make_own_player;
};

struct TlsIdentity;
struct SessionContext;

/// One thread: the one that runs the io_context, which must outlive the server and must not run
/// once the server is destroyed. See Shell for what the functions do that have the same name.
class Server final : private ShellIo, private ThinkingService, private KeyService {
 public:
  Server(boost::asio::io_context& io, server::Config config, std::uint64_t seed,
         Thinking thinking = {}, const server::Host::ChooseDirectory& choose = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Browsers may reach the server under these names, too. Called before listen().
  void allow_names(PublicNames names);
  /// A page that was loaded from this machine invites others to these addresses, the best one
  /// first. See guest_address().
  void invite_to(std::vector<std::string> addresses);
  /// Connections that begin with a TLS handshake get one, from now on with that key. Connections
  /// that stand keep theirs.
  void use_tls(const TlsIdentity& identity);
  /// Answers everything that is not encrypted with an Error, or with a redirection. Called before
  /// listen(), after use_tls().
  void require_tls();
  /// Serves browsers of other machines without TLS, too. Without this call they are sent to https
  /// if the server has a key. Connections of this machine, and those that trusted proxies pass on,
  /// need no TLS in either case. Called before listen().
  void allow_plain_http();
  /// Connections from there begin with a header of the PROXY protocol. Called before listen().
  void trust_proxies(Networks proxies);
  /// See Listener::listen.
  boost::system::result<boost::asio::ip::tcp::endpoint, std::string> listen(
      const std::string& address, std::uint16_t port);

  /// Accepts on a socket that listens already, and owns it. Otherwise as listen().
  boost::system::result<boost::asio::ip::tcp::endpoint, std::string> listen_on(int socket);
  /// Is called once when the server has stopped: what must not keep the io_context running ends.
  void when_stopped(std::function<void()> call) { when_stopped_ = std::move(call); }

  server::RestoreReport restore(const journal::v1::Saved& saved) { return shell_.restore(saved); }
  server::RestoreReport adopt(const journal::v1::Saved& saved) { return shell_.adopt(saved); }
  /// The servers of a lobby, with this one, of whom clients are told. Their pages may connect here,
  /// and those of the last 64 that there were.
  void set_servers(std::vector<server::Directory::Server> servers);
  void follow(const server::LobbyNews& news) { shell_.follow(news); }
  void directory_answered() { shell_.directory_answered(); }
  void record_with(Recorder recorder) { shell_.record_with(std::move(recorder)); }
  void change_settings(const server::Config& wanted) { shell_.change_settings(wanted); }
  void set_logins(server::Logins logins) { shell_.set_logins(std::move(logins)); }
  void observe_with(ShellObserver& observer) { shell_.observe_with(observer); }

  void drain(std::chrono::milliseconds within) { shell_.drain(within); }
  std::size_t give_rooms(const server::Directory::Server& to, std::size_t most) {
    return shell_.give_rooms(to, most);
  }
  /// Lets the io_context run out of work.
  void stop(std::vector<server::Directory::Server> others = {},
            std::function<void()> told_all = {}) {
    shell_.stop(std::move(others), std::move(told_all));
  }
  /// After the io_context has stopped for good: nobody is accepted any more, and every connection
  /// is closed at once, so that clients look elsewhere while threads of this server still end.
  void cut_off();

  void owner_asks(const admin::v1::Request& request, admin::v1::Response& response) {
    shell_.owner_asks(request, response);
  }

  const server::Host& host() const { return shell_.host(); }
  ShellFigures figures() const { return shell_.figures(); }
  const server::AiPool& ai() const { return thinker_.pool(); }
  /// For what reports to it: the journal, and connections that need no listener.
  Shell& shell() { return shell_; }

 private:
  server::Time now() override;
  void set_timer(server::Time at) override;
  void cancel_timer() override { timer_.cancel(); }
  void ask_for_turn() override;
  void stopped() override;
  void accept_nobody();
  void think(const server::Think& think) override { thinker_.think(think); }
  void cancel(server::ThoughtId id) override { thinker_.cancel(id); }
  void release(std::uint64_t room) override { thinker_.release(room); }
  void cancel_all() override { thinker_.cancel_all(); }
  void derive(const server::DeriveKey& derive) override;
  void cancel_keys() override { keys_.stop(); }

  /// Unless they have begun before.
  void begin_pings();
  void send_pings();

  std::unique_ptr<Listener> make_listener();
  void accepted(TcpSocket socket, const boost::asio::ip::address& peer);
  /// `comes_through_proxy`: through one that is trusted.
  void admit(TcpSocket socket, const boost::asio::ip::address& peer, bool comes_through_proxy);

  boost::asio::io_context& io_;
  boost::asio::steady_timer timer_;
  thinking::Thinker thinker_;
  worker::Worker keys_;  // one at a time
  ProxyGate::Limits gate_limits_;
  std::unique_ptr<SessionContext> sessions_;
  std::chrono::milliseconds ping_interval_;  // 0: no pings
  boost::asio::steady_timer ping_timer_;
  bool pings_are_sent_ = false;
  Shell shell_;
  std::unique_ptr<ProxyGate> gate_;  // null: no proxy is trusted
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::function<void()> when_stopped_;
  LimitedLog refused_;
};

}  // namespace tictactoe::transport
