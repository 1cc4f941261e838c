// WebSockets whose messages are JSON, and messages that take long to convert.
#include <gmock/gmock.h>
#include <google/protobuf/util/json_util.h>

#include <array>
#include <thread>
#include <vector>

#include "server/net/json_converter.hpp"
#include "server/net/web_stream.hpp"
#include "tests/support/shell_harness.hpp"
#include "tests/support/stream_kinds.hpp"
#include "tests/support/websocket_bytes.hpp"

namespace tictactoe::test::json_streams_tests {
namespace {

using boost::system::error_code;

constexpr std::size_t megabyte = std::size_t{1} << 20;

v1::ServerMessage message(std::size_t size, char letter) {
  v1::ServerMessage of;
  of.mutable_error()->set_message(std::string(size, letter));
  return of;
}

std::string by_protobuf(const v1::ServerMessage& message) {
  std::string json;
  EXPECT_TRUE(google::protobuf::util::MessageToJsonString(message, &json).ok());
  return json;
}

/// A connection over a kind of stream. Its peer reads only when told.
template <class Kind>
class JsonStreams : public ::testing::Test {
 protected:
  using Server = net::WebStream<typename Kind::Server>;

  JsonStreams() : streams_(io_) {
    session_ = std::make_shared<net::Session<Server>>(harness_.shell(), streams_.server_end(),
                                                      context_, upgrade_);
    session_->stream().attend(harness_.shell(), session_);
    harness_.shell().connected(session_, {1, 1});
    session_->update();
    poll();
  }
  ~JsonStreams() override {
    harness_.destroy();
    session_.reset();
    poll();
  }

  void poll() {
    for (int i = 0; i < 100; ++i) {
      io_.restart();
      io_.poll();
    }
  }
  void push(const v1::ServerMessage& message) {
    ASSERT_TRUE(session_->push({}, message.SerializeAsString(), {}, 0));
    session_->update();
  }
  /// Reads one chunk, and adds the whole texts that have come to texts_.
  void read() {
    bool has_read = false;
    std::size_t count = 0;
    streams_.client.async_read_some(asio::buffer(space_),
                                    [&](const error_code&, std::size_t bytes) {
                                      has_read = true;
                                      count = bytes;
                                    });
    while (!has_read) {
      io_.restart();
      io_.run_one();
    }
    ASSERT_GT(count, 0U);
    received_.append(space_.data(), count);
    if (const std::size_t end = received_.find("\r\n\r\n"); !is_open_) {
      ASSERT_NE(end, std::string::npos);
      received_.erase(0, end + 4);
      is_open_ = true;
    }
    while (const auto frame = take_websocket_frame(received_)) {
      if (frame->opcode != Opcode::text && frame->opcode != Opcode::more) continue;
      text_ += frame->payload;
      longest_ = std::max(longest_, frame->payload.size());
      if (frame->is_last) texts_.push_back(std::exchange(text_, {}));
    }
  }
  /// The session writes only so much in a turn.
  void await_conversion() {
    while (context_.converter.size() == 0) {
      io_.restart();
      io_.poll_one();
    }
  }
  std::size_t backlog() { return harness_.shell().context().backlogs.used(); }

  asio::io_context io_;
  ShellHarness harness_{patient()};
  net::WebContext context_{io_, core::Limits().client_frame_bytes};
  Kind streams_;
  const std::string upgrade_ = upgrade_request("tictactoe.v1.json");
  std::shared_ptr<net::Session<Server>> session_;
  std::array<char, 65536> space_;
  bool is_open_ = false;
  std::string received_;
  std::string text_;
  std::size_t longest_ = 0;  // payload of a frame
  std::vector<std::string> texts_;
};

#ifdef TICTACTOE_EPOLL
using Kinds = ::testing::Types<LocalSockets, EpollStreams, TlsStreams>;
#else
using Kinds = ::testing::Types<LocalSockets, TlsStreams>;
#endif
TYPED_TEST_SUITE(JsonStreams, Kinds);

TYPED_TEST(JsonStreams, count_the_memory_of_large_messages) {
  this->push(message(megabyte, 'x'));
  EXPECT_GT(this->backlog(), megabyte / 2) << "while it waits for its conversion";
  while (this->context_.converter.size() > 0) this->poll();
  EXPECT_GT(this->backlog(), megabyte / 2) << "the rest is in the buffers of the sockets";
  while (this->texts_.empty()) this->read();
  this->poll();
  EXPECT_EQ(this->backlog(), 0U);
}

TYPED_TEST(JsonStreams, convert_large_messages_beside_the_loop_and_keep_their_order) {
  const std::vector<v1::ServerMessage> sent{message(10, 'a'),     message(megabyte, 'b'),
                                            message(10, 'c'),     message(20'000, 'd'),
                                            message(30'000, 'e'), message(10, 'f')};
  for (const v1::ServerMessage& each : sent) this->push(each);
  this->await_conversion();
  EXPECT_EQ(this->context_.converter.size(), 1U) << "one of a connection at a time";
  while (this->texts_.size() < sent.size()) this->read();
  for (std::size_t i = 0; i < sent.size(); ++i) EXPECT_EQ(this->texts_[i], by_protobuf(sent[i]));
  EXPECT_LE(this->longest_, std::size_t{64} * 1024) << "one turn sends no more";
  EXPECT_EQ(this->context_.converter.size(), 0U);
}

TYPED_TEST(JsonStreams, for_which_too_many_long_messages_wait_are_closed) {
  for (std::size_t i = 0; i < net::JsonConverter::most_of_address; ++i) {
    this->context_.converter.convert({1, 1}, message(1'000'000 + i, 'x').SerializeAsString(),
                                     [](const net::LongJson&) {});
  }
  this->push(message(10'000, 'y'));
  this->poll();
  EXPECT_TRUE(this->session_->is_closed());
}

TYPED_TEST(JsonStreams, that_end_forget_their_conversion) {
  this->push(message(megabyte, 'x'));
  this->await_conversion();
  this->session_->abort();
  this->session_->update();
  EXPECT_EQ(this->context_.converter.size(), 0U);
  const std::weak_ptr<net::Connection> gone = this->session_;
  this->harness_.destroy();
  this->session_.reset();
  this->poll();
  EXPECT_TRUE(gone.expired()) << "nothing waits for the conversion";
}

}  // namespace
}  // namespace tictactoe::test::json_streams_tests
