// Resolves host names, in a way that can be cancelled at once.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tictactoe::client {

struct LookupResult {
  std::vector<boost::asio::ip::tcp::endpoint> endpoints;
  std::string fault;  ///< why there are none, in a few words
};

/// Resolves one name in a thread of its own, because getaddrinfo can't be interrupted: an abandoned
/// lookup continues there without delaying the next one or the end of the program. An io_context
/// keeps running while one of its lookups is under way.
class Lookup {
 public:
  /// May take any time. Called in another thread.
  using Resolve = std::function<LookupResult(const std::string& host, std::uint16_t port)>;
  using OnResult = std::function<void(LookupResult)>;

  /// Maximum number of concurrent lookups, including abandoned ones. Another one fails at once.
  static constexpr std::size_t max_running = 16;

  /// `context` must outlive this.
  explicit Lookup(boost::asio::io_context& context, Resolve resolve = resolve_by_system);
  /// Cancels the lookup.
  ~Lookup();
  Lookup(const Lookup&) = delete;
  Lookup& operator=(const Lookup&) = delete;

  /// Calls `on_result` in the thread that runs the io_context, after start() returns, unless the
  /// lookup is cancelled. Cancels an earlier lookup.
  void start(const std::string& host, std::uint16_t port, OnResult on_result);
  void give_up();

  /// Whether any lookup of the program is under way. If so, its thread may use the system's
  /// libraries, and the program should end with _Exit.
  static bool any_running();

  static LookupResult resolve_by_system(const std::string& host, std::uint16_t port);

 private:
  struct Task;

  boost::asio::io_context& context_;
  Resolve resolve_;
  std::shared_ptr<Task> task_;
};

}  // namespace tictactoe::client
