// The choice of a server.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/paint/scene.hpp"

namespace tictactoe::screen {

/// A server to choose. The texts are fit for a screen.
struct ServerEntry {
  std::string address;  ///< as client::parse_address reads it
  std::string name;
  std::string about;   ///< players and open rooms, or when it was played on
  bool found = false;  ///< on the network now; otherwise used before
};

/// The servers that are known, with a line for the address of another one. draw_start() draws it.
class StartScreen {
 public:
  /// Lists these servers in this order: the caller puts those found on the network first. The
  /// selection stays on its server or on the line for an address. If its server is gone, the first
  /// line is selected.
  void offer(std::vector<ServerEntry> servers, bool looking);
  /// No server has answered on the network: the screen says what to do.
  void advise() { advises_ = true; }
  /// Chooses the server found on the network, if there is only one and the person has not begun to
  /// choose.
  void choose_the_only_one();
  /// The person has begun to choose.
  void touch() { touched_ = true; }
  /// Selects the server that was chosen before. An address that was typed can be corrected.
  void select_again(const std::string& address);
  /// Selects a server. Returns whether it was selected already.
  bool select(std::size_t index) { return std::exchange(selected_, index) == index; }
  /// Any key but Escape.
  void press(const Key& key);
  /// Pastes into the line for an address.
  void paste(std::string_view text);

  /// A server that was chosen since the last call, as an address.
  std::optional<std::string> take_choice() { return std::exchange(choice_, {}); }
  /// Whether choose_the_only_one() has chosen a server since the last call.
  bool take_was_only_one() { return std::exchange(was_only_one_, false); }

  const std::vector<ServerEntry>& servers() const { return servers_; }
  /// An index of servers(). Their number stands for the line for an address.
  std::size_t selected() const { return selected_; }
  const LineEditor& address() const { return address_; }
  bool looks() const { return looks_; }
  bool advises() const { return advises_; }

 private:
  std::vector<ServerEntry> servers_;
  std::size_t selected_ = 0;
  LineEditor address_{256};
  bool looks_ = false;
  bool advises_ = false;
  bool touched_ = false;
  bool was_only_one_ = false;
  std::optional<std::string> choice_;
};

}  // namespace tictactoe::screen
