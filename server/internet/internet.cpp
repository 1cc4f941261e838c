#include "server/internet/internet.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <span>
#include <utility>

#include "server/base/event_log.hpp"
#include "server/transport/system_token.hpp"

namespace tictactoe::app {

namespace {

namespace ip = boost::asio::ip;
using transport::InternetAccess;
using transport::Reachability;

std::string text(const ip::tcp::endpoint& endpoint) {
  const std::string address = endpoint.address().to_string();
  const std::string host = endpoint.address().is_v6() ? "[" + address + "]" : address;
  return host + ":" + std::to_string(endpoint.port());
}

// Whether guests of that family can reach a socket that isn't on one address only.
bool listens_over(const std::vector<ip::tcp::endpoint>& listening, bool v4) {
  return std::ranges::any_of(listening, [&](const ip::tcp::endpoint& endpoint) {
    const ip::address address = endpoint.address();
    if (address.is_loopback()) return false;
    return address.is_v4() == v4 || (address.is_unspecified() && address.is_v6());
  });
}

std::uint32_t seconds_left(std::chrono::steady_clock::time_point until) {
  const auto left = until - std::chrono::steady_clock::now();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(left).count();
  return static_cast<std::uint32_t>(std::max<std::int64_t>(seconds, 0));
}

using Openings = std::vector<Reachability::Opening>;

// An event for each opening of `openings` that is not among `others`.
void log(bool is_open, const Openings& openings, const Openings& others) {
  for (const Reachability::Opening& opening : openings) {
    if (std::ranges::count(others, opening) > 0) continue;
    server::LogEvent event{is_open ? "internet open" : "internet closed", {}};
    event.add("address", text(opening.outside)).add("by", opening.by);
    if (is_open) event.add("seconds", std::uint64_t{seconds_left(opening.until)});
    spdlog::info("{}", server::to_payload(event));
  }
}

}  // namespace

Internet::Internet(boost::asio::io_context& io, Settings wanted, Found found)
    : settings_(std::move(wanted)),
      found_(std::move(found)),
      port_(settings_.listening.empty() ? std::uint16_t{0} : settings_.listening.front().port()) {
  if (!settings_.is_wanted) return;
  InternetAccess::Settings settings;
  settings.port = settings.external_port = port_;
  settings.over_ipv4 = listens_over(settings_.listening, true);
  settings.over_ipv6 = listens_over(settings_.listening, false);
  if (!settings.over_ipv4 && !settings.over_ipv6) return;
  transport::fill_randomly(std::as_writable_bytes(std::span(settings.nonce)));
  if (const auto program = upnp_program()) {
    upnp_.emplace(io, *program);
    settings.upnp = [this](const auto& request, auto done) {
      upnp_->call(request, std::move(done));
    };
  }
  access_.emplace(io, std::move(settings), [this](const auto& reach) { changed(reach); });
}

void Internet::start() {
  if (settings_.is_wanted && !access_) {
    std::cout << "--internet opens nothing, because the server listens only on this machine. "
                 "Omit --listen, or name an address of its network.\n"
              << std::flush;
  }
  if (!access_) return;
  std::cout << "Opening TCP port " << port_
            << " to the internet until the server stops. Connections are encrypted; "
            << (!settings_.has_password
                    ? "no password is needed, so anyone who finds the port can play "
                      "(--password-file sets one)."
                    : "players need the server's password.")
            << '\n'
            << std::flush;
  access_->start();
}

void Internet::remove() {
  if (access_ && !access_->remove() && upnp_) upnp_->stop();
}

// --public-address is where guests reach the router.
std::vector<std::string> Internet::places(const Reachability& reach) const {
  const auto found = reachable_at(reach);
  // An IPv6 firewall answers first, but most guests need IPv4.
  if (!reach.is_settled && !found.empty() && found.front().address().is_v6()) return {};
  std::vector<std::string> places;
  for (const ip::tcp::endpoint& endpoint : found) {
    const std::string named = places.empty() ? settings_.public_place(endpoint.port()) : "";
    places.push_back(named.empty() ? text(endpoint) : named);
  }
  return places;
}

void Internet::changed(const Reachability& reach) {
  std::string problem = reach.is_settled ? what_is_wrong(reach) : "";
  const bool is_news = problem != std::exchange(problem_, problem);
  const Openings before = std::exchange(openings_, reach.openings);
  log(false, before, openings_);
  log(true, openings_, before);
  std::vector<std::string> now = places(reach);
  if (now != std::exchange(places_, now)) found_(places_);
  if (!is_news || problem.empty()) return;
  spdlog::warn("guests on the internet can't reach this server: {}", problem);
  std::cout << "Guests on other networks can't reach this server. " << problem
            << "\nWhat you can do:\n";
  for (const std::string& line : what_helps(reach)) std::cout << "  " << line << '\n';
  std::cout << std::flush;
}

void Internet::describe(admin::v1::Reach& described) const {
  if (!access_) return;
  const Reachability reach = access_->state();
  described.set_asked(true);
  for (const Reachability::Opening& opening : reach.openings) {
    auto& one = *described.add_openings();
    one.set_by(opening.by);
    one.set_address(text(opening.outside));
    one.set_seconds_left(seconds_left(opening.until));
    one.set_is_public(transport::is_public(opening.outside.address()));
  }
  for (const transport::Step& step : reach.steps) {
    auto& one = *described.add_steps();
    one.set_what(step.what);
    one.set_answer(step.answer);
    one.set_worked(step.worked);
    one.set_took_ms(static_cast<std::uint32_t>(step.took.count()));
  }
  if (problem_.empty()) return;
  described.set_problem(problem_);
  for (std::string& line : what_helps(reach)) described.add_help(std::move(line));
}

}  // namespace tictactoe::app
