#include "client/screen/lists_view.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "client/model/sanitized.hpp"
#include "client/words/lists.hpp"
#include "client/words/messages.hpp"
#include "client/words/prompts.hpp"
#include "common/program/wording.hpp"

namespace tictactoe::screen {

using Name = Key::Name;
namespace prompts = client::prompts;

namespace {

// A column of a list: its share of what is left, and from which width of the screen on it is shown.
struct Column {
  std::string_view title;
  int least;
  int share;
  int from = 0;
};

using Rows = std::vector<client::Row>;

// Widths of the columns, 0 for those that are left out. A column whose texts are short leaves its
// space to those whose texts would be cut.
std::vector<int> widths_of(std::span<const Column> columns, const Rows& rows, int width) {
  const std::size_t count = columns.size();
  std::vector<int> needed;
  std::vector<int> widths;
  int rest = width;
  int shares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const bool shown = width >= columns[i].from;
    needed.push_back(shown ? columns_of(columns[i].title) : 0);
    for (const auto& row : rows) {
      if (shown) needed[i] = std::max(needed[i], columns_of(row[i]));
    }
    widths.push_back(std::min(needed[i], columns[i].least));
    if (!shown) continue;
    rest -= widths[i] + 2;
    shares += columns[i].share;
  }
  for (bool cut = true; rest > 0 && cut;) {
    cut = false;
    for (std::size_t i = 0; i < count && rest > 0; ++i) {
      if (widths[i] >= needed[i]) continue;
      ++widths[i];
      --rest;
      cut = true;
    }
  }
  for (std::size_t i = 0; i < count && rest > 0 && shares > 0; ++i) {
    if (widths[i] > 0) widths[i] += rest * columns[i].share / shares;
  }
  return widths;
}

void write_row(const Canvas& canvas, int y, const std::vector<int>& widths,
               std::span<const std::string> cells, Style style) {
  int x = 2;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (widths[i] == 0) continue;
    canvas.write(x, y, fitted(cells[i], widths[i]), style);
    x += widths[i] + 2;
  }
}

void write_heads(const Canvas& canvas, const std::vector<int>& widths,
                 std::span<const Column> columns) {
  std::vector<std::string> titles;
  for (const Column& column : columns) titles.emplace_back(column.title);
  write_row(canvas, 0, widths, titles, Style::faint);
}

// One line of a list, marked if it is selected.
void mark_row(const Canvas& canvas, int y, std::size_t index, bool selected, Scene& scene) {
  if (selected) {
    canvas.restyle({0, y, canvas.width(), 1}, Style::cursor);
    canvas.put(0, y, U'▸', Style::cursor);
    scene.cursor = Point{canvas.area().x, canvas.area().y + y};
  }
  scene.list.push_back({canvas.cut({0, y, canvas.width(), 1}).area(), index});
}

// The titles of the columns, and the rows that fit with the selected one among them. `style` is
// called with the index of a row.
void draw_rows(const Canvas& canvas, std::span<const Column> columns, const Rows& rows,
               std::size_t selected, Scene& scene, const auto& style) {
  const std::vector<int> widths = widths_of(columns, rows, canvas.width() - 2);
  write_heads(canvas, widths, columns);
  const int seen = canvas.height() - 1;
  const std::size_t start = list_start(selected, rows.size(), seen);
  for (int y = 1; y <= seen && start + static_cast<std::size_t>(y) - 1 < rows.size(); ++y) {
    const std::size_t index = start + static_cast<std::size_t>(y) - 1;
    write_row(canvas, y, widths, rows[index], style(index));
    mark_row(canvas, y, index, index == selected, scene);
  }
}

// Title, headline, list, lines for words, keys: what all lists look like.
struct Parts {
  Canvas head;
  Canvas list;
  Canvas words;
  Canvas keys;
};

Parts parts_of(const Canvas& canvas, int log_rows, int word_rows = 1) {
  const int height = canvas.height();
  const int width = canvas.width();
  const int keys = height >= 18 ? 2 : height >= 6 ? 1 : 0;
  const int words = height >= 5 ? std::clamp(word_rows, 1, height - 4) : 0;
  const int log = height >= 20 ? log_rows : 0;
  const int top = height >= 4 ? 2 : 0;
  const int list = height - top - keys - words - log;
  return {canvas.cut({0, 0, width, top}), canvas.cut({1, top, width - 2, list}),
          canvas.cut({0, top + list, width, words + log}),
          canvas.cut({0, height - keys, width, keys})};
}

