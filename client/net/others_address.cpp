#include "client/net/others_address.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <utility>
#include <vector>

#include "common/network/lan_addresses.hpp"

namespace tictactoe::client {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

std::string own_address() {
  const std::vector<std::string> addresses = network::lan_addresses();
  return addresses.empty() ? std::string() : addresses.front();
}

bool is_this_machine(const std::string& host) {
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(host, error);
  return host == "localhost" || (!error && address.is_loopback());
}

// One attempt to connect. Handlers do nothing once it is gone.
struct Probe {
  explicit Probe(boost::asio::io_context& context) : socket(context), timer(context) {}
  tcp::socket socket;
  boost::asio::steady_timer timer;
};

}  // namespace

std::string address_for_others(const Address& server) {
  std::string host = is_this_machine(server.host) ? own_address() : server.host;
  if (host.empty()) return {};
  const bool has_port = server.port != default_port;
  if (has_port && host.find(':') != std::string::npos) host = "[" + host + "]";
  return has_port ? host + ":" + std::to_string(server.port) : host;
}

std::shared_ptr<void> probe(boost::asio::io_context& context, const tcp::endpoint& endpoint,
                            std::function<void()> done) {
  const auto attempt = std::make_shared<Probe>(context);
  const std::weak_ptr<Probe> weak = attempt;
  attempt->socket.async_connect(endpoint, [weak, done = std::move(done)](const error_code& error) {
    const auto self = weak.lock();
    if (!self) return;
    self->timer.cancel();
    error_code ignored;
    self->socket.close(ignored);
    if (!error) done();
  });
  attempt->timer.expires_after(probe_time);
  attempt->timer.async_wait([weak](const error_code& error) {
    const auto self = weak.lock();
    error_code ignored;
    if (self && !error) self->socket.close(ignored);
  });
  return attempt;
}

std::shared_ptr<void> find_address_for_others(boost::asio::io_context& context,
                                              const Address& server,
                                              std::function<void(const std::string&)> done) {
  std::string address = address_for_others(server);
  if (address.empty()) return {};
  auto tell = [address = std::move(address), done = std::move(done)] { done(address); };
  if (is_this_machine(server.host)) {
    error_code error;
    const auto host = boost::asio::ip::make_address(own_address(), error);
    return error ? nullptr : probe(context, {host, server.port}, std::move(tell));
  }
  const auto alive = std::make_shared<int>();
  boost::asio::post(context, [weak = std::weak_ptr<int>(alive), tell = std::move(tell)] {
    if (weak.lock()) tell();
  });
  return alive;
}

}  // namespace tictactoe::client
