// Standard output in line mode, which may be a terminal.
#pragma once

#include <string>
#include <string_view>

#include "client/terminal/abilities.hpp"
#include "client/terminal/look.hpp"

namespace tictactoe::client {

/// Writes text. Writes block.
class Output {
 public:
  /// The present space for boards, and their colours.
  Look look() const;
  void show(std::string_view text);
  /// Whether the output has lost its reader. If so, nothing more is written.
  bool closed() const { return closed_; }
  /// Why the output can't be written, such as a full disk; otherwise empty.
  const std::string& fault() const { return fault_; }

 private:
  Colours colours_ = present_abilities().colours;
  bool closed_ = false;
  std::string fault_;
};

/// Opens /dev/null in place of standard streams that the program was started without; otherwise the
/// first socket would become one of them. Call before opening any other file.
void fill_standard_streams();

}  // namespace tictactoe::client
