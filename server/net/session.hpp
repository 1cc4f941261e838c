// A connection over any Asio stream.
#pragma once

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/socket_base.hpp>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "server/net/handler_memory.hpp"
#include "server/net/protocols.hpp"
#include "server/net/shell.hpp"

namespace tictactoe::net {

/// Whether a write that does not block can be tried on a stream at once: it is itself a socket.
template <class Stream>
inline constexpr bool writes_directly =
    std::derived_from<Stream, typename Stream::lowest_layer_type>;

/// A stream that writes to the buffer of a pending read only when it calls the handler, in the same
/// step, and keeps the handler itself. Such streams can share one buffer.
template <class Stream>
concept ReadsWhenReady = Stream::reads_when_ready;

/// A stream whose bytes nobody on the way can read.
template <class Stream>
concept Encrypted = Stream::is_encrypted;

/// Transport of one connection. `Stream` is an AsyncReadStream and an AsyncWriteStream with a
/// lowest_layer() that is a socket, such as tcp::socket and ssl::stream<tcp::socket>. It is
/// connected, past its handshakes, and a plain socket does not block.
///
/// One read is pending while the connection wants one; it owns the session and passes it on to the
/// next. Nothing else owns a session that the Shell has forgotten. Writes go out directly if the
/// stream is a plain socket. What it does not take, and what is more than one connection may write
/// in a turn of the event loop, waits until the socket takes more. Other streams are written
/// asynchronously, a piece at a time. On a plain socket reading and direct writing do not call the
/// heap.
///
/// With offer(), the first bytes decide whether the connection goes on with another protocol. Then
/// another transport takes over the stream and the connection, and this one ends. A connection that
/// the host closes at once is told so in the protocol of its first bytes.
template <class Stream>
class Session final : public Connection, public std::enable_shared_from_this<Session<Stream>> {
 public:
  /// `shell` must outlive the connection unless it is_closed(). The stream is made of the rest.
  template <class... Arguments>
  explicit Session(Shell& shell, Arguments&&... of_stream)
      : Connection(shell.context()),
        stream_(std::forward<Arguments>(of_stream)...),
        shell_(shell) {}
  ~Session() override = default;

  /// Looks at the first bytes before it takes them for frames. Called before the first update().
  /// `protocols` must outlive the connection unless it is_closed().
  void offer(Protocols<Stream>& protocols) { protocols_ = &protocols; }
  Stream& stream() { return stream_; }

  void update() override {
    // Refused at once: the peer has to say first how it can be told.
    if (protocols_ != nullptr && this->is_closing() && !is_reading_) refusal_waits_ = true;
    if (!refusal_waits_) {
      if (!is_writing_) write();
      if (wants_shutdown()) shut_sending_side();
    }
    if (is_closed()) return close_stream();
    if (!is_reading_ && wants_read()) read(this->shared_from_this());
  }

 private:
  using Error = boost::system::error_code;
  using Pointer = std::shared_ptr<Session>;

  // A stream that keeps its handlers itself needs no memory for them, one that reads when it is
  // ready no buffer, and one that is written directly no copy of what is written.
  struct NoMemory {};
  struct NoInput {};
  struct NoOutput {};
  using ReadMemory = std::conditional_t<ReadsWhenReady<Stream>, NoMemory, HandlerMemory>;

  /// The end of a pending read.
  struct ReadHandler {
    using allocator_type =
        std::conditional_t<ReadsWhenReady<Stream>, std::allocator<void>, HandlerAllocator<void>>;
    allocator_type get_allocator() const noexcept {
      if constexpr (ReadsWhenReady<Stream>) {
        return {};
      } else {
        return allocator_type(session->read_memory_);
      }
    }
    void operator()(const Error& error, std::size_t bytes) {
      Session& self = *session;
      self.on_read(std::move(session), error, bytes);
    }
    Pointer session;
  };

  void read(Pointer self) {
    is_reading_ = true;
    stream_.async_read_some(input(), ReadHandler{std::move(self)});
  }

  boost::asio::mutable_buffer input() {
    if constexpr (ReadsWhenReady<Stream>) {
      const std::span<char> shared = this->shared_input();
      return {shared.data(), shared.size()};
    } else {
      return boost::asio::buffer(input_);
    }
  }

  void on_read(Pointer self, const Error& error, std::size_t bytes) {
    if (is_closed()) return;
    if (!error) {
      const std::string_view read(static_cast<const char*>(input().data()), bytes);
      if (protocols_ == nullptr) {
        shell_.received(*this, read);
      } else if (begin_protocol(read)) {
        return;
      }
    } else if (error == boost::asio::error::eof) {
      shell_.peer_finished(*this);
      if (std::exchange(refusal_waits_, false)) update();
    } else {
      shell_.broken(*this, error.message());
    }
    is_reading_ = false;
    if (wants_read()) read(std::move(self));
  }

