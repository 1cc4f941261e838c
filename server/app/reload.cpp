#include "server/app/reload.hpp"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <string_view>
#include <utility>

#include "common/program/help.hpp"

namespace tictactoe::app {

namespace {

bool switches_log(const ServerOptions& before, const ServerOptions& now) {
  return (before.log_level == "off") != (now.log_level == "off");
}

/// An option that can change at run time, and what takes over its value.
struct Changeable {
  std::string_view name;
  void (*take)(ServerOptions& to, const ServerOptions& from);
};

// The other options concern what is created once: sockets, threads, memory, the store.
constexpr std::array changeable{
    Changeable{"--ai-delay", [](auto& to, auto& from) { to.ai_delay_ms = from.ai_delay_ms; }},
    Changeable{"--burst",
               [](auto& to, auto& from) {
                 to.config.limits.request_burst = from.config.limits.request_burst;
               }},
    Changeable{"--drain", [](auto& to, auto& from) { to.drain_s = from.drain_s; }},
    Changeable{"--grace", [](auto& to, auto& from) { to.grace_s = from.grace_s; }},
    Changeable{"--keep-names", [](auto& to, auto& from) { to.keep_names_s = from.keep_names_s; }},
    Changeable{"--log",
               [](auto& to, auto& from) {
                 // A log that is off at the start has no thread and stays off.
                 if (!switches_log(to, from)) to.log_level = from.log_level;
               }},
    Changeable{"--max-rooms",
               [](auto& to, auto& from) { to.config.limits.rooms = from.config.limits.rooms; }},
    Changeable{"--max-rooms-per-player",
               [](auto& to, auto& from) {
                 to.config.limits.rooms_per_player = from.config.limits.rooms_per_player;
               }},
    Changeable{"--max-watchers",
               [](auto& to, auto& from) {
                 to.config.limits.watchers_per_room = from.config.limits.watchers_per_room;
               }},
    Changeable{"--name",
               [](auto& to, auto& from) { to.config.server_name = from.config.server_name; }},
    Changeable{"--no-ai-pace",
               [](auto& to, auto& from) { to.config.ai_pace = from.config.ai_pace; }},
    Changeable{"--no-lobby-chat",
               [](auto& to, auto& from) { to.config.lobby_chat = from.config.lobby_chat; }},
    Changeable{"--password-file",
               [](auto& to, auto& from) { to.password_file = from.password_file; }},
    Changeable{"--rate", [](auto& to, auto& from) {
                 to.config.limits.requests_per_second = from.config.limits.requests_per_second;
               }}};

// One per connection of the owner.
constexpr std::size_t max_waiting = 8;

bool is_changeable(const std::string& name) {
  return std::ranges::find(changeable, name, &Changeable::name) != changeable.end();
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) text.append(text.empty() ? "" : between).append(part);
  return text;
}

void mask_hang_ups(int how) {
  sigset_t hang_up;
  sigemptyset(&hang_up);
  sigaddset(&hang_up, SIGHUP);
  ::pthread_sigmask(how, &hang_up, nullptr);
}

}  // namespace

void hold_hang_ups() {
  mask_hang_ups(SIG_BLOCK);
}

void admit_hang_ups() {
  mask_hang_ups(SIG_UNBLOCK);
}

ParsedOptions::ParsedOptions()
    : app("Host games of tic-tac-toe of any size. Players connect with `tictactoe`, which\n"
          "finds servers on the same network by itself.",
          "tictactoe-server") {
  declare(app, options);
}

std::string Reload::Outcome::sentence() const {
  if (!problems.empty()) return "Nothing was changed. " + joined(problems, "; ");
  std::string text = "Reloaded. ";
  text += changed.empty() ? "No option has changed" : "Changed: " + joined(changed, ", ");
  if (!need_a_restart.empty()) {
    text += ". These need a restart: " + joined(need_a_restart, ", ");
  }
  return text + ".";
}

Reload::Reload(boost::asio::io_context& io, const ParsedOptions& first,
               std::vector<std::string> arguments, Read read)
    : hang_up_(io),
      first_(first),
      in_effect_(first.options),
      arguments_(std::move(arguments)),
      read_(std::move(read)),
      worker_(io, {.what = "reloading options", .max_waiting = max_waiting}) {}

void Reload::start() {
  const ServerOptions& options = first_.options;
  const bool has_files = first_.app.get_config_ptr()->count() > 0 || !options.tls_key.empty() ||
                         !options.password_file.empty();
  if (has_files || ::isatty(STDIN_FILENO) == 0) {
    hang_up_.add(SIGHUP);
    await_signal();
  }
  admit_hang_ups();
}

void Reload::stop() {
  boost::system::error_code ignored;  // then SIGHUP still reloads the files
  hang_up_.cancel(ignored);
  worker_.stop();
}

void Reload::await_signal() {
  hang_up_.async_wait([this](const boost::system::error_code& error, int) {
    if (error) return;
    run([this](const Outcome& outcome) {
      const auto level = outcome.problems.empty() ? spdlog::level::info : spdlog::level::err;
      spdlog::log(level, "reload: {}", outcome.sentence());
      await_signal();
    });
  });
}

void Reload::run(Done done) {
  const bool is_taken =
      worker_.give([this] { return read_files(); },
                   [this, done](Found found) { done(put_into_effect(std::move(found))); });
  if (!is_taken && !worker_.is_stopped())
    done({.problems = {"Too many reloads are waiting."}, .changed = {}, .need_a_restart = {}});
}

// On a thread.
Reload::Found Reload::read_files() const {
  Found found;
  found.options = std::make_unique<ParsedOptions>();
  found.problems = program::parse_again(found.options->app, arguments_);
  if (!found.problems.empty()) return found;
  found.in_effect = first_.options;
  for (const Changeable& option : changeable) option.take(found.in_effect, found.options->options);
  auto read = read_(found.in_effect);
  if (auto* problems = std::get_if<std::vector<std::string>>(&read)) {
    found.problems = std::move(*problems);
  } else {
    found.apply = std::get<Apply>(std::move(read));
  }
  return found;
}

Reload::Outcome Reload::put_into_effect(Found found) {
  Outcome outcome;
  outcome.problems = std::move(found.problems);
  if (!outcome.problems.empty()) return outcome;
  in_effect_ = std::move(found.in_effect);
  found.apply();
  spdlog::set_level(spdlog::level::from_str(in_effect_.log_level));
  std::unique_ptr<ParsedOptions> next = std::move(found.options);
  const bool log_stays = switches_log(first_.options, next->options);
  const ParsedOptions& current = latest_ ? *latest_ : first_;
  for (const CLI::Option* option : next->app.get_options()) {
    const std::string name = option->get_name();
    const auto differs = [&](const ParsedOptions& before) {
      return option->results() != before.app.get_option(name)->results();
    };
    if (is_changeable(name) && !(name == "--log" && log_stays)) {
      if (differs(current)) outcome.changed.push_back(name);
    } else if (differs(first_)) {
      outcome.need_a_restart.push_back(name);
    }
  }
  latest_ = std::move(next);
  return outcome;
}

}  // namespace tictactoe::app
