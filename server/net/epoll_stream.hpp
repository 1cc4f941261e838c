// A TCP socket as an Asio stream over Readiness. Linux only.
#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/socket_base.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "server/net/readiness.hpp"
#include "server/net/stored_handler.hpp"

namespace tictactoe::net {

/// Models AsyncReadStream, AsyncWriteStream and SyncWriteStream, and is its own lowest layer, so
/// that a Session takes it for a plain socket. One read, and one write or wait, may be pending.
/// Handlers run on the thread of the io_context; associated executors and allocators are not used.
/// A read costs one system call if its bytes have come alone, and starting one costs none. A write
/// or a wait that has to be pending takes memory of the heap.
class EpollStream final : private ReadinessHandler {
 public:
  using executor_type = boost::asio::io_context::executor_type;
  using lowest_layer_type = EpollStream;
  static constexpr bool reads_when_ready = true;
  static constexpr auto wait_write = boost::asio::socket_base::wait_write;

  /// Takes over a connected socket that does not block. `readiness` must outlive the open stream.
  /// `network` is that of the peer, see core::Origin.
  EpollStream(int socket, Readiness& readiness, std::uint64_t network)
      : ReadinessHandler(network), readiness_(readiness), socket_(socket) {}
  /// No operation may be pending.
  EpollStream(EpollStream&& other) noexcept;
  ~EpollStream() override { close_socket(); }
  EpollStream(const EpollStream&) = delete;
  EpollStream& operator=(const EpollStream&) = delete;

  executor_type get_executor() { return readiness_.get_executor(); }
  lowest_layer_type& lowest_layer() { return *this; }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(Error, std::size_t)>(
        [this](auto handler, const Buffers& into) {
          input_ = *boost::asio::buffer_sequence_begin(into);
          on_read_ = StoredHandler(std::move(handler));
          if (may_read_) ask_again();
        },
        token, buffers);
  }

  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(Error, std::size_t)>(
        [this](auto handler, const Buffers& from) {
          write_ = std::make_unique<PendingWrite>(*boost::asio::buffer_sequence_begin(from),
                                                  StoredHandler(std::move(handler)));
          ask_again();
        },
        token, buffers);
  }

  /// Waits until bytes can be written. `what` is wait_write.
  template <class Token>
  auto async_wait(boost::asio::socket_base::wait_type /*what*/, Token&& token) {
    return boost::asio::async_initiate<Token, void(Error)>(
        [this](auto handler) {
          write_ = std::make_unique<PendingWrite>(
              boost::asio::const_buffer(),
              StoredHandler([handler = std::move(handler)](
                                const Error& error, std::size_t) mutable { handler(error); }));
          ask_again();
        },
        token);
  }

  template <class Buffers>
  std::size_t write_some(const Buffers& buffers, boost::system::error_code& error) {
    return send(*boost::asio::buffer_sequence_begin(buffers), error);
  }

  bool is_open() const { return socket_ >= 0; }
  /// `what` is shutdown_send.
  void shutdown(boost::asio::socket_base::shutdown_type what, boost::system::error_code& error);
  /// Pending operations end with operation_aborted.
  void close(boost::system::error_code& error);

 private:
  using Error = boost::system::error_code;

  struct PendingWrite {
    boost::asio::const_buffer bytes;  // none: it only waits
    StoredHandler handler;
  };

  void on_ready(std::uint32_t events) override;
  /// Has on_ready() called with what is ready now; begins to watch.
  void ask_again();
  void finish_all(const Error& error);
  std::size_t receive(Error& error);
  std::size_t send(boost::asio::const_buffer bytes, Error& error) const;
  void close_socket();

  Readiness& readiness_;
  int socket_;
  bool is_watched_ = false;
  bool may_read_ = true;  // without another event
  boost::asio::mutable_buffer input_;
  StoredHandler on_read_;
  std::unique_ptr<PendingWrite> write_;  // null if none is pending, as mostly
};

}  // namespace tictactoe::net
