// Drives a server::Host as a shell would, without sockets, on a clock that the test turns.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/wire/frame.hpp"
#include "server/host/host.hpp"
#include "tests/support/late_directory.hpp"
#include "tests/support/requests.hpp"
#include "tests/support/thinking.hpp"

namespace tictactoe::test {

/// Whether hosts under test have a directory that answers late, as one in a database does. CTest
/// runs the tests of the host with both.
inline const bool late_directory = std::getenv("TICTACTOE_LATE_DIRECTORY") != nullptr;

/// Delivers requests to a host and keeps what each connection was sent. Fails the test if an effect
/// names a connection that was closed, and if an encoded message is over its limit.
class HostDriver {
 public:
  /// Without a limit on silence, so that tests can let time pass.
  static server::Config patient() {
    server::Config config;
    config.limits.silence_timeout = {};
    return config;
  }
  /// The same with records, and without a limit on the rate of requests.
  static server::Config recording() {
    server::Config config = patient();
    config.keeps_records = true;
    config.limits.requests_per_second = 0;
    return config;
  }

  /// `choose` makes the directory, if it is given.
  explicit HostDriver(server::Config config = patient(), std::uint64_t seed = 1,
                      bool late = late_directory, const server::Host::ChooseDirectory& choose = {})
      : config_(with_quick_keys(std::move(config))),
        host_(config_, seed, counted_tokens(seed << 32),
              [&](std::unique_ptr<server::Directory> local) -> std::unique_ptr<server::Directory> {
                if (choose) return choose(std::move(local));
                if (!late) return local;
                auto directory = std::make_unique<LateDirectory>(std::move(local), seed);
                late_ = directory.get();
                return directory;
              }) {}

  /// Keys that take no time.
  static server::Config with_quick_keys(server::Config config) {
    config.key_cost.log2_n = 1;
    return config;
  }

  server::Host& host() { return host_; }
  server::Time now() const { return now_; }

  /// Tokens that tests can tell apart: the numbers after `last`.
  static server::TokenSource counted_tokens(std::uint64_t last = 0) {
    return [last]() mutable {
      server::Token token{};
      ++last;
      for (std::size_t i = 0; i < 8; ++i) token[15 - i] = static_cast<std::uint8_t>(last >> 8 * i);
      return token;
    };
  }

  server::ConnectionId connect(server::Origin origin = {1, 1}) {
    const server::ConnectionId id = host_.connected(origin, now_);
    open_.insert_or_assign(key(id), true);
    collect();
    return id;
  }

  /// Connects and says hello.
  server::ConnectionId enter(const std::string& name) {
    const server::ConnectionId id = connect();
    const v1::ServerMessage answer = ask(id, hello_request(name));
    EXPECT_TRUE(answer.has_welcome()) << answer.ShortDebugString();
    tokens_[key(id)] = answer.welcome().token();
    return id;
  }
  /// The token that a connection got in its welcome.
  const std::string& token(server::ConnectionId id) { return tokens_.at(key(id)); }

  /// Comes back on another connection, with what was seen of a room; the welcome is checked.
  server::ConnectionId come_back(const std::string& token, const std::string& room = {},
                                 std::uint64_t revision = 0) {
    const server::ConnectionId id = connect();
    v1::ClientMessage message = hello_request("somebody");
    message.mutable_hello()->set_token(token);
    message.mutable_hello()->set_room(room);
    message.mutable_hello()->set_revision(revision);
    const v1::ServerMessage answer = ask(id, message);
    EXPECT_TRUE(answer.welcome().resumed()) << answer.ShortDebugString();
    tokens_[key(id)] = token;
    return id;
  }

  void disconnect(server::ConnectionId id) {
    open_[key(id)] = false;
    unread_.erase(key(id));
    host_.disconnected(id, now_);
    collect();
  }

  void send_bytes(server::ConnectionId from, std::string_view body) {
    deliver(from, body);
    go_on();
  }

  /// Sends a request without waiting for its answer. Returns its id.
  std::uint64_t post(server::ConnectionId from, v1::ClientMessage request) {
    request.set_request_id(++last_request_);
    deliver(from, request.SerializeAsString());
    return last_request_;
  }
  /// Spends all tokens of a player on pings. Returns how many there were, at most `most`.
  int tokens(server::ConnectionId of, int max = std::numeric_limits<int>::max()) {
    int answered = 0;
    while (answered < max && ask(of, ping_request()).has_pong()) ++answered;
    return answered;
  }
  /// Lets the directory do all that waits.
  int rooms_asked() const { return late_ == nullptr ? 0 : late_->rooms_asked(); }
  void go_on() {
    while (goes_on()) {
    }
  }
  /// Lets the directory do one thing that waits; false if nothing does.
  bool goes_on() {
    if (late_ == nullptr || !late_->is_waiting()) return false;
    late_->go_on(now_);
    collect();
    return true;
  }

  /// Sends a request and returns its answer: the one message that repeats the request's id. Other
  /// messages stay in the mailbox.
  v1::ServerMessage ask(server::ConnectionId from, v1::ClientMessage request) {
    request.set_request_id(++last_request_);
    send_bytes(from, request.SerializeAsString());
    v1::ServerMessage answer;
    int answers = 0;
    for (const v1::ServerMessage& message : inbox(from)) {
      if (message.request_id() != last_request_) continue;
      answer = message;
      ++answers;
    }
    EXPECT_EQ(answers, 1) << request.ShortDebugString();
    return answer;
  }

