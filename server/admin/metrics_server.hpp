// Metrics and health over HTTP, on their own listener.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/result.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "server/base/token_bucket.hpp"
#include "server/transport/tcp/listener.hpp"

namespace tictactoe::admin {

/// Parses "192.0.2.1:9464", "[::1]:9464", "localhost:9464" (127.0.0.1) or ":9464" (every address);
/// nothing if it is none of these.
std::optional<boost::asio::ip::tcp::endpoint> parse_endpoint(std::string_view text);

/// Answers one GET or HEAD on each connection:
///   /metrics  see to_prometheus()
///   /healthz  200: the event loop runs
///   /readyz   200 if players can connect and play; otherwise 503 with the reason
/// Limits: 16 connections at once (further ones are closed), 8 KiB for a request, 5 s for the whole
/// exchange, and 10 scrapes a second in bursts of 20, then 429. One thread. Must outlive the
/// handlers of the io_context, or be destroyed after it has stopped running.
class MetricsServer {
 public:
  struct Sources {
    std::function<std::string()> metrics;
    /// Why the server is not ready, as a sentence; empty if it is.
    std::function<std::string()> not_ready;
  };

  MetricsServer(boost::asio::io_context& io, Sources sources);

  /// See transport::Listener::listen.
  transport::Listening listen(const boost::asio::ip::tcp::endpoint& endpoint);
  /// Stops listening and closes all connections.
  void stop();

 private:
  struct Exchange;

  void accept(transport::TcpSocket socket);
  void answer(const std::shared_ptr<Exchange>& exchange);
  void fill_in(Exchange& exchange);

  Sources sources_;
  transport::Listener listener_;
  server::TokenBucket scrapes_;
  std::shared_ptr<std::set<Exchange*>> open_;  // exchanges may outlive this
};

}  // namespace tictactoe::admin
