// HTTP and WebSockets as an Asio stream of the raw protocol.
#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/socket_base.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "server/net/async_output.hpp"
#include "server/net/session.hpp"
#include "server/net/shell.hpp"
#include "server/net/stored_handler.hpp"
#include "server/net/web_exchange.hpp"

namespace tictactoe::net {

/// A stream over `Next` for a connection that begins with an HTTP request. A Session reads and
/// writes frames of the raw protocol over it. Before an upgrade there are none to read, and written
/// frames are discarded; after it each frame is a message of the WebSocket. One read, and one write
/// or wait, may be pending.
///
/// Bytes count as written when everything made from them was written, so a peer that does not read
/// costs what it costs without HTTP.
template <class Next>
class WebStream final : private WebPeer {
  using Error = boost::system::error_code;

 public:
  using executor_type = typename Next::executor_type;
  using lowest_layer_type = WebStream;
  static constexpr bool reads_when_ready = ReadsWhenReady<Next>;
  static constexpr auto wait_write = boost::asio::socket_base::wait_write;

  /// Takes over `next`, of which `bytes` have been read. `context` must outlive the open stream.
  /// See WebPeer for `must_encrypt`.
  WebStream(Next&& next, WebContext& context, std::string_view bytes, bool must_encrypt = false)
      : next_(std::move(next)),
        context_(context),
        exchange_(context, *this),
        must_encrypt_(must_encrypt),
        first_bytes_(bytes) {}
  ~WebStream() = default;
  WebStream(const WebStream&) = delete;
  WebStream& operator=(const WebStream&) = delete;

  /// Whose stream this is. Called before the first read. `shell` must outlive the open stream.
  void attend(Shell& shell, const std::shared_ptr<Connection>& connection) {
    shell_ = &shell;
    connection_ = connection;
  }

  executor_type get_executor() { return next_.get_executor(); }
  lowest_layer_type& lowest_layer() { return *this; }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(Error, std::size_t)>(
        [this](auto handler, const Buffers& into) {
          into_ = *boost::asio::buffer_sequence_begin(into);
          ReadOperation<decltype(handler)> operation{this, std::move(handler)};
          if (has_begun_ && !has_more_to_say()) return read(std::move(operation));
          // Not from within this function.
          boost::asio::post(get_executor(), [operation = std::move(operation)]() mutable {
            operation.stream->begin(std::move(operation));
          });
        },
        token, buffers);
  }

