#include "client/screen/replay_view.hpp"

#include <algorithm>

#include "client/words/prompts.hpp"
#include "client/words/replay_text.hpp"

namespace tictactoe::screen {

using Name = Key::Name;
namespace prompts = client::prompts;

namespace {

constexpr std::size_t leap = 10;

}  // namespace

ReplayDesk::ReplayDesk(const v1::GameRecord& game) : replay_(game) {
  pane_.start(replay_.room().board);
}

void ReplayDesk::go_to(std::size_t played) {
  played = std::min(played, replay_.moves());
  // The text is that of the last step.
  told_.clear();
  if (played > 0) {
    replay_.go_to(played - 1);
    replay_.step();
    told_ = client::move_text(replay_);
  } else {
    replay_.go_to(0);
  }
  if (const auto last = replay_.room().board.last()) pane_.go_to(*last, replay_.room().board);
}

bool ReplayDesk::press(const Key& key, client::Time now) {
  const std::size_t at = replay_.played();
  if (key == letter_key(U' ')) {
    if (std::exchange(next_step_, {})) return true;
    if (replay_.at_end()) go_to(0);
    next_step_ = now + replay_pace;
    return true;
  }
  const bool forward =
      key.name == Name::right || key.name == Name::enter || key == letter_key(U'l');
  const bool back =
      key.name == Name::left || key.name == Name::backspace || key == letter_key(U'h');
  if (forward) {
    go_to(at + 1);
  } else if (back) {
    go_to(at > 0 ? at - 1 : 0);
  } else if (key.name == Name::page_down) {
    go_to(at + leap);
  } else if (key.name == Name::page_up) {
    go_to(at > leap ? at - leap : 0);
  } else if (key.name == Name::home) {
    go_to(0);
  } else if (key.name == Name::end) {
    go_to(replay_.moves());
  } else if (key.name == Name::up || key.name == Name::down) {
    return pane_.press(key, replay_.room().board);
  } else {
    return false;
  }
  next_step_.reset();
  return true;
}

void ReplayDesk::step_due(client::Time now) {
  if (!next_step_ || now < *next_step_) return;
  go_to(replay_.played() + 1);
  next_step_ = replay_.at_end() ? std::nullopt : std::optional(now + replay_pace);
}

void ReplayDesk::draw(const Canvas& canvas, Scene& scene) {
  const int width = canvas.width();
  const int height = canvas.height();
  const int title = height >= 4 ? 1 : 0;
  const int keys = height >= 18 ? 2 : height >= 5 ? 1 : 0;
  const int words = height >= 12 ? 4 : height >= 3 ? 1 : 0;
  const Room& room = replay_.room();
  if (title > 0) draw_title(canvas, "Finished game", client::position_text(replay_));
  pane_.draw(canvas.cut({0, title, width, height - title - keys - words}), room, {}, false);
  const Canvas text = canvas.cut({0, height - keys - words, width, words});
  const std::string told = replay_.played() == 0 ? std::string(prompts::before_first_move) : told_;
  text.fill({0, 0, width, 1}, U' ', Style::strong);
  text.write(
      1, 0, fitted(replay_.at_end() ? told + " " + client::outcome_text(replay_) : told, width - 2),
      Style::strong);
  int y = 1;
  std::string summary = client::summary_text(replay_);
  std::replace(summary.begin(), summary.end(), '\n', ' ');
  for (const std::string& line : wrapped(summary, width - 2)) text.write(1, y++, line);
  draw_keys(canvas.cut({0, height - keys, width, keys}),
            {{"→", "Next move", {Name::right, 0}},
             {"←", "Back", {Name::left, 0}},
             {"Space", next_step_ ? "Stop" : "Run", letter_key(U' ')},
             {"R", std::string(prompts::play_on), letter_key(U'r')},
             {"Esc", "Leave", {Name::escape, 0}},
             {"Home", "Start", {Name::home, 0}},
             {"End", "End", {Name::end, 0}},
             {"?", "Help", letter_key(U'?')}},
            scene);
}

}  // namespace tictactoe::screen
