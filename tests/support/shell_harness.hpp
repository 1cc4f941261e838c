// Runs a transport::Shell in memory, on a clock that the test turns.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/wire/frame.hpp"
#include "server/transport/shell/shell.hpp"
#include "tests/support/late_directory.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::test {

// Requests, and a config that lets tests take their time.

inline server::Config patient() {
  server::Config config;
  config.limits.silence_timeout = {};
  config.limits.requests_per_second = 0;
  return config;
}

inline v1::ClientMessage ping(std::uint64_t id) {
  v1::ClientMessage message;
  message.set_request_id(id);
  message.mutable_ping();
  return message;
}

inline v1::ClientMessage goodbye() {
  v1::ClientMessage message;
  message.set_request_id(7);
  message.mutable_goodbye();
  return message;
}

inline std::string frame(const v1::ClientMessage& message) {
  std::string bytes;
  wire::append_frame(bytes, message.SerializeAsString());
  return bytes;
}

inline std::string pings(std::uint64_t first, std::uint64_t last) {
  std::string bytes;
  for (std::uint64_t id = first; id <= last; ++id) bytes += frame(ping(id));
  return bytes;
}

/// A connection whose peer is the test.
class FakeConnection final : public transport::Connection {
 public:
  using Connection::Connection;

  void update() override {
    while (takes_bytes > 0 && !ready().empty()) {
      const std::size_t count = std::min(ready().size(), takes_bytes);
      arrived += ready().substr(0, count);
      takes_bytes -= count;
      written(count);
    }
    if (wants_shutdown()) {
      saw_end = true;
      shut_down();
    }
    is_reading = !is_closed() && wants_read();
  }

  /// The messages that have arrived whole since the last call.
  std::vector<v1::ServerMessage> messages() {
    std::vector<v1::ServerMessage> all;
    std::string_view rest = arrived;
    for (wire::NextFrame next; (next = wire::take_frame(rest, std::size_t{1} << 24)).state ==
                               wire::NextFrame::State::frame;) {
      EXPECT_TRUE(all.emplace_back().ParseFromString(std::string(next.body)));
    }
    arrived = std::string(rest);
    return all;
  }

  std::size_t takes_bytes = std::size_t{1} << 30;  ///< before its peer has to read
  std::string arrived;
  bool saw_end = false;     ///< the peer knows that nothing more comes
  bool is_reading = false;  ///< as of the last update()
};

/// The I/O of the shell: nothing happens unless the test says so.
class ShellHarness final : private transport::ShellIo {
 public:
  enum class Option : std::uint8_t { plain, keeps_records, late_directory };

  explicit ShellHarness(server::Config config = {}, Option option = Option::plain) {
    config.keeps_records = option == Option::keeps_records;
    transport::ShellIo& io = *this;
    shell_ = std::make_unique<transport::Shell>(
        std::move(config), 1, [] { return server::Token{}; }, io,
        [&](std::unique_ptr<server::Directory> local) -> std::unique_ptr<server::Directory> {
          if (option != Option::late_directory) return local;
          auto directory = std::make_unique<LateDirectory>(std::move(local), 1);
          late_ = directory.get();
          return directory;
        });
    if (option != Option::keeps_records) return;
    shell_->record_with(
        {[this](std::span<const std::string_view> /*records*/) { return ++appended_; },
         [this](const server::LookUp& /*question*/,
                std::function<void(server::LookUpAnswer)> answer) {
           look_ups.push_back(std::move(answer));
         }});
  }

  /// Takers of answers about records.
  std::vector<std::function<void(server::LookUpAnswer)>> look_ups;

  transport::Shell& shell() { return *shell_; }
  /// Ends the shell before its connections.
  void destroy() { shell_.reset(); }

  std::shared_ptr<FakeConnection> connect(std::uint64_t address = 1) {
    auto connection = std::make_shared<FakeConnection>(shell_->context());
    shell_->connected(connection, {address, address});
    connection->update();
    return connection;
  }
  std::shared_ptr<FakeConnection> enter(const std::string& name, std::uint64_t address = 1) {
    auto connection = connect(address);
    send(*connection, hello_request(name));
    return connection;
  }
  void send(FakeConnection& from, const v1::ClientMessage& message) {
    std::string frame;
    wire::append_frame(frame, message.SerializeAsString());
    send_bytes(from, frame);
  }
  void send_bytes(FakeConnection& from, std::string_view bytes) {
    EXPECT_TRUE(from.is_reading);
    from.take(bytes);
    shell_->received(from);
    from.update();
    if (runs_slices) run_slices();
  }
  /// All that was left for later.
  void run_slices() {
    while (run_slice()) {
    }
  }
  /// False if nothing was left for later.
  bool run_slice() {
    if (!std::exchange(slice_is_due_, false)) return false;
    shell_->run_slice();
    return true;
  }
  bool runs_slices = true;  ///< after each event
  /// Everything that has been recorded becomes durable.
  void commit() { shell_->durable(appended_); }

  /// The directory gives all its answers.
  void answer() {
    while (late_->is_waiting()) late_->go_on(now_);
    shell_->directory_answered();
  }

  /// Lets time go by, from timer to timer.
  void pass(std::chrono::milliseconds time) {
    const server::Time until = now_ + time;
    while (timer_ && *timer_ <= until) {
      now_ = std::max(now_, *std::exchange(timer_, std::nullopt));
      shell_->timer_expired();
    }
    now_ = until;
  }
  /// Lets time go by, in which nothing happens.
  void let_time_pass(std::chrono::milliseconds time) { now_ += time; }
  /// How much time goes by whenever the shell looks at the clock.
  std::chrono::microseconds look_takes{0};
  bool has_timer() const { return timer_.has_value(); }
  bool has_stopped() const { return stopped_; }

 private:
  server::Time now() override { return now_ += look_takes; }
  void set_timer(server::Time at) override { timer_ = at; }
  void cancel_timer() override { timer_.reset(); }
  void ask_for_slice() override { slice_is_due_ = true; }
  void stopped() override { stopped_ = true; }
  void think(const server::Think& /*think*/) override {}
  void cancel(server::ThoughtId /*id*/) override {}
  void release(std::uint64_t /*room*/) override {}
  void cancel_all() override {}
  void derive(const server::DeriveKey& /*derive*/) override {}

  server::Time now_{std::chrono::hours(1)};
  std::optional<server::Time> timer_;
  bool slice_is_due_ = false;
  bool stopped_ = false;
  std::uint64_t appended_ = 0;
  LateDirectory* late_ = nullptr;  // the host owns it
  std::unique_ptr<transport::Shell> shell_;
};

}  // namespace tictactoe::test
