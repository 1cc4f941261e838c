// Any server, any person: the console client never shows what could act on a terminal, and never
// sends what is no message.
#include <string>

#include "client/lines/conversation.hpp"
#include "common/wire/frame.hpp"
#include "common/wire/text.hpp"
#include "tests/fuzz/session.hpp"

namespace tictactoe::fuzz {
namespace {

class Person {
 public:
  explicit Person(Input& input) : input_(input), conversation_(options(input.byte())) {}

  void run() {
    while (!input_.empty() && !conversation_.session().ending()) {
      step();
      conversation_.update(now_);
      listen();
    }
  }

 private:
  static client::Conversation::Options options(std::uint8_t bits) {
    client::Conversation::Options options;
    options.session.name = "fuzz";
    options.session.software = "fuzz";
    options.server = "testhost";
    options.script = (bits & 1U) != 0;
    options.session.guest = (bits & 4U) != 0;
    options.session.patience = std::chrono::seconds((bits & 8U) != 0 ? 600 : 0);
    return options;
  }

  void step() {
    switch (input_.below(9)) {
      case 0:
        return conversation_.typed(input_.text(), now_);
      case 1:
        return deliver(input_.text());
      case 2: {
        std::string frame;
        wire::append_frame(frame, input_.text());
        return deliver(frame);
      }
      case 3: {  // an answer, or news, to whatever was asked last
        std::string prefix;
        if (last_request_ != 0) {
          prefix.push_back(v1::ServerMessage::kRequestIdFieldNumber << 3);
          wire::append_varint(prefix, last_request_);
        }
        std::string frame;
        wire::append_frame(frame, prefix, input_.text());
        return deliver(frame);
      }
      case 4:
        now_ += std::chrono::milliseconds(10 * input_.word());
        if (const auto due = conversation_.session().next_deadline(); due && *due <= now_) {
          conversation_.session().deadline_reached(now_);
        }
        return;
      case 5:
        if (std::exchange(connected_, false))
          return conversation_.session().connection_lost("gone", now_);
        return;
      case 6:
        if (connected_ || !conversation_.session().wants_connection()) return;
        connected_ = true;
        return conversation_.session().connected(now_);
      case 7:
        return conversation_.input_ended(now_);
      default:
        return conversation_.leave(now_);
    }
  }

  void deliver(std::string_view bytes) {
    if (!connected_) return;
    fuzz::deliver(conversation_.session(), bytes, now_);
    if (!conversation_.session().wants_connection()) connected_ = false;
  }

  void listen() {
    const std::string text = conversation_.take_text();
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      require(!wire::check_text(std::string_view(text).substr(begin, end - begin)).fault,
              "something that acts on a terminal");
      begin = end + 1;
    }
    last_request_ = last_request(conversation_.session().take_bytes(), last_request_);
  }

  Input& input_;
  client::Conversation conversation_;
  std::chrono::steady_clock::time_point now_{std::chrono::hours(1)};
  bool connected_ = false;
  std::uint64_t last_request_ = 0;
};

}  // namespace
}  // namespace tictactoe::fuzz

FUZZ_TARGET(client, data, size) {
  tictactoe::fuzz::Input input(data, size);
  tictactoe::fuzz::Person(input).run();
}
