// Standard output in line mode, which may be a terminal.
#pragma once

#include <string>
#include <string_view>

#include "client/terminal/look.hpp"

namespace tictactoe::client {

/// Writes text. Writes block.
class Output {
 public:
  /// The present space for boards, and whether to colour them.
  static Look look();
  void show(std::string_view text);
  /// Whether the output has lost its reader. If so, nothing more is written.
  bool closed() const { return closed_; }
  /// Why the output can't be written, such as a full disk; otherwise empty.
  const std::string& fault() const { return fault_; }

 private:
  bool closed_ = false;
  std::string fault_;
};

/// Whether to colour standard output: it is a capable terminal, and NO_COLOR (https://no-color.org)
/// is not set.
bool colour_wanted();

/// Opens /dev/null in place of standard streams that the program was started without; otherwise the
/// first socket would become one of them. Call before opening any other file.
void fill_standard_streams();

}  // namespace tictactoe::client
