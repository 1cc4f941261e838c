#include "tests/simulation/lobby_client.hpp"

#include <algorithm>

namespace tictactoe::simulation {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Request = v1::ClientMessage;

namespace {

// The longest time without any bytes before a client gives a connection up.
constexpr Time longest_silence = seconds(4);
// A seat is held for two minutes. A takeover starts the hold again.
constexpr Time surely_held = seconds(60);

bool may_change_seat(const Request& message) {
  switch (message.request_case()) {
    case Request::kLeaveRoom:
    case Request::kGoodbye:
    case Request::kCreateRoom:
    case Request::kJoinRoom:
    case Request::kWatchRoom:
    case Request::kPlay:
    case Request::kAddAi:
      return true;
    default:
      return false;
  }
}

// Whether doing it counts in last_request_done, for ever.
bool counts(const Request& request, const v1::ServerMessage& answer) {
  switch (request.request_case()) {
    case Request::kMove:
    case Request::kChat:
    case Request::kResign:
      return answer.has_update();
    case Request::kCreateRoom:
      return answer.has_snapshot();
    case Request::kJoinRoom:
    case Request::kPlay:
      return answer.has_snapshot() && answer.snapshot().your_seat() != v1::MARK_NONE;
    default:
      return false;
  }
}

}  // namespace

LobbyClient::LobbyClient(LobbyWorld& world, std::uint32_t number, Random random)
    : world_(world), number_(number), random_(random), name_("client" + std::to_string(number)) {}

void LobbyClient::wake_in(Time delay) {
  world_.agenda.in(delay, [this, number = ++wakes_] {
    if (number == wakes_) wake();
  });
}

void LobbyClient::wake() {
  if (done_) return;
  wake_in(world_.finishing ? random_.between(milliseconds(20), milliseconds(200))
                           : random_.around(world_.plan.think));
  const Time now = world_.agenda.now();
  if (now < wait_until_) return;
  if (link_ == 0) {
    // The server that it knows, or any other one.
    const auto servers = static_cast<std::uint32_t>(world_.listens.size());
    return connect(random_.percent(30) ? server_
                                       : static_cast<std::uint32_t>(random_.below(servers)));
  }
  if (!unanswered_.empty() && now - last_heard_ > longest_silence) return abandon();
  if (!welcome_) {
    if (unanswered_.empty()) say_hello();
    return;
  }
  if (says_goodbye_ || unanswered_.size() >= 4) return;
  if (!world_.finishing) return send(choose());
  if (!unanswered_.empty()) return;
  Request message;
  if (view_) {
    message.mutable_leave_room();
  } else {
    message.mutable_goodbye();
    says_goodbye_ = true;
  }
  send(std::move(message));
}

// Connections -------------------------------------------------------------------------------------

void LobbyClient::connect(std::uint32_t server) {
  server_ = server;
  if (!world_.listens[server]) {
    wait_until_ = world_.agenda.now() + milliseconds(100);
    return;
  }
  link_ = world_.networks[server]->connect(number_);
  welcome_ = false;
  last_heard_ = world_.agenda.now();
  reader_ = std::make_unique<wire::FrameReader>(
      world_.plan.network.server.limits.server_frame_bytes + 16);
  say_hello();
}

void LobbyClient::say_hello() {
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
  hello_ = next_request_ + 1;
  last_heard_ = world_.agenda.now();
  send(std::move(message));
}

void LobbyClient::abandon() {
  if (random_.percent(70)) world_.networks[server_]->client_closes(link_);
  lost();
}

void LobbyClient::heard_end(std::uint32_t server, Link link) {
  if (server != server_ || link != link_) return;
  lost();
  if (!done_ && wait_until_ <= world_.agenda.now()) wake_in(random_.around(milliseconds(200)));
}

void LobbyClient::lost() {
  link_ = 0;
  welcome_ = false;
  for (auto& [id, request] : unanswered_) {
    if (request.has_hello()) continue;
    if (seat_ && may_change_seat(request)) seat_->certain = false;
    lost_.insert_or_assign(id, std::move(request));
  }
  unanswered_.clear();
}

void LobbyClient::redirected(const v1::Redirect& redirect) {
  ++world_.redirects;
  const std::string& address = redirect.server().address();
  const auto number = std::stoul(address.substr(address.find(':') + 1));
  require(number < world_.listens.size(), Checker::protocol, "a redirect to no server");
  world_.networks[server_]->client_closes(link_);
  lost();
  constexpr int most_in_a_row = 5;
  if (++redirects_ > most_in_a_row) {
    redirects_ = 0;
    wait_until_ = world_.agenda.now() + seconds(1);
    return;
  }
  connect(static_cast<std::uint32_t>(number));
}

// Messages ----------------------------------------------------------------------------------------

void LobbyClient::got(std::uint32_t server, Link link, std::string_view bytes) {
  if (server != server_ || link != link_) return;
  last_heard_ = world_.agenda.now();
  if (welcome_) heard_at_ = last_heard_;
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
      receive(message);
      if (link_ != link || server_ != server) return;
    }
  }
}

