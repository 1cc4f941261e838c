#include "client/paint/scene.hpp"

#include <algorithm>

namespace tictactoe::screen {
namespace {

int width_of(const KeyHint& hint) {
  return columns_of(hint.cap) + 1 + columns_of(hint.label);
}

constexpr int gap = 2;

// Rows that a screen keeps for its keys.
int key_rows(int height) {
  return height >= 18 ? 2 : height >= 6 ? 1 : 0;
}

}  // namespace

void draw_title(const Canvas& canvas, std::string_view left, std::string_view right) {
  canvas.fill({0, 0, canvas.width(), 1}, U' ', Style::title);
  const std::string end = fitted(right, title_end(canvas.width()));
  const int room = canvas.width() - columns_of(end) - 4;
  if (room >= columns_of(left)) canvas.write_back(canvas.width() - 1, 0, end, Style::title);
  canvas.write(1, 0, fitted(left, canvas.width() - 2), Style::title);
}

void draw_keys(const Canvas& canvas, const std::vector<KeyHint>& keys, Scene& scene) {
  if (keys.empty() || canvas.height() < 1) return;
  const int last_width = width_of(keys.back());
  int x = 1;
  int y = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const KeyHint& hint = keys[i];
    const bool last = i + 1 == keys.size();
    const int width = width_of(hint);
    if (x > 1 && x + width > canvas.width() && y + 1 < canvas.height()) {
      x = 1;
      ++y;
    }
    // In the last row there must be room left for the last key.
    const bool tight = y + 1 == canvas.height() && !last;
    if (x + width + (tight ? gap + last_width : 0) > canvas.width() && !(last && x == 1)) continue;
    const int after = canvas.write(x, y, hint.cap, Style::key);
    canvas.write(after + 1, y, hint.label);
    scene.spots.push_back({canvas.cut({x, y, width, 1}).area(), hint.key});
    x += width + gap;
  }
}

Canvas draw_box(const Canvas& canvas, Size inside, std::string_view title) {
  const int width = std::min(inside.width + 4, canvas.width());
  const int height = std::min(inside.height + 2, canvas.height());
  const Canvas box =
      canvas.cut({(canvas.width() - width) / 2, (canvas.height() - height) / 2, width, height});
  box.fill({0, 0, width, height}, U' ', Style::plain);
  box.frame(title, Style::strong);
  return box.cut({2, 1, width - 4, height - 2});
}

void draw_box_keys(const Canvas& box, const std::vector<KeyHint>& keys, Scene& scene) {
  draw_keys(box.cut({-1, box.height() - 1, box.width() + 1, 1}), keys, scene);
}

int draw_line(const Canvas& canvas, const LineEditor& line, Style style, bool secret) {
  canvas.fill({0, 0, canvas.width(), 1}, U' ', style);
  const client::LineWindow window = client::window_of(line, canvas.width(), secret);
  canvas.write(0, 0, window.text, style);
  return window.cursor;
}

void draw_command_line(const Canvas& canvas, std::string_view label, const LineEditor& line,
                       std::string_view notice, Scene& scene) {
  const int keys = key_rows(canvas.height());
  const Canvas foot = canvas.cut({0, canvas.height() - keys - 1, canvas.width(), keys + 1});
  foot.fill({0, 0, foot.width(), foot.height()}, U' ', Style::plain);
  std::erase_if(scene.spots, [&](const Spot& spot) { return spot.area.y >= foot.area().y; });
  const int x = foot.write(1, 0, label, Style::strong);
  const Canvas field = foot.cut({x, 0, foot.width() - x - 1, 1});
  const int at = draw_line(field, line, Style::field);
  if (field.width() > 0) scene.cursor = Point{field.area().x + at, field.area().y};
  const Canvas below = foot.cut({0, 1, foot.width(), keys});
  if (!notice.empty()) {
    below.write(1, 0, fitted(notice, below.width() - 2), Style::strong);
    return;
  }
  draw_keys(below,
            {{"Enter", "Run", {Key::Name::enter, 0}},
             {"Tab", "Complete", {Key::Name::tab, 0}},
             {"Esc", "Cancel", {Key::Name::escape, 0}}},
            scene);
}

void write_wrapped(const Canvas& canvas, std::string_view text, Style style) {
  const int width = canvas.width() - 2;
  const std::vector<std::string> lines = wrapped(text, width);
  const auto rows = static_cast<std::size_t>(std::max(canvas.height(), 0));
  for (std::size_t i = 0; i < lines.size() && i < rows; ++i) {
    // What does not fit is cut in the last row.
    std::string line = lines[i];
    for (std::size_t j = i + 1; i + 1 == rows && j < lines.size(); ++j) line += " " + lines[j];
    canvas.write(1, static_cast<int>(i), fitted(line, width), style);
  }
}

void draw_notice(const Canvas& canvas, std::string_view notice) {
  constexpr int max_rows = 3;
  const auto lines = static_cast<int>(wrapped(notice, canvas.width() - 2).size());
  const int end = canvas.height() - key_rows(canvas.height());
  const int rows = std::clamp(lines, 1, max_rows);
  const Canvas place = canvas.cut({0, end - rows, canvas.width(), rows});
  place.fill({0, 0, place.width(), place.height()}, U' ', Style::alarm);
  write_wrapped(place, notice, Style::alarm);
}

std::size_t list_start(std::size_t selected, std::size_t count, int seen) {
  const auto rows = static_cast<std::size_t>(std::max(seen, 1));
  if (count <= rows) return 0;
  const std::size_t half = rows / 2;
  return std::min(selected > half ? selected - half : 0, count - rows);
}

std::size_t turned(std::size_t at, int by, std::size_t count) {
  const auto size = static_cast<std::ptrdiff_t>(count);
  return static_cast<std::size_t>((static_cast<std::ptrdiff_t>(at) + by + size) % size);
}

bool move_selection(std::size_t& selected, const Key& key, std::size_t count, std::size_t page) {
  const std::size_t last = count == 0 ? 0 : count - 1;
  if (key.name == Key::Name::down || key == letter_key(U'j')) {
    selected = std::min(selected + 1, last);
  } else if (key.name == Key::Name::up || key == letter_key(U'k')) {
    selected = selected > 0 ? selected - 1 : 0;
  } else if (key.name == Key::Name::page_down) {
    selected = std::min(selected + page, last);
  } else if (key.name == Key::Name::page_up) {
    selected = selected > page ? selected - page : 0;
  } else if (key.name == Key::Name::home) {
    selected = 0;
  } else if (key.name == Key::Name::end) {
    selected = last;
  } else {
    return false;
  }
  return true;
}

bool Scroll::press(const Key& key) {
  const bool is_space = key == letter_key(U' ');
  return move_selection(top_, is_space ? Key{Key::Name::page_down, 0} : key, last_ + 1, page_);
}

std::size_t Scroll::settle(std::size_t rows, std::size_t seen) {
  last_ = rows > seen ? rows - seen : 0;
  page_ = std::max<std::size_t>(seen, 2) - 1;
  top_ = std::min(top_, last_);
  return top_;
}

}  // namespace tictactoe::screen
