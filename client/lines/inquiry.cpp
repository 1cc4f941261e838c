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
    for (const auto& game : listed->page.games()) keep(game);
    games_.set_more(left_out_ || session_.has_more_games() ||
                    session_.games()->size() > options_.limit);
  }
  if (const auto* const found = std::get_if<GameFound>(&event)) game_ = found->game;
}

// Once a game is left out for its bytes, all that follow are.
void Inquiry::keep(const v1::GameRecord& game) {
  if (games_.games_size() >= static_cast<int>(options_.limit)) return;
  const std::size_t bytes = game.ByteSizeLong();
  left_out_ = left_out_ || bytes > max_inquiry_bytes - bytes_;
  if (left_out_) return;
  bytes_ += bytes;
  *games_.add_games() = game;
}

}  // namespace tictactoe::client
