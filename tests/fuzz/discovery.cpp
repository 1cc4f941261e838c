// Datagrams of anybody on the network, to a server and to a client that looks for one: no answer is
// longer than its query, nothing grows without bound, and nothing acts on a terminal.
#include <algorithm>
#include <chrono>
#include <string>

#include "client/lines/listing.hpp"
#include "client/net/servers_found.hpp"
#include "common/wire/discovery.hpp"
#include "common/wire/text.hpp"
#include "server/transport/lan/answerer.hpp"
#include "tests/fuzz/input.hpp"

namespace tictactoe::fuzz {
namespace {

class Network {
 public:
  explicit Network(Input& input) : input_(input) {}

  void run() {
    found_.ask(nonce_);
    while (!input_.empty()) step();
    look();
  }

 private:
  void step() {
    switch (input_.below(5)) {
      case 0:
        return ask(std::string(input_.text()));
      case 1:
        return deliver(std::string(input_.text()));
      case 2: {  // an answer that is one, but for what it says
        v1::DiscoveryAnswer answer;
        answer.set_magic(wire::discovery_answer_magic);
        answer.set_version(wire::discovery_version);
        answer.set_nonce(nonce_);
        answer.set_server_id(input_.byte());
        if (!answer.mutable_server()->ParseFromString(std::string(input_.text()))) return;
        return deliver(answer.SerializeAsString());
      }
      case 3:
        now_ += std::chrono::milliseconds(input_.word());
        found_.forget(now_);
        return;
      default:
        return ask(found_.ask(++nonce_));
    }
  }

  boost::asio::ip::udp::endpoint source() {
    const std::uint8_t kind = input_.below(3);
    const std::uint8_t host = input_.byte();
    boost::asio::ip::address address = boost::asio::ip::address_v4(0x0a000000U + host);
    if (kind == 1) address = boost::asio::ip::address_v4::loopback();
    if (kind == 2) {
      address = boost::asio::ip::make_address("fe80::" + std::to_string(host));
    }
    return {address, static_cast<std::uint16_t>(1024 + host)};
  }

  void ask(const std::string& query) {
    const std::string answer = answerer_.answer(query, source(), 7654, now_);
    require(answer.size() <= query.size(), "an answer longer than its query");
    require(answerer_.sources() <= std::size_t{4} * server::DiscoveryLimits{}.burst,
            "too many sources");
    if (answer.empty()) return;
    v1::DiscoveryAnswer message;
    require(message.ParseFromString(answer), "an answer that is none");
    deliver(answer);
  }

  void deliver(const std::string& bytes) { found_.received(bytes, source(), now_); }

  void look() {
    const auto servers = found_.servers();
    require(servers.size() <= client::max_servers, "too many servers");
    for (std::string text : {client::draw_server_table(servers), client::server_json(servers),
                             client::choose(servers).note}) {
      std::erase(text, '\n');
      require(!wire::check_text(text).fault, "something that acts on a terminal");
      require(text.size() < std::size_t{1} << 20U, "a text without end");
    }
    require(servers.empty() || client::server_json(servers) != "{}", "what can't be written");
  }

  Input& input_;
  server::Time now_{std::chrono::hours(1)};
  std::uint64_t nonce_ = 1;
  client::ServersFound found_;
  transport::Answerer answerer_{7, [](v1::ServerInfo& info, int rooms) {
                                  info.set_name("den");
                                  for (int i = 0; i < rooms; ++i) {
                                    info.add_listed()->set_name(std::string(90, 'r'));
                                  }
                                }};
};

}  // namespace
}  // namespace tictactoe::fuzz

FUZZ_TARGET(discovery, data, size) {
  tictactoe::fuzz::Input input(data, size);
  tictactoe::fuzz::Network(input).run();
}
