// A box over a screen that asks for something, or explains.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "client/model/time.hpp"
#include "client/paint/scene.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::screen {

/// Carries out what was chosen in a dialog.
using Action = std::function<void(client::Time now)>;

/// A dialog stays open or is closed, and may have an action either way. One that stays open with an
/// action waits until the server has carried the request out or refused it.
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
  virtual void draw(const Canvas& canvas, Scene& scene) const = 0;
  /// A click on a line of its list.
  virtual Pressed choose(std::size_t /*index*/) { return {}; }
  /// Whether text can be typed, and pasted, now.
  virtual bool takes_text() const { return false; }
  virtual void paste(std::string_view /*text*/) {}
  /// The request that it has sent was refused, or could not be sent. False if it was another's.
  virtual bool refuse(const v1::ClientMessage& /*request*/, const v1::Error& /*error*/) {
    return false;
  }
  virtual bool fail(const std::string& /*reason*/) { return false; }
};

}  // namespace tictactoe::screen