void LobbyClient::receive(const v1::ServerMessage& message) {
  if (message.has_snapshot()) see(message.snapshot());
  if (message.has_error() && message.error().has_state()) see(message.error().state());
  if (message.has_update()) update(message.update());
  if (message.has_left()) {
    view_.reset();
    seat_.reset();
  }
  if (message.request_id() == 0) {
    // The room goes on at another server, or this one stops.
    if (message.has_redirect()) redirected(message.redirect());
    return;
  }
  const auto found = unanswered_.find(message.request_id());
  require(found != unanswered_.end(), Checker::answers,
          [&] { return "an answer without a request: " + message.ShortDebugString(); });
  if (message.has_redirect()) {
    // Nothing is done.
    return redirected(message.redirect());
  }
  const Request request = std::move(found->second);
  const std::uint64_t id = found->first;
  unanswered_.erase(found);
  const auto code = message.has_error() ? static_cast<std::uint64_t>(message.error().code()) : 0;
  ++world_.answers[static_cast<std::uint64_t>(request.request_case()) * 1000 + code];
  if (message.has_welcome()) return welcome(message.welcome());
  if (message.has_error()) return refused(request, message.error());
  if (counts(request, message)) acknowledged_ = std::max(acknowledged_, id);
  note_acknowledged(request, message);
  if (request.has_goodbye()) {
    world_.names.erase(name_);
    token_.clear();
    done_ = true;
  }
}

void LobbyClient::refused(const Request& request, const v1::Error& error) {
  require(error.code() != v1::Error::CODE_UNSPECIFIED, Checker::protocol, "refused without a code");
  if (request.has_goodbye()) says_goodbye_ = false;
  if (error.retry_after_ms() > 0) {
    wait_until_ = world_.agenda.now() + milliseconds(error.retry_after_ms());
    // Some try another server.
    if (request.has_hello() && random_.percent(50)) abandon();
  }
  require(error.code() != v1::Error::CODE_NOT_IN_ROOM || !view_ || !unanswered_.empty(),
          Checker::history, [&] {
            return name_ +
                   " is not in the room that it has not left: " + request.ShortDebugString();
          });
}

void LobbyClient::note_acknowledged(const Request& request, const v1::ServerMessage& answer) {
  if (!view_) return;
  if (request.has_chat() && answer.has_update()) {
    require(answer.update().has_chat_said() &&
                answer.update().chat_said().text() == request.chat().text(),
            Checker::answers, "something else was said", view_->incarnation());
    acknowledged_chat_ = {view_->incarnation(), request.chat().text()};
  }
  if (request.has_move() && (answer.has_update() || answer.has_snapshot())) {
    const v1::RoomSnapshot& room = view_->room();
    const v1::Move& move = request.move();
    const std::uint32_t cell = move.cell().row() * room.rules().cols() + move.cell().col();
    require(room.game() == move.game() &&
                move.ply() < static_cast<std::uint32_t>(room.moves_size()) &&
                room.moves(static_cast<int>(move.ply())) == cell,
            Checker::permanence, "a move was granted and is not there", view_->incarnation());
  }
}

void LobbyClient::see(const v1::RoomSnapshot& snapshot) {
  const auto room =
      static_cast<Incarnation>(world_.shared.serial_of(snapshot.name(), snapshot.revision()));
  require(room != 0, Checker::history, "a room that nobody has opened: " + snapshot.name());
  std::uint64_t& known = revisions_[room];
  require(
      snapshot.revision() >= known, Checker::history,
      [&] {
        return name_ + " is back at revision " + std::to_string(snapshot.revision()) + " of \"" +
               snapshot.name() + "\", after " + std::to_string(known);
      },
      room);
  known = snapshot.revision();
  view_.emplace(room, snapshot, kept_chat_);
  require(
      !view_->seated() || view_->occupant(snapshot.your_seat()).name() == name_, Checker::history,
      [&] { return name_ + " has another player's seat"; }, room);
  world_.observe(*view_, false);
  std::set<std::string> texts;
  for (const v1::ChatSaid& line : view_->room().chat()) {
    require(
        texts.insert(line.text()).second, Checker::answers,
        [&] { return "said twice: " + line.text(); }, room);
    world_.hear(line.text(), {room, 0});
  }
  if (acknowledged_chat_ && acknowledged_chat_->first == room) {
    const auto& chat = view_->room().chat();
    const bool is_there = std::ranges::any_of(
        chat, [&](const auto& said) { return said.text() == acknowledged_chat_->second; });
    require(is_there || static_cast<std::size_t>(chat.size()) == kept_chat_, Checker::permanence,
            "a line of chat that was acknowledged is gone", room);
  }
  if (view_->seated()) {
    seat_ = Seat{snapshot.name(), room, true};
  } else {
    seat_.reset();
  }
}

