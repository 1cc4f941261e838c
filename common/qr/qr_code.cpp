#include "common/qr/qr_code.hpp"

#include <qrencode.h>

#include <array>
#include <memory>
#include <string_view>
#include <utility>

namespace tictactoe::qr {

namespace {

// A line of dark modules, as a part of a path.
void append_run(std::string& path, int row, int col, int length) {
  const std::string width = std::to_string(length);
  path.append("M").append(std::to_string(col)).append(" ").append(std::to_string(row));
  path.append("h").append(width).append("v1h-").append(width).append("z");
}

}  // namespace

std::optional<QrCode> QrCode::of(const std::string& text) {
  if (text.size() > max_text_bytes || text.find('\0') != std::string::npos) return std::nullopt;
  const std::unique_ptr<QRcode, void (*)(QRcode*)> made(
      QRcode_encodeString8bit(text.c_str(), 0, QR_ECLEVEL_L), &QRcode_free);
  if (made == nullptr) return std::nullopt;
  std::vector<bool> dark(static_cast<std::size_t>(made->width) *
                         static_cast<std::size_t>(made->width));
  for (std::size_t i = 0; i < dark.size(); ++i) dark[i] = (made->data[i] & 1U) != 0;
  return QrCode(made->width, std::move(dark));
}

bool QrCode::is_dark(int row, int col) const {
  if (row < 0 || col < 0 || row >= side_ || col >= side_) return false;
  return dark_[static_cast<std::size_t>(row) * static_cast<std::size_t>(side_) +
               static_cast<std::size_t>(col)];
}

std::string to_svg(const QrCode& code) {
  constexpr int quiet = 4;
  const std::string side = std::to_string(code.side() + 2 * quiet);
  std::string svg("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
  svg.append(side).append(" ").append(side).append("\" shape-rendering=\"crispEdges\">");
  svg.append("<path fill=\"#fff\" d=\"M0 0h").append(side).append("v").append(side);
  svg.append("H0z\"/><path d=\"");
  for (int row = 0; row < code.side(); ++row) {
    for (int col = 0; col < code.side(); ++col) {
      const int first = col;
      while (code.is_dark(row, col)) ++col;
      if (col == first) continue;
      append_run(svg, row + quiet, first + quiet, col - first);
    }
  }
  return svg + "\"/></svg>";
}

std::vector<std::string> to_rows(const QrCode& code) {
  constexpr int quiet = 2;  // the white of the lines' ends does the rest
  // By whether the upper and the lower module are dark.
  constexpr std::array<std::string_view, 4> blocks{" ", "▄", "▀", "█"};
  std::vector<std::string> rows;
  for (int row = -quiet; row < code.side() + quiet; row += 2) {
    std::string& line = rows.emplace_back();
    for (int col = -quiet; col < code.side() + quiet; ++col) {
      const std::size_t upper = code.is_dark(row, col) ? 2 : 0;
      line += blocks.at(upper + (code.is_dark(row + 1, col) ? 1 : 0));
    }
  }
  return rows;
}

std::string to_terminal(const QrCode& code) {
  std::string lines;
  for (const std::string& row : to_rows(code)) {
    lines += "\x1b[38;5;16;48;5;231m" + row + "\x1b[0m\n";
  }
  return lines;
}

}  // namespace tictactoe::qr
