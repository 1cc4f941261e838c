// The link to the server: hello and welcome, signs of life, lost connections and new ones.
#include <algorithm>
#include <utility>

#include "client/model/sanitized.hpp"
#include "client/session/requests.hpp"
#include "client/session/session.hpp"

namespace tictactoe::client {
namespace {

// Hellos that may be taken at another time.
bool is_worth_another_try(v1::Error::Code code) {
  switch (code) {
    case v1::Error::CODE_SERVER_STOPPING:
    case v1::Error::CODE_SERVER_FULL:
    case v1::Error::CODE_TOO_MANY_CONNECTIONS:
    case v1::Error::CODE_HELLO_EXPECTED:  // it came too late
    case v1::Error::CODE_RATE_LIMITED:
    case v1::Error::CODE_CANNOT_RECORD:
      return true;
    default:
      return false;
  }
}

}  // namespace

void Session::cannot_connect(std::string_view why, Time now) {
  now_ = now;
  Cause cause{Cause::Kind::unreachable, std::string(why), {}};
  if (!may_return()) return end(1, std::move(cause));
  wait_after_loss(std::move(cause), is_welcomed() && is_moving());
}

void Session::refuse_server(std::string_view why, Time now) {
  now_ = now;
  Cause cause{Cause::Kind::untrusted, std::string(why), {}};
  if (!servers_.leave_out()) return end(1, std::move(cause));
  wait_after_loss(std::move(cause), false);
}

void Session::connected(Time now) {
  now_ = now;
  channel_.in = wire::FrameReader(max_server_frame_bytes);
  link_ = Link::greeting;
  until_ = now_ + welcome_timeout;
  received_until_.reset();
  say_hello();
}

void Session::say_hello() {
  v1::ClientMessage message;
  v1::Hello& hello = *message.mutable_hello();
  hello.add_protocol_versions(protocol_version);
  hello.set_name(options_.name);
  hello.add_capabilities("redirect");
  hello.add_capabilities("notice-at-hello");
  hello.set_software(options_.software);
  hello.set_token(token_.text());
  hello.set_server_password(options_.passwords.server);
  hello.set_account_password(options_.passwords.account);
  if (own_.room && own_.room->my_seat != Mark::none) {
    hello.set_room(own_.room->wire_name);
    hello.set_revision(own_.room->revision);
  }
  send(std::move(message));
}

void Session::on_hello_answer(const v1::ServerMessage& message) {
  if (message.notice().kind() == v1::Notice::KIND_HELLO_RECEIVED) {
    received_until_ = now_ + received_timeout;
    return;
  }
  pending_.take(message.request_id());
  if (message.has_welcome()) return on_welcome(message.welcome());
  if (message.has_redirect()) return on_redirect(message.redirect(), std::nullopt);
  if (!message.has_error()) return end_with_nonsense("something other than a welcome");
  on_refused_hello(message.error());
}

void Session::on_refused_hello(const v1::Error& error) {
  Cause cause{Cause::Kind::refused, {}, error};
  switch (error.code()) {
    case v1::Error::CODE_INVALID_NAME:
      return end(2, std::move(cause));
    case v1::Error::CODE_SERVER_PASSWORD:
      return end(2, std::move(cause), Asks::server_password);
    case v1::Error::CODE_ACCOUNT_PASSWORD:
      return end(2, std::move(cause), Asks::account_password);
    default:
      break;
  }
  cause.kind = Cause::Kind::closed;
  if (may_return() && is_worth_another_try(error.code())) return lose(std::move(cause));
  end(1, std::move(cause));
}

void Session::on_welcome(const v1::Welcome& welcome) {
  if (welcome.protocol_version() != protocol_version) {
    return end(1, {Cause::Kind::other_version, std::to_string(welcome.protocol_version()), {}});
  }
  const bool back = is_welcomed();
  // Its players are others, so the token that it gives is for none of those here.
  if (elsewhere() && token_.is_other_lobby(welcome)) {
    return lose({Cause::Kind::nonsense, "the welcome of another lobby", {}});
  }
  servers_.welcomed(welcome);
  self_ = {true, welcome.limits(), sanitized(welcome.player_name()),
           sanitized(welcome.server_name())};
  token_.welcomed(welcome);
  channel_.heartbeat.start(milliseconds(limits().silence_timeout_ms()), now_);
  link_ = Link::catching_up;
  return_.takes_up_seat = welcome.resumed() && !welcome.room().empty();
  return_.has_board_news = false;
  return_.has_no_news = true;
  if (back) return on_welcome_back(welcome);
  pending_.welcomed(welcome, false);
  emit(Welcomed{welcome, !options_.token.empty()});
  if (return_.takes_up_seat) return ping();
  settle();
}

void Session::on_welcome_back(const v1::Welcome& welcome) {
  const bool seated = own_.room && own_.room->my_seat != Mark::none;
  const bool watches = own_.room && !seated;
  const bool left =
      own_.room && welcome.room() != own_.room->wire_name && pending_.has_left(welcome, watches);
  const bool lost_seat =
      seated && !left && (!welcome.resumed() || welcome.room() != own_.room->wire_name);
  if (is_moving() && elsewhere() && welcome.resumed() && !lost_seat) {
    emit(Moved{sanitized(elsewhere()->address())});
  } else {
    emit(WelcomedBack{welcome.resumed(), lost_seat ? own_.room->name : std::string()});
  }
  pending_.welcomed(welcome, watches);
  if (left) on_left();
  if (lost_seat) forget_room();
  // A ping is answered after all the news; and so is the request to watch.
  if (!own_.room || seated || return_.takes_up_seat) return ping();
  const v1::ClientMessage* const redirected = pending_.redirected();
  return_.leaves_watched_room = redirected != nullptr && enters_room(*redirected);
  if (return_.leaves_watched_room) return ping();
  send(watch_room(own_.room->wire_name, own_.password));
}

void Session::settle_if_caught_up() {
  if (link_ == Link::catching_up && pending_.is_idle() && !ending_) settle();
}

void Session::settle() {
  link_ = Link::up;
  until_.reset();
  const bool moved = std::exchange(return_.is_redirected, false);
  const bool is_told = return_.has_board_news || (return_.has_no_news && !moved);
  if (own_.room && is_told) emit(CaughtUp{return_.has_board_news});
  pending_.forget_overtaken(room(), return_.answered == others_wishes());
  for (v1::ClientMessage& lost : pending_.take_lost()) {
    if ((is_uncounted(lost) || lost.has_chat()) && lost.request_id() != 0) {
      emit(PerhapsLost{});
    } else {
      send(std::move(lost));
    }
  }
  retry_plan_.welcomed(now_);
  if (!pending_.awaits_redirected()) servers_.settled(now_);
}

Session::Wishes Session::others_wishes() const {
  const Mark they = own_.room ? other(own_.room->my_seat) : Mark::none;
  if (they == Mark::none) return {};
  const bool draw = own_.room->draw_offered_by == they;
  const bool takeback = own_.room->takeback_asked_by == they;
  if (!draw && !takeback) return {};
  return {draw, takeback, own_.room->game, own_.room->board.count(), own_.room->takebacks};
}

void Session::connection_lost(std::string_view why, Time now) {
  now_ = now;
  lose({Cause::Kind::lost, std::string(why), {}});
}

void Session::lose(Cause cause) {
  if (is_leaving()) return end(0, {});
  if (!may_return()) return end(1, std::move(cause));
  const bool was_connected =
      link_ == Link::up || link_ == Link::catching_up || (is_welcomed() && is_moving());
  close_link();
  wait_after_loss(std::move(cause), was_connected);
}

// What is under way goes over the next connection.
void Session::close_link() {
  if (link_ == Link::up) return_.answered = others_wishes();
  // What is asked while catching up is asked again by itself.
  pending_.connection_lost(link_ == Link::up);
  channel_.out.clear();
  own_.is_resyncing = false;
  lobby_.set_followed(false);
  channel_.heartbeat.stop();
}

void Session::on_redirect(const v1::Redirect& redirect,
                          const std::optional<v1::ClientMessage>& asked) {
  if (is_leaving()) return end(0, {});
  if (!is_server_address(redirect.server())) {
    return end_with_nonsense("a redirect to an invalid address");
  }
  if (link_ == Link::up && asked) pending_.redirect(*asked);
  if (!servers_.follow(redirect.server(), now_)) return lose({Cause::Kind::passed_on, {}, {}});
  // After a lost connection it is a part of coming back.
  if (!is_welcomed() || link_ != Link::greeting) return_.is_redirected = true;
  close_link();
  wait_until(now_);
}

// Whatever the answer is: the servers agree on who gives it.
void Session::redirect_answered(std::uint64_t request_id) {
  if (!pending_.redirected_answered(request_id)) return;
  servers_.answered();
  servers_.settled(now_);
}

// Waits, after telling that the connection is lost if there was one until now. A try that has
// failed is followed by one at another server of the lobby, without a wait.
void Session::wait_after_loss(Cause cause, bool was_connected) {
  return_.is_redirected = false;
  const bool in_circles = cause.kind == Cause::Kind::passed_on;
  if (!was_connected && !in_circles && !retry_plan_.is_over(now_) &&
      servers_.another() != nullptr) {
    return try_another(std::move(cause));
  }
  if (was_connected && retry_plan_.patience().count() > 0) {
    emit(ConnectionLost{cause, retry_plan_.patience()});
    cause = {};
  }
  wait_for_next_try(std::move(cause));
}

void Session::wait_until(Time time) {
  link_ = Link::waiting;
  until_ = time;
}

void Session::try_another(Cause cause) {
  wait_until(now_);
  emit(RetryScheduled{cause, milliseconds(0), sanitized(servers_.another()->address())});
  servers_.go_to_another();
}

void Session::wait_for_next_try(Cause cause) {
  const std::optional<milliseconds> wait = retry_plan_.next(now_, servers_.has_others());
  wait_until(now_ + wait.value_or(milliseconds(0)));
  if (!wait) {
    end(1, std::move(cause));
    ending_->patience = retry_plan_.patience();
    return;
  }
  emit(RetryScheduled{cause, *wait});
  servers_.go_home();
}

void Session::ping() {
  // Only the answer to the last ping is of interest.
  if (link_ != Link::catching_up) pending_.forget_pings();
  v1::ClientMessage message;
  message.mutable_ping();
  send(std::move(message));
  channel_.heartbeat.pinged(now_);
}

void Session::no_answer() {
  if (is_leaving()) return end(0, {});
  if (is_being_let_in() && now_ < *received_until_) {
    until_ = received_until_;
    return emit(AdmissionDelayed{});
  }
  if (!may_return()) {
    const auto kind = is_being_let_in() ? Cause::Kind::not_let_in : Cause::Kind::no_welcome;
    return end(1, {kind, {}, {}});
  }
  lose({Cause::Kind::no_answer, {}, {}});
}

void Session::deadline_reached(Time now) {
  now_ = now;
  if (ending_) return;
  if (until_ && now_ >= *until_) {
    if (link_ != Link::waiting) return no_answer();
    link_ = Link::connecting;
    until_.reset();
    if (servers_.has_others()) until_ = now_ + lobby_connect_timeout;
  }
  for (v1::ClientMessage& refused : pending_.take_due(now_)) send(std::move(refused));
  const Heartbeat::Due due = channel_.heartbeat.due(now_);
  if (due == Heartbeat::Due::ping) ping();
  if (due == Heartbeat::Due::lost) lose({Cause::Kind::silent, {}, {}});
}

std::optional<Time> Session::next_deadline() const {
  if (ending_) return std::nullopt;
  std::optional<Time> next;
  for (const auto& at : {until_, pending_.next_repeat(), channel_.heartbeat.next_deadline()}) {
    if (at && (!next || *at < *next)) next = at;
  }
  return next;
}

}  // namespace tictactoe::client
