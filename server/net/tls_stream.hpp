// TLS as an Asio stream.
#pragma once

#include <array>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/socket_base.hpp>
#include <boost/assert.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "server/net/session.hpp"
#include "server/net/stored_handler.hpp"
#include "server/net/tls_engine.hpp"
#include "server/net/turn_queue.hpp"

namespace tictactoe::net {

/// What the TLS connections of one server share. Must outlive them while they are open.
struct TlsContext {
  /// `of` must outlive the open connections, too.
  TlsContext(boost::asio::io_context& io, Shell& of) : shell(of), handshakes(io, 1) {}

  Shell& shell;
  TurnQueue handshakes;  ///< for a new key: set_at_once(handshakes_at_once())
  /// For the bytes of one read, if the stream below reads when ready.
  std::array<char, std::size_t{16} * 1024> input{};
};

/// The server's side of TLS over `Next`, which is a stream as Session writes it directly. The
/// handshake happens within the first read, in the turns of the connection's network; until it is
/// over, writing would block. Key updates of the peer cost tokens. A Session takes it for a plain
/// socket. One read, and one write or wait, may be pending. Can be moved while none is.
///
/// An end without close_notify is an end, too: frames are whole or discarded.
template <class Next>
class TlsStream {
  using Error = boost::system::error_code;

 public:
  using executor_type = typename Next::executor_type;
  using lowest_layer_type = TlsStream;
  static constexpr bool reads_when_ready = true;
  static constexpr bool is_encrypted = true;
  static constexpr auto wait_write = boost::asio::socket_base::wait_write;

  /// Takes over `next` of the connection `id`, of which `bytes` have been read.
  TlsStream(Next&& next, TlsContext& shared, SSL_CTX& context, core::ConnectionId id,
            std::uint64_t network, std::string_view bytes)
      : state_(std::make_unique<State>(std::move(next), shared, context, id, network)) {
    state_->engine.receive(bytes);
    state_->engine.keep_input();
  }

  executor_type get_executor() { return state_->next.get_executor(); }
  lowest_layer_type& lowest_layer() { return *this; }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(Error, std::size_t)>(
        [this](auto handler, const Buffers& into) {
          state_->into = *boost::asio::buffer_sequence_begin(into);
          ReadOperation<decltype(handler)> operation{state_.get(), std::move(handler)};
          if (!state_->engine.has_input()) return read(std::move(operation));
          if (!state_->engine.is_ready()) return await_turn(std::move(operation));
          // Not from within this function.
          boost::asio::post(get_executor(), [operation = std::move(operation)]() mutable {
            go_on(std::move(operation));
          });
        },
        token, buffers);
  }

