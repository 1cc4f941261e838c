// The page over real sockets, and everything that is refused before it is one.
#include <gmock/gmock.h>

#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>

#include "server/transport/web/site.hpp"
#include "tests/support/configs.hpp"
#include "tests/support/requests.hpp"
#include "tests/support/socket_client.hpp"

namespace tictactoe::test::http_tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string get(const std::string& path, const std::string& fields = {}) {
  return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n";
}

/// Sends these bytes, from that address, and returns all that comes until the end.
std::string ask(const asio::ip::tcp::endpoint& server, const std::string& bytes,
                const std::string& from = "127.0.0.1") {
  asio::io_context io;
  asio::ip::tcp::socket socket(io, asio::ip::tcp::endpoint(asio::ip::make_address(from), 0));
  socket.connect(server);
  boost::system::error_code error;
  asio::write(socket, asio::buffer(bytes), error);
  std::string answer;
  asio::read(socket, asio::dynamic_buffer(answer), error);
  EXPECT_EQ(error, asio::error::eof);
  return answer;
}

TEST(Http, serves_the_page_and_its_files) {
  RunningServer server;
  const std::string page = ask(server.endpoint(), get("/", "Connection: close\r\n"));
  EXPECT_THAT(page, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(page, HasSubstr("\r\nContent-Type: text/html; charset=utf-8\r\n"));
  EXPECT_THAT(page, HasSubstr("\r\nCache-Control: no-cache\r\n"));
  EXPECT_THAT(page, HasSubstr("\r\nContent-Security-Policy: default-src 'none';"));
  EXPECT_THAT(page, HasSubstr("<!doctype html>"));
  const std::size_t link = page.find("href=\"/") + 6;
  const std::string path = page.substr(link, page.find('"', link) - link);
  const std::string file = ask(server.endpoint(), get(path, "Connection: close\r\n"));
  EXPECT_THAT(file, StartsWith("HTTP/1.1 200 OK\r\n")) << path;
  EXPECT_THAT(file, HasSubstr("\r\nCache-Control: public, max-age=31536000, immutable\r\n"));
}

TEST(Http, a_compressed_file_has_a_tag_of_its_own) {
  RunningServer server;
  const std::string end = "Connection: close\r\n";
  const std::string gzip = "Accept-Encoding: gzip\r\n";
  const auto tag = [&](const std::string& fields) {
    const std::string answer = ask(server.endpoint(), get("/", fields + end));
    const std::size_t begin = answer.find("\r\nETag: ") + 8;
    return answer.substr(begin, answer.find("\r\n", begin) - begin);
  };
  const std::string plain = tag("");
  const std::string compressed = tag(gzip);
  EXPECT_NE(plain, compressed);
  const auto status = [&](const std::string& fields, const std::string& known) {
    return ask(server.endpoint(), get("/", fields + "If-None-Match: " + known + "\r\n" + end))
        .substr(9, 3);
  };
  EXPECT_EQ(status("", plain), "304");
  EXPECT_EQ(status(gzip, compressed), "304");
  EXPECT_EQ(status("", "\"other, tag\" ,W/" + plain), "304") << "as browsers and proxies may ask";
  EXPECT_EQ(status("If-None-Match: \"other\"\r\n", plain), "304") << "lines are one list";
  EXPECT_EQ(status("", "*"), "304");
  EXPECT_EQ(status("", "\"other\", " + plain.substr(0, plain.size() - 1)), "200");
  EXPECT_EQ(status("", compressed), "200") << "the bytes would be others";
  EXPECT_EQ(status(gzip, plain), "200");
}

TEST(Http, answers_one_request_after_the_other_over_one_connection) {
  RunningServer server;
  const std::string answers = ask(
      server.endpoint(), get("/") + get("/nothing") + "HEAD / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n" +
                             "Connection: close\r\n\r\n");
  EXPECT_THAT(answers, StartsWith("HTTP/1.1 200 OK\r\n"));
  const std::size_t second = answers.find("HTTP/1.1 404 Not Found\r\n");
  ASSERT_NE(second, std::string::npos);
  EXPECT_NE(answers.find("HTTP/1.1 200 OK\r\n", second), std::string::npos);
  EXPECT_THAT(answers, ::testing::EndsWith("\r\n\r\n")) << "a response to HEAD has no body";
}

TEST(Http, other_hosts_are_refused) {
  RunningServer server;
  EXPECT_THAT(ask(server.endpoint(), "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
              StartsWith("HTTP/1.1 421 "));
  EXPECT_THAT(ask(server.endpoint(), "GET / HTTP/1.0\r\n\r\n"), StartsWith("HTTP/1.1 421 "));
}

TEST(Http, the_port_of_a_host_is_one_or_none) {
  RunningServer server;
  const auto links = [&](const std::string& host) {
    return ask(server.endpoint(),
               "GET /join.txt HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
  };
  EXPECT_THAT(links("192.0.2.7:"), HasSubstr("\r\n\r\nhttp://192.0.2.7/"));
  for (const char* host : {"192.0.2.7:0", "192.0.2.7:99999", "192.0.2.7:07654", "192.0.2.7::"}) {
    EXPECT_THAT(links(host), StartsWith("HTTP/1.1 421 Misdirected Request\r\n")) << host;
  }
}

TEST(Http, a_target_is_a_path) {
  RunningServer server;
  for (const char* target : {"@evil.com/", "http://localhost/", "*", "evil.com:443"}) {
    EXPECT_THAT(ask(server.endpoint(),
                    "GET " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"),
                StartsWith("HTTP/1.1 400 "))
        << target;
  }
}

TEST(Http, names_that_the_owner_allows_are_hosts) {
  RunningServer server({}, "127.0.0.1", {}, [](asio::io_context&, transport::Server& made) {
    made.allow_names({"games.example"});
    return std::shared_ptr<void>();
  });
  EXPECT_THAT(ask(server.endpoint(),
                  "GET / HTTP/1.1\r\nHost: Games.Example:7654\r\nConnection: close\r\n\r\n"),
              StartsWith("HTTP/1.1 200 "));
}

TEST(Http, a_head_of_ten_megabytes_is_refused_before_it_is_there) {
  RunningServer server;
  const std::string head = "GET / HTTP/1.1\r\nX: " + std::string(10'000'000, 'x');
  EXPECT_THAT(ask(server.endpoint(), head), StartsWith("HTTP/1.1 431 "));
}

TEST(Http, only_get_and_head_are_answered) {
  RunningServer server;
  const std::string post =
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n" + std::string(100, 'x');
  EXPECT_THAT(ask(server.endpoint(), post), StartsWith("HTTP/1.1 405 "));
  EXPECT_THAT(ask(server.endpoint(), get("/") + post), HasSubstr("HTTP/1.1 405 "));
  EXPECT_THAT(ask(server.endpoint(), get("/", "Content-Length: 2\r\n") + "ab"),
              StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(ask(server.endpoint(), "GEnerally no HTTP\r\n\r\n"), StartsWith("HTTP/1.1 400 "));
}

TEST(Http, slow_heads_end_with_the_time_for_a_hello) {
  server::Config config;
  config.limits.hello_timeout = std::chrono::seconds(1);
  RunningServer server(config);
  EXPECT_EQ(ask(server.endpoint(), "GET / HT"), "");
  EXPECT_THAT(ask(server.endpoint(), get("/")), StartsWith("HTTP/1.1 200 "));
}

TEST(Http, a_flood_of_requests_is_refused) {
  RunningServer server(with_few_tokens());
  std::string requests;
  for (int i = 0; i < 20; ++i) requests += get("/");
  EXPECT_THAT(ask(server.endpoint(), requests), HasSubstr("HTTP/1.1 429 "));
}

TEST(Http, a_flood_of_requests_from_a_whole_network_is_refused) {
  server::Config config = with_few_tokens();
  config.limits.network_factor = 2;
  RunningServer server(config);
  std::string requests;
  for (int i = 0; i < 8; ++i) requests += get("/");
  requests += get("/", "Connection: close\r\n");
  const auto flood = [&](const char* from) { return ask(server.endpoint(), requests, from); };
  EXPECT_THAT(flood("127.0.0.2"), Not(HasSubstr("HTTP/1.1 429 ")));
  EXPECT_THAT(flood("127.0.0.3"), Not(HasSubstr("HTTP/1.1 429 ")));
  EXPECT_THAT(flood("127.0.0.4"), HasSubstr("HTTP/1.1 429 "));
  EXPECT_THAT(ask(server.endpoint(), get("/", "Connection: close\r\n"), "127.0.1.1"),
              StartsWith("HTTP/1.1 200 "));
}

TEST(Http, a_first_byte_alone_is_kept_until_the_second_decides) {
  RunningServer server(without_rate());
  // A hello of 0x47 bytes begins with the letter G.
  v1::ClientMessage hello = hello_request("ann");
  hello.set_request_id(1);
  hello.mutable_hello()->set_token(std::string(57, 'x'));
  std::string bytes;
  wire::append_frame(bytes, hello.SerializeAsString());
  ASSERT_EQ(bytes.front(), 'G');
  SocketClient client(server.endpoint());
  client.send_bytes(bytes.substr(0, 1));
  client.send_bytes(bytes.substr(1));
  const auto answer = client.receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->welcome().player_name(), "ann");
}

// There is space for one connection: the next one is served only when the first has ended.
TEST(Http, a_response_that_cannot_be_written_ends_its_connection) {
  server::Config config = without_rate();
  config.limits.connections = 1;
  config.limits.hello_timeout = std::chrono::minutes(1);
  RunningServer server(config);
  asio::io_context io;
  {
    asio::ip::tcp::socket peer(io, server.endpoint().protocol());
    peer.set_option(asio::socket_base::receive_buffer_size(4096));
    peer.connect(server.endpoint());
    std::string requests;
    for (int i = 0; i < 1'000; ++i) requests += get("/views/app.js");
    asio::write(peer, asio::buffer(requests));
    while (peer.available() < 1'000) std::this_thread::yield();
    peer.set_option(asio::socket_base::linger(true, 0));  // resets the connection
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  std::string answer;
  while (!answer.starts_with("HTTP/1.1 200 ")) {
    ASSERT_LT(std::chrono::steady_clock::now(), end) << answer;
    asio::ip::tcp::socket next(io);
    next.connect(server.endpoint());
    boost::system::error_code ignored;  // the server may be full
    asio::write(next, asio::buffer(get("/", "Connection: close\r\n")), ignored);
    answer.clear();
    asio::read(next, asio::dynamic_buffer(answer), ignored);
  }
}

TEST(Http, leaves_nothing_behind_when_the_server_ends) {
  auto server = std::make_unique<RunningServer>();
  asio::io_context io;
  asio::ip::tcp::socket reader(io);
  reader.connect(server->endpoint());
  asio::write(reader, asio::buffer(get("/")));
  std::string head;
  asio::read_until(reader, asio::dynamic_buffer(head), "\r\n\r\n");
  asio::ip::tcp::socket slow(io);
  slow.connect(server->endpoint());
  asio::write(slow, asio::buffer(std::string("GET / HT")));
  server.reset();
}

}  // namespace
}  // namespace tictactoe::test::http_tests
