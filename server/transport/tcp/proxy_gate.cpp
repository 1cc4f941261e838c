#include "server/transport/tcp/proxy_gate.hpp"

#include <spdlog/spdlog.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/steady_timer.hpp>
#include <string_view>
#include <utility>

#include "server/transport/tcp/proxy_header.hpp"

namespace tictactoe::transport {

namespace asio = boost::asio;
using boost::system::error_code;

/// One connection without its header. Its handlers own it.
struct ProxyGate::ProxiedConnection {
  ProxiedConnection(asio::io_context& io, TcpSocket from, const asio::ip::address& address)
      : socket(std::move(from)), timer(io), proxy(address) {}

  bool is_over() const { return !socket.is_open(); }

  TcpSocket socket;
  asio::steady_timer timer;
  asio::ip::address proxy;
  std::array<char, max_proxy_header_bytes> bytes;
  std::size_t count = 0;  // of them
  // Bytes to read next: never more than the header.
  std::size_t wanted = read_proxy_header({}).size;
};

ProxyGate::ProxyGate(asio::io_context& io, Networks trusted, Limits limits, Accept accept)
    : io_(io), trusted_(std::move(trusted)), limits_(limits), accept_(std::move(accept)) {}

// NOLINTNEXTLINE(bugprone-exception-escape): it throws only without memory, which ends the program
ProxyGate::~ProxyGate() {
  close();
}

void ProxyGate::admit(TcpSocket socket, const asio::ip::address& proxy) {
  const auto waiting = std::make_shared<ProxiedConnection>(io_, std::move(socket), proxy);
  if (waiting_.size() >= limits_.waiting)
    return refuse(waiting, "too many connections are waiting for their header");
  waiting_.insert(waiting);
  waiting->timer.expires_after(limits_.max_wait);
  waiting->timer.async_wait([this, waiting](const error_code& cancelled) {
    if (!cancelled && !waiting->is_over()) refuse(waiting, "its header did not arrive in time");
  });
  read(waiting);
}

void ProxyGate::read(const Pointer& waiting) {
  ProxiedConnection& from = *waiting;
  from.socket.async_read_some(
      asio::buffer(from.bytes.data() + from.count, from.wanted - from.count),
      [this, waiting](const error_code& error, std::size_t bytes) {
        if (waiting->is_over()) return;
        if (error) return refuse(waiting, "it ended in the middle of its header");
        on_read(waiting, bytes);
      });
}

void ProxyGate::on_read(const Pointer& waiting, std::size_t bytes) {
  waiting->count += bytes;
  const ProxyHeader header = read_proxy_header({waiting->bytes.data(), waiting->count});
  if (header.state == ProxyHeader::State::fault) return refuse(waiting, header.fault);
  waiting->wanted = header.size;
  if (header.state == ProxyHeader::State::need_more) return read(waiting);
  TcpSocket socket = std::move(waiting->socket);
  end(waiting);
  accept_(std::move(socket), header.source.value_or(waiting->proxy));
}

void ProxyGate::refuse(const Pointer& waiting, const char* why) {
  refused_.note(std::chrono::steady_clock::now(), [&](std::uint64_t times) {
    spdlog::warn("the proxy {} sent no valid PROXY header: {} ({} since the last such line)",
                 waiting->proxy.to_string(), why, times);
  });
  end(waiting);
}

void ProxyGate::end(const Pointer& waiting) {
  error_code ignored;  // it is given up either way
  waiting->socket.close(ignored);
  waiting->timer.cancel();
  waiting_.erase(waiting);
}

void ProxyGate::close() {
  while (!waiting_.empty()) end(Pointer(*waiting_.begin()));
}

}  // namespace tictactoe::transport
