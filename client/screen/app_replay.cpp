// Finished games: their list, and one of them stepped through and played on.
#include <string>
#include <utility>

#include "client/screen/app.hpp"
#include "client/words/prompts.hpp"
#include "client/words/typed.hpp"

namespace tictactoe::screen {

using Name = Key::Name;

void App::press_games(const Key& key, Time now) {
  const std::size_t count = talk_->games() ? talk_->games()->size() : 0;
  if (move_selection(selected_, key, count)) {
    if (selected_ + 1 >= count) talk_->more_games(now);
    return;
  }
  if (key.name == Name::enter && selected_ < count) {
    return talk_->get_game((*talk_->games())[selected_].id, now);
  }
  if (key == letter_key(U'?')) open<HelpBox>(now);
  if (key == letter_key(U':')) begin_entry(Entry::move, {});
  if (key.name == Name::escape || key == letter_key(U'q')) {
    games_open_ = false;
    selected_ = 0;
  }
}

void App::press_replay(const Key& key, Time now) {
  if (key == letter_key(U'?')) return open<HelpBox>(now);
  if (key == letter_key(U':')) return begin_entry(Entry::move, {});
  if (key == letter_key(U'c') || key == letter_key(U'C')) return play_on();
  if (key == letter_key(U'r') || key == letter_key(U'R')) return begin_room();
  const bool leaves = key.name == Name::escape || key == letter_key(U'q');
  if (!replay_->press(key, now) && leaves) replay_.reset();
}

// A game is played on in this process, and the session with the server ends meanwhile: no room may
// be lost by it.
void App::play_on() {
  if (talk_->is_local() ? plays() : talk_->room() != nullptr) {
    notice_ = client::prompts::leave_before_playing_on;
    return;
  }
  play_on_ = PlayOn{replay_->game(), replay_->played()};
}

// The command shows what it does, and its name can be changed before Enter.
void App::begin_room() {
  if (talk_->is_local()) {
    notice_ = client::prompts::new_room_needs_server;
    return;
  }
  if (talk_->room()) {
    notice_ = client::prompts::leave_before_new_room;
    return;
  }
  begin_entry(Entry::move,
              "create " + client::quoted_word(default_room_name(talk_->me(), talk_->limits())) +
                  " from " + std::to_string(replay_->game().id()) + " after " +
                  std::to_string(replay_->played()));
}

std::optional<App::PlayOn> App::take_play_on() {
  return std::exchange(play_on_, {});
}

void App::end_session(Time now) {
  switching_ = true;
  talk_->leave(now);
  happened(now);
}

}  // namespace tictactoe::screen
