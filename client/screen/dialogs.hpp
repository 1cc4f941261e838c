// Boxes over a screen that ask for something, or explain. Each takes keys until it is done.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "client/model/room.hpp"
#include "client/net/invitation.hpp"
#include "client/net/protection.hpp"
#include "client/screen/pressed.hpp"
#include "client/screen/room_form.hpp"
#include "client/screen/scene.hpp"
#include "client/session/session.hpp"
#include "client/text/messages.hpp"

namespace tictactoe::screen {

/// All that can be done, in words.
class HelpBox {
 public:
  Pressed press(const Key& key);
  void draw(const Canvas& canvas, Scene& scene) const;

 private:
  int top_ = 0;
};

/// How others join: the command, the address of the page with its QR code, and the server's key.
/// Tab shows the next of several addresses of the server.
class JoinBox {
 public:
  /// `ascii`: the terminal can't show a QR code. `invitation` has a way to join.
  JoinBox(client::Invitation invitation, bool ascii);
  Pressed press(const Key& key);
  void draw(const Canvas& canvas, Scene& scene) const;

 private:
  void show(std::size_t way);

  client::Invitation invitation_;
  bool ascii_;
  std::size_t shown_ = 0;          // of the ways to join
  std::vector<std::string> text_;  // paragraphs
  std::vector<std::string> code_;  // rows of the QR code; empty if there is none
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
  /// `text` are paragraphs above the choices. If they don't fit, they can be scrolled.
  Menu(std::string title, std::vector<Choice> choices, std::vector<std::string> text = {})
      : title_(std::move(title)), choices_(std::move(choices)), text_(std::move(text)) {}
  Pressed press(const Key& key);
  void draw(const Canvas& canvas, Scene& scene) const;
  /// A click on a line of it.
  Pressed choose(std::size_t index);

 protected:
  void say(std::vector<std::string> text) { text_ = std::move(text); }

 private:
  std::string title_;
  std::vector<Choice> choices_;
  std::vector<std::string> text_;
  std::size_t selected_ = 0;
  int top_ = 0;  // of the text
};

/// Asks whether to trust a server's new key. It shows both.
class KeyMenu : public Menu {
 public:
  explicit KeyMenu(const client::KeyChange& change);
};

/// Asks what becomes of the seat if the program is ended during a game. Guests and games without a
/// server can't come back.
class QuitMenu : public Menu {
 public:
  /// `hosting`: the server ends with the program.
  QuitMenu(const client::Session& session, bool hosting);
  /// If it is hosting: the list of players is new.
  void tell(const client::Session& session) { say(client::hosting_texts(session)); }
};

/// A password for joining or watching a room, which stays open until the server takes the password;
/// or that of an account, with a Hello as the request.
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

using Dialog = std::variant<std::monostate, HelpBox, JoinBox, Question, Menu, QuitMenu, KeyMenu,
                            PasswordBox, RoomForm>;

/// AI seats that can be filled, freed or handed over in this room.
Menu ai_menu(const client::Room& room, const std::vector<std::string>& levels);

}  // namespace tictactoe::screen
