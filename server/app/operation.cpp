#include "server/app/operation.hpp"

#include <spdlog/spdlog.h>

#include <array>
#include <boost/asio/post.hpp>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <utility>

#include "common/program/help.hpp"
#include "server/logging/logging.hpp"
#include "tictactoe/v1/discovery.pb.h"

namespace tictactoe::app {

namespace {

void warn_of_long_slice(const char* event, std::chrono::microseconds took) {
  spdlog::warn("a turn of the event loop ({}) took {} us", event, took.count());
}

// Labels the counts of a protocol enumeration, as "not_your_turn". Its value 0 means nothing.
template <class Values, class Enum>
admin::ByLabel by_label(const Values& values, const std::string& (*name)(Enum),
                        std::string_view prefix) {
  admin::ByLabel all;
  for (std::size_t i = 1; i < values.size(); ++i) {
    std::string label = server::label_of(name(static_cast<Enum>(i)), prefix);
    if (label.empty()) continue;
    all.emplace_back(std::move(label), values[i]);
  }
  return all;
}

bool warns_of_long_slices() {
  return spdlog::should_log(spdlog::level::debug);
}

// As in "8:120 10:17": the bounds in microseconds and the counts below them, without empty ones.
std::string summary(const figures::FineDurations& durations) {
  std::string text;
  for (std::size_t i = 0; i < durations.counts().size(); ++i) {
    if (durations.counts()[i] == 0) continue;
    const auto& bounds = figures::FineDurations::bounds;
    const std::string bound = i < bounds.size() ? std::to_string(bounds.at(i).count()) : "more";
    text += (text.empty() ? "" : " ") + bound + ":" + std::to_string(durations.counts()[i]);
  }
  return text;
}

}  // namespace

Operation::Operation(boost::asio::io_context& io, transport::Server& server,
                     const Journaling* journaling, const ServerOptions& options)
    : io_(io),
      server_(server),
      journaling_(journaling),
      options_(options),
      slices_(transport::SliceWatch::usual_limit,
              warns_of_long_slices() ? warn_of_long_slice : transport::SliceWatch::Report()),
      watchdog_(
          io, admin::watchdog_timeout(), [this] { return advance(); }, admin::feed_watchdog),
      control_(io, [this](const auto& request, const auto& respond) {
        answer_owner(request, respond);
      }) {
  if (!options.metrics.empty()) {
    metrics_.emplace(io, admin::MetricsServer::Sources{[this] {
                                                         slices_.leave_out();
                                                         return to_prometheus(figures());
                                                       },
                                                       [this] { return not_ready(); }});
  }
  if (metrics_ || warns_of_long_slices()) server.shell().observe_with(slices_);
  server.when_stopped([this] {
    watchdog_.stop();
    if (metrics_) metrics_->stop();
    control_.stop();
    if (when_stopped_) when_stopped_();
  });
}

std::optional<int> Operation::start() {
  if (!metrics_) return std::nullopt;
  const auto bound = metrics_->listen(*admin::parse_endpoint(options_.metrics));
  if (!bound) {
    complain(bound.error().sentence + " Choose another address with --metrics.");
    return bound.error().may_pass ? 1 : program::bad_options;
  }
  std::cout << "metrics at http://" << *bound << "/metrics\n" << std::flush;
  return std::nullopt;
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
  if (metrics_ || warns_of_long_slices()) {
    slices_.run(io_);
  } else {
    io_.run();
  }
  // The metrics end before the connections do.
  spdlog::debug("CPU time of handlers, us: {}", summary(slices_.handlers()));
  spdlog::debug("turns by wall-clock time, us: {}", summary(slices_.fine_slices()));
}

void Operation::take_commands(Commands commands) {
  commands_ = std::move(commands);
  const auto folder = options_.data_folder();
  if (options_.no_journal || !folder || !std::filesystem::is_directory(*folder)) return;
  const auto fault = control_.listen(admin::control_path(*folder));
  if (fault) spdlog::warn("tictactoe-server ctl can't reach this server: {}", *fault);
}

// Only commands are logged.
void Operation::log_command(const admin::v1::Request& request, const std::string& answer) {
  server::LogEvent event{"command", {}};
  event.add("command", request.GetDescriptor()->FindFieldByNumber(request.command_case())->name());
  if (request.has_say()) event.add("text", request.say().text());
  spdlog::info("{}", server::to_payload(event.add("answer", answer)));
}

void Operation::answer_owner(const admin::v1::Request& request,
                             const admin::ControlSocket::Respond& respond) {
  if (request.has_reload()) {
    return commands_.reload([request, respond](const Reload::Outcome& outcome) {
      admin::v1::Response response;
      const std::string sentence = outcome.sentence();
      if (outcome.problems.empty()) {
        response.mutable_done()->set_sentence(sentence);
        log_command(request, sentence);
      } else {
        response.mutable_failure()->set_sentence(sentence);
      }
      respond(response);
    });
  }
  admin::v1::Response response;
  if (request.has_reach()) {
    commands_.describe_reach(*response.mutable_reach());
  } else if (request.has_drain()) {
    drain(request.drain(), response);
  } else {
    server_.shell().owner_asks(request, response);
  }
  if (response.has_status()) {
    response.mutable_status()->set_uptime_s(static_cast<std::uint64_t>(uptime().count()));
    admin::v1::Reach reach;
    commands_.describe_reach(reach);
    if (reach.asked() || !reach.links().empty())
      *response.mutable_status()->mutable_reach() = reach;
  }
  if (response.has_done()) log_command(request, response.done().sentence());
  respond(response);
}

void Operation::drain(const admin::v1::Drain& request, admin::v1::Response& response) {
  constexpr std::chrono::hours max_drain{24};
  const auto within =
      request.has_within_s() ? std::chrono::seconds(request.within_s()) : commands_.usual_time();
  if (stopping_ || within > max_drain) {
    response.mutable_failure()->set_sentence(stopping_ ? "The server is already stopping."
                                                       : "The time is limited to one day.");
    return;
  }
  response.mutable_done()->set_sentence("The server is stopping. Running games have " +
                                        std::to_string(within.count()) + " s.");
  // Afterwards, so that the answer is sent before the sockets are closed.
  boost::asio::post(io_, [this, within] { commands_.end(within); });
}

bool Operation::advance() {
  if (journaling_ == nullptr) return true;
  const records::JournalFigures figures = journaling_->figures();
  return pulse_.advance(figures.waiting, figures.tries);
}

admin::Figures Operation::figures() const {
  admin::Figures figures;
  const server::Host& host = server_.host();
  v1::ServerInfo info;
  host.describe_to(info, 0);
  figures.version = TICTACTOE_VERSION;
  figures.uptime = uptime();
  const transport::ShellFigures shell = server_.shell().figures();
  const server::Population population = host.population();
  const server::Counts& counts = host.counts();
  constexpr std::array<const char*, transport::Connection::kinds> kinds{"tcp", "tls", "http",
                                                                        "https"};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    figures.connections.emplace_back(kinds.at(i), shell.connections.at(i));
  }
  figures.lingering = shell.lingering;
  figures.accepted = counts.connections;
  figures.expelled = by_label(counts.expulsions, &v1::Error::Code_Name<v1::Error::Code>, "CODE_");
  figures.refused = by_label(counts.refusals, &v1::Error::Code_Name<v1::Error::Code>, "CODE_");
  figures.ended = {{"by_peer", shell.ends.by_peer},
                   {"broken", shell.ends.broken},
                   {"refused", shell.ends.refused},
                   {"too_slow", shell.ends.too_slow},
                   {"most_unread", shell.ends.most_unread}};
  figures.is_ready = not_ready().empty();
  figures.unread_bytes = shell.waiting_bytes;
  figures.players = population.players;
  figures.known_players = population.known_players;
  figures.rooms = by_label(population.rooms, &v1::Phase_Name<v1::Phase>, "PHASE_");
  figures.moves = counts.moves;
  figures.games = by_label(counts.games, &v1::Outcome::Reason_Name<v1::Outcome::Reason>, "REASON_");
  figures.rooms_with_open_seat = info.open_rooms();
  figures.slices = slices_.slices();
  if (warns_of_long_slices()) figures.fine_slices = {slices_.fine_slices(), slices_.handlers()};
  figures.ai_thoughts = server_.ai().queued();
  figures.ai_bytes = server_.ai().bytes();
  if (journaling_ != nullptr) {
    const records::JournalFigures journal = journaling_->figures();
    figures.journal = {journal.waiting, journal.waiting_bytes, journal.failures, journal.commits};
  }
  return figures;
}

std::string Operation::not_ready() const {
  if (stopping_) return "The server is stopping.";
  if (journaling_ == nullptr) return {};
  switch (journaling_->health()) {
    case records::Health::good:
      return {};
    case records::Health::low_space:
      return "The disk is nearly full: no new games can start.";
    case records::Health::stalled:
      return "The journal can't be written: games are paused.";
    case records::Health::fenced:
      return "Another server has taken over the journal.";
    case records::Health::failed:
      return "The disk has failed: the server is stopping.";
  }
  return {};
}

}  // namespace tictactoe::app
