#include "server/transport/reach/internet_access.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/udp.hpp>
#include <utility>

namespace tictactoe::transport {

namespace {

using boost::asio::ip::tcp;
using boost::asio::ip::udp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds uplink_period{10};
constexpr std::chrono::seconds upnp_period{25};
// Datagrams read in one slice of the loop.
constexpr int max_answers_in_one_go = 16;

}  // namespace

// One router, with the socket to it. A handler may be called after it was replaced.
class InternetAccess::Router : public std::enable_shared_from_this<Router> {
 public:
  Router(boost::asio::io_context& io, const Uplink& uplink, const Settings& settings,
         std::function<void()> changed)
      : uplink_(uplink),
        changed_(std::move(changed)),
        socket_(io),
        timer_(io),
        mapping_({{uplink.gateway, port_control_port},
                  uplink.client,
                  settings.port,
                  settings.external_port,
                  settings.nonce},
                 Clock::now()) {
    error_code error;
    // From this address, which the request names: otherwise it is from the address of the link.
    socket_.open(uplink.client.is_v6() ? udp::v6() : udp::v4(), error);
    if (!error) socket_.bind({uplink.client, 0}, error);
    // So that the system takes datagrams from the gateway only.
    if (!error) socket_.connect({uplink.gateway, port_control_port}, error);
    if (!error) socket_.non_blocking(true, error);
    if (error) {
      spdlog::debug("can't ask the router {}: {}", uplink.gateway.to_string(), error.message());
      socket_.close(error);
    }
  }

  const Uplink& uplink() const { return uplink_; }
  const PortMapping& mapping() const { return mapping_; }
  /// Call it after the constructor.
  void begin() {
    receive();
    go_on();
  }
  void remove() {
    mapping_.remove(Clock::now());
    go_on();
  }

 private:
  void go_on() {
    for (std::string next = mapping_.next_datagram(); !next.empty();
         next = mapping_.next_datagram()) {
      error_code ignored;  // like a lost datagram, which is repeated
      if (socket_.is_open()) socket_.send(boost::asio::buffer(next), 0, ignored);
    }
    if (mapping_.has_ended()) {
      timer_.cancel();
      error_code ignored;
      socket_.close(ignored);
    } else {
      timer_.expires_at(mapping_.deadline());
      timer_.async_wait([weak = weak_from_this()](const error_code& cancelled) {
        const auto self = weak.lock();
        if (cancelled || !self) return;
        self->mapping_.handle_timeout(Clock::now());
        self->go_on();
      });
    }
    changed_();
  }

  void receive() {
    if (!socket_.is_open()) return;
    socket_.async_wait(udp::socket::wait_read, [weak = weak_from_this()](const error_code& error) {
      const auto self = weak.lock();
      if (error || !self) return;
      for (int i = 0; i < max_answers_in_one_go && self->receive_one(); ++i) {
      }
      self->receive();
    });
  }

  // False if there is nothing to read.
  bool receive_one() {
    std::array<char, max_port_control_bytes + 1> space;  // one more, so that longer ones show
    udp::endpoint source;
    error_code error;
    if (!socket_.is_open()) return false;
    const std::size_t size = socket_.receive_from(boost::asio::buffer(space), source, 0, error);
    if (error == boost::asio::error::connection_refused) return true;  // the router said so
    if (error) return false;
    mapping_.handle_datagram({space.data(), size}, source, Clock::now());
    go_on();
    return true;
  }

