// The real server on real sockets: what its peers may do to it, how they get in, and how they end.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>
#include <boost/asio/read.hpp>

#include <chrono>
#include <deque>
#include <memory>

#include "tests/support/configs.hpp"
#include "tests/support/requests.hpp"
#include "tests/support/socket_client.hpp"
#include "tests/support/tls_client.hpp"

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
  transport::Server second(io, {}, 1);
  EXPECT_THAT(second.listen("127.0.0.1", first.endpoint().port()).error().sentence,
              testing::HasSubstr("in use"));
  EXPECT_THAT(second.listen("203.0.113.1", 0).error().sentence, testing::HasSubstr("203.0.113.1"));
  EXPECT_THAT(second.listen("localhost?", 0).error().sentence,
              testing::HasSubstr("not an IP address"));
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

TEST(Server, goes_on_while_an_ai_thinks_hard) {
  server::Config config;
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

TEST(Server, that_stops_says_so_to_everybody) {
  RunningServer server;
  SocketClient ann(server.endpoint(), "ann");
  ann.ask(play_request());
  server.stop();
  EXPECT_EQ(ann.receive()->error().code(), Error::CODE_SERVER_STOPPING);
  EXPECT_FALSE(ann.receive());
}

TEST(HugeBoard, costs_a_hint_no_more_time_than_others_can_spare) {
  server::Config config;
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

// Ends and edges of connections -------------------------------------------------------------------

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
  server::Config config = without_rate();
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
  server::Config config = without_rate();
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
  auto server = std::make_unique<transport::Server>(io, without_rate(), 1);
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

// How connections get in --------------------------------------------------------------------------

/// A PROXY header for a client at 192.0.2.`last`.
std::string proxy_header(char last) {
  return std::string("\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0C", 16) + std::string("\xC0\0\x02", 3) +
         last + std::string("\x7F\0\0\x01\x12\x34\x1D\xE6", 8);
}

const std::string local_header("\r\n\r\n\0\r\nQUIT\n\x20\0\0\0", 16);

RunningServer::Prepare trusting(const std::string& proxies) {
  return [proxies](asio::io_context&, transport::Server& server) -> std::shared_ptr<void> {
    transport::Networks networks;
    EXPECT_TRUE(networks.add(proxies));
    server.trust_proxies(std::move(networks));
    return nullptr;
  };
}

TEST(TrustedProxy, says_where_its_connections_come_from) {
  server::Config limited = without_rate();
  limited.limits.connections_per_address = 1;
  RunningServer server(limited, "127.0.0.1", {}, trusting("127.0.0.0/8"));
  const auto enter = [&](SocketClient& client, const std::string& header) {
    // In two pieces, and with the first frame right behind it.
    std::string frame;
    wire::append_frame(frame, hello_request("ann").SerializeAsString());
    client.send_bytes(header.substr(0, 13));
    client.send_bytes(header.substr(13) + frame);
    return client.receive();
  };
  SocketClient first(server.endpoint());
  SocketClient second(server.endpoint());
  SocketClient same(server.endpoint());
  SocketClient local(server.endpoint());
  EXPECT_TRUE(enter(first, proxy_header(1))->has_welcome());
  EXPECT_TRUE(enter(second, proxy_header(2))->has_welcome());
  EXPECT_EQ(enter(same, proxy_header(1))->error().code(), Error::CODE_TOO_MANY_CONNECTIONS);
  EXPECT_TRUE(enter(local, local_header)->has_welcome()) << "its own address";
}

TEST(TrustedProxy, may_pass_on_clear_text_of_others) {
  const auto prepare = [](asio::io_context& io, transport::Server& server) {
    with_tls()(io, server);
    return trusting("127.0.0.2")(io, server);
  };
  RunningServer server(without_rate(), "127.0.0.1", {}, prepare);
  const auto answer = [&](const std::string& from, const std::string& header) {
    asio::io_context io;
    asio::ip::tcp::socket socket(io, asio::ip::tcp::endpoint(asio::ip::make_address(from), 0));
    socket.connect(server.endpoint());
    asio::write(socket, asio::buffer(header + "GET / HTTP/1.1\r\nHost: localhost\r\n"
                                              "Connection: close\r\n\r\n"));
    std::string bytes;
    boost::system::error_code ended;
    asio::read(socket, asio::dynamic_buffer(bytes), ended);
    return bytes.substr(0, bytes.find("\r\n"));
  };
  EXPECT_EQ(answer("127.0.0.2", proxy_header(1)), "HTTP/1.1 200 OK")
      << "the way to the proxy is its own affair";
  EXPECT_EQ(answer("127.0.0.2", local_header), "HTTP/1.1 200 OK");
  EXPECT_EQ(answer("127.0.0.1", ""), "HTTP/1.1 200 OK") << "of this machine";
}

TEST(TrustedProxy, is_closed_without_a_header) {
  RunningServer server(without_rate(), "127.0.0.1", {}, trusting("127.0.0.1"));
  SocketClient client(server.endpoint());
  client.send_bytes("\x08 a frame that does not begin with a header");
  EXPECT_FALSE(client.receive());
}

TEST(TrustedProxy, is_closed_if_its_header_does_not_come) {
  server::Config hasty = without_rate();
  hasty.limits.hello_timeout = std::chrono::milliseconds(50);
  hasty.limits.pending_connections = 1;
  RunningServer server(hasty, "127.0.0.1", {}, trusting("127.0.0.1"));
  SocketClient client(server.endpoint());
  client.send_bytes(proxy_header(1).substr(0, 10));
  EXPECT_FALSE(client.receive());
}

TEST(TrustedProxy, is_nobody_else) {
  RunningServer server(without_rate(), "127.0.0.1", {}, trusting("192.0.2.0/24"));
  SocketClient plain(server.endpoint(), "ann");
  SocketClient liar(server.endpoint());
  liar.send_bytes(proxy_header(1));
  EXPECT_TRUE(liar.receive()->error().closing()) << "its header is no hello";
}

TEST(Refused, connections_do_not_keep_others_out_or_linger_without_limit) {
  server::Config full = without_rate();
  full.limits.connections = 2;
  full.limits.lingering_connections = 3;
  RunningServer server(full);
  SocketClient ann(server.endpoint(), "ann");
  {
    SocketClient ben(server.endpoint(), "ben");
    std::deque<SocketClient> refused;
    for (int i = 0; i < 100; ++i) {
      SocketClient& client = refused.emplace_back(server.endpoint());
      client.send(ping_request());
      const auto answer = client.receive();
      ASSERT_TRUE(answer) << "closed without a reason";
      ASSERT_EQ(answer->error().code(), Error::CODE_SERVER_FULL);
      ASSERT_TRUE(ann.ask(ping_request()).has_pong());
    }
    // They have read the reason and stay: the server has closed all but the last of them.
    for (int i = 0; i < 97; ++i) EXPECT_FALSE(refused[static_cast<std::size_t>(i)].receive());
    ben.close();
    ASSERT_TRUE(ann.ask(ping_request()).has_pong());
  }
  // As soon as the server has seen that Ben is gone, there is space.
  for (;;) {
    SocketClient next(server.endpoint());
    if (next.ask(hello_request("carl")).has_welcome()) break;
  }
}

/// A socket that connects when the test says so.
class LateSocket {
 public:
  explicit LateSocket(const asio::ip::tcp::endpoint& server) : socket_(io_), server_(server) {
    socket_.open(server.protocol());
  }
  void connect() { socket_.connect(server_); }
  bool is_closed_by_peer() {
    char byte = 0;
    return ::recv(socket_.native_handle(), &byte, 1, 0) <= 0;
  }

 private:
  asio::io_context io_{1};
  asio::ip::tcp::socket socket_;
  asio::ip::tcp::endpoint server_;
};

/// Lets this process open no more files than it has now and `more`.
class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t more) {
    getrlimit(RLIMIT_NOFILE, &before_);
    const int next = ::dup(0);  // the lowest free number
    ::close(next);
    const rlimit limit{static_cast<rlim_t>(next) + more, before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
};

// The clients are in the same process: they get their descriptors before.
TEST(Descriptors, that_run_out_turn_clients_away_and_keep_nobody_waiting) {
  if (support::needs_descriptors) GTEST_SKIP() << "UBSan needs descriptors to check objects";
  RunningServer server(without_rate());
  SocketClient ann(server.endpoint(), "ann");
  std::deque<LateSocket> others;
  for (int i = 0; i < 50; ++i) others.emplace_back(server.endpoint());
  {
    const FewDescriptors few(1);
    others[0].connect();
    ASSERT_TRUE(ann.ask(ping_request()).has_pong());
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 1; i < others.size(); ++i) {
      others[i].connect();
      EXPECT_TRUE(others[i].is_closed_by_peer());
      ASSERT_TRUE(ann.ask(ping_request()).has_pong());
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(40))
        << "a pause of a second for each of them";
  }
  SocketClient late(server.endpoint(), "late");
  EXPECT_TRUE(late.ask(ping_request()).has_pong());
}

}  // namespace
}  // namespace tictactoe::test::server_tests
