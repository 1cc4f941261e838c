// QR codes of addresses, for cameras.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tictactoe::qr {

/// A square of dark and light modules, without its quiet zone.
class QrCode {
 public:
  /// Longest text, in bytes. Making its code takes about 0.3 ms, on the event loop.
  static constexpr std::size_t max_text_bytes = 134;

  /// Nothing if the text is empty, longer than that, or contains a zero byte.
  static std::optional<QrCode> of(const std::string& text);

  int side() const { return side_; }
  /// False outside of the square.
  bool is_dark(int row, int col) const;

 private:
  QrCode(int side, std::vector<bool> dark) : side_(side), dark_(std::move(dark)) {}

  int side_;
  std::vector<bool> dark_;  // row by row
};

/// A picture in SVG with the quiet zone that ISO/IEC 18004 wants, black on white.
std::string to_svg(const QrCode& code);

/// Rows of half blocks: ink for dark modules. Each is as wide as the code with its quiet zone.
std::vector<std::string> to_rows(const QrCode& code);

/// Lines of half blocks for a terminal, black on white whatever its colours are.
std::string to_terminal(const QrCode& code);

}  // namespace tictactoe::qr
