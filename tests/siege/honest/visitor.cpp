#include "tests/siege/honest/visitor.hpp"

#include <algorithm>

#include "tests/siege/attack.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::siege {
namespace {

// A visit costs about 60 tokens.
constexpr std::chrono::milliseconds between_visits{1'000};
constexpr std::chrono::seconds patience{5};
constexpr std::size_t lists_at_once = 5;

// Nobody plays from these addresses.
constexpr std::uint32_t visitors_from = honest_from + 100;
constexpr std::uint64_t visitor_addresses = 20;

}  // namespace

void Visitor::go_on(Clock::time_point now) {
  if (peer_ != nullptr) {
    if (now - came_at_ < patience) return;
    harm().add(harm().refused, "A visitor got no answer for some seconds.");
    return leave();
  }
  if (finishing_ || now < next_at_) return;
  came_at_ = now;
  next_at_ = now + between_visits;
  unanswered_.clear();
  write_script();
  const auto address = static_cast<std::uint32_t>(visits_ % visitor_addresses);
  peer_ = &crowd().open(visitors_from + address, *this, 0);
}

void Visitor::write_script() {
  v1::ClientMessage hello = test::hello_request(is_newcomer() ? "newcomer" : "visitor");
  if (!is_newcomer()) hello.mutable_hello()->set_token(token_);
  v1::ClientMessage games;
  games.mutable_list_games();
  v1::ClientMessage end;
  end.mutable_ping();
  if (is_newcomer()) end = test::goodbye_request();
  script_ = {{hello},
             {test::create_request("visit " + std::to_string(visits_))},
             {test::leave_request()},
             {test::watch_request(vault_name, password_)},
             {test::leave_request()},
             Step(lists_at_once, games),
             {test::list_request(), end}};
  std::ranges::reverse(script_);
}

void Visitor::connected(Peer& /*peer*/) {
  take_step();
}

void Visitor::take_step() {
  for (const v1::ClientMessage& message : script_.back()) unanswered_.insert(peer_->ask(message));
  script_.pop_back();
}

void Visitor::received(Peer& /*peer*/, std::string_view body, Clock::time_point now) {
  parse(body, message_);
  const bool no_records = message_.error().code() == v1::Error::CODE_NO_RECORDS;
  if (message_.has_error() && !no_records) {
    refused(message_.error());
    return leave();
  }
  if (message_.has_welcome()) {
    if (!token_.empty() && !is_newcomer() && !message_.welcome().resumed()) {
      harm().add(harm().evicted, "A visitor who came back was not known.");
    }
    if (!is_newcomer() && !message_.welcome().token().empty()) {
      token_ = message_.welcome().token();
    }
  }
  unanswered_.erase(message_.request_id());
  if (!unanswered_.empty()) return;
  if (!script_.empty()) return take_step();
  if (timings() != nullptr) timings()->visits.add(now - came_at_);
  leave();
}

void Visitor::ended(Peer& peer) {
  HonestPlayer::ended(peer);
  peer_ = nullptr;
  ++visits_;
}

void Visitor::leave() {
  peer_->close();
  peer_ = nullptr;
  ++visits_;
}

}  // namespace tictactoe::siege