void write_notice(const Canvas& words, const std::string& notice, const std::string& lost) {
  const std::string& text = lost.empty() ? notice : lost;
  if (text.empty()) return;
  const int lines = static_cast<int>(wrapped(text, words.width() - 2).size());
  words.fill({0, 0, words.width(), std::min(lines, words.height())}, U' ', Style::alarm);
  write_wrapped(words, text, Style::alarm);
}

void write_field(const Canvas& canvas, int y, std::string_view label, const LineEditor& field,
                 bool active, Scene& scene) {
  const int x = canvas.write(0, y, label, active ? Style::strong : Style::plain) + 1;
  const Canvas place = canvas.cut({x, y, std::min(canvas.width() - x, 40), 1});
  const int at = draw_line(place, field, Style::field);
  if (active && place.width() > 0) {
    scene.cursor = Point{place.area().x + at, place.area().y};
  }
}

constexpr std::array room_columns = {Column{"ROOM", 12, 1}, Column{"BOARD", 16, 3, 54},
                                     Column{"X", 8, 2, 62}, Column{"O", 8, 2, 62},
                                     Column{"STATE", 14, 3}};
constexpr std::array game_columns = {Column{"GAME", 5, 0},       Column{"ENDED", 16, 0, 60},
                                     Column{"BOARD", 10, 2, 72}, Column{"X", 8, 2, 30},
                                     Column{"O", 8, 2, 30},      Column{"RESULT", 14, 2},
                                     Column{"ROOM", 8, 2, 100}};

// Names are cut by their columns alone.
Rows rows_of(const std::vector<client::ListedRoom>& rooms) {
  constexpr std::string_view waiting = "waiting";
  Rows rows;
  for (const client::ListedRoom& room : rooms) {
    std::string& state = rows.emplace_back(client::row_of(room, client::max_shown_name)).back();
    if (!room.has_open_seat()) continue;
    // It has an open seat because it waits.
    const bool waits = state.starts_with(waiting);
    state = std::string(prompts::open_seat) + (waits ? state.substr(waiting.size()) : ", " + state);
  }
  return rows;
}

Rows rows_of(const std::vector<client::ListedGame>& games) {
  Rows rows;
  for (const client::ListedGame& game : games) {
    rows.emplace_back(client::row_of(game, client::max_shown_name)).push_back(game.room);
  }
  return rows;
}

std::vector<std::string> advice_lines(const StartScreen& view, int width) {
  if (!view.advises()) return {};
  return wrapped(std::string(prompts::no_server_answered).append(" ").append(prompts::start_advice),
                 width);
}

// One row of the choice of a server.
struct StartRow {
  std::string text;
  Style style = Style::plain;
  std::optional<std::size_t> server = {};  // NOLINT(readability-redundant-member-init)
  int indent = 0;
};

// The servers that can be chosen, and the headings between them.
std::vector<StartRow> start_rows(const StartScreen& view, int width) {
  std::vector<StartRow> rows;
  const auto heading = [&](std::string_view text) {
    if (!rows.empty()) rows.emplace_back();
    rows.push_back({std::string(text), Style::strong});
  };
  const auto add_servers = [&](bool found) {
    for (std::size_t i = 0; i < view.servers().size(); ++i) {
      if (view.servers()[i].found == found) rows.push_back({{}, Style::plain, i});
    }
  };
  const auto any = [&](bool found) {
    return std::ranges::count(view.servers(), found, &ServerEntry::found) > 0;
  };
  heading(prompts::on_your_network);
  if (!any(true)) {
    const std::string_view none = view.looks() ? prompts::looking_for_servers : "none found";
    rows.push_back({std::string(none), Style::faint, std::nullopt, 2});
    for (const std::string& line : advice_lines(view, width - 2)) {
      rows.push_back({line, Style::plain, std::nullopt, 2});
    }
  }
  add_servers(true);
  if (any(false)) heading("Elsewhere");
  add_servers(false);
  return rows;
}

