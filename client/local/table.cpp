#include "client/local/table.hpp"

#include <random>
#include <utility>

#include "client/local/saved.hpp"
#include "client/session/requests.hpp"

namespace tictactoe::local {

using client::Clock;
using client::Mark;
using client::Room;
using client::Time;

namespace {

// Nobody else can connect: any two tokens will do.
const std::string first_token(16, '1');
const std::string second_token(16, '2');

client::Session::Options second_options(const Start& start) {
  client::Session::Options options;
  options.name = start.second;
  options.token = second_token;
  options.guest = true;
  return options;
}

}  // namespace

const std::string& Table::token() const {
  return first_token;
}

Table::Table(boost::asio::io_context& context, const Start& start, std::function<void()> on_change)
    : on_change_(std::move(on_change)) {
  const std::uint64_t seed = std::random_device{}();
  host_ = Host::create(context, config_of(start), seed,
                       saved_of(start, {first_token, second_token, seed}));
  if (start.second.empty()) return;
  second_.emplace(second_options(start));
  second_->subscribe(this);
  second_driver_.emplace(context, *second_, connect(), client::IdentityKeeper(),
                         [this] { on_change_(); });
}

Table::~Table() = default;

client::Connect Table::connect() {
  return [host = host_](const v1::ServerAddress* /*elsewhere*/) { return host->connect(); };
}

void Table::play_with(client::Session& session) {
  session_ = &session;
  if (second_) session.share_with(*second_);
}

void Table::update() {
  if (!second_) return;
  const Time now = Clock::now();
  if (session_ != nullptr && !session_->ending() && second_->link() == client::Session::Link::up &&
      !second_->is_busy()) {
    follow(now);
    agree(now);
  }
  second_driver_->update();
}

// Takes the second person to the room of the first one.
void Table::follow(Time now) {
  const Room* const first = session_->room();
  const Room* const second = second_->room();
  if (second && (!first || first->wire_name != second->wire_name)) {
    if (!session_->is_welcomed()) return;
    return second_->ask<&v1::ClientMessage::mutable_leave_room>(now);
  }
  if (second || !first || first->my_seat == Mark::none) return;
  const Mark seat = client::other(first->my_seat);
  if (first->occupant(seat).kind != client::Occupant::Kind::open) return;
  second_->request(client::join_room(first->wire_name, seat), now);
}

// Accepts whatever either of them asks for.
void Table::agree(Time now) {
  const Room* const first = session_->room();
  const Room* const room = second_->room();
  if (!first || !room || first->revision != room->revision) return;
  Mark by = Mark::none;
  v1::ClientMessage answer;
  if (room->draw_offered_by != Mark::none) {
    by = room->draw_offered_by;
    answer.mutable_offer_draw();
  } else if (room->takeback_asked_by != Mark::none) {
    by = room->takeback_asked_by;
    answer.mutable_ask_takeback();
  } else if (room->x_wants_rematch != room->o_wants_rematch) {
    by = room->x_wants_rematch ? Mark::x : Mark::o;
    answer.mutable_rematch();
  }
  if (by == Mark::none || room->my_seat == Mark::none || first->my_seat == Mark::none) return;
  client::Session& other = by == room->my_seat ? *session_ : *second_;
  if (other.pending() == 0) other.request_for_own_seat(std::move(answer), now);
}

void Table::on_event(const client::SessionEvent& event) {
  const bool failed = std::holds_alternative<client::Refused>(event) ||
                      std::holds_alternative<client::NotSent>(event);
  if (failed && session_ != nullptr) session_->report(event);
}

}  // namespace tictactoe::local
