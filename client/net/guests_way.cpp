#include "client/net/guests_way.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/steady_timer.hpp>
#include <charconv>
#include <utility>

#include "client/net/connection.hpp"

namespace tictactoe::client {
namespace {

// Every server accepts this host name, however it was reached. With it, /join.txt lists the
// addresses of the server's machine.
constexpr std::string_view join_requests =
    "GET /join.txt HTTP/1.1\r\nHost: localhost\r\n\r\n"
    "GET /join.txt?outside HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

bool is_this_machine(const std::string& host) {
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(host, error);
  return host == "localhost" || (!error && address.is_loopback());
}

std::string in_short(const Address& server) {
  if (server.port == default_port) return server.host;
  const bool is_ipv6 = server.host.find(':') != std::string::npos;
  return (is_ipv6 ? "[" + server.host + "]" : server.host) + ":" + std::to_string(server.port);
}

// Calls `use` with each line that can be printed.
template <class Use>
void for_each_link(std::string_view lines, const Use& use) {
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    const bool is_printable = std::ranges::all_of(line, [](char c) { return c > ' ' && c <= '~'; });
    if (!line.empty() && is_printable) use(line);
  }
}

// The requests. Pending operations keep this alive.
class Question : public std::enable_shared_from_this<Question> {
 public:
  using Done = std::function<void(std::string_view responses)>;

  Question(boost::asio::io_context& context, const Address& server, const Protection& protection,
           Done done)
      : connection_(TcpConnection::create(context, server, protection)),
        timer_(context),
        done_(std::move(done)) {}

  void begin() {
    timer_.expires_after(join_answer_time);
    timer_.async_wait([self = shared_from_this()](const boost::system::error_code& cancelled) {
      if (!cancelled) self->finish();
    });
    connection_->open([self = shared_from_this()](const Connection::Opened& opened) {
      if (!opened.fault.empty()) return self->finish();
      self->connection_->write(join_requests);
      self->read();
    });
  }
  void cancel() {
    done_ = nullptr;
    timer_.cancel();
    connection_->close();
  }

 private:
  void read() {
    connection_->read(space_, [self = shared_from_this()](std::size_t count, const auto& fault) {
      const std::size_t room = max_join_answer_bytes - self->responses_.size();
      self->responses_.append(self->space_.data(), std::min(count, room));
      if (!fault.empty() || count >= room) return self->finish();
      self->read();
    });
  }
  void finish() {
    const Done done = std::exchange(done_, nullptr);
    cancel();
    if (done) done(responses_);
  }

  std::shared_ptr<Connection> connection_;
  boost::asio::steady_timer timer_;
  Done done_;  // null: finished
  std::string responses_;
  std::array<char, 1024> space_{};
};

}  // namespace

std::shared_ptr<void> find_invitation(boost::asio::io_context& context, const Address& server,
                                      const Protection& protection,
                                      const std::optional<tls::Fingerprint>& key,
                                      std::function<void(const Invitation&)> done) {
  const auto question = std::make_shared<Question>(
      context, server, protection,
      [server, key, done = std::move(done)](std::string_view responses) {
        auto bodies = bodies_of(responses);
        bodies.resize(2);
        const bool is_here = is_this_machine(server.host);
        done(invitation_to(is_here ? addresses_in(bodies[0]) : std::vector{in_short(server)}, key,
                           outside_links_in(bodies[1], key)));
      });
  question->begin();
  return {question.get(), [question](void*) { question->cancel(); }};
}

std::vector<std::string_view> bodies_of(std::string_view responses) {
  constexpr std::string_view end_of_head = "\r\n\r\n";
  constexpr std::string_view length_is = "\r\nContent-Length: ";
  std::vector<std::string_view> bodies;
  while (true) {
    const std::size_t end = responses.find(end_of_head);
    const std::string_view head = responses.substr(0, end);
    const std::size_t length = head.find(length_is);
    if (end == std::string_view::npos || length == std::string_view::npos) return bodies;
    std::size_t size = 0;
    const std::string_view digits = head.substr(length + length_is.size());
    std::from_chars(digits.data(), digits.data() + digits.size(), size);
    responses.remove_prefix(end + end_of_head.size());
    const std::string_view body = responses.substr(0, size);
    bodies.push_back(head.starts_with("HTTP/1.1 200 ") ? body : std::string_view());
    responses.remove_prefix(body.size());
  }
}

std::vector<std::string> addresses_in(std::string_view links) {
  std::vector<std::string> addresses;
  for_each_link(links, [&](std::string_view link) {
    const Invited invited = read_invitation(link);
    // A server that listens to this machine alone names this machine.
    if (!invited.fault.empty() || is_this_machine(invited.address.host)) return;
    addresses.push_back(in_short(invited.address));
  });
  return addresses;
}

std::vector<std::string> outside_links_in(std::string_view lines,
                                          const std::optional<tls::Fingerprint>& key) {
  std::vector<std::string> links;
  for_each_link(lines, [&](std::string_view link) {
    if (links.size() == max_outside_links || !link.starts_with("https://")) return;
    const Invited invited = read_invitation(link);
    if (invited.fault.empty() && (!invited.key || invited.key == key)) links.emplace_back(link);
  });
  return links;
}

}  // namespace tictactoe::client
