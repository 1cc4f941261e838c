// Options -> checked config -> wiring.
#include <google/protobuf/stubs/logging.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <exception>
#include <iostream>
#include <random>

#include "server/core/parse.hpp"
#include "server/net/server.hpp"

namespace {

using tictactoe::core::Config;
using tictactoe::core::Limits;

struct Options {
  std::vector<std::string> addresses{"::"};
  std::uint16_t port = 7654;
  std::string log_level = "info";
  int grace_s = 120;
  int silence_s = 30;
  int keep_names_s = 86'400;
  int ai_delay_ms = 600;
  int ai_time_ms = 1000;
  std::size_t ai_threads = 1;
  Config config;
};

// As CLI11 wants them: what is wrong, or an empty string.
std::string is_address(const std::string& text) {
  boost::system::error_code error;
  boost::asio::ip::make_address(text, error);
  return error ? "\"" + text + "\" is not an IP address" : std::string();
}

std::string is_name(const std::string& text) {
  const auto parsed = tictactoe::core::parse_name(text, "server", Limits{});
  return parsed ? std::string() : parsed.error().message;
}

void declare(CLI::App& app, Options& options) {
  Config& config = options.config;
  Limits& limits = config.limits;
  app.set_version_flag("--version", "tictactoe-server " TICTACTOE_VERSION);
  app.add_option("--listen", options.addresses, "Address to listen on; may be given several times")
      ->type_name("ADDRESS")
      ->allow_extra_args(false)
      ->check(is_address)
      ->default_str("::, which is every IPv6 and IPv4 address");
  app.add_option("--port", options.port, "TCP port; 0 takes any that is free")
      ->capture_default_str();
  app.add_option("--name", config.server_name, "What players see as the server's name")
      ->check(is_name)
      ->capture_default_str();
  app.add_option("--ai-delay", options.ai_delay_ms, "Milliseconds before an AI plays")
      ->check(CLI::Range(0, 60'000))
      ->capture_default_str();
  app.add_option("--ai-time", options.ai_time_ms,
                 "Milliseconds that an AI may think about a hard position")
      ->check(CLI::Range(1, 600'000))
      ->capture_default_str();
  app.add_option("--ai-threads", options.ai_threads,
                 "Hard positions that are thought about at once")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--max-side", limits.max_side, "Largest number of rows and of columns")
      ->check(CLI::Range(3, 1000))
      ->capture_default_str();
  app.add_option("--max-connections", limits.connections, "Connections at once")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--max-per-address", limits.connections_per_address,
                 "Connections from one IPv4 address or IPv6 /64 network; 0 for no limit")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  app.add_option("--max-pending", limits.pending_connections,
                 "Connections at once that have not said hello")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--max-rooms-per-player", limits.rooms_per_player,
                 "Rooms at once that one player has created")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--max-rooms", limits.rooms, "Rooms at once")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--max-watchers", limits.watchers_per_room, "Watchers in one room")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  app.add_option("--rate", limits.requests_per_second,
                 "Tokens a second that one connection gets to pay for its requests; a move costs 1; "
                 "0 for no limit")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  app.add_option("--burst", limits.request_burst, "Tokens that one connection has at once")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--grace", options.grace_s,
                 "Seconds that the seat of one who is away is held, where its room says nothing else")
      ->check(CLI::Range(0, 2'592'000))
      ->capture_default_str();
  app.add_option("--silence", options.silence_s,
                 "Seconds after which a silent connection is dropped; 0 for never")
      ->check(CLI::Range(0, 86'400))
      ->capture_default_str();
  app.add_option("--keep-names", options.keep_names_s,
                 "Seconds that the name of one who is away without a seat is kept")
      ->check(CLI::Range(0, 31'536'000))
      ->capture_default_str();
  app.add_option("--log", options.log_level, "What to log to standard error")
      ->check(CLI::IsMember({"debug", "info", "warn", "error", "off"}))
      ->capture_default_str();
}

std::string text(const boost::asio::ip::tcp::endpoint& endpoint) {
  const std::string address = endpoint.address().to_string();
  const std::string host = endpoint.address().is_v6() ? "[" + address + "]" : address;
  return host + ":" + std::to_string(endpoint.port());
}

// Every connection takes a file descriptor, and most systems start a program with 1,024.
void make_room_for(std::size_t connections) {
  constexpr rlim_t others = 64;  // listeners, standard streams, what libraries open
  const rlim_t wanted = connections + others;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < wanted) {
    spdlog::warn("this system allows only {} open files, too few for {} connections",
                 limit.rlim_cur, connections);
  }
}

int serve(Options options) {
  make_room_for(options.config.limits.connections);
  boost::asio::io_context io(1);
  options.config.ai_delay = std::chrono::milliseconds(options.ai_delay_ms);
  options.config.limits.default_grace = std::chrono::seconds(options.grace_s);
  options.config.limits.silence_timeout = std::chrono::seconds(options.silence_s);
  options.config.limits.name_hold = std::chrono::seconds(options.keep_names_s);
  options.config.software = "tictactoe-server " TICTACTOE_VERSION;
  tictactoe::net::Server server(
      io, options.config, std::random_device{}(),
      {options.ai_threads, std::chrono::milliseconds(options.ai_time_ms)});

  for (const std::string& address : options.addresses) {
    const auto bound = server.listen(address, options.port);
    if (!bound) {
      std::cerr << "tictactoe-server: " << bound.error()
                << " Choose another with --port or --listen.\n";
      return 1;
    }
    std::cout << "tictactoe-server " TICTACTOE_VERSION " listening on " << text(*bound) << '\n'
              << std::flush;
  }

  boost::asio::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&](const boost::system::error_code& error, int) {
    if (error) return;
    spdlog::info("stopping");
    server.stop();
    // A second signal ends the process at once.
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
  });
  io.run();
  return 0;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Hosts games of tic-tac-toe of any size. Players connect with `tictactoe`.",
               "tictactoe-server");
  declare(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
    std::cerr << "tictactoe-server: " << error.what() << "\nRun with --help for the options.\n";
    return 2;
  }
  // Who reads our output may go away: that is no reason to end the games.
  std::signal(SIGPIPE, SIG_IGN);
  spdlog::set_default_logger(spdlog::stderr_color_mt("tictactoe-server"));
  spdlog::set_level(spdlog::level::from_str(options.log_level));
  // What a peer sends must not fill our standard error.
  google::protobuf::SetLogHandler([](google::protobuf::LogLevel, const char*, int,
                                     const std::string& message) { spdlog::debug(message); });
  return serve(std::move(options));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "tictactoe-server: " << error.what() << "\n";
    return 1;
  }
}
