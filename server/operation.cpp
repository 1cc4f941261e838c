#include "server/operation.hpp"

#include <spdlog/spdlog.h>

#include <iostream>

#include "server/logging.hpp"
#include "tictactoe/v1/discovery.pb.h"

namespace tictactoe {

namespace {

void warn_of_long_turn(const char* event, std::chrono::microseconds took) {
  spdlog::warn("a turn of the event loop ({}) took {} us", event, took.count());
}

bool warns_of_long_turns() {
  return spdlog::should_log(spdlog::level::debug);
}

}  // namespace

Operation::Operation(boost::asio::io_context& io, net::Server& server,
                     const hosting::Journaling* journaling, const ServerOptions& options)
    : io_(io),
      server_(server),
      journaling_(journaling),
      options_(options),
      turns_(net::TurnWatch::usual_limit,
             warns_of_long_turns() ? warn_of_long_turn : net::TurnWatch::Report()),
      watchdog_(
          io, admin::watchdog_timeout(), [this] { return has_advanced(); }, admin::feed_watchdog) {
  if (!options.metrics.empty()) {
    metrics_.emplace(io, admin::MetricsServer::Sources{[this] { return to_prometheus(figures()); },
                                                       [this] { return not_ready(); }});
  }
  if (metrics_ || warns_of_long_turns()) server.observe_with(turns_);
  server.when_stopped([this] {
    watchdog_.stop();
    if (metrics_) metrics_->stop();
  });
}

bool Operation::start() {
  if (!metrics_) return true;
  const auto bound = metrics_->listen(*admin::parse_endpoint(options_.metrics));
  if (!bound) {
    complain(bound.error() + " Choose another place with --metrics.");
    return false;
  }
  std::cout << "metrics at http://" << *bound << "/metrics\n" << std::flush;
  return true;
}

void Operation::tell_ready(const std::string& status) {
  watchdog_.start();
  admin::tell_ready(status);
}

void Operation::tell_stopping() {
  stopping_ = true;
  admin::tell_stopping();
}

void Operation::run() {
  if (metrics_ || warns_of_long_turns()) {
    turns_.run(io_);
  } else {
    io_.run();
  }
}

bool Operation::has_advanced() {
  if (journaling_ == nullptr) return true;
  const store::JournalFigures figures = journaling_->figures();
  return pulse_.has_advanced(figures.waiting, figures.tries);
}

admin::Figures Operation::figures() const {
  admin::Figures figures;
  const core::Host& host = server_.host();
  v1::ServerInfo info;
  host.describe_to(info, 0);
  figures.version = TICTACTOE_VERSION;
  figures.uptime =
      std::chrono::floor<std::chrono::seconds>(std::chrono::steady_clock::now() - began_);
  figures.connections = host.connections();
  figures.players = info.players();
  figures.known_players = host.players();
  figures.rooms = host.rooms();
  figures.rooms_with_open_seat = info.open_rooms();
  figures.turns = turns_.turns();
  figures.ai_thoughts = server_.ai().queued();
  figures.ai_bytes = server_.ai().bytes();
  if (journaling_ != nullptr) {
    const store::JournalFigures journal = journaling_->figures();
    figures.journal = {journal.waiting, journal.waiting_bytes, journal.failures, journal.commits};
  }
  return figures;
}

std::string Operation::not_ready() const {
  if (stopping_) return "The server is ending.";
  if (journaling_ == nullptr) return {};
  switch (journaling_->health()) {
    case store::Health::good:
      return {};
    case store::Health::low_space:
      return "The disk is nearly full: no new games begin.";
    case store::Health::stalled:
      return "The journal can't be written: games are paused.";
    case store::Health::fenced:
      return "Another server has taken over the journal.";
  }
  return {};
}

}  // namespace tictactoe
