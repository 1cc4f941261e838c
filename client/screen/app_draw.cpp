// What the App shows.
#include <string>

#include "client/model/sanitized.hpp"
#include "client/screen/app.hpp"
#include "client/words/prompts.hpp"

namespace tictactoe::screen {

namespace prompts = client::prompts;

std::string App::title() const {
  const bool in_title = options_.alert == Alert::title || options_.alert == Alert::bell_and_title;
  const Room* const room = talk_ ? talk_->room() : nullptr;
  std::string program(prompts::program_name);
  if (!room) return program;
  return (in_title && was_my_turn_ ? "(!) your turn: " : "") + room->name + " - " + program;
}

Scene App::draw(Time now) {
  Scene scene(size_);
  const Canvas canvas(scene.picture);
  const std::string server = server_name();
  switch (stage()) {
    case Stage::start:
      draw_start(canvas, {start_, client::sanitized(options_.name), notice_, connecting_}, scene);
      break;
    case Stage::lobby:
      draw_lobby(canvas,
                 {*talk_, server, rooms_, all_rooms_, selected_, entry_, filter_, log_, notice_,
                  invitation_.in_short, now},
                 scene);
      break;
    case Stage::room:
      draw_room(canvas,
                {*talk_, server, *talk_->room(), pane_, log_, entry_,
                 entry_ == Entry::chat ? chat_ : field_, notice_, invitation_.in_short, now},
                scene);
      break;
    case Stage::games:
      draw_games(canvas, {*talk_, server, games_of_, selected_, notice_, now}, scene);
      break;
    case Stage::replay:
      replay_->draw(canvas, scene);
      break;
  }
  if (stage() == Stage::replay && !notice_.empty()) draw_notice(canvas, notice_);
  if (has_entry_line() && stage() != Stage::room) {
    const bool chats = entry_ == Entry::chat;
    draw_command_line(canvas, chats ? prompts::say_in_lobby : std::string_view("Command: "),
                      chats ? chat_ : field_, notice_, scene);
  }
  if (dialog_) {
    // Nothing behind the dialog can be clicked.
    scene.spots.clear();
    scene.list.clear();
    dialog_->draw(canvas, scene);
  }
  const bool seen = scene.cursor && Rect{0, 0, size_.width, size_.height}.contains(*scene.cursor);
  if (!seen) scene.cursor.reset();
  if (options_.ascii) scene.picture.make_ascii();
  spots_ = scene.spots;
  list_ = scene.list;
  return scene;
}

}  // namespace tictactoe::screen
