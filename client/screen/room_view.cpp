#include "client/screen/room_view.hpp"

#include <algorithm>
#include <chrono>
#include <ranges>
#include <utility>

#include "client/words/lists.hpp"
#include "client/words/narration.hpp"
#include "client/words/prompts.hpp"
#include "client/words/time.hpp"

namespace tictactoe::screen {
namespace {

using client::Controls;
using client::milliseconds;
using client::Occupant;
using client::Phase;
using client::Time;
using Link = client::Session::Link;
using Tone = client::Standing::Tone;
namespace prompts = client::prompts;

// A screen narrower than this has what is beside the board above and below it.
constexpr int narrow = 64;

struct Areas {
  Rect players;
  Rect board;
  Rect log;
};

// "▸ X  alice (you)              4:32"
void draw_player(const Canvas& canvas, int y, const RoomView& view, Mark seat) {
  const Room& room = view.room;
  const bool turn = room.phase == Phase::playing && room.turn == seat;
  const Style style = seat == Mark::x ? Style::x : Style::o;
  const auto since = std::chrono::duration_cast<milliseconds>(view.now - view.talk.clocks_from());
  const auto left = client::time_left(room, seat, since);
  const std::string clock = left ? client::clock_text(*left) : std::string();
  if (turn) canvas.put(0, y, U'▸', Style::strong);
  canvas.write(2, y, client::mark_name(seat), style);
  // A long name is cut, but not what follows it.
  const std::string notes = client::occupant_notes(room, seat);
  const int width = canvas.width() - 6 - columns_of(clock);
  const std::string name =
      fitted(client::seat_text(room.occupant(seat)), std::max(width - columns_of(notes), 0));
  canvas.write(5, y, fitted(name + notes, width), turn ? Style::strong : Style::plain);
  canvas.write_back(canvas.width(), y, clock, turn ? Style::strong : Style::plain);
}

Areas areas_for(const RoomView& view, Size size) {
  Areas areas;
  if (size.width < narrow) {
    const int players = size.height >= 9 ? 2 : 0;
    const int board = BoardPane::wanted_rows(view.room.board, size.width,
                                             size.height - players - (size.height > 12 ? 3 : 0));
    areas.players = {1, 0, size.width - 2, players};
    areas.board = {0, players, size.width, board};
    areas.log = {1, players + board, size.width - 2, size.height - players - board};
    return areas;
  }
  const int side = std::clamp(size.width / 3, 28, 48);
  const int x = size.width - side;
  areas.board = {0, 0, x - 1, size.height};
  const int players = view.room.waits_for_seat ? 5 : 4;
  areas.players = {x + 1, 0, side - 2, std::min(players, size.height)};
  const int y = players + 1;
  areas.log = {x + 1, y, side - 2, size.height - y};
  return areas;
}

Style style_of(Tone tone) {
  return tone == Tone::good ? Style::good : tone == Tone::bad ? Style::alarm : Style::strong;
}

std::vector<KeyHint> keys_of(const RoomView& view) {
  const Room& room = view.room;
  if (view.typing.is_active()) {
    return {{"Enter", view.typing.entry() == Entry::chat ? "Send" : "Play", {Key::Name::enter, 0}},
            {"Esc", "Cancel", {Key::Name::escape, 0}}};
  }
  const bool seated = room.my_seat != Mark::none;
  const bool playing = room.phase == Phase::playing;
  const bool mine_to_answer =
      seated && ((room.draw_offered_by != Mark::none && room.draw_offered_by != room.my_seat) ||
                 (room.takeback_asked_by != Mark::none && room.takeback_asked_by != room.my_seat));
  std::vector<KeyHint> keys;
  const auto add = [&](std::string_view cap, std::string_view label) {
    keys.push_back(
        {std::string(cap), std::string(label), letter_key(static_cast<unsigned char>(cap.back()))});
  };
  const bool shift = letters_are_moves(room);
  if (playing && room.my_turn()) keys.push_back({"Enter", "Play here", {Key::Name::enter, 0}});
  if (shift) keys.push_back({"Shift", "+", {Key::Name::escape, 0}});
  if (mine_to_answer) add("N", "Decline");
  if (room.phase == Phase::finished && seated) add("R", "Rematch");
  if (room.phase != Phase::playing || !seated) add("A", "AI");
  const auto is_free = [&](const Occupant& seat) {
    return seat.kind == Occupant::Kind::open ||
           (seat.kind == Occupant::Kind::ai && room.options.open_ai_seats() &&
            !room.waits_for_seat);
  };
  if (!seated && (is_free(room.x) || is_free(room.o))) add("J", prompts::take_seat);
  const bool two_people =
      room.x.kind == Occupant::Kind::person && room.o.kind == Occupant::Kind::person;
  if (playing && (!two_people || room.options.hints())) add("H", "Hint");
  if (playing && seated) {
    add("T", mine_to_answer && room.takeback_asked_by != Mark::none ? "Allow" : "Take back");
    add("D", mine_to_answer && room.draw_offered_by != Mark::none ? "Accept draw" : "Draw");
    add("R", "Resign");
  }
  add("C", "Chat");
  add("U", "Players");
  if (!view.talk.is_local()) add("I", "Invite");
  if (playing && seated) add("A", "AI");
  if (view.pane.cut() && room.board.last()) add(".", "Last move");
  add("L", "Leave");
  add("Q", "Quit");
  add("?", "Help");
  return keys;
}

struct Told {
  std::string text;
  Style style = Style::plain;
};

// The line above the keys while nothing is typed: why a request was refused, or what to do.
Told told_in(const RoomView& view, int width) {
  if (!view.notice.empty()) return {view.notice, Style::alarm};
  if (std::string offer = client::offers_text(view.room, Controls::keys); !offer.empty()) {
    return {std::move(offer), Style::hint};
  }
  if (const auto* hint = view.talk.hint()) {
    return {client::hint_text(hint->cell, hint->mark, hint->cannot_lose), Style::hint};
  }
  if (std::string next = client::next_game_text(view.room, Controls::keys); !next.empty()) {
    return {std::move(next), Style::strong};
  }
  if (!letters_are_moves(view.room)) return {};
  const bool fits = columns_of(prompts::how_to_move) <= width;
  return {std::string(fits ? prompts::how_to_move : prompts::how_to_move_in_short), Style::faint};
}

// The line in which a move, a command or a message is typed.
void draw_entry(const Canvas& canvas, const RoomView& view, Scene& scene) {
  const bool chats = view.typing.entry() == Entry::chat;
  const int x = canvas.write(1, 0, chats ? std::string_view("Say: ") : prompts::move_or_command,
                             Style::strong);
  const Canvas field = canvas.cut({x, 0, canvas.width() - x - 1, 1});
  const int at = draw_line(field, view.typing.line(), Style::field);
  if (field.width() > 0) scene.cursor = Point{field.area().x + at, field.area().y};
}

client::Standing standing_in(const RoomView& view) {
  if (const std::string lost = client::lost_text(view.talk, view.now); !lost.empty()) {
    return {lost, Tone::bad};
  }
  if (const auto sent = view.talk.sent_move())
    return {client::sent_move_text(*sent), Tone::neutral};
  return client::standing_of(view.room, Controls::keys);
}

// Rows that a text needs, at most two.
int rows_for(const std::string& text, int width) {
  return std::min(static_cast<int>(wrapped(text, width).size()), 2);
}

// How others join, with an installed program and from a clone, or the key that shows both. With the
// key of the server it would be too long.
std::vector<std::string> lines_for_others(const std::string& invitation, int width, int most) {
  std::vector<std::string> lines = wrapped(invitation, width);
  lines.emplace(lines.begin(), prompts::others_join_in_short);
  lines.emplace_back(prompts::a_clone);
  if (static_cast<int>(lines.size()) <= most) return lines;
  return {std::string(prompts::key_for_others)};
}

void draw_side(const Canvas& body, const RoomView& view, const Areas& areas) {
  const Canvas players = body.cut(areas.players);
  draw_player(players, 0, view, Mark::x);
  draw_player(players, 1, view, Mark::o);
  int y = 2;
  if (const std::string score = client::score_text(view.room.score); !score.empty()) {
    players.write(2, y++, fitted(score, players.width() - 2), Style::faint);
  }
  if (view.room.waits_for_seat) {
    players.write(2, y++, fitted(prompts::waiting_for_ai_seat, players.width() - 2), Style::strong);
  }
  if (view.room.watchers > 0) {
    const std::string watching = std::to_string(view.room.watchers) + " watching";
    players.write(2, y, fitted(watching, players.width() - 2), Style::faint);
  }
  Rect log = areas.log;
  constexpr int min_log_rows = 4;
  if (const int most = log.height - min_log_rows; !view.invitation.empty() && most > 0) {
    const std::vector<std::string> lines = lines_for_others(view.invitation, log.width, most);
    const auto count = static_cast<int>(lines.size());
    log.height -= count;
    const Canvas rows = body.cut({log.x, log.y + log.height, log.width, count});
    for (int row = 0; row < count; ++row) {
      rows.write(0, row, fitted(lines[static_cast<std::size_t>(row)], rows.width()), Style::faint);
    }
  }
  view.log.draw(body.cut(log));
}

// Rows below the board: how the game stands, the line for entries, the keys.
struct Foot {
  int words = 0;
  int entry = 0;
  int keys = 0;
  int rows() const { return words + entry + keys; }
};

void draw_foot(const Canvas& foot, const Foot& rows, const client::Standing& standing,
               const RoomView& view, Scene& scene) {
  const int width = foot.width();
  foot.fill({0, 0, width, rows.words}, U' ', style_of(standing.tone));
  write_wrapped(foot.cut({0, 0, width, rows.words}), standing.text, style_of(standing.tone));
  // A text that is too long for its row takes one of the keys.
  const bool types = view.typing.is_active();
  const Told told = types ? Told{} : told_in(view, width - 2);
  const int said = rows.keys == 2 ? rows_for(told.text, width - 2) : rows.entry;
  const Canvas place = foot.cut({0, rows.words, width, said});
  if (types && rows.entry > 0) draw_entry(place, view, scene);
  if (!types) write_wrapped(place, told.text, told.style);
  const Canvas below = foot.cut({0, rows.words + said, width, foot.height() - rows.words - said});
  if (view.typing.entry() != Entry::none && !view.notice.empty()) {
    below.write(1, 0, fitted(view.notice, width - 2), Style::strong);
  } else {
    draw_keys(below, keys_of(view), scene);
  }
}

// The room, its rules and its clock.
void draw_room_title(const Canvas& canvas, const RoomView& view) {
  const Room& room = view.room;
  std::string left = room.name + " · " +
                     client::rules_text(room.board.rows(), room.board.cols(), room.k, room.exact);
  if (const std::string time = client::time_control_text(room.options.time()); !time.empty()) {
    left.append(" · " + time);
  }
  draw_title(canvas, left, place_text(view.talk, view.server, canvas.width()));
}

std::vector<std::string> rows_of_message(const client::Message& message, int width) {
  return wrapped(message.text, std::max(width - 2, 1));
}

}  // namespace

void Log::add(client::Message message) {
  if (messages_.size() == most) messages_.pop_front();
  messages_.push_back(std::move(message));
}

void Log::scroll(bool back) {
  std::size_t rows = 0;
  for (const client::Message& message : messages_) rows += rows_of_message(message, width_).size();
  scroll_.settle(rows, seen_);
  scroll_.press({back ? Key::Name::page_down : Key::Name::page_up, 0});
}

void Log::draw(const Canvas& canvas) {
  struct Row {
    std::string text;
    Style style;
    char32_t begin;
  };
  width_ = canvas.width();
  seen_ = static_cast<std::size_t>(std::max(canvas.height(), 0));
  const std::size_t wanted = seen_ + scroll_.top();
  std::vector<Row> rows;  // the last one first
  for (const client::Message& message : std::views::reverse(messages_)) {
    if (rows.size() >= wanted) break;
    const bool chat = message.kind == client::Message::Kind::chat;
    const bool refused = message.kind == client::Message::Kind::refused;
    const Style style = chat ? Style::chat : refused ? Style::alarm : Style::plain;
    const std::vector<std::string> lines = rows_of_message(message, width_);
    for (std::size_t i = lines.size(); i > 0; --i) {
      rows.push_back({lines[i - 1], style, i > 1 ? U' ' : chat ? U'"' : U'·'});
    }
  }
  const std::size_t seen = std::min(rows.size(), seen_);
  const std::size_t back = std::min(scroll_.top(), rows.size() - seen);
  for (std::size_t i = 0; i < seen; ++i) {
    const Row& row = rows[back + seen - 1 - i];
    canvas.put(0, static_cast<int>(i), row.begin, row.style);
    canvas.write(2, static_cast<int>(i), row.text, row.style);
  }
}

bool letters_are_moves(const Room& room) {
  return room.phase == Phase::playing && room.my_seat != Mark::none;
}

std::string place_text(const client::Session& talk, const std::string& name, int width) {
  if (talk.is_local()) return name;
  const bool connected =
      talk.link() == Link::up || talk.link() == Link::catching_up || talk.is_moving();
  const std::string link = connected ? "  ● connected" : "  ○ not connected";
  return fitted(name, title_end(width) - columns_of(link)) + link;
}

void draw_room(const Canvas& canvas, const RoomView& view, Scene& scene) {
  const Size size{canvas.width(), canvas.height()};
  const int title = size.height >= 4 ? 1 : 0;
  Foot foot;
  foot.keys = size.height >= 18 ? 2 : size.height >= 8 ? 1 : 0;
  foot.entry = size.height >= 6 ? 1 : 0;
  const client::Standing standing = standing_in(view);
  // A row more, taken from the messages below the board, if the screen is narrow.
  const bool wraps = size.width < narrow && size.height >= 18;
  foot.words = size.height < 3 ? 0 : wraps ? rows_for(standing.text, size.width - 2) : 1;
  const int body_rows = size.height - title - foot.rows();

  if (title > 0) draw_room_title(canvas, view);
  const Canvas body = canvas.cut({0, title, size.width, body_rows});
  const Areas areas = areas_for(view, {size.width, body_rows});
  const auto* hint = view.talk.hint();
  view.pane.draw(body.cut(areas.board), view.room,
                 {hint ? std::optional(hint->cell) : std::nullopt, view.talk.sent_move()}, true);
  if (size.width >= narrow) {
    for (int y = 0; y < body_rows; ++y) body.put(areas.players.x - 2, y, U'│', Style::faint);
  }
  draw_side(body, view, areas);
  scene.cursor = view.pane.cursor_place();
  draw_foot(canvas.cut({0, title + body_rows, size.width, foot.rows()}), foot, standing, view,
            scene);
}

}  // namespace tictactoe::screen
