#include "client/session/inquiry.hpp"

#include <algorithm>
#include <utility>

#include "client/session/conversation.hpp"
#include "client/text/narration.hpp"

namespace tictactoe::client {

Inquiry::Inquiry(Options options) : options_(std::move(options)), reader_(max_server_frame_bytes) {
  options_.limit = std::min(options_.limit, max_inquired_games);
}

void Inquiry::cannot_connect(std::string_view why) {
  end("Can't reach a server at " + options_.server + ": " + std::string(why) +
      ". Is it running, and is --server right?");
}

void Inquiry::connected(Time now) {
  now_ = now;
  v1::ClientMessage message;
  v1::Hello& hello = *message.mutable_hello();
  hello.add_protocol_versions(protocol_version);
  hello.set_name(options_.name);
  hello.set_software(options_.software);
  hello.set_server_password(options_.server_password);
  request(std::move(message));
}

void Inquiry::received(std::size_t count, Time now) {
  now_ = now;
  reader_.commit(count);
  while (!fault_) {
    const wire::NextFrame next = reader_.next();
    if (next.state == wire::NextFrame::State::need_more) return;
    v1::ServerMessage message;
    if (next.state == wire::NextFrame::State::fault ||
        !message.ParseFromArray(next.body.data(), static_cast<int>(next.body.size()))) {
      return end("What " + options_.server + " sends can't be read. Is it a tic-tac-toe server?");
    }
    on_message(message);
  }
}

void Inquiry::connection_lost(std::string_view why) {
  end(leaving_ ? refusal_ : "Lost the server " + options_.server + ": " + std::string(why) + ".");
}

void Inquiry::deadline_reached(Time now) {
  now_ = now;
  if (ask_again_at_ && now_ >= *ask_again_at_) {
    ask_again_at_.reset();
    ask();
  }
  if (!answer_by_ || now_ < *answer_by_) return;
  end(leaving_ ? refusal_ : "No answer from " + options_.server + ". Is it a tic-tac-toe server?");
}

std::string Inquiry::take_bytes() {
  return std::exchange(bytes_, {});
}

std::optional<Time> Inquiry::next_deadline() const {
  if (fault_) return std::nullopt;
  return ask_again_at_ ? ask_again_at_ : answer_by_;
}

void Inquiry::end(std::string fault) {
  if (!fault_) fault_ = std::move(fault);
}

void Inquiry::ask() {
  v1::ClientMessage message;
  if (options_.game > 0) {
    message.mutable_get_game()->set_id(options_.game);
  } else {
    message.mutable_list_games()->set_player(options_.player);
    if (!games_.empty()) message.mutable_list_games()->set_before(games_.back().id());
  }
  request(std::move(message));
}

void Inquiry::request(v1::ClientMessage message) {
  message.set_request_id(++last_id_);
  wire::append_frame(bytes_, message.SerializeAsString());
  answer_by_ = now_ + inquiry_timeout;
}

void Inquiry::on_message(const v1::ServerMessage& message) {
  if (message.has_error()) return on_error(message.error());
  if (message.request_id() != last_id_) return;  // news
  if (leaving_) return end(refusal_);
  if (message.has_welcome()) {
    if (message.welcome().protocol_version() != protocol_version) {
      return end(options_.server + " speaks another version of the protocol.");
    }
    welcome_ = true;
    return ask();
  }
  if (!welcome_) return end("What " + options_.server + " sends makes no sense.");
  if (message.has_game_list()) return on_list(message.game_list());
  if (message.has_game_found()) games_.push_back(message.game_found().game());
  say_goodbye();
}

void Inquiry::on_error(const v1::Error& error) {
  if (leaving_) return end(refusal_);
  if (error.code() == v1::Error::CODE_RATE_LIMITED && welcome_ && !error.closing()) {
    ask_again_at_ = now_ + retry_delay(error);
    answer_by_.reset();
    return;
  }
  if (error.closing()) return end(closing_text(options_.server, error));
  if (error.code() == v1::Error::CODE_SERVER_PASSWORD) {
    return end(error_text(error) + " Use --server-password-file.");
  }
  if (!welcome_) return end(error_text(error));
  refusal_ = error_text(error);
  say_goodbye();
}

void Inquiry::on_list(const v1::GameList& list) {
  bool smaller = true;  // ids fall, or the server leads us in circles
  for (const v1::GameRecord& game : list.games()) {
    smaller = smaller && (games_.empty() || game.id() < games_.back().id());
    if (games_.size() < options_.limit && smaller) games_.push_back(game);
  }
  more_ = list.more() || !smaller;
  const bool go_on = list.more() && smaller && !list.games().empty();
  if (go_on && games_.size() < options_.limit) return ask();
  say_goodbye();
}

// One stays nobody's opponent, and the name is free again.
void Inquiry::say_goodbye() {
  leaving_ = true;
  v1::ClientMessage message;
  message.mutable_goodbye();
  request(std::move(message));
  answer_by_ = now_ + leave_timeout;
}

}  // namespace tictactoe::client
