#include "tests/simulation/client.hpp"

#include <algorithm>

namespace tictactoe::simulation {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

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

// Each line of an honest client has another text: see Client::chat().
bool is_unique(const std::string& text) {
  return text.starts_with("line ");
}

}  // namespace

// What all clients see together -------------------------------------------------------------------

std::string key_of_game(const std::string& room, const std::vector<std::uint32_t>& moves) {
  std::string key = room;
  for (const std::uint32_t move : moves) key += " " + std::to_string(move);
  return key;
}

void World::observe(const View& view, bool ending) {
  history.observe(view, ending);
  const v1::RoomSnapshot& room = view.room();
  if (watch == nullptr) trace.note(view.incarnation(), [&] { return room.ShortDebugString(); });
  if (room.has_outcome()) {
    ended.emplace(std::pair(view.incarnation(), room.game()),
                  key_of_game(room.name(), {room.moves().begin(), room.moves().end()}));
  }
}

void World::hear(const std::string& text, Said said_at) {
  require(
      !not_said.contains(text), Checker::answers,
      [&] { return "said, and counts as not done: " + text; }, said_at.room);
  const auto [known, is_new] = said.emplace(text, said_at);
  if (is_new) return;
  if (known->second.revision == 0) known->second.revision = said_at.revision;
  require(
      known->second.room == said_at.room &&
          (said_at.revision == 0 || known->second.revision == said_at.revision),
      Checker::answers, [&] { return "said twice: " + text; }, said_at.room);
}

std::string World::some_room(Random& random) const {
  return room_names.empty() ? "nowhere" : room_names[random.below(room_names.size())];
}

// Acting ------------------------------------------------------------------------------------------

Client::Client(World& world, std::uint32_t number, Random random)
    : world_(world), number_(number), random_(random), name_("client" + std::to_string(number)) {}

void Client::wake_in(Time delay) {
  world_.agenda.in(delay, [this, number = ++wakes_] {
    if (number == wakes_) wake();
  });
}

void Client::wake() {
  if (done_) return;
  const Time now = world_.agenda.now();
  if (stopped_until_ > now) return wake_in(stopped_until_ - now);
  const Plan& plan = world_.plan;
  wake_in(world_.finishing ? random_.between(milliseconds(20), milliseconds(200))
                           : random_.around(plan.think));
  const bool waits = !unanswered_.empty() || says_goodbye_ || has_shut_;
  if (link_ != 0 && waits && now - last_heard_ > plan.patience) return abandon();
  if (now < wait_until_ || has_shut_) return;
  if (link_ == 0) {
    // The server that it knows, or any other one.
    return connect(random_.percent(30) ? server_
                                       : static_cast<std::uint32_t>(random_.below(plan.servers)));
  }
  if (!welcome_) {
    if (unanswered_.empty()) say_hello();
    return;
  }
  const std::size_t max_unanswered = plan.is_shared() ? 4 : 12;
  if (says_goodbye_ || unanswered_.size() >= max_unanswered) return;
  if (world_.finishing) {
    if (!unanswered_.empty()) return;
    if (auto message = choose_to_finish()) send(*std::move(message));
  } else if (plan.happens(Fault::garbage, random_)) {
    misbehave();
  } else if (plan.happens(Fault::floods, random_)) {
    // More than the server grants. All answers must come nevertheless.
    for (std::uint64_t i = random_.between(50, 900); i > 0; --i) send(choose());
  } else {
    send(choose());
  }
}

