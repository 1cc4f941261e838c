#include "tests/simulation/client.hpp"

#include <algorithm>
#include <utility>

namespace tictactoe::simulation {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

// The longest time without any bytes before a client gives a connection up.
constexpr Time longest_silence = seconds(8);

// The greatest age of a message when it arrives: stalled, late, and in transit.
constexpr Time longest_unheard = seconds(14);

// Whether the request may change the player's seat or identity.
bool may_change_seat(const v1::ClientMessage& message) {
  switch (message.request_case()) {
    case v1::ClientMessage::kLeaveRoom:
    case v1::ClientMessage::kGoodbye:
    case v1::ClientMessage::kAddAi:
    case v1::ClientMessage::kCreateRoom:
    case v1::ClientMessage::kJoinRoom:
    case v1::ClientMessage::kWatchRoom:
    case v1::ClientMessage::kPlay:
      return true;
    default:
      return false;
  }
}

}  // namespace

Client::Client(World& world, std::uint32_t number, Random random)
    : world_(world), number_(number), random_(random), name_("client" + std::to_string(number)) {}

void Client::start() {
  wake_in(random_.between(Time(0), seconds(5)));
}

void Client::wake_in(Time delay) {
  world_.agenda.in(delay, [this, number = ++wakes_] {
    if (number == wakes_) wake();
  });
}

void Client::wake() {
  if (done_) return;
  if (stopped_until_ > world_.agenda.now()) return wake_in(stopped_until_ - world_.agenda.now());
  wake_in(world_.finishing ? random_.between(milliseconds(20), milliseconds(200))
                           : random_.around(world_.plan.think));
  if (link_ == 0) {
    if (world_.listening) connect();
    return;
  }
  const Time now = world_.agenda.now();
  if (now - last_heard_ > longest_silence) return abandon();
  if (says_goodbye_) return;
  if (!welcome_ || now < wait_until_) return;
  if (!to_send_again_.empty()) return send_again();
  constexpr std::size_t most_unanswered = 12;
  if (unanswered_.size() >= most_unanswered) return;
  if (world_.finishing) {
    if (unanswered_.empty()) {
      if (auto message = choose_to_finish()) send(*std::move(message));
    }
    return;
  }
  if (world_.plan.has(Fault::garbage) && random_.per_mille(world_.plan.garbage)) {
    return misbehave();
  }
  if (world_.plan.has(Fault::floods) && random_.per_mille(world_.plan.flood)) {
    // More than the server grants. All answers must come nevertheless.
    for (std::uint64_t i = random_.between(50, 900); i > 0; --i) send(choose());
    return;
  }
  send(choose());
}

// Connections -------------------------------------------------------------------------------------

void Client::connect() {
  link_ = world_.network.connect(number_);
  welcome_ = false;
  follows_ = false;
  sent_garbage_ = false;
  says_goodbye_ = false;
  is_expelled_ = false;
  wait_until_ = Time(0);
  last_heard_ = world_.agenda.now();
  reader_ = std::make_unique<wire::FrameReader>(world_.plan.server.limits.server_frame_bytes + 16);
  v1::ClientMessage message;
  v1::Hello& hello = *message.mutable_hello();
  hello.add_protocol_versions(1);
  hello.set_name(name_);
  hello.set_token(token_);
  if (view_) {
    hello.set_room(view_->room().name());
    hello.set_revision(view_->room().revision());
  }
  send(std::move(message));
}

// Gives the connection up, perhaps without closing it: the server must notice.
void Client::abandon() {
  if (random_.percent(70)) world_.network.client_closes(link_);
  lost();
}

void Client::heard_end(Link link) {
  if (link != link_) return;
  if (says_goodbye_) check_farewell();
  // Nobody but hostile clients could be the reason.
  require(world_.plan.hostiles == 0 || world_.finishing || token_.empty(), Checker::fairness,
          [&] { return name_ + " was cut off"; });
  lost();
  // Some clients come back at once, some much later.
  if (!done_)
    wake_in(random_.percent(80) ? random_.around(milliseconds(300)) : random_.around(seconds(12)));
}

// A client that has said goodbye and shut its side reads to the end. Before the faults stopped, a
// server may have ended that could not record the goodbye, and so did not answer it.
void Client::check_farewell() const {
  if (!has_calm_ || is_expelled_ || world_.network.is_broken(link_)) return;
  for (const auto& [id, request] : unanswered_) {
    require(!request.message.has_goodbye(), Checker::answers,
            [&] { return name_ + " has shut its side after a goodbye and got no answer to it"; });
  }
}