// Name, address and what is known of a server; on a narrow screen without the last.
void write_server(const Canvas& list, int y, const ServerEntry& server) {
  constexpr int narrow = 56;
  const int name = std::max(list.width() * 3 / 10, 16);
  const int address = list.width() < narrow ? list.width() - name - 4 : name - 2;
  list.write(2, y, fitted(server.name.empty() ? server.address : server.name, name));
  if (!server.name.empty()) {
    list.write(name + 4, y, fitted(server.address, address), Style::faint);
  }
  if (list.width() < narrow) return;
  list.write(2 * name + 4, y, fitted(server.about, list.width() - 2 * name - 4));
}

// As many rows as fit, with the selected server among them. Returns the row after them.
int draw_servers(const Canvas& list, const StartScreen& view, Scene& scene) {
  const std::vector<StartRow> rows = start_rows(view, list.width());
  const auto selected = std::ranges::find_if(
      rows, [&](const StartRow& row) { return row.server == std::optional(view.selected()); });
  const std::size_t at = static_cast<std::size_t>(selected - rows.begin());
  const int count = std::min(static_cast<int>(rows.size()), list.height());
  const std::size_t start = list_start(at, rows.size(), list.height());
  for (int y = 0; y < count; ++y) {
    const StartRow& row = rows[start + static_cast<std::size_t>(y)];
    list.write(row.indent, y, row.text, row.style);
    if (!row.server) continue;
    write_server(list, y, view.servers()[*row.server]);
    mark_row(list, y, *row.server, *row.server == view.selected(), scene);
  }
  return count;
}

// How others join, with an installed program and from a clone, or the key that shows both.
std::string line_for_others(const std::string& invitation, int width) {
  const std::string both = invitation + " " + std::string(prompts::a_clone);
  const std::string whole = std::string(prompts::others_join) + ": " + both;
  for (const std::string& line : {whole, both}) {
    if (columns_of(line) <= width) return line;
  }
  return fitted(prompts::key_for_others, width);
}

// What a person in a room is refused is left out.
std::vector<KeyHint> lobby_keys(const LobbyView& view) {
  const bool in_room = view.talk.room() != nullptr;
  const client::ListedRoom* const room = view.list.selected_room();
  const bool joins = room == nullptr || room->has_open_seat();
  std::vector<KeyHint> keys;
  if (in_room) {
    keys = {{"Esc", std::string(prompts::back_to_game), {Name::escape, 0}}};
  } else {
    keys = {{"Enter", joins ? "Join" : "Watch", {Name::enter, 0}},
            {"P", "Play now", letter_key(U'P')},
            {"N", "New room", letter_key(U'N')}};
    if (joins) keys.push_back({"W", "Watch", letter_key(U'W')});
  }
  const std::vector<KeyHint> always = {
      {"G", "Finished games", letter_key(U'G')}, {"Q", "Quit", letter_key(U'Q')},
      {"U", "Players", letter_key(U'U')},        {"C", "Chat", letter_key(U'C')},
      {"I", "Invite", letter_key(U'I')},         {"?", "Help", letter_key(U'?')}};
  keys.insert(keys.end(), always.begin(), always.end());
  return keys;
}

}  // namespace

void LobbyList::set_rooms(std::vector<client::ListedRoom> rooms) {
  const client::ListedRoom* const selected = selected_room();
  const std::string chosen = selected == nullptr ? "" : selected->wire_name;
  rooms_ = std::move(rooms);
  client::sort_rooms(rooms_);
  const auto again = std::ranges::find(rooms_, chosen, &client::ListedRoom::wire_name);
  if (!chosen.empty() && again != rooms_.end()) {
    selected_ = static_cast<std::size_t>(again - rooms_.begin());
  }
  if (selected_ >= rooms_.size()) selected_ = rooms_.empty() ? 0 : rooms_.size() - 1;
}