void Client::restart() {
  if (done_) return;
  if (link_ != 0) abandon();
  view_.reset();
  if (random_.percent(10)) {
    // It has lost its token: it becomes a new player, and the old seat is held in vain.
    world_.names.erase(name_);
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

// Connections -------------------------------------------------------------------------------------

void Client::connect(std::uint32_t server) {
  server_ = server;
  if (!world_.listens[server]) {
    if (world_.plan.is_shared()) wait_until_ = world_.agenda.now() + milliseconds(100);
    return;
  }
  link_ = world_.network.connect(*this, number_, server);
  welcome_ = follows_ = sent_garbage_ = is_expelled_ = false;
  wait_until_ = Time(0);
  reader_ = std::make_unique<wire::FrameReader>(world_.plan.server.limits.server_frame_bytes + 16);
  say_hello();
}

void Client::say_hello() {
  Request message;
  v1::Hello& hello = *message.mutable_hello();
  hello.add_protocol_versions(1);
  hello.add_capabilities("redirect");
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
  if (has_shut_) check_farewell();
  // Nobody but hostile clients could be the reason.
  require(world_.plan.hostiles == 0 || world_.finishing || token_.empty(), Checker::fairness,
          [&] { return name_ + " was cut off"; });
  lost();
  // Some clients come back at once, some much later.
  if (done_ || wait_until_ > world_.agenda.now()) return;
  wake_in(random_.percent(world_.plan.is_shared() ? 100 : 80) ? random_.around(milliseconds(300))
                                                              : random_.around(seconds(12)));
}

// A client that has said goodbye and shut its side reads to the end. Before the faults stopped, a
// server may have ended that could not record the goodbye, and so did not answer it.
void Client::check_farewell() const {
  if (!has_calm_ || is_expelled_ || world_.network.is_broken(link_)) return;
  for (const auto& [id, request] : unanswered_) {
    require(!request.has_goodbye(), Checker::answers,
            [&] { return name_ + " has shut its side after a goodbye and got no answer to it"; });
  }
}

void Client::lost() {
  link_ = 0;
  welcome_ = has_shut_ = false;
  for (auto& [id, request] : unanswered_) {
    if (request.has_hello()) continue;
    if (seat_ && may_change_seat(request)) seat_->certain = false;
    lost_.insert_or_assign(id, std::move(request));
  }
  unanswered_.clear();
}

void Client::redirected(const v1::Redirect& redirect) {
  ++world_.redirects;
  const std::string& address = redirect.server().address();
  const auto number = std::stoul(address.substr(address.find(':') + 1));
  require(number < world_.plan.servers, Checker::protocol, "a redirect to no server");
  world_.network.client_closes(link_);
  lost();
  constexpr int max_in_a_row = 5;
  if (++redirects_ > max_in_a_row) {
    redirects_ = 0;
    wait_until_ = world_.agenda.now() + seconds(1);
    return;
  }
  connect(static_cast<std::uint32_t>(number));
}

// Messages ----------------------------------------------------------------------------------------

void Client::got(Link link, std::string_view bytes) {
  if (link != link_) return;
  last_heard_ = world_.agenda.now();
  if (welcome_) heard_at_ = world_.uptime();
  while (!bytes.empty()) {
    const auto space = reader_->prepare();
    const std::size_t count = std::min(space.size(), bytes.size());
    std::copy_n(bytes.begin(), count, space.begin());
    reader_->commit(count);
    bytes.remove_prefix(count);
    for (;;) {
      const wire::NextFrame next = reader_->next();
      if (next.state == wire::NextFrame::State::need_more) break;
      v1::ServerMessage message;
      require(next.state == wire::NextFrame::State::frame &&
                  message.ParseFromArray(next.body.data(), static_cast<int>(next.body.size())),
              Checker::protocol, "the server sends an invalid frame");
      receive(message, world_.watch == nullptr ? 0 : world_.watch->next_frame(link));
      if (link_ != link) return;
    }
  }
}

void Client::receive(const v1::ServerMessage& message, Incarnation room) {
  // Update the view first: it is what the answer is compared with.
  if (message.has_snapshot()) see(message.snapshot(), room, enters(message.request_id()));
  if (message.has_error() && message.error().has_state()) see(message.error().state(), room, false);
  if (message.has_update()) update(message.update(), room);
  if (message.has_left()) {
    view_.reset();
    follows_ = false;
    seat_.reset();
  }
  if (message.has_error() && message.error().closing()) {
    check_fairness(message.error());
    is_expelled_ = true;
  }
  if (message.has_redirect()) {
    // Nothing is done, or the room goes on at another server.
    require(message.request_id() == 0 || unanswered_.contains(message.request_id()),
            Checker::answers, "a redirect without a request");
    return redirected(message.redirect());
  }
  if (message.request_id() == 0) return;
  if (const auto request = take_answered(message, room)) {
    if (message.has_welcome()) welcome(message.welcome());
    answered(message.request_id(), *request, message);
  }
}

// Whether the answer to this request may contain a change that was announced only to others.
bool Client::enters(std::uint64_t request_id) const {
  const auto request = unanswered_.find(request_id);
  if (request == unanswered_.end()) return true;
  return !request->second.has_get_snapshot() && !request->second.has_move();
}

void Client::update(const v1::RoomUpdate& update, Incarnation room) {
  require(view_.has_value(), Checker::history, "an update for a client that is in no room", room);
  require(world_.watch == nullptr || view_->incarnation() == room, Checker::history,
          "an update of another room", room);
  view_->take(update);
  follows_ = true;
  revisions_[view_->incarnation()] = view_->room().revision();
  world_.observe(*view_, update.has_game_ended());
  if (is_unique(update.chat_said().text())) {
    world_.hear(update.chat_said().text(), {view_->incarnation(), update.revision()});
  }
  if (!view_->seated()) seat_.reset();
  if (view_->my_turn() && !world_.finishing) {
    wake_in(random_.between(milliseconds(5), milliseconds(300)));
  }
}

void Client::see(const v1::RoomSnapshot& snapshot, Incarnation room, bool entering) {
  if (room == 0) {
    room = static_cast<Incarnation>(world_.shared.serial_of(snapshot.name(), snapshot.revision()));
  }
  require(room != 0, Checker::history, "a room that nobody has opened: " + snapshot.name());
  std::uint64_t& known = revisions_[room];
  // On one connection all earlier changes have come.
  const bool misses = !entering && follows_ && view_ && view_->incarnation() == room &&
                      view_->room().revision() != snapshot.revision();
  require(
      snapshot.revision() >= known && !misses, Checker::history,
      [&] {
        return name_ + " did not get revision " + std::to_string(snapshot.revision()) + ", after " +
               std::to_string(known);
      },
      room);
  known = snapshot.revision();
  follows_ = true;
  view_.emplace(room, snapshot, kept_chat_);
  require(
      !view_->seated() || view_->occupant(snapshot.your_seat()).name() == name_, Checker::history,
      [&] { return name_ + " has another player's seat"; }, room);
  world_.observe(*view_, false);
  std::set<std::string> texts;
  const auto& chat = view_->room().chat();
  for (const v1::ChatSaid& line : chat) {
    if (!is_unique(line.text())) continue;
    require(
        texts.insert(line.text()).second, Checker::answers,
        [&] { return "said twice: " + line.text(); }, room);
    world_.hear(line.text(), {room, 0});
  }
  if (acknowledged_chat_ && acknowledged_chat_->first == room) {
    require(texts.contains(acknowledged_chat_->second) ||
                static_cast<std::size_t>(chat.size()) == kept_chat_,
            Checker::permanence, "a line of chat that was acknowledged is gone", room);
  }
  note_seat(snapshot, room);
}

void Client::note_seat(const v1::RoomSnapshot& snapshot, Incarnation room) {
  if (!view_->seated()) return seat_.reset();
  if (seat_ && seat_->incarnation == room) {
    if (world_.plan.is_shared()) seat_->certain = true;
    return;
  }
  // Whatever the policy, a seat without a running game is not held for longer than this.
  const Time longest = world_.plan.server.limits.default_grace;
  const bool is_short =
      snapshot.options().has_grace_ms() && snapshot.options().away() != v1::AWAY_HOLD;
  const Time grace = is_short ? Time(milliseconds(snapshot.options().grace_ms())) : longest;
  seat_ = Seat{snapshot.name(), room, true, std::min(grace, longest)};
}

void Client::welcome(const v1::Welcome& welcome) {
  welcome_ = true;
  redirects_ = 0;
  kept_chat_ = welcome.limits().kept_chat();
  check_return(welcome);
  if (welcome.room().empty() || !view_ || view_->room().name() != welcome.room()) view_.reset();
  if (welcome.room().empty()) seat_.reset();
}

void Client::check_return(const v1::Welcome& welcome) {
  const Incarnation room = seat_ ? seat_->incarnation : 0;
  // A held seat must still be there. The servers may have noticed the loss a little earlier or
  // later than this client. Time stops while there is none.
  const Time away = world_.uptime() - heard_at_;
  const bool held = seat_ && seat_->certain && away + world_.plan.unheard < seat_->grace;
  require(
      !held || (welcome.resumed() && welcome.room() == seat_->room), Checker::permanence,
      [&] { return "a seat that was held is gone: " + name_ + " in \"" + seat_->room + "\""; },
      room);
  if (welcome.resumed()) {
    ++world_.returns;
    require(welcome.token().empty(), Checker::protocol, "a token is sent twice");
    require(
        welcome.player_name() == name_, Checker::permanence,
        [&] { return name_ + " has become " + welcome.player_name(); }, room);
    return settle(welcome.last_request_done());
  }
  require(!welcome.token().empty(), Checker::protocol, "no token");
  if (!token_.empty()) {
    require(world_.plan.hostiles == 0, Checker::fairness, [&] { return name_ + " was forgotten"; });
    require(
        !world_.plan.is_shared() || says_goodbye_, Checker::permanence,
        [&] { return name_ + " was forgotten"; }, room);
    world_.names.erase(name_);
  }
  token_ = welcome.token();
  name_ = welcome.player_name();
  require(world_.names.emplace(name_, number_).second, Checker::history,
          [&] { return "two players have one name: " + name_; });
  lost_.clear();
  acknowledged_ = 0;
  says_goodbye_ = is_garbled_ = false;
}

// Requests ----------------------------------------------------------------------------------------

void Client::settle(std::uint64_t last_request_done) {
  const Incarnation room = seat_ ? seat_->incarnation : 0;
  require(
      last_request_done >= acknowledged_ || is_garbled_, Checker::permanence,
      [&] {
        return "request " + std::to_string(acknowledged_) + " of " + name_ +
               " was acknowledged, and the last one done is " + std::to_string(last_request_done);
      },
      room);
  require(
      last_request_done <= next_request_ || is_garbled_, Checker::permanence,
      [&] { return name_ + " has not made the last request that was done"; }, room);
  if (std::exchange(says_goodbye_, false)) lost_.clear();
  for (const auto& [id, request] : std::exchange(lost_, {})) {
    if (id <= last_request_done) continue;
    constexpr std::size_t max_again = 12;
    if (random_.percent(70) && unanswered_.size() < max_again) {
      ++world_.repeats;
      send_as(id, request);
    } else if (request.has_chat()) {
      require(!world_.said.contains(request.chat().text()), Checker::answers,
              [&] { return "said, and counts as not done: " + request.chat().text(); });
      world_.not_said.insert(request.chat().text());
    }
  }
}

void Client::send(Request message) {
  if (message.has_goodbye()) says_goodbye_ = true;
  has_calm_ = world_.finishing;
  const bool shuts = message.has_goodbye() && random_.percent(50);
  send_as(++next_request_, message);
  if (!shuts) return;
  has_shut_ = true;
  world_.network.client_shuts(link_);
}

void Client::send_as(std::uint64_t id, const Request& request) {
  Request message = request;
  message.set_request_id(id);
  std::string bytes;
  wire::append_frame(bytes, message.SerializeAsString());
  ++world_.requests;
  if (unanswered_.empty()) last_heard_ = world_.agenda.now();
  if (world_.watch == nullptr) note_request(message);
  unanswered_.insert_or_assign(id, std::move(message));
  world_.network.client_sends(link_, bytes);
}

// As EdgeWatch does it where there is one.
void Client::note_request(const Request& request) {
  if (request.has_resign()) {
    world_.history.requested(room(), name_, request.resign().game(), History::RequestKind::resign);
  } else if (request.has_offer_draw()) {
    world_.history.requested(room(), name_, request.offer_draw().game(),
                             History::RequestKind::draw);
  } else if (request.has_ask_takeback()) {
    world_.history.requested(room(), name_, request.ask_takeback().game(),
                             History::RequestKind::takeback);
  }
}

std::string Client::describe() const {
  return name_ + " at server " + std::to_string(server_) +
         (link_ == 0 ? ", away"
          : welcome_ ? ", connected"
                     : ", waiting for a welcome") +
         (view_ ? ", in " + view_->room().ShortDebugString() : "") + ", " +
         std::to_string(unanswered_.size()) + " unanswered";
}

}  // namespace tictactoe::simulation
