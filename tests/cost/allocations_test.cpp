// Counts calls of the heap: a move of a game that goes on needs none, in any part of a server that
// keeps no journal.
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>

#include "server/transport/server.hpp"
#include "tests/cost/evening.hpp"
#include "tests/cost/heap.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::cost {
namespace {

namespace asio = boost::asio;

// Until every buffer has been as large as it becomes.
constexpr std::size_t warm_up = 80;

Evening evening(std::size_t games) {
  return {.rooms = 3, .games = games, .rules = {}};
}

TEST(Allocations, there_are_none_in_the_host) {
  Table table(evening(0));
  for (const Sent& sent : requests(evening(warm_up)).list) table.ask(sent);
  const Requests rest = requests(evening(2 * warm_up), warm_up);
  ASSERT_GT(rest.moves, 500u);
  const std::uint64_t updates = table.updates();
  const std::size_t before = allocations();
  for (const Sent& sent : rest.list) table.ask(sent);
  EXPECT_EQ(allocations() - before, 0u) << "in " << rest.moves << " moves";
  EXPECT_EQ(table.updates() - updates, 2 * rest.list.size());
}

TEST(Allocations, there_are_none_in_frames_and_messages) {
  Table table(evening(0));
  const Requests all = requests(evening(warm_up));
  for (const Sent& sent : all.list) table.carry(sent);
  const std::size_t before = allocations();
  for (const Sent& sent : all.list) table.carry(sent);
  EXPECT_EQ(allocations() - before, 0u) << "in " << all.moves << " moves";
}

// A server with its sockets on one thread, and players whose sockets are read and written by hand,
// so that what is counted is the server's alone.
class Sockets {
 public:
  explicit Sockets(const Evening& evening) : server_(io_, config(), evening.seed) {
    const auto bound = server_.listen("127.0.0.1", 0);
    for (std::size_t player = 0; player < 2 * evening.rooms; ++player) {
      auto& socket = players_.emplace_back(other_io_);
      socket.connect(*bound);
      const std::string room = "room " + std::to_string(player / 2);
      v1::ClientMessage hello;
      hello.mutable_hello()->set_name("player " + std::to_string(player));
      hello.mutable_hello()->add_protocol_versions(1);
      say(player, hello);
      say(player,
          player % 2 == 0 ? test::create_request(room, evening.rules) : test::join_request(room));
    }
    for (std::size_t player = 0; player < players_.size(); ++player) read(player, false);
  }
  ~Sockets() {
    server_.shell().stop();
    for (asio::ip::tcp::socket& player : players_) player.close();
    io_.run();
  }
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;

  /// Plays one request, until both players have the update.
  void play(const Sent& sent) {
    write(sent.player, sent.frame);
    read(sent.player, true);
    read(sent.player ^ 1, true);
  }

 private:
  static server::Config config() {
    server::Config config;
    config.limits.requests_per_second = 0;
    config.limits.silence_timeout = {};
    return config;
  }

  void say(std::size_t player, v1::ClientMessage message) {
    message.set_request_id(1);
    std::string frame;
    wire::append_frame(frame, message.SerializeAsString());
    write(player, frame);
    read(player, true);
  }
  void write(std::size_t player, const std::string& frame) {
    const auto size = static_cast<ssize_t>(frame.size());
    ASSERT_EQ(::send(players_[player].native_handle(), frame.data(), frame.size(), 0), size);
  }
  // What has come for a player, the server running meanwhile; `wanted`: until something has.
  void read(std::size_t player, bool wanted) {
    std::array<char, 4096> bytes;
    do {
      io_.poll();
      if (::recv(players_[player].native_handle(), bytes.data(), bytes.size(), MSG_DONTWAIT) > 0) {
        return;
      }
    } while (wanted);
  }

  asio::io_context io_{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO};
  asio::io_context other_io_;
  transport::Server server_;
  std::vector<asio::ip::tcp::socket> players_;
};

TEST(Allocations, there_are_none_in_a_server_with_its_sockets) {
  spdlog::set_level(spdlog::level::off);  // an event in the log is no part of a move
  Sockets sockets(evening(0));
  for (const Sent& sent : requests(evening(warm_up)).list) sockets.play(sent);
  const Requests rest = requests(evening(2 * warm_up), warm_up);
  const std::size_t before = allocations();
  for (const Sent& sent : rest.list) sockets.play(sent);
  EXPECT_EQ(allocations() - before, 0u) << "in " << rest.moves << " moves";
}

TEST(Allocations, are_counted) {
  const std::size_t before = allocations();
  const auto something = std::make_unique<std::string>(100, 'x');
  EXPECT_EQ(allocations() - before, 2u) << *something;
}

TEST(Allocations, are_counted_in_asio) {
  asio::io_context io;
  const std::size_t before = allocations();
  asio::post(io, [] {});
  EXPECT_GE(allocations() - before, 1u);
}

}  // namespace
}  // namespace tictactoe::cost