  /// Lets time go by, in steps from deadline to deadline.
  void pass(std::chrono::milliseconds time) {
    const server::Time until = now_ + time;
    for (auto due = host_.next_deadline(); due && *due <= until; due = host_.next_deadline()) {
      now_ = std::max(now_, *due);
      host_.deadline_reached(now_);
      collect();
    }
    now_ = until;
  }

  /// All that was sent to that connection since the last take().
  const std::vector<v1::ServerMessage>& inbox(server::ConnectionId id) { return inboxes_[key(id)]; }
  std::vector<v1::ServerMessage> take(server::ConnectionId id) {
    return std::exchange(inboxes_[key(id)], {});
  }
  /// Whether thoughts are answered at once. Otherwise the test does it.
  bool thinks = true;
  /// Whether keys are derived at once. Otherwise the test does it.
  bool derives_keys = true;
  std::vector<server::DeriveKey> key_requests;
  /// Positions that the host wants thought about, those it has given up, and the rooms whose AI
  /// players it has released.
  std::vector<server::Think> thoughts;
  std::vector<server::ThoughtId> stopped_thoughts;
  std::vector<std::uint64_t> released;
  /// What the host wants written down, and looked up; not carried out either.
  std::vector<journal::v1::Record> records;
  std::vector<server::LookUp> look_ups;

  bool is_open(server::ConnectionId id) { return open_[key(id)]; }

  /// Carries the effects out.
  void collect() {
    server::Effects& effects = host_.effects();
    for (const server::Effect& effect : effects.list()) {
      if (const auto* close = std::get_if<server::Close>(&effect)) {
        EXPECT_TRUE(open_[key(close->connection)]) << "closed twice";
        open_[key(close->connection)] = false;
        continue;
      }
      if (const auto* think = std::get_if<server::Think>(&effect)) thoughts.push_back(*think);
      if (const auto* stop = std::get_if<server::CancelThinking>(&effect)) {
        stopped_thoughts.push_back(stop->id);
      }
      if (const auto* release = std::get_if<server::ReleaseAi>(&effect)) {
        released.push_back(release->room);
      }
      if (thinking_.take(effect)) continue;
      if (const auto* derive = std::get_if<server::DeriveKey>(&effect)) {
        key_requests.push_back(*derive);
        continue;
      }
      if (const auto* resume = std::get_if<server::ResumeReading>(&effect)) {
        EXPECT_TRUE(open_[key(resume->connection)]) << "a closed connection is to be read";
        EXPECT_FALSE(host_.is_waiting(resume->connection));
        resumed_.push_back(resume->connection);
        continue;
      }
      if (const auto* record = std::get_if<server::Record>(&effect)) {
        EXPECT_TRUE(config_.keeps_records);
        EXPECT_TRUE(
            records.emplace_back().ParseFromString(std::string(effects.bytes(record->body))));
        continue;
      }
      if (const auto* look_up = std::get_if<server::LookUp>(&effect)) {
        look_ups.push_back(*look_up);
        continue;
      }
      const auto& send = std::get<server::Send>(effect);
      EXPECT_TRUE(open_[key(send.to)]) << "sent to a closed connection";
      const std::string body(effects.bytes(send.body));
      constexpr std::size_t request_id_bytes = 11;
      EXPECT_LE(body.size() + request_id_bytes, config_.limits.server_frame_bytes);
      v1::ServerMessage message;
      EXPECT_TRUE(message.ParseFromString(body));
      EXPECT_EQ(message.request_id(), 0u) << "a request id in a body that others get too";
      message.set_request_id(send.request_id);
      inboxes_[key(send.to)].push_back(std::move(message));
    }
    effects.clear();
    for (const server::ConnectionId id : std::exchange(resumed_, {})) {
      for (const std::string& frame : std::exchange(unread_[key(id)], {})) deliver(id, frame);
    }
    if (thinks) answer_thoughts();
    if (derives_keys) answer_key_requests();
  }

  /// Derives all keys that are asked for, as a shell does.
  void answer_key_requests() {
    for (const server::DeriveKey& derive : std::exchange(key_requests, {})) {
      host_.key_derived(derive.id, server::derive_key(*derive.request), now_);
      collect();
    }
  }

  /// Answers one thought with that result.
  void answer_thought(server::ThoughtId id, const server::ThoughtResult& result) {
    host_.thought(id, result, now_);
    collect();
  }
  /// Answers all thoughts that are asked for, as a shell does.
  void answer_thoughts() {
    constexpr std::uint64_t nodes = 200;
    for (const thinking::AiPool::Answer& answer : thinking_.answers(nodes)) {
      host_.thought(answer.id, answer.result, now_);
      collect();
    }
  }

 private:
  // As a shell does it: a connection that waits is not read.
  void deliver(server::ConnectionId from, std::string_view body) {
    if (host_.is_waiting(from)) {
      unread_[key(from)].emplace_back(body);
      return;
    }
    host_.received(from, host_.parse(body), now_);
    collect();
  }

  static std::uint64_t key(server::ConnectionId id) {
    return std::uint64_t{id.slot} << 32 | id.generation;
  }

  server::Config config_;
  LateDirectory* late_ = nullptr;  // of the host
  server::Host host_;
  server::Time now_{std::chrono::hours(1)};
  Thinking thinking_;
  std::uint64_t last_request_ = 0;
  std::map<std::uint64_t, std::vector<v1::ServerMessage>> inboxes_;
  std::map<std::uint64_t, bool> open_;
  std::map<std::uint64_t, std::vector<std::string>> unread_;  // frames
  std::vector<server::ConnectionId> resumed_;
  std::map<std::uint64_t, std::string> tokens_;
};

}  // namespace tictactoe::test
