// Replays the exchanges that proto/README.md shows in hex, so that the document stays true.
#include <gtest/gtest.h>

#include <deque>
#include <fstream>
#include <map>
#include <sstream>

#include "common/wire/frame.hpp"
#include "server/host/host.hpp"
#include "server/transport/lan/answerer.hpp"
#include "server/transport/shell/json_form.hpp"
#include "tests/support/host_driver.hpp"

namespace tictactoe::wire_example_tests {
namespace {

struct Line {
  std::string who;
  bool from_client = false;
  std::string text;

  /// Those that the text shows in hex.
  std::string bytes() const {
    std::string bytes;
    std::istringstream words(text);
    for (std::string byte; words >> byte;) bytes += static_cast<char>(std::stoi(byte, nullptr, 16));
    return bytes;
  }
};

/// The lines of the block of proto/README.md that is marked so: "NAME > TEXT" from a client, "NAME
/// < TEXT" from the server, "#" for remarks; a line that begins with a blank continues the one
/// before.
std::vector<Line> read_exchange(const std::string& mark) {
  std::ifstream file(TICTACTOE_SOURCE_DIR "/proto/README.md");
  std::vector<Line> exchange;
  bool inside = false;
  for (std::string text; std::getline(file, text);) {
    if (text.starts_with("```")) {
      inside = text == "```" + mark;
    } else if (inside && text.starts_with(' ')) {
      exchange.back().text +=
          text.substr(mark == "json-exchange" ? text.find_first_not_of(' ') : 0);
    } else if (inside && !text.empty() && !text.starts_with('#')) {
      const std::size_t arrow = text.find_first_of("<>");
      exchange.push_back(
          {text.substr(0, text.find(' ')), text[arrow] == '>', text.substr(arrow + 2)});
    }
  }
  return exchange;
}

std::string hex(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) {
    constexpr char digits[] = "0123456789abcdef";
    const auto value = static_cast<unsigned char>(byte);
    text += {digits[value >> 4], digits[value & 15], ' '};
  }
  return text;
}

server::Config den() {
  server::Config config;
  config.server_id = 0x1122334455667788;
  config.server_name = "den";
  config.software = "tictactoe-server 0.1.0";
  return config;
}

TEST(WireExample, in_the_documentation_is_what_a_host_says) {
  const server::Config config = den();
  server::Host host(config, 1, test::HostDriver::counted_tokens());
  const server::Time now{};
  std::map<std::string, server::ConnectionId> ids;
  std::map<std::string, std::string> said;  // receiver -> bytes that were not compared yet

  const auto exchange = read_exchange("exchange");
  ASSERT_GE(exchange.size(), 10u);
  for (const Line& line : exchange) {
    const std::string bytes = line.bytes();
    if (!ids.contains(line.who)) ids[line.who] = host.connected({1, 1}, now);
    if (!line.from_client) {
      ASSERT_EQ(hex(said[line.who].substr(0, bytes.size())), hex(bytes))
          << "to " << line.who << "; left: " << hex(said[line.who]);
      said[line.who].erase(0, bytes.size());
      continue;
    }
    wire::FrameReader reader(config.limits.client_frame_bytes);
    const auto space = reader.prepare();
    ASSERT_LE(bytes.size(), space.size());
    std::copy(bytes.begin(), bytes.end(), space.begin());
    reader.commit(bytes.size());
    const wire::NextFrame frame = reader.next();
    ASSERT_EQ(frame.state, wire::NextFrame::State::frame) << hex(bytes);
    host.received(ids[line.who], host.parse(frame.body), now);
    for (const server::Effect& effect : host.effects().list()) {
      const auto& send = std::get<server::Send>(effect);
      std::string prefix;
      if (send.request_id != 0) {
        prefix = "\x08";
        wire::append_varint(prefix, send.request_id);
      }
      for (const auto& [name, id] : ids) {
        if (id == send.to) {
          wire::append_frame(said[name], prefix, host.effects().bytes(send.body));
        }
      }
    }
    host.effects().clear();
  }
  for (const auto& [name, rest] : said) EXPECT_EQ(rest, "") << "more was said to " << name;
}

TEST(WireExample, in_json_is_what_a_host_says) {
  server::Host host(den(), 1, test::HostDriver::counted_tokens());
  transport::JsonMemo json;
  std::map<std::string, server::ConnectionId> ids;
  std::map<std::string, std::deque<std::string>> said;  // that was not compared yet

  const auto exchange = read_exchange("json-exchange");
  ASSERT_GE(exchange.size(), 8u);
  for (const Line& line : exchange) {
    if (!ids.contains(line.who)) ids[line.who] = host.connected({1, 1}, {});
    if (!line.from_client) {
      ASSERT_FALSE(said[line.who].empty());
      EXPECT_EQ(said[line.who].front(), line.text) << "to " << line.who;
      said[line.who].pop_front();
      continue;
    }
    v1::ClientMessage request;
    ASSERT_TRUE(transport::request_from_json(line.text, request)) << line.text;
    host.received(ids[line.who], &request, {});
    for (const server::Effect& effect : host.effects().list()) {
      const auto& send = std::get<server::Send>(effect);
      const std::string body(json.to_json(host.effects().bytes(send.body)));
      const std::string beginning = transport::json_beginning(send.request_id, body);
      for (const auto& [name, id] : ids) {
        if (id == send.to) {
          said[name].push_back(beginning + body.substr(beginning.empty() ? 0 : 1));
        }
      }
    }
    host.effects().clear();
  }
  for (const auto& [name, rest] : said) EXPECT_TRUE(rest.empty()) << "more was said to " << name;
}

TEST(WireExample, of_discovery_is_what_a_server_answers) {
  test::HostDriver driver(den());
  ASSERT_TRUE(driver.ask(driver.enter("alice"), test::create_request("duel")).has_snapshot());
  transport::Answerer answerer(den().server_id, [&](v1::ServerInfo& info, int rooms) {
    driver.host().describe_to(info, rooms);
  });
  const boost::asio::ip::udp::endpoint source(boost::asio::ip::make_address("192.0.2.7"), 40'000);

  const auto exchange = read_exchange("discovery");
  ASSERT_EQ(exchange.size(), 2u);
  EXPECT_TRUE(exchange[0].from_client);
  const std::string answer = answerer.answer(exchange[0].bytes(), source, 7654, driver.now());
  EXPECT_EQ(hex(answer), hex(exchange[1].bytes()));
}

}  // namespace
}  // namespace tictactoe::wire_example_tests