void Client::lost() {
  std::vector<Request> lost;
  for (auto& [id, request] : unanswered_) {
    lost.push_back(std::move(request));
  }
  unanswered_.clear();
  link_ = 0;
  welcome_ = false;
  for (const Request& request : lost) {
    if (seat_ && may_change_seat(request.message)) seat_->certain = false;
    if (request.message.has_goodbye() && world_.finishing) {
      done_ = true;  // either it has arrived, or the server will forget the player
    }
    if (request.message.has_move() && request.message.move().has_ply()) {
      to_send_again_.push_back(request.message.move());
    }
  }
}

void Client::restart() {
  if (done_) return;
  if (link_ != 0) abandon();
  view_.reset();
  to_send_again_.clear();
  if (random_.percent(10)) {
    // It has lost its token: it becomes a new player, and the old seat is held in vain.
    token_.clear();
    seat_.reset();
  }
  wake_in(random_.around(seconds(1)));
}

void Client::stop_until(Time time) {
  stopped_until_ = time;
  // It may notice long after the server has closed the connection.
  if (seat_) seat_->certain = false;
}

void Client::finish() {
  stopped_until_ = Time(0);
  wake_in(random_.between(Time(0), seconds(2)));
}

void Client::got(Link link, std::string_view bytes) {
  if (link != link_) return;
  last_heard_ = world_.agenda.now();
  if (welcome_) lost_at_ = world_.uptime();
  while (!bytes.empty()) {
    const auto space = reader_->prepare();
    const std::size_t count = std::min(space.size(), bytes.size());
    std::copy_n(bytes.begin(), count, space.begin());
    reader_->commit(count);
    bytes.remove_prefix(count);
    for (;;) {
      const wire::NextFrame next = reader_->next();
      if (next.state == wire::NextFrame::State::need_more) break;
      require(next.state == wire::NextFrame::State::frame, Checker::protocol,
              "the server sends an invalid frame");
      v1::ServerMessage message;
      require(message.ParseFromArray(next.body.data(), static_cast<int>(next.body.size())),
              Checker::protocol, "the server sends an invalid message");
      receive(message, world_.watch.next_frame(link));
      if (link_ != link) return;
    }
  }
}

void Client::receive(const v1::ServerMessage& message, Incarnation room) {
  // Update the view first: it is what the answer is compared with.
  if (message.has_snapshot()) see(message.snapshot(), room, enters(message.request_id()));
  if (message.has_error() && message.error().has_state()) see(message.error().state(), room, false);
  if (message.has_update()) {
    require(view_.has_value(), Checker::history, "an update for a client that is in no room", room);
    require(view_->incarnation() == room, Checker::history, "an update of another room", room);
    view_->take(message.update());
    follows_ = true;
    world_.history.observe(*view_, message.update().has_game_ended());
    seat_ = view_->seated() ? seat_ : std::nullopt;
    if (view_->my_turn() && !world_.finishing) {
      wake_in(random_.between(milliseconds(5), milliseconds(300)));
    }
  }
  if (message.has_welcome()) welcome(message.welcome());
  if (message.has_left()) {
    view_.reset();
    follows_ = false;
    seat_.reset();
  }
  if (message.has_error() && message.error().closing()) {
    check_fairness(message.error());
    is_expelled_ = true;
  }
  if (message.request_id() == 0) return;
  const auto found = unanswered_.find(message.request_id());
  if (found == unanswered_.end() && sent_garbage_) return;  // some of the garbage was a request
  require(
      found != unanswered_.end(), Checker::answers,
      [&] {
        return "an answer without a request, or a second answer: " + message.ShortDebugString();
      },
      room);
  // Answers come in the order of the requests, except those from the records and hints.
  const auto comes_later = [](const auto& each) {
    const v1::ClientMessage& asked = each.second.message;
    return asked.has_list_games() || asked.has_get_game() || asked.has_hint();
  };
  const auto passed_over = std::find_if_not(unanswered_.begin(), found, comes_later);
  require(
      passed_over == found || comes_later(*found), Checker::answers,
      [&] { return "a request was skipped: " + passed_over->second.message.ShortDebugString(); },
      room);
  const Request request = std::move(found->second);
  unanswered_.erase(found);
  const auto code = message.has_error() ? static_cast<std::uint64_t>(message.error().code()) : 0;
  ++world_.answers[static_cast<std::uint64_t>(request.message.request_case()) * 1000 + code];
  answered(request, message);
}