void draw_start(const Canvas& canvas, const StartView& view, Scene& scene) {
  // The reason why a server was refused, and the remedy, are never cut.
  const auto words = static_cast<int>(wrapped(view.notice, canvas.width() - 2).size());
  const Parts parts = parts_of(canvas, 1, words);
  draw_title(parts.head, prompts::program_name, "you are " + view.me);
  if (!view.connecting.empty()) {
    int y = parts.list.height() / 2;
    for (const std::string& line : wrapped(view.connecting, parts.list.width())) {
      parts.list.centre(y++, line, Style::strong);
    }
    draw_keys(parts.keys, {{"Esc", "Cancel", {Name::escape, 0}}}, scene);
    return;
  }
  // The line for an address has its place, with what it takes if the screen is not too small.
  const Canvas& list = parts.list;
  const int kept = list.height() >= 8 ? 3 : list.height() >= 4 ? 2 : 1;
  const int y =
      draw_servers(list.cut({0, 0, list.width(), list.height() - kept}), view.start, scene);
  const bool typing = view.start.selected() >= view.start.servers().size();
  const int at = y + (kept > 2 ? 1 : 0);
  write_field(list, at, typing ? "▸ Address" : "  Address", view.start.address(), typing, scene);
  const bool fits = columns_of(prompts::address_form) <= list.width() - 2;
  list.write(2, at + 1, fits ? prompts::address_form : prompts::address_form_in_short,
             Style::faint);
  write_notice(parts.words, view.notice, {});
  draw_keys(parts.keys,
            {{"Enter", "Connect", {Name::enter, 0}},
             {"↑↓", "Choose", {Name::down, 0}},
             {"Esc", "Quit", {Name::escape, 0}}},
            scene);
}

void draw_lobby(const Canvas& canvas, const LobbyView& view, Scene& scene) {
  const Parts parts = parts_of(canvas, 4);
  draw_title(parts.head, view.server, place_text(view.talk, view.talk.me(), canvas.width()));
  const std::vector<client::ListedRoom>& rooms = view.list.rooms();
  const auto open = static_cast<std::size_t>(
      std::ranges::count_if(rooms, [](const auto& room) { return room.has_open_seat(); }));
  std::string head = view.talk.rooms() ? program::counted(rooms.size(), "room", "rooms")
                                       : std::string(prompts::asking_for_rooms);
  if (open > 0) head.append(", " + client::with_open_seat_text(open));
  parts.head.write(1, 1, head, Style::strong);
  view.list.set_visible(static_cast<std::size_t>(std::max(parts.list.height() - 1, 0)));
  draw_rows(parts.list, room_columns, rows_of(rooms), view.list.selected(), scene,
            [&](std::size_t index) {
              return rooms[index].has_open_seat() ? Style::strong : Style::plain;
            });
  if (rooms.empty() && view.talk.rooms()) {
    parts.list.write(2, 2, client::no_rooms_text(client::Controls::keys));
  }
  // A line that is typed covers the last row.
  const int log = std::max(parts.words.height() - (view.types ? 2 : 1), 0);
  view.log.draw(parts.words.cut({1, 1, canvas.width() - 2, log}));
  if (!view.invitation.empty()) {
    parts.words.write(1, 0, line_for_others(view.invitation, canvas.width() - 2), Style::faint);
  }
  write_notice(parts.words, view.notice, client::lost_text(view.talk, view.now));
  draw_keys(parts.keys, lobby_keys(view), scene);
}

void draw_games(const Canvas& canvas, const GamesView& view, Scene& scene) {
  const Parts parts = parts_of(canvas, 1);
  draw_title(
      parts.head,
      std::string(prompts::finished_games).append(view.player.empty() ? "" : " of ") + view.player,
      place_text(view.talk, view.server, canvas.width()));
  draw_rows(parts.list, game_columns,
            rows_of(view.talk.games().value_or(std::vector<client::ListedGame>())), view.selected,
            scene, [](std::size_t) { return Style::plain; });
  if (!view.talk.games()) {
    const bool asking = view.talk.is_asking_for_games();
    parts.list.write(2, 2, asking ? prompts::asking_for_games : prompts::no_list, Style::faint);
  } else if (view.talk.games()->empty()) {
    parts.list.write(2, 2, prompts::no_games);
  }
  write_notice(parts.words, view.notice, client::lost_text(view.talk, view.now));
  draw_keys(parts.keys,
            {{"Enter", std::string(prompts::step_through), {Name::enter, 0}},
             {"↑↓", "Choose", {Name::down, 0}},
             {"Esc", "Back", {Name::escape, 0}},
             {"?", "Help", letter_key(U'?')}},
            scene);
}

}  // namespace tictactoe::screen
