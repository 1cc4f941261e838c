// Ends and edges of connections: what epoll reports once must not be missed, and what is gone must
// not be touched.
#include <gtest/gtest.h>

#include <deque>

#include "tests/support/configs.hpp"
#include "tests/support/requests.hpp"
#include "tests/support/socket_client.hpp"

namespace tictactoe::test::session_tests {
namespace {

std::string pings(std::uint64_t first, std::uint64_t count) {
  std::string bytes;
  for (std::uint64_t id = first; id < first + count; ++id) {
    v1::ClientMessage ping;
    ping.set_request_id(id);
    ping.mutable_ping();
    wire::append_frame(bytes, ping.SerializeAsString());
  }
  return bytes;
}

// The server reads 4 KiB at a time: sizes round that, and round twice that, are the hard ones.
TEST(Session, an_end_that_comes_with_bytes_is_seen_after_the_last_of_them) {
  RunningServer server(without_rate());
  constexpr std::uint64_t first_id = 1000;  // so that every ping has 6 bytes
  const std::size_t size = pings(first_id, 1).size();
  std::vector<std::size_t> counts{1, 2, 100};
  for (const std::size_t edge : {4096u, 8192u}) {
    for (std::size_t count = edge / size - 3; count <= edge / size + 3; ++count) {
      counts.push_back(count);
    }
  }
  for (const std::size_t count : counts) {
    SocketClient client(server.endpoint(), "ann");
    client.send_bytes(pings(first_id, count));
    client.shut_sending_side();
    for (std::size_t i = 0; i < count; ++i) {
      const auto answer = client.receive();
      ASSERT_TRUE(answer) << i << " of " << count;
      ASSERT_EQ(answer->request_id(), first_id + i);
    }
    EXPECT_FALSE(client.receive()) << "should be closed";
  }
}

TEST(Session, that_is_reset_while_its_requests_wait_is_removed) {
  core::Config config = without_rate();
  config.limits.outbox_bytes = 64 * 1024;
  RunningServer server(config);
  SocketClient owner(server.endpoint(), "ann");
  ASSERT_TRUE(owner.ask(create_request("den")).has_snapshot());
  for (int said = 0; said < 20; ++said) owner.ask(chat_request(std::string(300, 'x')));
  {
    SocketClient deaf(server.endpoint(), 4096);
    deaf.enter("deaf");
    ASSERT_TRUE(deaf.ask(watch_request("den")).has_snapshot());
    ASSERT_TRUE(owner.next_update().watchers_changed().joined());
    // Ten megabytes of answers are more than any socket takes.
    for (int asked = 0; asked < 2000; ++asked) deaf.send(snapshot_request());
    ASSERT_TRUE(owner.ask(snapshot_request()).has_snapshot());
    deaf.reset();
  }
  const v1::RoomUpdate gone = owner.next_update();
  ASSERT_TRUE(gone.has_watchers_changed());
  EXPECT_FALSE(gone.watchers_changed().joined());
}

TEST(Session, many_that_end_at_once_take_nobody_with_them) {
  core::Config config = without_rate();
  config.limits.newcomer_burst = 1'000;
  RunningServer server(config);
  SocketClient owner(server.endpoint(), "ann");
  ASSERT_TRUE(owner.ask(create_request("den")).has_snapshot());
  for (int round = 0; round < 3; ++round) {
    constexpr int crowd = 100;
    std::deque<SocketClient> watchers;
    for (int i = 0; i < crowd; ++i) {
      SocketClient& watcher = watchers.emplace_back(server.endpoint(), "w" + std::to_string(i));
      ASSERT_TRUE(watcher.ask(watch_request("den")).has_snapshot());
      ASSERT_TRUE(owner.next_update().watchers_changed().joined());
    }
    // News for all of them is on its way while they go.
    owner.send(chat_request("hello"));
    for (SocketClient& watcher : watchers) watcher.reset();
    int chats = 0;
    for (int i = 0; i <= crowd; ++i) {
      const v1::RoomUpdate update = owner.next_update();
      chats += update.has_chat_said() ? 1 : 0;
      ASSERT_TRUE(update.has_chat_said() || update.has_watchers_changed());
      ASSERT_FALSE(update.watchers_changed().joined());
    }
    ASSERT_EQ(chats, 1);
  }
  EXPECT_EQ(owner.ask(snapshot_request()).snapshot().watchers(), 0u);
}

// Found by AddressSanitizer: its sessions are destroyed with the io_context, after the server.
TEST(Session, may_outlive_a_server_whose_loop_was_stopped) {
  spdlog::set_level(spdlog::level::off);
  asio::io_context io{1};
  auto server = std::make_unique<net::Server>(io, without_rate(), 1);
  const auto bound = server->listen("127.0.0.1", 0);
  ASSERT_TRUE(bound);
  SocketClient open(*bound);
  SocketClient closing(*bound);
  closing.send_bytes(std::string(100, '\xff'));
  while (server->host().connections() != 2) io.run_one();
  while (server->host().connections() != 1) io.run_one();
  io.stop();
  server.reset();
}

}  // namespace
}  // namespace tictactoe::test::session_tests