  Uplink uplink_;
  std::function<void()> changed_;
  udp::socket socket_;
  boost::asio::steady_timer timer_;
  PortMapping mapping_;
};

InternetAccess::InternetAccess(boost::asio::io_context& io, Settings settings, Changed changed)
    : io_(io),
      settings_(std::move(settings)),
      changed_(std::move(changed)),
      uplink_timer_(io),
      upnp_timer_(io),
      patience_timer_(io) {}

InternetAccess::~InternetAccess() = default;

void InternetAccess::start() {
  patience_timer_.expires_after(patience);
  patience_timer_.async_wait([this](const error_code& cancelled) {
    if (cancelled) return;
    patience_is_over_ = true;
    tell();
  });
  look_at_uplinks();
}

void InternetAccess::look_at_uplinks() {
  if (settings_.over_ipv4) follow(v4_, uplink_v4());
  if (settings_.over_ipv6) follow(v6_, uplink_v6());
  tell();
  uplink_timer_.expires_after(uplink_period);
  uplink_timer_.async_wait([this](const error_code& cancelled) {
    if (!cancelled) look_at_uplinks();
  });
}

void InternetAccess::follow(std::shared_ptr<Router>& router, const std::optional<Uplink>& uplink) {
  if (router ? uplink == router->uplink() : !uplink) return;
  // Of a network that this machine has left, the router forgets the port by itself.
  router.reset();
  if (!uplink) return;
  if (uplink->client.is_v4()) {
    upnp_timer_.cancel();
    upnp_ = Upnp{.mapping = {}, .until = {}, .service = {}, .step = {}, .is_busy = upnp_.is_busy};
  }
  router = std::make_shared<Router>(io_, *uplink, settings_, [this] { router_changed(); });
  router->begin();
}

void InternetAccess::router_changed() {
  if (is_ending_) return;
  const bool needs_upnp = v4_ && !v4_->mapping().mapping() && v4_->mapping().is_slow();
  if (needs_upnp && !upnp_.is_busy && !upnp_.has_concluded) ask_upnp();
  tell();
}

void InternetAccess::ask_upnp() {
  if (!settings_.upnp || !v4_ || is_ending_) {
    upnp_.has_concluded = true;
    return;
  }
  upnp_.is_busy = true;
  const UpnpRequest request{v4_->uplink().gateway.to_v4(),
                            v4_->uplink().client.to_v4(),
                            settings_.port,
                            upnp_.mapping ? upnp_.mapping->external_port : settings_.external_port,
                            PortMapping::max_lifetime,
                            upnp_.service};
  settings_.upnp(request,
                 [this, asked = v4_->uplink(), began = Clock::now()](const UpnpAnswer& answer) {
                   upnp_.is_busy = false;
                   // Meanwhile the machine may have come to another network.
                   if (is_ending_) return;
                   if (!v4_ || v4_->uplink() != asked) return router_changed();
                   upnp_answered(answer, began);
                 });
}

void InternetAccess::upnp_answered(const UpnpAnswer& answer, Clock::time_point began) {
  const auto took = std::chrono::floor<std::chrono::milliseconds>(Clock::now() - began);
  Step step{"UPnP to " + v4_->uplink().gateway.to_string(), {}, answer.has_value(), false, took};
  if (answer) {
    upnp_.mapping = *answer;
    upnp_.service = answer->service;
    upnp_.until = Clock::now() + answer->lifetime;
    step.answer = answer->external.to_string() + ":" + std::to_string(answer->external_port);
  } else {
    step.answer = answer.error();
    step.has_no_address = step.answer == no_public_address;
    // The router may have restarted, with its service at another place.
    const bool was_known = !std::exchange(upnp_.service, {}).url.empty();
    if (Clock::now() >= upnp_.until) upnp_.mapping.reset();
    if (was_known) return ask_upnp();
  }
  upnp_.step = std::move(step);
  upnp_.has_concluded = true;
  tell();
  // This renews the mapping, and makes it again if the router has restarted. If PCP works now, it
  // ends by itself.
  upnp_timer_.expires_after(upnp_period);
  upnp_timer_.async_wait([this](const error_code& cancelled) {
    if (cancelled || !v4_) return;
    if (!v4_->mapping().mapping()) return ask_upnp();
    upnp_.has_concluded = false;  // so that it is asked again if the other protocols fail
  });
}

bool InternetAccess::remove() {
  if (std::exchange(is_ending_, true)) return false;
  uplink_timer_.cancel();
  upnp_timer_.cancel();
  patience_timer_.cancel();
  if (v4_) v4_->remove();
  if (v6_) v6_->remove();
  return close_upnp();
}

bool InternetAccess::close_upnp() {
  if (!upnp_.mapping || !v4_) return false;
  const auto& uplink = v4_->uplink();
  const UpnpRequest request{uplink.gateway.to_v4(),       uplink.client.to_v4(),   settings_.port,
                            upnp_.mapping->external_port, std::chrono::seconds(0), upnp_.service};
  upnp_.mapping.reset();
  settings_.upnp(request, [](const UpnpAnswer&) {});
  return true;
}

bool InternetAccess::is_settled() const {
  if (patience_is_over_) return true;
  if (v6_ && v6_->mapping().is_asking()) return false;
  if (!v4_) return true;
  if (v4_->mapping().is_asking()) return upnp_.mapping.has_value();
  return v4_->mapping().mapping() || upnp_.has_concluded || !settings_.upnp;
}

Reachability InternetAccess::state() const {
  Reachability reach;
  reach.is_settled = is_settled();
  reach.port = settings_.port;
  for (const Router* router : {v4_.get(), v6_.get()}) {
    if (router == nullptr) continue;
    const PortMapping& mapping = router->mapping();
    if (router == v4_.get()) {
      reach.gateway = router->uplink().gateway;
      reach.client = router->uplink().client;
    } else {
      reach.own_ipv6 = router->uplink().client;
    }
    std::ranges::copy(mapping.steps(), std::back_inserter(reach.steps));
    if (const auto& open = mapping.mapping()) {
      reach.openings.push_back(
          {mapping.protocol_name(), {open->external, open->external_port}, open->until});
    } else if (router == v4_.get() && upnp_.mapping && Clock::now() < upnp_.until) {
      reach.openings.push_back(
          {"UPnP", {upnp_.mapping->external, upnp_.mapping->external_port}, upnp_.until});
    }
    if (router == v4_.get() && upnp_.step) reach.steps.push_back(*upnp_.step);
  }
  return reach;
}

void InternetAccess::tell() {
  if (is_ending_) return;
  Reachability reach = state();
  if (told_ && told_->is_settled == reach.is_settled && told_->openings == reach.openings &&
      what_is_wrong(*told_) == what_is_wrong(reach)) {
    return;
  }
  told_ = reach;
  changed_(reach);
}

}  // namespace tictactoe::transport
