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
      keep(*raw_games_.mutable_games(), game, options_.limit);
    }
    has_more_ = session_.has_more_games() || session_.games()->size() > options_.limit;
    raw_games_.set_more(has_more_ || left_out_);
  }
  if (const auto* const listed = std::get_if<RoomPage>(&event)) {
    for (const auto& room : listed->page.rooms()) {
      keep(*raw_rooms_.mutable_rooms(), room, max_listed_rooms);
    }
    has_more_ = listed->page.more();
    raw_rooms_.set_more(has_more_ || left_out_);
  }
  if (const auto* const listed = std::get_if<PlayerPage>(&event)) {
    for (const auto& player : listed->page.players()) {
      if (read_player(player).name == session_.me()) continue;
      keep(*raw_players_.mutable_players(), player, max_listed_people);
    }
    has_more_ = listed->page.more();
    raw_players_.set_more(has_more_ || left_out_);
  }
  if (const auto* const found = std::get_if<GameFound>(&event)) game_ = found->game;
}

// Keeps an item as the server sent it. Once something is left out for its bytes, all that follows
// is.
template <class Item>
void Inquiry::keep(google::protobuf::RepeatedPtrField<Item>& list, const Item& item,
                   std::size_t most) {
  if (list.size() >= static_cast<int>(most)) return;
  const std::size_t bytes = item.ByteSizeLong();
  left_out_ = left_out_ || bytes > max_raw_list_bytes - raw_bytes_;
  if (left_out_) return;
  raw_bytes_ += bytes;
  *list.Add() = item;
}

std::vector<ListedGame> Inquiry::games() const {
  std::vector<ListedGame> games = session_.games().value_or(std::vector<ListedGame>());
  if (games.size() > options_.limit) games.resize(options_.limit);
  return games;
}

std::vector<ListedPlayer> Inquiry::players() const {
  std::vector<ListedPlayer> players = session_.players().value_or(std::vector<ListedPlayer>());
  std::erase_if(players, [&](const ListedPlayer& player) { return player.name == session_.me(); });
  return players;
}

}  // namespace tictactoe::client
