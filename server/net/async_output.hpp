// Bytes that are written asynchronously, all of them.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <string>
#include <utility>

namespace tictactoe::net {

/// At most one write to an AsyncWriteStream. Must outlive it.
class AsyncOutput {
 public:
  bool is_pending() const { return is_pending_; }
  /// Bytes of the pending write.
  std::size_t size() const { return bytes_.size(); }

  /// Writes `bytes`, then calls `on_end` with an error code. Requires that nothing is pending.
  template <class Stream, class OnEnd>
  void write(Stream& stream, std::string bytes, OnEnd on_end) {
    is_pending_ = true;
    bytes_ = std::move(bytes);
    sent_ = 0;
    write_rest(stream, std::move(on_end));
  }

 private:
  template <class Stream, class OnEnd>
  void write_rest(Stream& stream, OnEnd on_end) {
    stream.async_write_some(boost::asio::buffer(bytes_.data() + sent_, bytes_.size() - sent_),
                            [this, &stream, on_end = std::move(on_end)](
                                const boost::system::error_code& error, std::size_t count) mutable {
                              sent_ += count;
                              if (!error && sent_ < bytes_.size())
                                return write_rest(stream, std::move(on_end));
                              is_pending_ = false;
                              std::string().swap(bytes_);
                              on_end(error);
                            });
  }

  std::string bytes_;
  std::size_t sent_ = 0;
  bool is_pending_ = false;
};

}  // namespace tictactoe::net
