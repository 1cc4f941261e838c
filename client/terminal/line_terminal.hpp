// Standard output of the line mode, and the terminal that it may be.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "client/terminal/line_editor.hpp"
#include "client/terminal/look.hpp"

namespace tictactoe::client {

/// Writes text, and below it the line that is being typed. Writes block.
class LineTerminal {
 public:
  struct Options {
    bool colour = false;
    bool prompt = false;  ///< show the line that is being typed
  };
  explicit LineTerminal(Options options) : options_(options) {}

  /// The space for boards at the moment.
  Look look() const;
  /// Prints text, then the prompt and, of the line that is typed, the part around the cursor.
  /// Prints nothing if nothing has changed. Without Options::prompt, only text is printed.
  void show(std::string_view text, const std::string& prompt, const LineEditor& typed);
  void show(std::string_view text);
  /// Leaves a typed line above what comes next.
  void keep_line(const std::string& prompt, const std::string& typed);
  /// Removes the prompt for good.
  void finish();
  /// Forgets what is on the terminal, as after another program wrote to it.
  void forget();
  /// Whether the output has no reader any more. Nothing is written then.
  bool closed() const { return closed_; }
  /// Why the output can't be written, such as a full disk; otherwise empty.
  const std::string& fault() const { return fault_; }

 private:
  std::string erase_prompt();
  std::size_t columns() const;
  void write(std::string_view text);

  Options options_;
  std::string line_;        // prompt and typed text that are on the terminal
  std::size_t cursor_ = 0;  // column in line_
  bool closed_ = false;
  std::string fault_;
};

/// Whether text on standard output should be coloured: it is a terminal that can, and neither
/// NO_COLOR (https://no-color.org) nor the person says no.
bool colour_wanted();

/// Whether a person uses a terminal on which the line that is typed can be redrawn.
bool editing_possible();

/// Opens /dev/null in place of standard streams that the program was started without; otherwise the
/// first socket would become one of them. To be called before any other file is opened.
void fill_standard_streams();

}  // namespace tictactoe::client
