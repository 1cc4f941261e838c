// What a WebSocket of Beast takes for a socket and an executor: memory, and the calling function.
#pragma once

#include <algorithm>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <boost/system/system_error.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "server/net/stored_handler.hpp"

namespace tictactoe::net {

/// Runs the steps of a WebSocket, in the function that has caused them.
class WebSocketSteps {
 public:
  template <class Function>
  void push(Function&& function) {
    steps_.push_back(
        std::make_unique<Of<std::decay_t<Function>>>(std::forward<Function>(function)));
  }
  void run() {
    while (!steps_.empty()) {
      const auto step = std::move(steps_.front());
      steps_.pop_front();
      step->run();
    }
  }
  void clear() { steps_.clear(); }

 private:
  struct Step {
    virtual ~Step() = default;
    virtual void run() = 0;
  };
  template <class Function>
  struct Of final : Step {
    explicit Of(Function&& from) : function(std::move(from)) {}
    explicit Of(const Function& from) : function(from) {}
    void run() override { std::move(function)(); }
    Function function;
  };
  std::deque<std::unique_ptr<Step>> steps_;
};

/// The executor of a WebSocket. The context is for its timer, which is not used.
class WebSocketExecutor {
 public:
  WebSocketExecutor(boost::asio::io_context& io, WebSocketSteps& steps)
      : io_(&io), steps_(&steps) {}

  boost::asio::io_context& query(boost::asio::execution::context_t /*context*/) const noexcept {
    return *io_;
  }
  static constexpr boost::asio::execution::blocking_t query(
      boost::asio::execution::blocking_t) noexcept {
    return boost::asio::execution::blocking.never;
  }
  template <class Function>
  void execute(Function&& function) const {
    steps_->push(std::forward<Function>(function));
  }
  friend bool operator==(const WebSocketExecutor&, const WebSocketExecutor&) = default;

 private:
  boost::asio::io_context* io_;
  WebSocketSteps* steps_;
};

/// What Beast takes for a socket: memory. A read ends when bytes are given to it; a write takes
/// all.
class WebSocketMemory {
 public:
  using executor_type = WebSocketExecutor;

  WebSocketMemory(boost::asio::io_context& io, WebSocketSteps& steps) : executor_(io, steps) {}
  executor_type get_executor() { return executor_; }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
        [this](auto handler, const Buffers& into) {
          input_ = *boost::asio::buffer_sequence_begin(into);
          on_read_ = StoredHandler(std::move(handler));
        },
        token, buffers);
  }
  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
        [this](auto handler, const Buffers& from) {
          // Only control frames are written so. A peer that does not read gets no further pongs.
          constexpr std::uint8_t pong = 0x8a;
          const boost::asio::const_buffer first = *boost::asio::buffer_sequence_begin(from);
          const std::size_t count = boost::asio::buffer_size(from);
          const bool is_pong = *static_cast<const std::uint8_t*>(first.data()) == pong;
          if (!is_pong || output.empty()) append(from);
          boost::asio::post(executor_, [handler = std::move(handler), count]() mutable {
            handler(boost::system::error_code(), count);
          });
        },
        token, buffers);
  }
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers) {
    return append(buffers);
  }
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers, boost::system::error_code& error) {
    error.clear();
    return append(buffers);
  }
  // Beast wants to see them, and calls neither.
  template <class Buffers>
  std::size_t read_some(const Buffers& /*buffers*/) {
    throw boost::system::system_error(boost::asio::error::would_block);
  }
  template <class Buffers>
  std::size_t read_some(const Buffers& /*buffers*/, boost::system::error_code& error) {
    error = boost::asio::error::would_block;
    return 0;
  }

  bool is_reading() const { return static_cast<bool>(on_read_); }
  /// Gives these bytes to the pending read, or the first of them.
  void give(std::string_view& bytes) {
    const std::size_t count =
        boost::asio::buffer_copy(input_, boost::asio::buffer(bytes.data(), bytes.size()));
    bytes.remove_prefix(count);
    StoredHandler on_read = std::move(on_read_);
    on_read(boost::system::error_code(), count);
  }

  std::string output;

 private:
  template <class Buffers>
  std::size_t append(const Buffers& buffers) {
    const std::size_t before = output.size();
    for (auto at = boost::asio::buffer_sequence_begin(buffers);
         at != boost::asio::buffer_sequence_end(buffers); ++at) {
      const boost::asio::const_buffer piece = *at;
      output.append(static_cast<const char*>(piece.data()), piece.size());
    }
    return output.size() - before;
  }

  executor_type executor_;
  boost::asio::mutable_buffer input_;
  StoredHandler on_read_;
};

// The owner of the memory ends the connection. Beast finds both by their arguments.
template <class Handler>
void async_teardown(boost::beast::role_type /*role*/, WebSocketMemory& memory, Handler&& handler) {
  boost::asio::post(memory.get_executor(), [handler = std::forward<Handler>(handler)]() mutable {
    handler(boost::system::error_code());
  });
}
inline void beast_close_socket(WebSocketMemory& /*memory*/) {}

}  // namespace tictactoe::net
