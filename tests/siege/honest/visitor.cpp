#include "tests/siege/honest/visitor.hpp"

#include <algorithm>

#include "tests/siege/attack.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::siege {
namespace {

constexpr std::chrono::seconds patience{15};
constexpr std::size_t lists_at_once = 5;

// Nobody plays from these addresses.
constexpr std::uint32_t tours_from = honest_from + 100;
constexpr std::uint32_t visits_from = honest_from + 120;
constexpr std::uint32_t travels_from = honest_from + 140;

}  // namespace

Habit looks_in() {
  // A visit costs 10 tokens, and a player has 100 a second.
  constexpr std::chrono::milliseconds between{125};
  return {"guest", visits_from, 1, between, 0, &Timings::visits, [](std::uint64_t /*visit*/) {
            return std::vector<Step>{
                {test::list_request()}, {test::watch_request(porch_name)}, {test::leave_request()}};
          }};
}

Habit makes_tours(const std::string& password) {
  // A tour costs about 60 tokens.
  constexpr std::chrono::milliseconds between{1'000};
  return {"visitor", tours_from, 20, between, 4, &Timings::tours, [password](std::uint64_t visit) {
            v1::ClientMessage games;
            games.mutable_list_games();
            return std::vector<Step>{{test::create_request("visit " + std::to_string(visit))},
                                     {test::leave_request()},
                                     {test::watch_request(vault_name, password)},
                                     {test::leave_request()},
                                     Step(lists_at_once, games),
                                     {test::list_request()}};
          }};
}

Habit opens_rooms() {
  constexpr std::chrono::milliseconds between{500};
  return {"traveller", travels_from, 20, between, 1, &Timings::travels, [](std::uint64_t visit) {
            return std::vector<Step>{{test::list_request()},
                                     {test::create_request("stop " + std::to_string(visit))},
                                     {test::leave_request()}};
          }};
}

void Visitor::go_on(Clock::time_point now) {
  if (peer_ != nullptr) {
    if (now - came_at_ < patience) return;
    harm().add(harm().refused, "A visitor got no answer for some seconds.");
    return leave();
  }
  if (finishing_ || now < next_at_) return;
  came_at_ = now;
  next_at_ = now + habit_.between;
  unanswered_.clear();
  write_script();
  const auto address = static_cast<std::uint32_t>(visits_ % habit_.addresses);
  peer_ = &crowd().open(habit_.from + address, *this, 0);
}

void Visitor::write_script() {
  v1::ClientMessage hello = test::hello_request(is_newcomer() ? "newcomer" : habit_.name);
  if (!is_newcomer()) hello.mutable_hello()->set_token(token_);
  script_ = habit_.steps(visits_);
  script_.insert(script_.begin(), Step{hello});
  if (is_newcomer()) script_.push_back({test::goodbye_request()});
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
  if (timings() != nullptr) (timings()->*habit_.times).add(now - came_at_);
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