// Whether the answer to this request may contain a change that was announced only to others.
bool Client::enters(std::uint64_t request_id) const {
  const auto request = unanswered_.find(request_id);
  if (request == unanswered_.end()) return true;
  const v1::ClientMessage& message = request->second.message;
  return !message.has_get_snapshot() && !message.has_move();
}

void Client::see(const v1::RoomSnapshot& snapshot, Incarnation room, bool entering) {
  // All earlier changes came on the same connection.
  require(
      entering || !follows_ || !view_ || view_->incarnation() != room ||
          view_->room().revision() == snapshot.revision(),
      Checker::history,
      [&] {
        return name_ + " did not get revision " + std::to_string(snapshot.revision()) + ", after " +
               std::to_string(view_->room().revision());
      },
      room);
  follows_ = true;
  view_.emplace(room, snapshot, kept_chat_);
  require(
      !view_->seated() || view_->occupant(snapshot.your_seat()).name() == name_, Checker::history,
      [&] { return name_ + " has another player's seat"; }, room);
  world_.history.observe(*view_);
  if (!view_->seated()) {
    seat_.reset();
    return;
  }
  if (!seat_ || seat_->incarnation != room) {
    const auto grace = snapshot.options().has_grace_ms()
                           ? milliseconds(snapshot.options().grace_ms())
                           : world_.plan.server.limits.default_grace;
    // Whatever the policy, a seat without a running game is not held for longer than this.
    const Time longest = world_.plan.server.limits.default_grace;
    const bool holds = snapshot.options().away() == v1::AWAY_HOLD;
    seat_ = Seat{snapshot.name(), room, true, holds ? longest : std::min<Time>(grace, longest)};
  }
}

void Client::welcome(const v1::Welcome& welcome) {
  welcome_ = true;
  kept_chat_ = welcome.limits().kept_chat();
  // A held seat must still be there. The server may have noticed the loss a little earlier or later
  // than this client. Time stops while the server is down.
  const Time away = world_.uptime() - lost_at_;
  const bool held = seat_ && seat_->certain && away + longest_unheard < seat_->grace;
  if (!token_.empty()) {
    require(world_.plan.hostiles == 0 || welcome.resumed(), Checker::fairness,
            [&] { return name_ + " was forgotten"; });
    require(welcome.resumed() || !welcome.token().empty(), Checker::protocol, "no token");
    require(
        welcome.resumed() || !held, Checker::permanence,
        [&] { return "a player with a seat was forgotten: " + name_; },
        seat_ ? seat_->incarnation : 0);
  }
  if (!welcome.token().empty()) {
    require(!welcome.resumed(), Checker::protocol, "a token is sent twice");
    token_ = welcome.token();
  }
  require(
      !held || welcome.room() == seat_->room, Checker::permanence,
      [&] { return "a seat that was held is gone: " + name_ + " in \"" + seat_->room + "\""; },
      seat_ ? seat_->incarnation : 0);
  name_ = welcome.player_name();
  if (welcome.room().empty() || !view_ || view_->room().name() != welcome.room()) view_.reset();
  if (welcome.room().empty()) seat_.reset();
}

// Requests ----------------------------------------------------------------------------------------

void Client::send(v1::ClientMessage message) {
  message.set_request_id(++next_request_);
  std::string bytes;
  wire::append_frame(bytes, message.SerializeAsString());
  ++world_.requests;
  says_goodbye_ = message.has_goodbye() && random_.percent(50);
  has_calm_ = world_.finishing;
  unanswered_.emplace(next_request_, Request{std::move(message)});
  world_.network.client_sends(link_, bytes);
  if (says_goodbye_) world_.network.client_shuts(link_);
}

void Client::send_again() {
  v1::ClientMessage message;
  *message.mutable_move() = to_send_again_.front();
  to_send_again_.pop_front();
  if (view_) send(std::move(message));
}

std::string Client::describe() const {
  return name_ +
         (link_ == 0 ? ", away"
          : welcome_ ? ", connected"
                     : ", waiting for a welcome") +
         (view_ ? ", in " + view_->room().ShortDebugString() : "") + ", " +
         std::to_string(unanswered_.size()) + " unanswered";
}

}  // namespace tictactoe::simulation
