#include "server/admin/control_socket.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

#include "common/wire/frame.hpp"

namespace tictactoe::admin {

namespace asio = boost::asio;
using boost::system::error_code;
using local = asio::local::stream_protocol;

namespace {

constexpr std::size_t max_connections = 8;
constexpr std::chrono::seconds max_wait{10};

bool may_command(local::socket& socket) {
  uid_t user = 0;
#ifdef SO_PEERCRED
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
    return false;
  user = peer.uid;
#else
  gid_t group = 0;
  if (::getpeereid(socket.native_handle(), &user, &group) != 0) return false;
#endif
  return user == 0 || user == ::geteuid();
}

// Whether a process listens there. Does not wait: that process may be stuck, with a full queue of
// connections.
bool is_served(asio::io_context& io, const local::endpoint& endpoint) {
  local::socket probe(io);
  error_code error;
  probe.open(endpoint.protocol(), error);
  if (!error) probe.non_blocking(true, error);
  // Asio's connect would wait.
  return !error && (::connect(probe.native_handle(), endpoint.data(),
                              static_cast<socklen_t>(endpoint.size())) == 0 ||
                    errno == EAGAIN);
}

}  // namespace

std::filesystem::path control_path(const std::filesystem::path& data_folder) {
  return data_folder / "control";
}

/// One connection. Its handlers own it.
struct ControlSocket::Exchange : std::enable_shared_from_this<Exchange> {
  Exchange(local::socket connected, std::shared_ptr<std::set<Exchange*>> all)
      : socket(std::move(connected)), timer(socket.get_executor()), open(std::move(all)) {
    open->insert(this);
  }
  ~Exchange() { open->erase(this); }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  void close_in(std::chrono::milliseconds time) {
    timer.expires_after(time);
    timer.async_wait([self = shared_from_this()](const error_code& cancelled) {
      if (!cancelled) self->close();
    });
  }
  void close() {
    timer.cancel();
    error_code ignored;  // it is given up either way
    socket.close(ignored);
  }

  local::socket socket;
  asio::steady_timer timer;
  wire::FrameReader reader{max_request_bytes};
  std::string output;
  bool is_answering = false;
  std::shared_ptr<std::set<Exchange*>> open;
};

ControlSocket::ControlSocket(asio::io_context& io, Answer answer)
    : io_(io),
      answer_(std::move(answer)),
      acceptor_(io),
      pause_(io),
      open_(std::make_shared<std::set<Exchange*>>()) {}

// NOLINTNEXTLINE(bugprone-exception-escape): it throws only without memory, which ends the program
ControlSocket::~ControlSocket() {
  stop();
}

std::optional<std::string> ControlSocket::listen(const std::filesystem::path& path) {
  const std::string where = "the socket " + path.string();
  if (path.native().size() >= sizeof(sockaddr_un::sun_path)) {
    return where + ": the path is too long for a socket.";
  }
  const local::endpoint endpoint(path.string());
  std::error_code no_file;
  if (std::filesystem::is_socket(path, no_file)) {
    if (is_served(io_, endpoint)) return where + ": another server uses it.";
    std::filesystem::remove(path, no_file);
  } else if (std::filesystem::exists(std::filesystem::symlink_status(path, no_file))) {
    return where + ": another file has this name. Remove it, and start the server again.";
  }
  error_code error;
  acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (error) return where + ": " + error.message() + ".";
  path_ = path;
  // Nobody can connect before listen().
  if (::chmod(path.c_str(), S_IRUSR | S_IWUSR) != 0) error.assign(errno, error.category());
  if (!error) acceptor_.listen(static_cast<int>(max_connections), error);
  if (error) {
    stop();
    return where + ": " + error.message() + ".";
  }
  accept();
  return std::nullopt;
}

void ControlSocket::stop() {
  error_code ignored;  // it is given up either way
  acceptor_.close(ignored);
  pause_.cancel();
  // A command that ends the server still gets an answer.
  for (Exchange* exchange : *open_) {
    if (!exchange->is_answering) exchange->close();
  }
  if (path_.empty()) return;
  std::error_code gone;
  std::filesystem::remove(std::exchange(path_, {}), gone);
}

void ControlSocket::accept() {
  acceptor_.async_accept([this](const error_code& error, local::socket socket) {
    if (!acceptor_.is_open()) return;
    if (error && error != asio::error::connection_aborted) {
      // The process is out of descriptors or memory.
      pause_.expires_after(std::chrono::seconds(1));
      return pause_.async_wait([this](const error_code& cancelled) {
        if (!cancelled) accept();
      });
    }
    if (!error && open_->size() < max_connections && may_command(socket)) {
      read(std::make_shared<Exchange>(std::move(socket), open_));
    }
    accept();
  });
}

void ControlSocket::read(const std::shared_ptr<Exchange>& exchange) {
  exchange->close_in(max_wait);
  const std::span<char> space = exchange->reader.prepare();
  exchange->socket.async_read_some(asio::buffer(space.data(), space.size()),
                                   [this, exchange](const error_code& error, std::size_t count) {
                                     if (error) return exchange->close();
                                     exchange->reader.commit(count);
                                     answer(exchange);
                                   });
}

void ControlSocket::answer(const std::shared_ptr<Exchange>& exchange) {
  const wire::NextFrame next = exchange->reader.next();
  if (next.state == wire::NextFrame::State::need_more) return read(exchange);
  v1::Request request;
  if (next.state == wire::NextFrame::State::fault ||
      !request.ParseFromArray(next.body.data(), static_cast<int>(next.body.size()))) {
    return exchange->close();
  }
  exchange->is_answering = true;
  exchange->timer.cancel();  // reloading the options may take longer
  answer_(request, [this, exchange](const v1::Response& response) { respond(exchange, response); });
}

void ControlSocket::respond(const std::shared_ptr<Exchange>& exchange,
                            const v1::Response& response) {
  exchange->output.clear();
  wire::append_frame(exchange->output, response.SerializeAsString());
  exchange->close_in(max_wait);
  asio::async_write(exchange->socket, asio::buffer(exchange->output),
                    [this, exchange](const error_code& error, std::size_t) {
                      exchange->is_answering = false;
                      if (error || !acceptor_.is_open()) return exchange->close();
                      answer(exchange);
                    });
}

}  // namespace tictactoe::admin
