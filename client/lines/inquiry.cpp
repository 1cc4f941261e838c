#include "client/lines/inquiry.hpp"

#include <utility>

#include "client/words/messages.hpp"
#include "client/words/narration.hpp"

namespace tictactoe::client {
namespace {

Session::Options session_options(const Inquiry::Options& options) {
  Session::Options session = options.session;
  session.retry_refused = true;
  // The goodbye makes the name free again.
  session.guest = true;
  return session;
}

}  // namespace

Inquiry::Inquiry(Options options)
    : options_(std::move(options)), session_(session_options(options_)) {
  session_.subscribe(this);
}

void Inquiry::update(Time now) {
  if (fault_) return;
  if (session_.link() == Session::Link::up && !session_.is_leaving()) {
    const bool has_space = session_.games() && session_.games()->size() < options_.limit;
    if (!std::exchange(asked_, true)) {
      session_.request(options_.question, now);
    } else if (!session_.is_busy() && session_.has_more_games() && has_space) {
      session_.more_games(now);
    } else if (!session_.is_busy()) {
      session_.leave(now);
    }
  }
  if (const auto& ending = session_.ending()) {
    fault_ = refusal_.empty() ? ending_text(*ending, session_, options_.server) : refusal_;
  }
}

void Inquiry::on_event(const SessionEvent& event) {
  if (const auto* const refused = std::get_if<Refused>(&event)) {
    refusal_ = error_text(refused->error);
  }
  if (const auto* const listed = std::get_if<GamesListed>(&event)) {
    for (const auto& game : listed->page.games()) {
      keep(*games_.mutable_games(), game, options_.limit);
    }
    games_.set_more(left_out_ || session_.has_more_games() ||
                    session_.games()->size() > options_.limit);
  }
  if (const auto* const listed = std::get_if<RoomPage>(&event)) {
    for (const auto& room : listed->page.rooms()) {
      keep(*rooms_.mutable_rooms(), room, max_listed_rooms);
    }
    rooms_.set_more(left_out_ || listed->page.more());
  }
  if (const auto* const listed = std::get_if<PlayerPage>(&event)) {
    for (const auto& player : listed->page.players()) {
      if (read_player(player).name == session_.me()) continue;
      keep(*players_.mutable_players(), player, max_listed_people);
    }
    players_.set_more(left_out_ || listed->page.more());
  }
  if (const auto* const found = std::get_if<GameFound>(&event)) game_ = found->game;
}

// Once something is left out for its bytes, all that follows is.
template <class Item>
void Inquiry::keep(google::protobuf::RepeatedPtrField<Item>& list, const Item& item,
                   std::size_t most) {
  if (list.size() >= static_cast<int>(most)) return;
  const std::size_t bytes = item.ByteSizeLong();
  left_out_ = left_out_ || bytes > max_inquiry_bytes - bytes_;
  if (left_out_) return;
  bytes_ += bytes;
  *list.Add() = item;
}

}  // namespace tictactoe::client
