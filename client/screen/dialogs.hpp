// Boxes over a screen that ask a question or explain something.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/model/lists.hpp"
#include "client/model/room.hpp"
#include "client/model/time.hpp"
#include "client/net/invitation.hpp"
#include "client/paint/scene.hpp"
#include "client/session/session.hpp"
#include "client/words/command.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::screen {

/// Carries out what was chosen in a dialog.
using Action = std::function<void(client::Time now)>;

/// Whether the dialog closes, and its action if any. A dialog that stays open with an action waits
/// until the server has done or refused the request.
struct Pressed {
  bool closed = false;
  Action action = {};  // NOLINT(readability-redundant-member-init)
};

class Dialog {
 public:
  Dialog() = default;
  virtual ~Dialog() = default;
  Dialog(const Dialog&) = delete;
  Dialog& operator=(const Dialog&) = delete;

  virtual Pressed press(const Key& key) = 0;
  virtual void draw(const Canvas& canvas, Scene& scene) = 0;
  /// A click on a line of its list.
  virtual Pressed choose(std::size_t /*index*/) { return {}; }
  /// Whether text can be typed, and pasted, now.
  virtual bool takes_text() const { return false; }
  virtual void paste(std::string_view /*text*/) {}
  /// A request was refused, or could not be sent. Returns false if it was not the dialog's.
  virtual bool refuse(const v1::ClientMessage& /*request*/, const v1::Error& /*error*/) {
    return false;
  }
  virtual bool fail(const std::string& /*reason*/) { return false; }
};

/// A new dialog ignores keys and clicks, which were meant for the screen below it, until none has
/// come for this long. So a key that is held down never answers it.
inline constexpr client::milliseconds dialog_pause{300};

/// The dialog that is open, if any.
class OpenDialog {
 public:
  explicit operator bool() const { return dialog_ != nullptr; }
  Dialog* operator->() const { return dialog_.get(); }
  /// Null if none of that class is open.
  template <class Kind>
  Kind* as() const {
    return dynamic_cast<Kind*>(dialog_.get());
  }

  /// Replaces a dialog that is open.
  template <class Kind, class... Arguments>
  void open(client::Time now, Arguments&&... arguments) {
    dialog_ = std::make_unique<Kind>(std::forward<Arguments>(arguments)...);
    quiet_since_ = now;
  }
  void close() { dialog_.reset(); }

  /// Whether it ignores a key or click, because it is new.
  bool ignores_input(client::Time now);
  /// Like ignores_input(), but never ignores text for one of its fields.
  bool ignores(const Key& key, client::Time now);
  void press(const Key& key, client::Time now) { act(dialog_->press(key), now); }
  void choose(std::size_t index, client::Time now) { act(dialog_->choose(index), now); }

 private:
  // `pressed` outlives the dialog.
  void act(const Pressed& pressed, client::Time now);

  std::unique_ptr<Dialog> dialog_;
  client::Time quiet_since_;  // it was opened, or ignored input
};

/// Players that a menu shows.
inline constexpr std::size_t max_shown_players = 500;

/// The keys and commands.
class HelpBox final : public Dialog {
 public:
  Pressed press(const Key& key) override;
  void draw(const Canvas& canvas, Scene& scene) override;

 private:
  Scroll scroll_;
};

/// How others join: the command, the address of the page with its QR code, and the server's key.
/// Tab shows the next of several addresses of the server.
class JoinBox final : public Dialog {
 public:
  /// `ascii`: the terminal can't show a QR code. `invitation` has a way to join.
  JoinBox(client::Invitation invitation, bool ascii);
  /// Replaces the invitation, and keeps showing the same entry if there is one.
  void update(client::Invitation invitation);
  Pressed press(const Key& key) override;
  void draw(const Canvas& canvas, Scene& scene) override;

 private:
  void show(std::size_t way);

  client::Invitation invitation_;
  bool ascii_;
  std::size_t shown_ = 0;          // of the ways to join
  std::vector<std::string> text_;  // paragraphs
  std::vector<std::string> code_;  // rows of the QR code; empty if there is none
  Scroll scroll_;
};

/// A yes-or-no question.
class Question final : public Dialog {
 public:
  Question(std::string_view text, Action yes) : text_(text), yes_(std::move(yes)) {}
  Pressed press(const Key& key) override;
  void draw(const Canvas& canvas, Scene& scene) override;

 private:
  std::string text_;
  Action yes_;
};

/// Things to choose from.
class Menu : public Dialog {
 public:
  struct Choice {
    std::string label;
    Action action = {};  // NOLINT(readability-redundant-member-init)
  };
  struct Content {
    std::string title;
    std::vector<Choice> choices;
    /// Paragraphs above the choices.
    std::vector<std::string> text = {};  // NOLINT(readability-redundant-member-init)
    std::size_t selected = 0;            ///< at first
  };
  explicit Menu(Content content) : content_(std::move(content)), selected_(content_.selected) {}
  Pressed press(const Key& key) override;
  void draw(const Canvas& canvas, Scene& scene) override;
  Pressed choose(std::size_t index) override;

 private:
  Content content_;
  std::size_t selected_;
  std::size_t page_ = 1;  // rows that PgUp and PgDn move by
};

/// Asks what to do with the seat when quitting during a game. Guests and local games can't return
/// to it.
class QuitMenu final : public Menu {
 public:
  /// `hosting`: the server ends with the program.
  QuitMenu(const client::Session& session, bool hosting, const Action& keep, const Action& leave);
};

/// A password.
class PasswordBox final : public Dialog {
 public:
  struct Words {
    std::string explanation;
    std::string_view enter;
    std::string_view escape;
  };
  /// `enter` gets the password. Closes then unless it `waits` for the server.
  using Enter = std::function<void(const std::string& password, client::Time now)>;
  PasswordBox(Words words, bool waits, Enter enter)
      : words_(std::move(words)), waits_(waits), enter_(std::move(enter)) {}
  Pressed press(const Key& key) override;
  void draw(const Canvas& canvas, Scene& scene) override;
  bool takes_text() const override { return true; }
  void paste(std::string_view text) override { field_.paste(text); }
  bool refuse(const v1::ClientMessage& request, const v1::Error& error) override;
  bool fail(const std::string& reason) override;

 private:
  Words words_;
  bool waits_;
  Enter enter_;
  LineEditor field_{100};
  std::string reason_;  // why the password was refused
};

/// An action that sends a request. The session must outlive it.
Action requests(client::Session& talk, v1::ClientMessage request);

/// Opens a menu.
using OpenMenu = std::function<void(Menu::Content content, client::Time now)>;

/// The seats of this room that AIs can take, change, leave or take over. The session must outlive
/// the menu.
Menu::Content ai_menu(client::Session& talk, const std::vector<std::string>& levels,
                      const OpenMenu& open);

/// Called with the player who was chosen.
using ChoosePlayer = std::function<void(const client::ListedPlayer& player, client::Time now)>;
using MutePlayer = std::function<void(const client::Mute& mute)>;

/// The players of the last list.
Menu::Content player_menu(const client::Session& talk, const ChoosePlayer& choose);
/// Actions on a player: invite, watch, mute. The session must outlive the menu.
Menu::Content person_menu(client::Session& talk, const client::ListedPlayer& player,
                          const MutePlayer& mute);
/// Asks whether to follow an invitation. The session must outlive the menu.
Menu::Content invitation_menu(client::Session& talk, const client::InvitationCame& invitation,
                              const MutePlayer& mute);

}  // namespace tictactoe::screen