  // If Next writes directly.
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers, Error& error) {
    const std::size_t count = write_now(buffers, error);
    count_kept();
    return count;
  }

  template <class Token>
  auto async_wait(boost::asio::socket_base::wait_type what, Token&& token) {
    return boost::asio::async_initiate<Token, void(Error)>(
        [this, what](auto handler) { next_.async_wait(what, std::move(handler)); }, token);
  }

  // If it does not.
  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(Error, std::size_t)>(
        [this](auto handler, const Buffers& from) {
          const boost::asio::const_buffer bytes = *boost::asio::buffer_sequence_begin(from);
          taken_ = bytes.size();
          on_written_ = StoredHandler(std::move(handler));
          if (exchange_.is_websocket()) {
            exchange_.websocket().write({static_cast<const char*>(bytes.data()), bytes.size()});
          }
          send();
          count_kept();
        },
        token, buffers);
  }

  bool is_open() { return next_.lowest_layer().is_open(); }
  void shutdown(boost::asio::socket_base::shutdown_type what, Error& error) {
    if (exchange_.is_websocket()) {
      exchange_.websocket().close();
      send_controls();
    }
    has_ended_ = true;
    next_.lowest_layer().shutdown(what, error);
  }
  void close(Error& error) {
    place_.leave();
    next_.lowest_layer().close(error);
    if (!sending_.is_pending()) finish_write(boost::asio::error::operation_aborted);
  }

 private:
  /// A pending read. Its handler owns the stream. Small, so that it needs no memory of the heap.
  template <class Handler>
  struct ReadOperation {
    WebStream* stream;
    Handler handler;
  };

  // Reading.
  bool has_more_to_say() {
    if (!exchange_.is_websocket()) return true;
    WebSocket& websocket = exchange_.websocket();
    return !websocket.frames().empty() || websocket.has_text() || peer_has_ended();
  }
  /// After the server has ended it, bytes are read and discarded until the peer does.
  bool peer_has_ended() { return !has_ended_ && !exchange_.websocket().is_open(); }

  template <class Operation>
  void begin(Operation operation) {
    if (!is_open()) return operation.handler(boost::asio::error::operation_aborted, 0);
    has_begun_ = true;
    if (exchange_.is_websocket()) return go_on(std::move(operation));
    if (const auto owner = connection_.lock(); owner && owner->is_open()) {
      origin_ = shell_->host().origin(owner->id());
    }
    exchange_.keep(std::exchange(first_bytes_, {}));
    await_turn(std::move(operation));
  }

  template <class Operation>
  void go_on(Operation operation) {
    if (exchange_.is_websocket()) return take_frames(std::move(operation));
    if constexpr (writes_directly<Next>) {
      Error error;
      if (!flush(error)) {
        if (error != boost::asio::error::would_block) return operation.handler(error, 0);
        return await_space(std::move(operation));
      }
    } else if (!exchange_.output().empty()) {
      return write_response(std::move(operation));
    }
    if (exchange_.is_websocket()) return take_frames(std::move(operation));
    if (exchange_.has_requests()) return await_turn(std::move(operation));
    if (exchange_.wants_end() && !std::exchange(has_ended_, true)) {
      Error ignored;  // whatever is wrong with the stream, reading ends it
      next_.lowest_layer().shutdown(boost::asio::socket_base::shutdown_send, ignored);
    }
    const auto owner = connection_.lock();
    if (exchange_.has_answered() && owner && owner->is_open()) shell_->served(*owner);
    read(std::move(operation));
  }

  /// Answers the next request when it is the turn of this connection's network.
  template <class Operation>
  void await_turn(Operation operation) {
    context_.requests.push(origin_.network, StoredHandler(in_turn(std::move(operation))));
  }
  template <class Operation>
  static auto in_turn(Operation operation) {
    return [operation = std::move(operation)](const Error& /*none*/, std::size_t /*none*/) mutable {
      WebStream& stream = *operation.stream;
      if (!stream.is_open()) return operation.handler(boost::asio::error::operation_aborted, 0);
      if (stream.exchange_.has_requests()) stream.exchange_.answer_next();
      stream.go_on(std::move(operation));
    };
  }

  template <class Operation>
  void await_space(Operation operation) {
    next_.async_wait(wait_write, [operation = std::move(operation)](const Error& error) mutable {
      if (error) return operation.handler(error, 0);
      operation.stream->go_on(std::move(operation));
    });
  }

  template <class Operation>
  void write_response(Operation operation) {
    const std::string_view output = exchange_.output();
    next_.async_write_some(
        boost::asio::buffer(output.data(), output.size()),
        [operation = std::move(operation)](const Error& error, std::size_t count) mutable {
          if (error) return operation.handler(error, 0);
          operation.stream->exchange_.sent(count);
          operation.stream->go_on(std::move(operation));
        });
  }

  template <class Operation>
  void read(Operation operation) {
    next_.async_read_some(
        into_, [operation = std::move(operation)](const Error& error, std::size_t count) mutable {
          if (error) return operation.handler(error, 0);
          WebStream& stream = *operation.stream;
          const std::string_view bytes(static_cast<const char*>(stream.into_.data()), count);
          if (!stream.exchange_.is_websocket()) {
            stream.exchange_.keep(bytes);
            return stream.await_turn(std::move(operation));
          }
          stream.exchange_.receive(bytes);
          stream.go_on(std::move(operation));
        });
  }

  template <class Operation>
  void take_frames(Operation operation) {
    WebSocket& websocket = exchange_.websocket();
    const auto owner = connection_.lock();
    place_.join(context_.open, *this);
    if (!websocket.output().empty()) send_controls();
    const WebSocket::Controls controls = websocket.take_controls();
    const bool is_known = owner && !owner->is_closed();
    if (is_known) shell_->controls(owner->id(), controls.charged, controls.is_alive);
    if (!is_open()) return operation.handler(boost::asio::error::operation_aborted, 0);
    if (websocket.frames().empty() && websocket.has_text()) read_text(websocket);
    if (!is_open()) return operation.handler(boost::asio::error::operation_aborted, 0);
    std::string& frames = websocket.frames();
    if (!frames.empty()) {
      const std::size_t count = boost::asio::buffer_copy(into_, boost::asio::buffer(frames));
      frames.erase(0, count);
      return operation.handler(Error(), count);
    }
    if (websocket.has_text()) {
      return boost::asio::post(get_executor(), [next = in_turn(std::move(operation))]() mutable {
        next({}, 0);  // one text in each turn of the event loop
      });
    }
    if (peer_has_ended()) return operation.handler(boost::asio::error::eof, 0);
    read(std::move(operation));
  }

  /// One text in a turn of the event loop, and only if the peer pays for it.
  void read_text(WebSocket& websocket) {
    const auto owner = connection_.lock();
    const bool is_paid = owner != nullptr && shell_->pays_for_text(*owner, websocket.text());
    is_paid ? websocket.read_text() : websocket.drop_text();
  }

  // Writing.
  template <class Buffers>
  std::size_t write_now(const Buffers& buffers, Error& error) {
    error.clear();
    const boost::asio::const_buffer bytes = *boost::asio::buffer_sequence_begin(buffers);
    if (!exchange_.is_websocket()) return bytes.size();
    if (!flush(error)) return 0;
    if (const std::size_t taken = std::exchange(taken_, 0); taken > 0) return taken;
    exchange_.websocket().write({static_cast<const char*>(bytes.data()), bytes.size()});
    if (flush(error)) return bytes.size();
    taken_ = bytes.size();
    return 0;
  }

  /// Bytes that are kept here take memory for output that waits, too.
  void count_kept() {
    const std::size_t kept =
        exchange_.is_websocket() ? exchange_.websocket().kept_bytes() + sending_.size() : 0;
    if (std::exchange(kept_, kept) == kept) return;
    if (const auto connection = connection_.lock()) connection->keeps(kept);
  }

  /// Writes what it can directly. Returns whether nothing is left.
  bool flush(Error& error) {
    for (std::string_view output = exchange_.output(); !output.empty();
         output = exchange_.output()) {
      const std::size_t count =
          next_.write_some(boost::asio::buffer(output.data(), output.size()), error);
      if (error) return false;
      exchange_.sent(count);
    }
    if (is_open()) return true;
    error = boost::asio::error::operation_aborted;
    return false;
  }

  /// Writes control frames. If the socket takes no more, they leave with what is written next.
  void send_controls() {
    if constexpr (writes_directly<Next>) {
      Error ignored;  // reading ends with it, too
      flush(ignored);
    } else {
      send();
    }
  }

  /// Asynchronously. Then the pending write is over.
  void send() {
    if (sending_.is_pending()) return;
    std::string bytes;
    if (exchange_.is_websocket()) {
      bytes.swap(exchange_.websocket().output());
    }
    if (!is_open()) return finish_write(boost::asio::error::operation_aborted);
    if (bytes.empty()) return finish_write({});
    sending_.write(next_, std::move(bytes), [this, owner = connection_.lock()](const Error& error) {
      if (error) return finish_write(error);
      send();
      count_kept();
    });
  }
  void finish_write(const Error& error) {
    if (!on_written_) return;
    const std::size_t count = error ? 0 : std::exchange(taken_, 0);
    boost::asio::post(get_executor(), [handler = std::move(on_written_), error, count]() mutable {
      handler(error, count);
    });
  }

  bool pays() override {
    const auto connection = connection_.lock();
    return connection != nullptr && shell_->pays(*connection);
  }
  void ping() override {
    exchange_.websocket().ping();
    send_controls();
  }
  bool is_encrypted() const override { return Encrypted<Next>; }
  bool must_encrypt() const override { return must_encrypt_; }

  Next next_;
  WebContext& context_;
  WebExchange exchange_;
  Shell* shell_ = nullptr;
  std::weak_ptr<Connection> connection_;
  bool must_encrypt_;
  std::string first_bytes_;
  bool has_begun_ = false;            // the first bytes have been handled
  bool has_ended_ = false;            // the sending side is shut
  boost::asio::mutable_buffer into_;  // of the pending read
  std::size_t taken_ = 0;             // bytes that were converted and not written yet
  StoredHandler on_written_;          // of the pending asynchronous write
  core::Origin origin_;               // of the peer
  AsyncOutput sending_;
  std::size_t kept_ = 0;  // bytes of output that are kept here, as counted
  WebSocketPlace place_;  // while it is an open WebSocket
};

template <class Next>
inline constexpr bool writes_directly<WebStream<Next>> = writes_directly<Next>;

}  // namespace tictactoe::net
