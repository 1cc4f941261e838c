// The link to the server: hello and welcome, signs of life, being cut off and coming back.
#include <algorithm>
#include <utility>

#include "client/model/sanitized.hpp"
#include "client/session/conversation.hpp"
#include "client/session/resend.hpp"
#include "client/text/narration.hpp"

namespace tictactoe::client {
namespace {

constexpr milliseconds second{1'000};

std::string quoted(const std::string& name) {
  return "\"" + name + "\"";
}

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

// Whole seconds that a countdown shows.
std::int64_t seconds_left(Time::duration left) {
  return std::chrono::ceil<std::chrono::seconds>(std::max(left, Time::duration(0))).count();
}

}  // namespace

void Conversation::cannot_connect(std::string_view why, Time now) {
  now_ = now;
  const std::string what =
      "Can't reach a server at " + options_.server + ": " + std::string(why) + ".";
  if (!limits_) return end(1, what + " Is it running, and is --server right?");
  wait_for_next_try(what);
}

void Conversation::connected(Time now) {
  now_ = now;
  reader_ = wire::FrameReader(max_server_frame_bytes);
  link_ = Link::greeting;
  answer_by_ = now_ + welcome_timeout;
  say_hello();
}

void Conversation::say_hello() {
  v1::ClientMessage message;
  v1::Hello& hello = *message.mutable_hello();
  hello.add_protocol_versions(protocol_version);
  hello.set_name(options_.name);
  hello.set_software(options_.software);
  hello.set_token(token_);
  hello.set_server_password(options_.passwords.server);
  hello.set_account_password(options_.passwords.account);
  if (room_ && room_->my_seat != Mark::none) {
    hello.set_room(room_->wire_name);
    hello.set_revision(room_->revision);
  }
  request(std::move(message));
}

void Conversation::on_hello_answer(const v1::ServerMessage& message) {
  take_pending(message.request_id());
  if (message.has_welcome()) return on_welcome(message.welcome());
  if (!message.has_error()) return end_with_nonsense("something before its welcome");
  on_refused_hello(message.error());
}

void Conversation::on_refused_hello(const v1::Error& error) {
  if (error.code() == v1::Error::CODE_INVALID_NAME) {
    return end(2, "The server does not take the name \"" + sanitized(options_.name) +
                      "\": " + error_text(error) + " Choose another with --name.");
  }
  if (error.code() == v1::Error::CODE_SERVER_PASSWORD) {
    const std::string what = options_.passwords.server.empty()
                                 ? options_.server + " has a password."
                                 : "That is not the password of " + options_.server + ".";
    return end(2, what + " Give it in a file with --server-password-file.", Asks::server_password);
  }
  if (error.code() == v1::Error::CODE_ACCOUNT_PASSWORD) {
    return end(2,
               "That is not the password of the account \"" + sanitized(options_.name) + "\" at " +
                   options_.server + ".",
               Asks::account_password);
  }
  const std::string what = closing_text(options_.server, error);
  if (limits_ && is_worth_another_try(error.code())) return lose(what);
  end(1, what);
}

void Conversation::on_welcome(const v1::Welcome& welcome) {
  if (welcome.protocol_version() != protocol_version) {
    return end(1, options_.server + " speaks version " +
                      std::to_string(welcome.protocol_version()) +
                      " of the protocol, this program only version " +
                      std::to_string(protocol_version) + ".");
  }
  const bool back = limits_.has_value();
  limits_ = welcome.limits();
  me_ = sanitized(welcome.player_name());
  server_name_ = welcome.server_name().empty() ? options_.server : sanitized(welcome.server_name());
  if (welcome.token().size() == token_bytes) {
    token_ = welcome.token();
    new_token_ = token_;
  } else if (!welcome.resumed()) {
    token_.clear();
  }
  heartbeat_.start(milliseconds(limits_->silence_timeout_ms()), now_);
  retry_plan_.welcomed(now_);
  link_ = Link::catching_up;
  by_snapshot_ = missed_board_ = false;
  missed_nothing_ = true;
  if (back) return on_welcome_back(welcome);
  introduce(welcome);
  if (welcome.resumed() && !welcome.room().empty()) return ping();
  settle();
}

void Conversation::introduce(const v1::Welcome& welcome) {
  std::string text = "Connected to ";
  text.append(server_name_);
  if (!welcome.software().empty()) text.append(" (" + sanitized(welcome.software()) + ")");
  say(text + " as " + me_ + ".");
  if (welcome.player_name() != options_.name) say("You are called " + me_ + " here.");
  if (!welcome.name_note().empty())
    say(sanitized(welcome.name_note()) + " Use --log-in if it is yours.");
  if (!options_.passwords.account.empty() && !welcome.account()) {
    say("There is no account of that name: its password was not needed.");
  }
  if (welcome.resumed() && !welcome.room().empty()) {
    return say("You come back to your seat in the room " + quoted(sanitized(welcome.room())) + ".");
  }
  if (!options_.token.empty() && !welcome.resumed()) {
    say("The server does not know you from an earlier time: you are a new player.");
  }
  if (!options_.script && !options_.screen) say("Type `play` to start, or `help`.");
}

void Conversation::on_welcome_back(const v1::Welcome& welcome) {
  const bool seated = room_ && room_->my_seat != Mark::none;
  if (welcome.resumed()) {
    say("Back on the server as " + me_ + ".");
  } else {
    say("Back on the server as " + me_ +
        ", but it does not know you any more: you are a new player.");
  }
  if (seated && (!welcome.resumed() || welcome.room() != room_->wire_name)) {
    say("Your seat in the room " + quoted(room_->name) + " is gone.");
    forget_room();
  }
  // A ping is answered after all the news; and so is the wish to watch.
  if (!room_ || seated) return ping();
  v1::ClientMessage message;
  message.mutable_watch_room()->set_name(room_->wire_name);
  message.mutable_watch_room()->set_password(password_);
  request(std::move(message));
}

void Conversation::settle_if_caught_up() {
  if (link_ == Link::catching_up && pending_.empty() && retries_.empty() && !ending_) settle();
}

void Conversation::settle() {
  link_ = Link::up;
  answer_by_.reset();
  if (room_ && missed_board_) {
    if (!options_.screen) say(standing());
    show_board();
  } else if (room_ && missed_nothing_) {
    say("You have missed nothing." + (options_.screen ? "" : " " + standing()));
  }
  for (const LostRequest& lost : std::exchange(lost_, {})) {
    Fate fate = fate_of(lost.request, room(), by_snapshot_);
    if (fate == Fate::unknown && lost.refused) fate = Fate::not_done;
    if (fate == Fate::not_done) request(lost.request);
    if (fate == Fate::unknown) {
      say("It is not known whether the server has heard " + request_text(lost.request) +
          ": it was sent as the connection was lost.");
    }
  }
}

void Conversation::connection_lost(std::string_view why, Time now) {
  now_ = now;
  lose("Lost the server " + options_.server + ": " + std::string(why) + ".");
}

void Conversation::lose(std::string what) {
  if (leaving_) return end(0, {});
  if (!limits_) return end(1, std::move(what));
  const bool told = link_ == Link::up || link_ == Link::catching_up;
  // What is asked while catching up is asked again by itself.
  if (link_ == Link::up) {
    for (v1::ClientMessage& asked : pending_) lost_.push_back({std::move(asked), false});
    for (v1::ClientMessage& asked : retries_) lost_.push_back({std::move(asked), true});
  }
  pending_.clear();
  retries_.clear();
  bytes_.clear();
  resyncing_ = false;
  heartbeat_.stop();
  answer_by_.reset();
  retries_at_.reset();
  if (told && retry_plan_.patience().count() > 0) {
    say(what + " Trying to come back for up to " + duration_text(retry_plan_.patience()) + ".");
    what.clear();
  }
  wait_for_next_try(std::move(what));
}

void Conversation::wait_for_next_try(std::string what) {
  const std::optional<milliseconds> wait = retry_plan_.next(now_);
  link_ = Link::waiting;
  if (!wait) {
    if (retry_plan_.patience().count() == 0) return end(1, std::move(what));
    return end(1, "The server " + options_.server + " has not come back within " +
                      duration_text(retry_plan_.patience()) + ". " + what);
  }
  next_try_ = now_ + *wait;
  if (!options_.prompt) {
    say(what + (what.empty() ? "" : " ") + "Trying again in " + duration_text(*wait) + ".");
  }
}

void Conversation::ping() {
  // One that is overdue makes way: of pings, only the last one's answer is of interest.
  if (link_ != Link::catching_up)
    std::erase_if(pending_, [](const auto& m) { return m.has_ping(); });
  v1::ClientMessage message;
  message.mutable_ping();
  request(std::move(message));
  heartbeat_.pinged(now_);
}

void Conversation::deadline_reached(Time now) {
  now_ = now;
  if (ending_) return;
  if (next_try_ && now_ >= *next_try_) {
    next_try_.reset();
    link_ = Link::connecting;
  }
  if (answer_by_ && now_ >= *answer_by_) {
    if (leaving_) return end(0, {});
    if (!limits_) {
      return end(1, "No answer from " + options_.server + ". Is it a tic-tac-toe server?");
    }
    return lose("Lost the server " + options_.server + ": no answer.");
  }
  if (retries_at_ && now_ >= *retries_at_) {
    retries_at_.reset();
    for (v1::ClientMessage& message : std::exchange(retries_, {})) request(std::move(message));
  }
  const Heartbeat::Due due = heartbeat_.due(now_);
  if (due == Heartbeat::Due::ping) ping();
  if (due == Heartbeat::Due::lost) {
    lose("Lost the server " + options_.server + ": no sign of life.");
  }
}

std::optional<Time> Conversation::next_deadline() const {
  if (ending_) return std::nullopt;
  std::optional<Time> next;
  for (const auto& at :
       {answer_by_, retries_at_, next_try_, heartbeat_.next_deadline(), next_tick()}) {
    if (at && (!next || *at < *next)) next = at;
  }
  return next;
}

// When the prompt changes because time passes.
std::optional<Time> Conversation::next_tick() const {
  if (!options_.prompt) return std::nullopt;
  if (next_try_) return *next_try_ - (seconds_left(*next_try_ - now_) - 1) * second;
  const auto left = room_ ? running_clock(*room_) : std::nullopt;
  if (!left || link_ != Link::up) return std::nullopt;
  const Time over = clocks_told_ + *left;
  if (over <= now_) return std::nullopt;
  return over - (seconds_left(over - now_) - 1) * second;
}

std::string Conversation::prompt(Time now) const {
  if (!limits_) return {};
  if (next_try_) {
    return "trying again in " + std::to_string(seconds_left(*next_try_ - now)) + " s> ";
  }
  if (link_ != Link::up) return "trying to come back> ";
  if (!room_ || room_->phase != Phase::playing) return "> ";
  const auto since = std::chrono::duration_cast<milliseconds>(now - clocks_told_);
  const std::string clocks = clocks_text(*room_, since);
  return clocks + (clocks.empty() ? "" : "  ") + (room_->my_turn() ? "your move> " : "> ");
}

}  // namespace tictactoe::client
