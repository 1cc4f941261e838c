// The form for a new room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/paint/scene.hpp"
#include "client/screen/dialogs.hpp"
#include "common/unicode/letters.hpp"
#include "tictactoe/v1/server.pb.h"
#include "tictactoe/v1/types.pb.h"

namespace tictactoe::screen {

/// The name that is proposed for a new room: the first word of the player's name, cut to the
/// server's limit of code points.
std::string default_room_name(const std::string& me, const v1::Limits& limits);

/// A new room: name, size, marks that win, clock, password, whether it is listed, whether a
/// newcomer may take the seat of an AI, and the opponent. It stays open until the server has
/// created the room: what was typed is not lost if the server refuses it. Text that the form
/// proposes is replaced by what is typed over it.
class RoomForm final : public Dialog {
 public:
  /// Called with the request, and the level of the AI that is to play in the room; empty for none.
  using Create = std::function<void(const v1::ClientMessage& request, const std::string& opponent,
                                    client::Time now)>;
  RoomForm(const std::string& me, const v1::Limits& limits, const std::vector<std::string>& levels,
           Create create);

  Pressed press(const Key& key) override;
  void draw(const Canvas& canvas, Scene& scene) override;
  Pressed choose(std::size_t index) override;
  bool takes_text() const override { return fields_[selected_].typed; }
  void paste(std::string_view text) override;
  /// Marks the field that is to be changed.
  bool refuse(const v1::ClientMessage& request, const v1::Error& error) override;
  bool fail(const std::string& reason) override;

 private:
  struct Field {
    std::string label;
    std::string hint;
    std::vector<std::string> presets;  ///< the arrows go through these
    bool typed = true;                 ///< may be another text
    bool secret = false;
    LineEditor text{100};
    std::size_t preset = 0;
    bool proposed = true;  ///< the text is the form's, not yet edited by the person
  };
  enum Index : std::size_t {
    name,
    board,
    in_a_row,
    clock,
    password,
    listed,
    newcomers,
    hints,
    against
  };

  std::string text(Index index) const { return fields_[index].text.text(); }
  /// As it looks in ASCII, for numbers.
  std::string plain(Index index) const { return unicode::in_ascii(text(index)); }
  Pressed submit();
  bool board_fits() const;
  void mark(Index index, std::string_view reason);
  void change();
  void turn(int by);
  void adapt_k();
  void draw_note(const Canvas& canvas) const;

  Create create_;
  std::vector<std::string> levels_;
  std::vector<Field> fields_;
  std::uint32_t min_side_;
  std::uint32_t max_side_;  // 0: the server has not said
  std::size_t selected_ = 0;
  bool own_k_ = false;    // the person has chosen how many marks win
  bool waiting_ = false;  // for the server's answer
  std::optional<std::size_t> marked_;
  std::string reason_;  // why the room was refused
  std::string note_;    // what the form has changed by itself
};

}  // namespace tictactoe::screen
