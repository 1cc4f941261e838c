#include "client/net/others_address.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <utility>
#include <vector>

#include "client/net/outside_links.hpp"
#include "common/network/lan_addresses.hpp"

namespace tictactoe::client {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

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

// The probes of all addresses of this machine.
struct Search {
  std::vector<std::string> addresses;
  std::vector<std::shared_ptr<void>> probes;  // one for each of them
  std::vector<bool> answers;                  // in the same order
  std::size_t pending = 0;
  std::function<void(const std::vector<std::string>&)> done;

  void answer(std::size_t index, bool listens) {
    answers[index] = listens;
    if (--pending > 0) return;
    std::vector<std::string> found;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      if (answers[i]) found.push_back(addresses[i]);
    }
    const auto tell = std::move(done);  // it may delete the search
    tell(found);
  }
};

std::string with_port(std::string host, std::uint16_t port) {
  if (port == default_port) return host;
  if (host.find(':') != std::string::npos) host = "[" + host + "]";
  return host + ":" + std::to_string(port);
}

}  // namespace

std::vector<std::string> addresses_for_others(const Address& server) {
  if (!is_this_machine(server.host)) return {with_port(server.host, server.port)};
  std::vector<std::string> addresses = network::lan_addresses();
  for (std::string& address : addresses) address = with_port(std::move(address), server.port);
  return addresses;
}

std::shared_ptr<void> probe(boost::asio::io_context& context, const tcp::endpoint& endpoint,
                            std::function<void(bool)> done) {
  const auto attempt = std::make_shared<Probe>(context);
  const std::weak_ptr<Probe> weak = attempt;
  attempt->socket.async_connect(endpoint, [weak, done = std::move(done)](const error_code& error) {
    const auto self = weak.lock();
    if (!self) return;
    self->timer.cancel();
    error_code ignored;
    self->socket.close(ignored);
    done(!error);
  });
  attempt->timer.expires_after(probe_time);
  attempt->timer.async_wait([weak](const error_code& error) {
    const auto self = weak.lock();
    error_code ignored;
    if (self && !error) self->socket.close(ignored);
  });
  return attempt;
}

std::shared_ptr<void> find_addresses_for_others(
    boost::asio::io_context& context, const Address& server,
    std::function<void(const std::vector<std::string>&)> done) {
  const auto search = std::make_shared<Search>();
  search->addresses = addresses_for_others(server);
  search->done = std::move(done);
  if (!is_this_machine(server.host) || search->addresses.empty()) {
    boost::asio::post(context, [weak = std::weak_ptr<Search>(search)] {
      if (const auto self = weak.lock()) self->done(self->addresses);
    });
    return search;
  }
  search->pending = search->addresses.size();
  search->answers.resize(search->pending);
  for (std::size_t i = 0; i < search->addresses.size(); ++i) {
    const Address at = parse_address(search->addresses[i]).address;
    search->probes.push_back(
        probe(context, {boost::asio::ip::make_address(at.host), at.port},
              [self = search.get(), i](bool listens) { self->answer(i, listens); }));
  }
  return search;
}

std::shared_ptr<void> find_invitation(boost::asio::io_context& context, const Address& server,
                                      const Protection& protection,
                                      const std::optional<tls::Fingerprint>& key,
                                      std::function<void(const Invitation&)> done) {
  // Results are empty until they arrive.
  struct Both {
    std::optional<std::vector<std::string>> addresses;
    std::optional<std::vector<std::string>> outside;
    std::shared_ptr<void> address_search;
    std::shared_ptr<void> outside_search;
  };
  const auto both = std::make_shared<Both>();
  // Not kept alive by its own searches.
  const auto finish = [self = both.get(), key, done = std::move(done)] {
    if (self->addresses && self->outside) {
      const Invitation invitation = invitation_to(*self->addresses, key, *self->outside);
      const auto tell = done;  // it may delete the search
      tell(invitation);
    }
  };
  both->address_search =
      find_addresses_for_others(context, server, [self = both.get(), finish](const auto& found) {
        self->addresses = found;
        finish();
      });
  both->outside_search = find_outside_links(context, server, protection,
                                            [self = both.get(), finish](const auto& found) {
                                              self->outside = found;
                                              finish();
                                            });
  return both;
}

}  // namespace tictactoe::client
