// Standard output in line mode, which may be a terminal.
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

  /// The present space for boards.
  Look look() const;
  /// Prints text, then the prompt and, of the line that is typed, the part around the cursor.
  /// Prints nothing if nothing has changed. Without Options::prompt, only text is printed.
  void show(std::string_view text, const std::string& prompt, const LineEditor& typed);
  void show(std::string_view text);
  /// Leaves a typed line above later output.
  void keep_line(const std::string& prompt, const std::string& typed);
  /// Removes the prompt for good.
  void finish();
  /// Forgets the terminal's content, as after another program wrote to it.
  void forget();
  /// Whether the output has lost its reader. If so, nothing more is written.
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

/// Whether to colour standard output: it is a capable terminal, and NO_COLOR (https://no-color.org)
/// is not set.
bool colour_wanted();

/// Whether a person uses a terminal on which the typed line can be redrawn.
bool editing_possible();

/// Opens /dev/null in place of standard streams that the program was started without; otherwise the
/// first socket would become one of them. Call before opening any other file.
void fill_standard_streams();

}  // namespace tictactoe::client