void LobbyClient::update(const v1::RoomUpdate& update) {
  require(view_.has_value(), Checker::history, "an update for a client that is in no room");
  view_->take(update);
  revisions_[view_->incarnation()] = view_->room().revision();
  world_.observe(*view_, update.has_game_ended());
  if (update.has_chat_said()) {
    world_.hear(update.chat_said().text(), {view_->incarnation(), update.revision()});
  }
  if (!view_->seated()) seat_.reset();
  if (view_->my_turn() && !world_.finishing) {
    wake_in(random_.between(milliseconds(5), milliseconds(300)));
  }
}

void LobbyClient::welcome(const v1::Welcome& welcome) {
  welcome_ = true;
  redirects_ = 0;
  kept_chat_ = welcome.limits().kept_chat();
  const Incarnation room = seat_ ? seat_->incarnation : 0;
  if (!token_.empty()) {
    require(
        welcome.resumed() || says_goodbye_, Checker::permanence,
        [&] { return name_ + " was forgotten"; }, room);
  }
  if (welcome.resumed()) {
    ++world_.returns;
    require(
        welcome.player_name() == name_, Checker::permanence,
        [&] { return name_ + " has become " + welcome.player_name(); }, room);
    const bool held = seat_ && seat_->certain && world_.agenda.now() - heard_at_ < surely_held;
    require(
        !held || welcome.room() == seat_->room, Checker::permanence,
        [&] { return "a seat that was held is gone: " + name_ + " in \"" + seat_->room + "\""; },
        room);
    settle(welcome.last_request_done());
  } else {
    require(!welcome.token().empty(), Checker::protocol, "no token");
    if (!token_.empty()) world_.names.erase(name_);
    token_ = welcome.token();
    name_ = welcome.player_name();
    require(world_.names.emplace(name_, number_).second, Checker::history,
            [&] { return "two players have one name: " + name_; });
    lost_.clear();
    acknowledged_ = 0;
    says_goodbye_ = false;
  }
  if (welcome.room().empty() || !view_ || view_->room().name() != welcome.room()) view_.reset();
  if (welcome.room().empty()) seat_.reset();
}

// Requests ----------------------------------------------------------------------------------------

void LobbyClient::settle(std::uint64_t last_request_done) {
  require(
      last_request_done >= acknowledged_, Checker::permanence,
      [&] {
        return "request " + std::to_string(acknowledged_) + " of " + name_ +
               " was acknowledged, and the last one done is " + std::to_string(last_request_done);
      },
      seat_ ? seat_->incarnation : 0);
  require(last_request_done <= next_request_, Checker::permanence,
          [&] { return name_ + " has not made the last request that was done"; });
  if (std::exchange(says_goodbye_, false)) lost_.clear();
  const auto again = std::exchange(lost_, {});
  for (const auto& [id, request] : again) {
    if (id <= last_request_done) continue;
    if (random_.percent(70)) {
      ++world_.repeats;
      send_as(id, request);
    } else if (request.has_chat()) {
      require(!world_.said.contains(request.chat().text()), Checker::answers,
              [&] { return "said, and counts as not done: " + request.chat().text(); });
      world_.not_said.insert(request.chat().text());
    }
  }
}

void LobbyClient::send(Request message) {
  send_as(++next_request_, message);
}

void LobbyClient::send_as(std::uint64_t id, const Request& request) {
  Request message = request;
  message.set_request_id(id);
  std::string bytes;
  wire::append_frame(bytes, message.SerializeAsString());
  ++world_.requests;
  if (unanswered_.empty()) last_heard_ = world_.agenda.now();
  if (message.has_resign() && view_) {
    world_.history.requested(view_->incarnation(), name_, message.resign().game(),
                             History::RequestKind::resign);
  }
  unanswered_.insert_or_assign(id, std::move(message));
  world_.networks[server_]->client_sends(link_, bytes);
}

std::string LobbyClient::describe() const {
  return name_ + " at server " + std::to_string(server_) +
         (link_ == 0 ? ", away"
          : welcome_ ? ", connected"
                     : ", waiting for a welcome") +
         (view_ ? ", in " + view_->room().ShortDebugString() : "") + ", " +
         std::to_string(unanswered_.size()) + " unanswered";
}

}  // namespace tictactoe::simulation
