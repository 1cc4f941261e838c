#include "client/local/host.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "common/wire/frame.hpp"

namespace tictactoe::local {
namespace {

constexpr std::size_t thinking_threads = 1;
constexpr std::chrono::milliseconds thinking_time{1000};

server::Time now() {
  return std::chrono::steady_clock::now();
}

// Nobody can connect from outside, so the tokens need not be secret.
server::TokenSource counted_tokens() {
  return [last = std::uint8_t{0}]() mutable { return server::Token{++last}; };
}

}  // namespace

/// The client's end. Each call hands its bytes over; the io_context delivers them. The buffers have
/// no limit of their own: one side is the screen of the other.
class Host::Connection final : public client::Connection,
                               public std::enable_shared_from_this<Connection> {
 public:
  Connection(boost::asio::io_context& context, std::weak_ptr<Host> host)
      : context_(context), host_(std::move(host)) {}

  void open(OnOpened on_opened) override {
    boost::asio::post(context_, [self = shared_from_this(), on_opened = std::move(on_opened)] {
      if (self->is_closed_) return;
      const auto host = self->host_.lock();
      if (!host) return on_opened({"the game has ended", false, {}});
      host->admit(self);
      on_opened({{}, false, {}});
    });
  }
  void read(std::span<char> space, OnRead on_read) override {
    space_ = space;
    on_read_ = std::move(on_read);
    deliver_later();
  }
  void write(std::string_view bytes) override {
    requests.append(bytes);
    take_requests_later();
  }
  void close() override {
    is_closed_ = true;
    on_read_ = {};
    call_host([](Host& host, Connection& self) { host.dismiss(self); });
  }

  // For the host.

  void take_requests_later() {
    call_host([](Host& host, Connection& self) { host.take_requests(self); });
  }
  void send(std::string_view prefix, std::string_view body) {
    wire::append_frame(answers_, prefix, body);
    deliver_later();
  }
  /// The host has forgotten this connection.
  void end() {
    has_ended_ = true;
    deliver_later();
  }

  server::ConnectionId id;
  std::string requests;  ///< frames that the host has not taken

 private:
  template <class Call>
  void call_host(Call call) {
    boost::asio::post(context_, [self = shared_from_this(), call] {
      if (const auto host = self->host_.lock()) call(*host, *self);
    });
  }
  void deliver_later() {
    boost::asio::post(context_, [self = shared_from_this()] { self->deliver(); });
  }
  void deliver() {
    if (!on_read_ || (answers_.empty() && !has_ended_)) return;
    const OnRead on_read = std::exchange(on_read_, {});
    const std::size_t count = answers_.copy(space_.data(), space_.size());
    answers_.erase(0, count);
    on_read(count, answers_.empty() && has_ended_ ? "it closed the connection" : "");
  }

  boost::asio::io_context& context_;
  std::weak_ptr<Host> host_;
  std::string answers_;     // frames that the client has not read
  bool has_ended_ = false;  // the host has closed it
  bool is_closed_ = false;  // the client has closed it
  std::span<char> space_;
  OnRead on_read_;  // empty: the client does not read
};

std::shared_ptr<Host> Host::create(boost::asio::io_context& context, const server::Config& config,
                                   std::uint64_t seed, const journal::v1::Saved& saved) {
  std::shared_ptr<Host> host(new Host(context, config, seed));
  host->host_.restore(saved, now());
  host->carry_out_effects();
  return host;
}

Host::Host(boost::asio::io_context& context, const server::Config& config, std::uint64_t seed)
    : context_(context),
      limits_(config.limits),
      host_(config, seed, counted_tokens()),
      thinker_(context, config.ai, thinking_threads, thinking_time, thinking::make_own_player,
               [this](server::ThoughtId id, const server::ThoughtResult& result) {
                 host_.thought(id, result, now());
                 carry_out_effects();
               }),
      timer_(context) {}

// Connections -------------------------------------------------------------------------------------

std::shared_ptr<client::Connection> Host::connect() {
  return std::make_shared<Connection>(context_, weak_from_this());
}

Host::Connection* Host::find(server::ConnectionId id) const {
  const auto found = std::ranges::find(connections_, id, [](const auto& one) { return one->id; });
  return found == connections_.end() ? nullptr : found->get();
}

void Host::admit(const std::shared_ptr<Connection>& connection) {
  connection->id = host_.connected({}, now());
  connections_.push_back(connection);
  carry_out_effects();
}

void Host::take_requests(Connection& connection) {
  const server::ConnectionId id = connection.id;
  std::string_view bytes = connection.requests;
  while (find(id) == &connection && !host_.is_waiting(id)) {
    const wire::NextFrame next = wire::take_frame(bytes, limits_.client_frame_bytes);
    if (next.state == wire::NextFrame::State::need_more) break;
    if (next.state == wire::NextFrame::State::frame) {
      host_.received(id, host_.parse(next.body), now());
    } else {
      host_.cannot_read(id, next.fault, now());
    }
    carry_out_effects();
  }
  connection.requests.erase(0, connection.requests.size() - bytes.size());
}

void Host::dismiss(Connection& connection) {
  if (find(connection.id) != &connection) return;
  host_.disconnected(connection.id, now());
  std::erase_if(connections_, [&](const auto& other) { return other.get() == &connection; });
  carry_out_effects();
}

// Time --------------------------------------------------------------------------------------------

void Host::call_later(std::function<void(Host&)> call) {
  boost::asio::post(context_, [alive = weak_from_this(), call = std::move(call)] {
    const auto host = alive.lock();
    if (!host) return;
    call(*host);
    host->carry_out_effects();
  });
}

void Host::set_timer() {
  const auto due = host_.next_deadline();
  if (!due) {
    timer_.cancel();
    return;
  }
  timer_.expires_at(*due);
  timer_.async_wait([alive = weak_from_this()](const boost::system::error_code& error) {
    const auto host = alive.lock();
    if (error || !host) return;
    // It may have been set to a later time since it expired.
    if (const auto next = host->host_.next_deadline(); next && *next <= now()) {
      host->host_.deadline_reached(now());
    }
    host->carry_out_effects();
  });
}

// Effects -----------------------------------------------------------------------------------------

void Host::carry_out_effects() {
  for (const server::Effect& effect : host_.effects().list()) {
    std::visit([this](const auto& wanted) { carry_out(wanted); }, effect);
  }
  host_.effects().clear();
  set_timer();
}

void Host::carry_out(const server::Send& send) {
  Connection* const connection = find(send.to);
  if (connection == nullptr) return;
  v1::ServerMessage prefix;
  prefix.set_request_id(send.request_id);
  connection->send(prefix.SerializeAsString(), host_.effects().bytes(send.body));
}

void Host::carry_out(const server::Close& close) {
  if (Connection* const connection = find(close.connection)) connection->end();
  std::erase_if(connections_, [&](const auto& other) { return other->id == close.connection; });
}

void Host::carry_out(const server::Record& record) {
  const std::string_view bytes = host_.effects().bytes(record.body);
  journal::v1::Record parsed;
  if (parsed.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) &&
      parsed.has_game_finished()) {
    games_.add(std::move(*parsed.mutable_game_finished()));
  }
}

void Host::carry_out(const server::LookUp& question) {
  call_later([question](Host& self) {
    const server::LookUpAnswer answer =
        server::encode_answer(self.games_.answer(question.request, self.limits_.games_per_list),
                              self.limits_.server_frame_bytes);
    if (question.request.has_create_room()) {
      self.host_.position_found(question.from, answer, now());
    } else {
      self.host_.looked_up(question.from, question.request_id, answer);
    }
  });
}

void Host::carry_out(const server::ResumeReading& resumed) {
  if (Connection* const connection = find(resumed.connection)) connection->take_requests_later();
}

// Only a room with a password needs it: here it may take a twentieth of a second.
void Host::carry_out(const server::DeriveKey& derive) {
  call_later([derive](Host& self) {
    self.host_.key_derived(derive.id, server::derive_key(*derive.request), now());
  });
}

}  // namespace tictactoe::local
