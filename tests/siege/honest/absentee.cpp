#include "tests/siege/honest/absentee.hpp"

#include "tests/siege/attack.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::siege {
namespace {

constexpr std::uint32_t absentees_from = honest_from + 10;
constexpr std::chrono::seconds patience{5};

}  // namespace

Absentee::Absentee(Crowd& crowd, Harm& harm, std::string name, bool keeps_seat)
    : HonestPlayer(crowd, harm), name_(std::move(name)), keeps_seat_(keeps_seat) {
  crowd.open(absentees_from, *this, 0);
}

void Absentee::connected(Peer& peer) {
  v1::ClientMessage hello = test::hello_request(name_);
  hello.mutable_hello()->set_token(token_);
  peer.ask(hello);
  if (is_away_) return;
  peer.ask(test::create_request(room()));
  peer.ask(test::add_ai_request(v1::MARK_O));
  last_ = peer.ask(test::move_request(1, 1));
  if (!keeps_seat_) last_ = peer.ask(test::leave_request());
}

void Absentee::received(Peer& peer, std::string_view body, Clock::time_point /*now*/) {
  parse(body, message_);
  if (message_.has_error()) {
    refused(message_.error());
    is_back_ = is_away_;
    is_away_ = true;
    return peer.close();
  }
  if (message_.has_welcome() && is_away_) {
    take_welcome_back(message_.welcome());
    return peer.close();
  }
  if (message_.has_welcome()) token_ = message_.welcome().token();
  if (last_ == 0 || message_.request_id() != last_) return;
  is_away_ = true;
  peer.close();
}

void Absentee::take_welcome_back(const v1::Welcome& welcome) {
  is_back_ = true;
  if (!welcome.resumed()) {
    harm().add(harm().evicted, name_ + " came back and was not known.");
  } else if (welcome.player_name() != name_) {
    harm().add(harm().evicted, name_ + " came back as " + welcome.player_name() + ".");
  } else if (keeps_seat_ && welcome.room() != room()) {
    harm().add(harm().evicted, name_ + " came back and had lost the seat.");
  }
}

void Absentee::ended(Peer& peer) {
  HonestPlayer::ended(peer);
  is_back_ = is_away_;
  is_away_ = true;
}

void Absentee::finish() {
  if (token_.empty()) {
    is_back_ = true;  // it was refused before, which was counted
    return;
  }
  give_up_at_ = Clock::now() + patience;
  crowd().open(absentees_from, *this, 0);
}

void Absentee::go_on(Clock::time_point now) {
  if (is_back_ || now < give_up_at_) return;
  is_back_ = true;
  harm().add(harm().refused, name_ + " got no answer for some seconds.");
}

}  // namespace tictactoe::siege
