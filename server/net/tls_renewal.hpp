// Reads the server's own key again from time to time, beside the event loop.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "server/net/tls_identity.hpp"
#include "server/worker/lazy_worker.hpp"

namespace tictactoe::net {

/// Calls a function that reads, and perhaps renews, an identity: on a thread of its own, because it
/// signs, writes and syncs files, and a file system may hang. All other calls happen on the thread
/// of the io_context.
class TlsRenewal {
 public:
  using Read = std::function<TlsIdentityRead()>;
  using OnRead = std::function<void(const TlsIdentityRead&)>;

  TlsRenewal(boost::asio::io_context& io, std::chrono::steady_clock::duration period, Read read,
             OnRead on_read)
      : period_(period),
        read_(std::move(read)),
        on_read_(std::move(on_read)),
        timer_(io),
        worker_(io, "a certificate is renewed", [this](Task& task) {
          on_read_(task.identity);
          start();
        }) {}

  /// The first time after a period.
  void start() {
    timer_.expires_after(period_);
    timer_.async_wait([this](const boost::system::error_code& error) {
      if (!error) worker_.give(std::make_unique<Task>(Task{read_, std::string()}));
    });
  }
  void stop() {
    timer_.cancel();
    worker_.cancel();
  }

 private:
  struct Task {
    void run() { identity = read(); }
    Read read;
    TlsIdentityRead identity;
  };

  std::chrono::steady_clock::duration period_;
  Read read_;
  OnRead on_read_;
  boost::asio::steady_timer timer_;
  worker::LazyWorker<Task> worker_;
};

}  // namespace tictactoe::net
