// Boxes over a screen that ask for something, or explain. Each takes keys until it is done.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "client/model/room.hpp"
#include "client/screen/pressed.hpp"
#include "client/screen/room_form.hpp"
#include "client/screen/scene.hpp"
#include "client/session/session.hpp"

namespace tictactoe::screen {

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
  Question(std::string text, v1::ClientMessage request)
      : text_(std::move(text)), request_(std::move(request)) {}
  Pressed press(const Key& key) const;
  void draw(const Canvas& canvas, Scene& scene) const;

 private:
  std::string text_;
  v1::ClientMessage request_;
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

/// Asks what becomes of the seat if the program is ended during a game. Guests and games without a
/// server can't come back.
class QuitMenu : public Menu {
 public:
  explicit QuitMenu(const client::Session& session);
};

/// A password for joining or watching a room. It stays open until the server takes the password.
class PasswordBox {
 public:
  PasswordBox(std::string room, v1::ClientMessage request)
      : room_(std::move(room)), request_(std::move(request)) {}
  Pressed press(const Key& key);
  void draw(const Canvas& canvas, Scene& scene) const;
  void paste(std::string_view text);
  void refuse(const v1::Error& error);
  void fail(std::string reason) { reason_ = std::move(reason); }

 private:
  std::string room_;
  v1::ClientMessage request_;
  LineEditor field_{100};
  std::string reason_;  // why the password was refused
};

using Dialog =
    std::variant<std::monostate, HelpBox, Question, Menu, QuitMenu, PasswordBox, RoomForm>;

/// AI seats that can be filled, freed or handed over in this room.
Menu ai_menu(const client::Room& room, const std::vector<std::string>& levels);

}  // namespace tictactoe::screen
