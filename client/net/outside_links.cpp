#include "client/net/outside_links.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/steady_timer.hpp>
#include <utility>

#include "client/net/connection.hpp"
#include "client/net/invitation.hpp"

namespace tictactoe::client {
namespace {

// Every server accepts this host name, however it was reached.
constexpr std::string_view outside_request =
    "GET /join.txt?outside HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

// One request. Its pending operations keep it alive.
class Question : public std::enable_shared_from_this<Question> {
 public:
  using Done = std::function<void(const std::vector<std::string>&)>;

  Question(boost::asio::io_context& context, const Address& server, const Protection& protection,
           Done done)
      : connection_(TcpConnection::create(context, server, protection)),
        timer_(context),
        done_(std::move(done)) {}

  void begin() {
    timer_.expires_after(outside_answer_time);
    timer_.async_wait([self = shared_from_this()](const boost::system::error_code& cancelled) {
      if (!cancelled) self->finish();
    });
    connection_->open([self = shared_from_this()](const Connection::Opened& opened) {
      if (!opened.fault.empty()) return self->finish();
      self->key_ = opened.key;
      self->connection_->write(outside_request);
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
      const std::size_t room = max_outside_answer_bytes - self->response_.size();
      self->response_.append(self->space_.data(), std::min(count, room));
      if (!fault.empty() || count >= room) return self->finish();
      self->read();
    });
  }
  void finish() {
    const Done done = std::exchange(done_, nullptr);
    cancel();
    if (done) done(read_outside_links(response_, key_));
  }

  std::shared_ptr<Connection> connection_;
  boost::asio::steady_timer timer_;
  Done done_;  // null: finished
  std::optional<tls::Fingerprint> key_;
  std::string response_;
  std::array<char, 1024> space_{};
};

}  // namespace

std::shared_ptr<void> find_outside_links(
    boost::asio::io_context& context, const Address& server, const Protection& protection,
    std::function<void(const std::vector<std::string>& links)> done) {
  const auto question = std::make_shared<Question>(context, server, protection, std::move(done));
  question->begin();
  return {question.get(), [question](void*) { question->cancel(); }};
}

std::vector<std::string> read_outside_links(std::string_view response,
                                            const std::optional<tls::Fingerprint>& key) {
  constexpr std::string_view end_of_head = "\r\n\r\n";
  const std::size_t head = response.find(end_of_head);
  if (!response.starts_with("HTTP/1.1 200 ") || head == std::string_view::npos) return {};
  std::string_view lines = response.substr(head + end_of_head.size());
  std::vector<std::string> links;
  for (std::size_t i = 0; i < max_outside_links && !lines.empty(); ++i) {
    const std::string_view link = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(link.size() + 1, lines.size()));
    const bool is_printable = std::ranges::all_of(link, [](char c) { return c > ' ' && c <= '~'; });
    if (!link.starts_with("https://") || !is_printable) continue;
    const Invited invited = read_invitation(link);
    if (invited.fault.empty() && (!invited.key || invited.key == key)) links.emplace_back(link);
  }
  return links;
}

}  // namespace tictactoe::client
