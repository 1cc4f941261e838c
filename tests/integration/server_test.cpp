// The real server on real sockets: what its peers may do to it without anybody else noticing.
#include <gmock/gmock.h>

#include <memory>

#include "tests/support/requests.hpp"
#include "tests/support/socket_client.hpp"

namespace tictactoe::test::server_tests {
namespace {

using v1::Error;

std::string frame(const v1::ClientMessage& message) {
  std::string out;
  wire::append_frame(out, message.SerializeAsString());
  return out;
}

/// Two people in a room of their own, and a way to see that their game goes on.
struct Couple {
  Couple(const asio::ip::tcp::endpoint& server, const std::string& room)
      : x(server, room + "-x"), o(server, room + "-o") {
    EXPECT_TRUE(x.ask(create_request(room, rules::Rules::square(50))).has_snapshot());
    EXPECT_TRUE(o.ask(join_request(room)).has_snapshot());
    EXPECT_TRUE(x.next_update().has_seat_changed());
  }
  /// One move of each, seen by both.
  void play_a_round() {
    for (SocketClient* mover : {&x, &o}) {
      const std::uint32_t at = ply++;
      EXPECT_TRUE(mover->ask(move_request(at / 50, at % 50)).has_update());
      SocketClient* other = mover == &x ? &o : &x;
      EXPECT_EQ(other->next_update().move_played().ply(), ply);
    }
  }
  SocketClient x;
  SocketClient o;
  std::uint32_t ply = 0;
};

TEST(Server, listens_on_both_families_with_one_socket) {
  RunningServer server({}, "::");
  const std::uint16_t port = server.endpoint().port();
  SocketClient four({asio::ip::make_address("127.0.0.1"), port}, "four");
  SocketClient six({asio::ip::make_address("::1"), port}, "six");
  EXPECT_TRUE(four.ask(create_request("den")).has_snapshot());
  EXPECT_EQ(six.ask(join_request("den")).snapshot().x().name(), "four");
}

TEST(Server, says_why_it_cannot_listen) {
  RunningServer first;
  asio::io_context io;
  net::Server second(io, {}, 1);
  EXPECT_THAT(second.listen("127.0.0.1", first.endpoint().port()).error(),
              testing::HasSubstr("in use"));
  EXPECT_THAT(second.listen("203.0.113.1", 0).error(), testing::HasSubstr("203.0.113.1"));
  EXPECT_THAT(second.listen("localhost?", 0).error(), testing::HasSubstr("not an IP address"));
}

TEST(Server, understands_a_request_split_at_every_byte) {
  RunningServer server;
  v1::ClientMessage hello;
  hello.set_request_id(1);
  hello.mutable_hello()->add_protocol_versions(1);
  hello.mutable_hello()->set_name("split");
  v1::ClientMessage ping;
  ping.set_request_id(2);
  ping.mutable_ping();
  const std::string bytes = frame(hello) + frame(ping);
  for (std::size_t first = 1; first < bytes.size(); ++first) {
    SocketClient client(server.endpoint());
    client.send_bytes(bytes.substr(0, first));
    client.send_bytes(bytes.substr(first));
    ASSERT_TRUE(client.receive()->has_welcome());
    ASSERT_TRUE(client.receive()->has_pong());
  }
}

TEST(Server, tells_a_peer_what_was_wrong_before_it_closes) {
  RunningServer server;
  const std::vector<std::pair<std::string, Error::Code>> openings{
      {"\x04\xFF\xFF\xFF\xFF", Error::CODE_MALFORMED_MESSAGE},
      {std::string("\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), Error::CODE_MALFORMED_FRAME},
      {std::string("\x80\x80\x80\x80\x80"), Error::CODE_MALFORMED_FRAME},
      {std::string("\x81\x20"), Error::CODE_MALFORMED_FRAME},  // a length of 4,097
      {std::string(1, '\0'), Error::CODE_HELLO_EXPECTED},
      {frame(play_request()), Error::CODE_HELLO_EXPECTED},
  };
  for (const auto& [bytes, code] : openings) {
    SocketClient client(server.endpoint());
    // With more after it that nobody reads: the last frame must not be lost to a reset.
    client.send_bytes(bytes + std::string(100'000, 'x'));
    const auto answer = client.receive();
    ASSERT_TRUE(answer) << "closed without a word";
    EXPECT_EQ(answer->error().code(), code);
    EXPECT_TRUE(answer->error().closing());
    EXPECT_FALSE(client.receive()) << "should be closed";
  }
}

TEST(Server, goes_on_while_peers_stall_in_the_middle_of_a_frame) {
  RunningServer server;
  Couple couple(server.endpoint(), "den");
  SocketClient stalled(server.endpoint(), "stalled");
  stalled.send_bytes("\x20" + std::string(5, 'x'));
  SocketClient silent(server.endpoint());
  silent.send_bytes("\x85");
  for (int round = 0; round < 100; ++round) couple.play_a_round();
}

TEST(Server, cuts_off_a_peer_that_never_reads_and_nobody_waits_for_it) {
  core::Config config;
  config.limits.outbox_bytes = 64 * 1024;
  config.limits.requests_per_second = 0;
  RunningServer server(config);
  Couple couple(server.endpoint(), "den");
  SocketClient deaf(server.endpoint(), 4096);
  deaf.enter("deaf");
  ASSERT_TRUE(deaf.ask(watch_request("den")).has_snapshot());
  ASSERT_TRUE(couple.x.next_update().watchers_changed().joined());
  ASSERT_TRUE(couple.o.next_update().watchers_changed().joined());
  // Chat until the room gets the update that the watcher is gone. How much its socket takes before
  // its outbox fills is the kernel's affair; ten megabytes are more than any.
  bool cut_off = false;
  for (int said = 0; !cut_off && said < 40'000; ++said) {
    couple.x.send(chat_request(std::string(250, 'x')));
    const v1::RoomUpdate heard = couple.x.next_update();
    ASSERT_EQ(couple.o.next_update().revision(), heard.revision());
    cut_off = heard.has_watchers_changed();
    ASSERT_TRUE(cut_off || heard.has_chat_said());
  }
  EXPECT_TRUE(cut_off);
  EXPECT_EQ(couple.o.ask(snapshot_request()).snapshot().watchers(), 0u);
  EXPECT_TRUE(couple.x.ask(move_request(0, 0)).has_update());
}

TEST(Server, goes_on_while_an_ai_thinks_hard) {
  core::Config config;
  config.ai_delay = std::chrono::milliseconds(0);
  RunningServer server(config, "127.0.0.1", {1, std::chrono::hours(1)});
  Couple couple(server.endpoint(), "den");
  SocketClient thoughtful(server.endpoint(), "ann");
  thoughtful.ask(create_request("gomoku", rules::Rules{15, 15, 5}));
  thoughtful.ask(add_ai_request(v1::MARK_O, "strong"));
  // The AI answers the first move at once, and thinks about the second one.
  thoughtful.ask(move_request(7, 7));
  ASSERT_EQ(thoughtful.next_update().move_played().ply(), 2U);
  thoughtful.ask(move_request(7, 9));
  for (int round = 0; round < 100; ++round) couple.play_a_round();
  const v1::ServerMessage answer = thoughtful.ask(remove_ai_request(v1::MARK_O));
  EXPECT_EQ(answer.update().phase(), v1::PHASE_WAITING);
  // These still think, or wait for the one thread, when the server ends, and must not keep it from
  // ending.
  thoughtful.ask(add_ai_request(v1::MARK_O, "strong"));
  std::vector<std::unique_ptr<SocketClient>> others;
  for (const std::string name : {"a", "b", "c"}) {
    others.push_back(std::make_unique<SocketClient>(server.endpoint(), name));
    others.back()->ask(create_request(name, rules::Rules{15, 15, 5}));
    others.back()->ask(add_ai_request(v1::MARK_O, "strong"));
    others.back()->ask(move_request(7, 7));
  }
}

TEST(Server, lets_an_ai_think_no_longer_than_it_may) {
  core::Config config;
  config.ai_delay = std::chrono::milliseconds(0);
  RunningServer server(config, "127.0.0.1", {1, std::chrono::milliseconds(20)});
  SocketClient client(server.endpoint(), "ann");
  client.ask(create_request("gomoku", rules::Rules{15, 15, 5}));
  client.ask(add_ai_request(v1::MARK_O, "strong"));
  client.ask(add_ai_request(v1::MARK_X, "strong"));
  v1::RoomUpdate update;
  do {
    update = client.next_update();
  } while (update.move_played().ply() < 10);
  EXPECT_EQ(update.phase(), v1::PHASE_PLAYING);
}

TEST(Server, lets_several_ais_think_at_once) {
  core::Config config;
  config.ai_delay = std::chrono::milliseconds(0);
  RunningServer server(config, "127.0.0.1", {3, std::chrono::milliseconds(20)});
  std::vector<std::unique_ptr<SocketClient>> watchers;
  for (const std::string name : {"a", "b", "c", "d", "e"}) {
    watchers.push_back(std::make_unique<SocketClient>(server.endpoint(), name));
    watchers.back()->ask(create_request(name, rules::Rules{15, 15, 5}));
    watchers.back()->ask(add_ai_request(v1::MARK_O, "strong"));
    watchers.back()->ask(add_ai_request(v1::MARK_X, "strong"));
  }
  for (const auto& watcher : watchers) {
    while (watcher->next_update().move_played().ply() < 6) {
    }
  }
  // The other games go on while this one ends, and all while the server ends.
  EXPECT_TRUE(watchers.front()->ask(remove_ai_request(v1::MARK_O)).has_update());
  while (watchers.back()->next_update().move_played().ply() < 10) {
  }
}

TEST(Server, that_stops_says_so_to_everybody) {
  RunningServer server;
  SocketClient ann(server.endpoint(), "ann");
  ann.ask(play_request());
  server.stop();
  EXPECT_EQ(ann.receive()->error().code(), Error::CODE_SERVER_STOPPING);
  EXPECT_FALSE(ann.receive());
}

TEST(HugeBoard, costs_a_hint_no_more_time_than_others_can_spare) {
  core::Config config;
  config.limits.requests_per_second = 0;
  RunningServer server(config);
  SocketClient ann(server.endpoint(), "ann");
  SocketClient ben(server.endpoint(), "ben");
  ASSERT_TRUE(ann.ask(with_hints(create_request("wide", rules::Rules{1000, 1000, 500, true})))
                  .has_snapshot());
  ASSERT_TRUE(ben.ask(join_request("wide")).has_snapshot());
  ASSERT_TRUE(ann.ask(move_request(500, 500)).has_update());
  ASSERT_TRUE(ben.ask(move_request(501, 501)).has_update());
  // A third of a second each would make this time out.
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(ann.ask(hint_request()).has_hinted());
}

TEST(HugeBoard, sends_many_snapshots_at_once_to_a_client_that_reads) {
  core::Config config;
  config.limits.requests_per_second = 0;
  config.limits.outbox_bytes = 10'000;
  RunningServer server(config);
  SocketClient ann(server.endpoint(), "ann");
  SocketClient ben(server.endpoint(), "ben");
  ASSERT_TRUE(ann.ask(create_request("den", rules::Rules::square(100))).has_snapshot());
  ASSERT_TRUE(ben.ask(join_request("den")).has_snapshot());
  ASSERT_TRUE(ann.next_update().has_seat_changed());
  for (std::uint32_t ply = 0; ply < 2000; ++ply) {
    (ply % 2 == 0 ? ann : ben).send(move_request(99 - ply / 100, ply % 100));
    ASSERT_EQ(ann.next_update().move_played().ply(), ply + 1);
    ASSERT_EQ(ben.next_update().move_played().ply(), ply + 1);
  }
  // Four kilobytes each, in one segment: together more than the outbox holds.
  std::string requests;
  for (std::uint64_t id = 5000; id < 5010; ++id) {
    v1::ClientMessage request = snapshot_request();
    request.set_request_id(id);
    requests += frame(request);
  }
  ann.send_bytes(requests);
  for (std::uint64_t id = 5000; id < 5010; ++id) {
    const auto answer = ann.receive();
    ASSERT_TRUE(answer) << "cut off although it reads";
    ASSERT_EQ(answer->request_id(), id);
  }
}

}  // namespace
}  // namespace tictactoe::test::server_tests
