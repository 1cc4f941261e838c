// HTTP as an Asio stream of the raw protocol.
#pragma once

#include <algorithm>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/socket_base.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "server/net/session.hpp"
#include "server/net/shell.hpp"
#include "server/net/web_exchange.hpp"

namespace tictactoe::net {

/// A stream over `Next` for a connection that has begun with an HTTP request. A Session over it
/// knows nothing of that: it reads frames of the raw protocol, and writes them. There are none
/// while the peer asks for files. What is written then, such as the Error that no hello has come,
/// is discarded. One read, and one write or wait, may be pending.
template <class Next>
class WebStream final : private WebPeer {
  using Error = boost::system::error_code;

 public:
  using executor_type = typename Next::executor_type;
  using lowest_layer_type = WebStream;
  static constexpr bool reads_when_ready = ReadsWhenReady<Next>;
  static constexpr auto wait_write = boost::asio::socket_base::wait_write;

  /// Takes over `next`, of which `bytes` have been read. `context` must outlive the open stream.
  WebStream(Next&& next, const WebContext& context, std::string_view bytes)
      : next_(std::move(next)), exchange_(context, *this), first_bytes_(bytes) {}
  WebStream(const WebStream&) = delete;
  WebStream& operator=(const WebStream&) = delete;

  /// Whose stream this is. Called before the first read. Both must outlive the open stream.
  void attend(Shell& shell, Connection& connection) {
    shell_ = &shell;
    connection_ = &connection;
  }

  executor_type get_executor() { return next_.get_executor(); }
  lowest_layer_type& lowest_layer() { return *this; }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(Error, std::size_t)>(
        [this](auto handler, const Buffers& into) {
          into_ = *boost::asio::buffer_sequence_begin(into);
          ReadOperation<decltype(handler)> operation{this, std::move(handler)};
          // Not from within this function.
          boost::asio::post(get_executor(), [operation = std::move(operation)]() mutable {
            operation.stream->begin(std::move(operation));
          });
        },
        token, buffers);
  }

  template <class Buffers>
  std::size_t write_some(const Buffers& buffers, Error& error) {
    error.clear();
    return boost::asio::buffer_size(buffers);
  }

  template <class Token>
  auto async_wait(boost::asio::socket_base::wait_type what, Token&& token) {
    return next_.async_wait(what, std::forward<Token>(token));
  }

  bool is_open() { return next_.lowest_layer().is_open(); }
  void shutdown(boost::asio::socket_base::shutdown_type what, boost::system::error_code& error) {
    next_.lowest_layer().shutdown(what, error);
  }
  void close(boost::system::error_code& error) { next_.lowest_layer().close(error); }

 private:
  /// A pending read. Its handler owns the stream. Small, so that it needs no memory of the heap.
  template <class Handler>
  struct ReadOperation {
    WebStream* stream;
    Handler handler;
  };

  template <class Operation>
  void begin(Operation operation) {
    if (!is_open()) return operation.handler(boost::asio::error::operation_aborted, 0);
    exchange_.receive(std::exchange(first_bytes_, {}));
    go_on(std::move(operation));
  }

  template <class Operation>
  void go_on(Operation operation) {
    while (!exchange_.output().empty()) {
      Error error;
      const std::string_view output = exchange_.output();
      const std::size_t count =
          next_.write_some(boost::asio::buffer(output.data(), output.size()), error);
      if (error == boost::asio::error::would_block) return await_space(std::move(operation));
      if (error) return operation.handler(error, 0);
      exchange_.sent(count);
    }
    if (exchange_.wants_end() && !std::exchange(has_ended_, true)) {
      Error ignored;  // whatever is wrong with the stream, reading ends it
      shutdown(boost::asio::socket_base::shutdown_send, ignored);
    }
    read(std::move(operation));
  }

  template <class Operation>
  void await_space(Operation operation) {
    next_.async_wait(wait_write, [operation = std::move(operation)](const Error& error) mutable {
      if (error) return operation.handler(error, 0);
      operation.stream->go_on(std::move(operation));
    });
  }

  template <class Operation>
  void read(Operation operation) {
    next_.async_read_some(
        into_, [operation = std::move(operation)](const Error& error, std::size_t count) mutable {
          if (error) return operation.handler(error, 0);
          WebStream& stream = *operation.stream;
          stream.exchange_.receive({static_cast<const char*>(stream.into_.data()), count});
          stream.go_on(std::move(operation));
        });
  }

  bool pays() override { return shell_->pays(*connection_); }

  Next next_;
  WebExchange exchange_;
  Shell* shell_ = nullptr;
  Connection* connection_ = nullptr;
  std::string first_bytes_;
  bool has_ended_ = false;
  boost::asio::mutable_buffer into_;  // of the pending read
};

}  // namespace tictactoe::net