  // Returns whether another transport goes on with this connection.
  bool begin_protocol(std::string_view read) {
    const std::string bytes = first_byte_ ? std::string(1, *first_byte_).append(read)  //
                                          : std::string(read);
    const std::optional<Protocol> protocol = protocol_of(bytes);
    if (!protocol) {
      first_byte_ = bytes.front();
      return false;
    }
    Protocols<Stream>& protocols = *std::exchange(protocols_, nullptr);
    if (std::exchange(refusal_waits_, false)) {
      refuse_if_full(protocols.refusal_if_full(*protocol, bytes));
      return false;
    }
    if (!this->can_be_replaced()) return false;
    const Beginning beginning = protocols.begin(*protocol, *this, stream_, bytes);
    if (beginning.next != nullptr) {
      shell_.replace(*this, beginning.next);
      return true;
    }
    if (beginning.refusal.empty()) {
      shell_.received(*this, bytes);
    } else {
      write_alone(beginning.refusal);
      shell_.refused(*this);
    }
    return false;
  }

  void refuse_if_full(std::string_view refusal) {
    if (!refusal.empty()) {
      this->discard_output();
      write_alone(refusal);
    }
    update();
  }

  // Nothing else has been sent yet, so that the socket takes this at once.
  void write_alone(std::string_view bytes) {
    if constexpr (writes_directly<Stream>) {
      Error ignored;  // reading ends with it, too
      stream_.write_some(boost::asio::buffer(bytes.data(), bytes.size()), ignored);
    }
  }

  void write() {
    std::string_view bytes = ready();
    if constexpr (writes_directly<Stream>) {
      for (std::size_t left = most_in_a_turn; !bytes.empty() && left > 0; bytes = ready()) {
        Error error;
        const std::size_t count = stream_.write_some(
            boost::asio::buffer(bytes.data(), std::min(bytes.size(), left)), error);
        if (error == boost::asio::error::would_block) break;
        if (error) return write_failed();
        written(count);
        left -= count;
      }
      if (!bytes.empty()) await_space();
    } else {
      if (!bytes.empty()) write_later(bytes);
    }
  }

  void await_space() {
    is_writing_ = true;
    stream_.async_wait(Stream::wait_write, [self = this->shared_from_this()](const Error& error) {
      self->is_writing_ = false;
      if (self->is_closed()) return;
      if (error) self->write_failed();
      self->shell_.wrote(*self);
    });
  }

  // The outbox may grow meanwhile, so the bytes are copied.
  void write_later(std::string_view bytes) {
    is_writing_ = true;
    output_ = bytes.substr(0, longest_write);
    stream_.async_write_some(
        boost::asio::buffer(output_),
        [self = this->shared_from_this()](const Error& error, std::size_t count) {
          self->on_written(error, count);
        });
  }

  void on_written(const Error& error, std::size_t count) {
    is_writing_ = false;
    if (is_closed()) return;
    if (error) {
      write_failed();
    } else {
      written(count);
    }
    if (ready().empty()) std::string().swap(output_);
    shell_.wrote(*this);
  }

  void shut_sending_side() {
    Error ignored;  // whatever is wrong with the stream, reading or the deadline ends it
    stream_.lowest_layer().shutdown(boost::asio::socket_base::shutdown_send, ignored);
    shut_down();
  }

  void close_stream() {
    Error ignored;  // it is given up either way
    if (stream_.lowest_layer().is_open()) stream_.lowest_layer().close(ignored);
  }

  static constexpr std::size_t most_in_a_turn = std::size_t{64} * 1024;
  static constexpr std::size_t longest_write = std::size_t{16} * 1024;
  // Most requests are shorter. Every session has such a buffer.
  static constexpr std::size_t longest_read = 256;
  using Input = std::conditional_t<ReadsWhenReady<Stream>, NoInput, std::array<char, longest_read>>;
  using Output = std::conditional_t<writes_directly<Stream>, NoOutput, std::string>;

  Stream stream_;
  Shell& shell_;
  bool is_reading_ = false;  // also while what was read is handled
  bool is_writing_ = false;
  bool refusal_waits_ = false;              // for the first bytes
  std::optional<char> first_byte_;          // if it has come alone and does not decide
  Protocols<Stream>* protocols_ = nullptr;  // until the first bytes have decided
  [[no_unique_address]] ReadMemory read_memory_;
  [[no_unique_address]] Input input_;
  [[no_unique_address]] Output output_;  // while a write is pending
};

}  // namespace tictactoe::net
