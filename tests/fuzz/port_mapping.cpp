// A router, or whoever poses as one, that sends anything at any time: the host sends at most one
// request per answer, holds no more than a mapping of an hour, and can always end.
#include "server/transport/reach/port_mapping.hpp"

#include <chrono>
#include <string>

#include "tests/fuzz/input.hpp"

namespace tictactoe::fuzz {
namespace {

using transport::PortMapping;

class RouterAtPlay {
 public:
  explicit RouterAtPlay(Input& input) : input_(input), mapping_(wanted(), now_) {}

  void run() {
    while (!input_.empty()) step();
    mapping_.remove(now_);
    for (int i = 0; i < 4 && !mapping_.has_ended(); ++i) wait(mapping_.deadline() - now_);
    require(mapping_.has_ended(), "a removal without end");
  }

 private:
  PortMapping::Wanted wanted() {
    const bool v6 = input_.below(2) == 1;
    const char* const client = v6 ? "2001:db8::10" : "192.168.1.10";
    return {gateway_, boost::asio::ip::make_address(client), 7654, 7654, {}};
  }

  void step() {
    switch (input_.below(4)) {
      case 0:
        return deliver(std::string(input_.text()));
      case 1:
        return wait(std::chrono::milliseconds(input_.word() * 4));
      case 2: {  // an answer to the last request, with some bytes of the fuzzer's
        std::string answer = request_;
        if (answer.size() < 2) return;
        answer[1] = static_cast<char>(answer[1] | '\x80');
        if (answer[0] == 0) answer.resize(answer[1] == '\x80' ? 12 : 16);
        for (int count = input_.below(12); count > 0; --count) {
          answer[input_.byte() % answer.size()] = static_cast<char>(input_.byte());
        }
        return deliver(answer);
      }
      default:
        if (input_.below(16) == 0) mapping_.remove(now_);
        return wait(mapping_.deadline() - now_);
    }
  }

  void deliver(const std::string& bytes) {
    mapping_.handle_datagram(bytes, gateway_, now_);
    look();
  }

  void wait(PortMapping::Time::duration time) {
    now_ += time;
    mapping_.handle_timeout(now_);
    look();
  }

  void look() {
    int sent = 0;
    for (std::string next = mapping_.next_datagram(); !next.empty();
         next = mapping_.next_datagram()) {
      request_ = std::move(next);
      require(request_.size() <= 60, "a long request");
      require(++sent <= 2, "more than a request");
    }
    require(mapping_.has_ended() || mapping_.deadline() > now_, "asks all the time");
    require(mapping_.steps().size() <= 2, "steps without end");
    const auto& open = mapping_.mapping();
    require(!open || (open->external_port != 0 && open->until <= now_ + PortMapping::max_lifetime),
            "a mapping that is none");
  }

  Input& input_;
  PortMapping::Time now_{std::chrono::hours(1)};
  boost::asio::ip::udp::endpoint gateway_{boost::asio::ip::make_address("192.168.1.1"),
                                          transport::port_control_port};
  PortMapping mapping_;
  std::string request_;
};

}  // namespace
}  // namespace tictactoe::fuzz

FUZZ_TARGET(port_mapping, data, size) {
  tictactoe::fuzz::Input input(data, size);
  tictactoe::fuzz::RouterAtPlay(input).run();
}