  /// A write that would block is repeated with the same bytes; there may be more behind them.
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers, Error& error) {
    const boost::asio::const_buffer bytes = *boost::asio::buffer_sequence_begin(buffers);
    return state_->engine.write({static_cast<const char*>(bytes.data()), bytes.size()}, error);
  }

  /// Waits until bytes can be written. `what` is wait_write.
  template <class Token>
  auto async_wait(boost::asio::socket_base::wait_type /*what*/, Token&& token) {
    return boost::asio::async_initiate<Token, void(Error)>(
        [this](auto handler) {
          if (state_->engine.is_ready()) return wait(*state_, std::move(handler));
          BOOST_ASSERT_MSG(!state_->on_ready, "one write or wait may be pending");
          state_->on_ready = StoredHandler([state = state_.get(), handler = std::move(handler)](
                                               const Error& error, std::size_t /*bytes*/) mutable {
            if (error) return handler(error);
            wait(*state, std::move(handler));
          });
        },
        token);
  }

  bool is_open() { return state_->next.lowest_layer().is_open(); }
  /// `what` is shutdown_send.
  void shutdown(boost::asio::socket_base::shutdown_type what, Error& error) {
    state_->engine.end();
    state_->next.lowest_layer().shutdown(what, error);
  }
  /// Pending operations end with operation_aborted.
  void close(Error& error) {
    state_->next.lowest_layer().close(error);
    abort(state_->on_ready);
    abort(state_->also_waits);
  }

 private:
  /// Does not move, so that operations and OpenSSL can refer to it.
  struct State {
    State(Next&& from, TlsContext& with, SSL_CTX& context, core::ConnectionId of,
          std::uint64_t in_network)
        : next(std::move(from)),
          shared(with),
          engine(context, send, this),
          id(of),
          network(in_network) {}

    static std::size_t send(void* to, std::string_view bytes, Error& error) {
      return static_cast<State*>(to)->next.write_some(
          boost::asio::buffer(bytes.data(), bytes.size()), error);
    }
    boost::asio::mutable_buffer input() {
      if constexpr (ReadsWhenReady<Next>) {
        return boost::asio::buffer(shared.input);
      } else {
        return boost::asio::buffer(own_input);
      }
    }

    Next next;
    TlsContext& shared;
    TlsEngine engine;
    std::array<char, ReadsWhenReady<Next> ? 0 : 2048> own_input{};
    boost::asio::mutable_buffer into;  // of the pending read
    StoredHandler on_ready;            // of a wait that is pending until the handshake is over
    StoredHandler also_waits;          // for space, beside the wait of `next` that is pending
    bool is_waiting = false;           // for space
    core::ConnectionId id;
    std::uint64_t network;
  };

  /// A pending read. Its handler owns the stream. Small, so that it needs no memory of the heap.
  template <class Handler>
  struct ReadOperation {
    State* state;
    Handler handler;
  };

  template <class Operation>
  static void read(Operation operation) {
    State& state = *operation.state;
    state.next.async_read_some(state.input(), [operation = std::move(operation)](
                                                  const Error& error, std::size_t count) mutable {
      if (error) return finish(std::move(operation), error, 0);
      State& of = *operation.state;
      of.engine.receive({static_cast<const char*>(of.input().data()), count});
      if (of.engine.is_ready()) return go_on(std::move(operation));
      of.engine.keep_input();
      await_turn(std::move(operation));
    });
  }

  template <class Operation>
  static void await_turn(Operation operation) {
    State& state = *operation.state;
    state.shared.handshakes.push(
        state.network, StoredHandler([operation = std::move(operation)](
                                         const Error& /*none*/, std::size_t /*bytes*/) mutable {
          go_on(std::move(operation));
        }));
  }

  // Gives the handler what there is, or waits for more.
  template <class Operation>
  static void go_on(Operation operation) {
    State& state = *operation.state;
    if (!state.next.lowest_layer().is_open()) {
      return finish(std::move(operation), boost::asio::error::operation_aborted, 0);
    }
    const TlsEngine::Read read_now =
        state.engine.read({static_cast<char*>(state.into.data()), state.into.size()});
    state.engine.keep_input();
    if (const std::size_t updates = state.engine.take_key_updates(); updates > 0) {
      state.shared.shell.controls(state.id, updates, false);
      if (!state.next.lowest_layer().is_open()) {
        return finish(std::move(operation), boost::asio::error::operation_aborted, 0);
      }
    }
    if (state.on_ready && state.engine.is_ready()) {
      boost::asio::post(state.next.get_executor(),
                        [handler = std::move(state.on_ready)]() mutable { handler({}, 0); });
    }
    switch (read_now.wants) {
      case TlsEngine::Wants::input:
        return read(std::move(operation));
      case TlsEngine::Wants::space:
        return await_space(std::move(operation));
      case TlsEngine::Wants::nothing:
        break;
    }
    finish(std::move(operation), read_now.error, read_now.count);
  }

  template <class Operation>
  static void await_space(Operation operation) {
    State& state = *operation.state;
    wait(state, [operation = std::move(operation)](const Error& error) mutable {
      if (error) return finish(std::move(operation), error, 0);
      go_on(std::move(operation));
    });
  }

  template <class Operation>
  static void finish(Operation operation, const Error& error, std::size_t count) {
    operation.handler(error, count);
  }

  /// For a read, in which TLS has something to send, and for a wait of the caller. `next` takes
  /// one.
  template <class Handler>
  static void wait(State& state, Handler handler) {
    if (std::exchange(state.is_waiting, true)) {
      BOOST_ASSERT_MSG(!state.also_waits, "one read, and one write or wait, may be pending");
      state.also_waits =
          StoredHandler([handler = std::move(handler)](
                            const Error& error, std::size_t /*bytes*/) mutable { handler(error); });
      return;
    }
    state.next.async_wait(wait_write,
                          [of = &state, handler = std::move(handler)](const Error& error) mutable {
                            of->is_waiting = false;
                            StoredHandler other = std::move(of->also_waits);
                            handler(error);
                            if (other) other(error, 0);
                          });
  }

  void abort(StoredHandler& pending) {
    if (!pending) return;
    boost::asio::post(get_executor(), [handler = std::move(pending)]() mutable {
      handler(boost::asio::error::operation_aborted, 0);
    });
  }

  std::unique_ptr<State> state_;
};

}  // namespace tictactoe::net
