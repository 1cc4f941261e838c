// Boxes over a screen that ask for something, or explain. Each takes keys until it is done.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "client/model/room.hpp"
#include "client/screen/scene.hpp"

namespace tictactoe::screen {

/// What the person has chosen in a dialog: a line as it would be typed, with a level of AI for the
/// free seat of the room that the line opens; or the end of the program.
struct Answer {
  enum class Quit : unsigned char { no, keep_seat, leave_seat };

  explicit Answer(std::string text) : line(std::move(text)) {}
  explicit Answer(Quit how) : quit(how) {}

  std::string line;
  std::string opponent;
  Quit quit = Quit::no;
};

/// What a dialog makes of a key: it stays, it is closed, or it has an answer.
struct Pressed {
  bool closed = false;
  std::optional<Answer> answer;
};

/// All that can be done, in words.
class HelpBox {
 public:
  Pressed press(const Key& key);
  void draw(const Canvas& canvas, Scene& scene) const;

 private:
  int top_ = 0;
};

/// A question that is answered by yes or no.
class Question {
 public:
  Question(std::string text, std::string line) : text_(std::move(text)), line_(std::move(line)) {}
  Pressed press(const Key& key) const;
  void draw(const Canvas& canvas, Scene& scene) const;

 private:
  std::string text_;
  std::string line_;
};

/// Things to choose from.
class Menu {
 public:
  struct Choice {
    std::string label;
    std::optional<Answer> answer;  ///< none: the menu is closed, and nothing else happens
  };
  Menu(std::string title, std::vector<Choice> choices)
      : title_(std::move(title)), choices_(std::move(choices)) {}
  Pressed press(const Key& key);
  void draw(const Canvas& canvas, Scene& scene) const;
  /// A click on a line of it.
  Pressed choose(std::size_t index);

 private:
  std::string title_;
  std::vector<Choice> choices_;
  std::size_t selected_ = 0;
};

/// Asks a player who ends the program during a game what becomes of the seat.
class QuitMenu : public Menu {
 public:
  QuitMenu();
};

/// A password for the line that it is put behind.
class PasswordBox {
 public:
  PasswordBox(std::string room, std::string line)
      : room_(std::move(room)), line_(std::move(line)) {}
  Pressed press(const Key& key);
  void draw(const Canvas& canvas, Scene& scene) const;
  LineEditor* line() { return &field_; }

 private:
  std::string room_;
  std::string line_;
  LineEditor field_{100};
};

/// A new room: name, size, k, clock, password, whether it is listed, and who is to play.
class RoomForm {
 public:
  /// `levels` are those of the AI that the server has.
  RoomForm(const std::string& me, const std::vector<std::string>& levels);
  Pressed press(const Key& key);
  void draw(const Canvas& canvas, Scene& scene) const;
  void choose(std::size_t index);
  /// The field in which text is typed; null if the selected field only has presets.
  LineEditor* line();

 private:
  struct Field {
    std::string label;
    std::string hint;
    std::vector<std::string> presets;  ///< that the arrows go through
    bool typed = true;                 ///< may be something else
    bool secret = false;
    LineEditor text{100};
    std::size_t preset = 0;
  };
  Answer answer() const;
  void turn(int by);

  std::vector<Field> fields_;
  std::size_t selected_ = 0;
};

using Dialog =
    std::variant<std::monostate, HelpBox, Question, Menu, QuitMenu, PasswordBox, RoomForm>;

/// AI seats that can be filled, freed or handed over in this room.
Menu ai_menu(const client::Room& room, const std::vector<std::string>& levels);

}  // namespace tictactoe::screen
