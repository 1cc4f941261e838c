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
  canvas.write(5, y,
               fitted(client::occupant_text(room, seat), canvas.width() - 6 - columns_of(clock)),
               turn ? Style::strong : Style::plain);
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
  if (playing && seated) keys.push_back({"Enter", "Play here", {Key::Name::enter, 0}});
  if (shift) keys.push_back({"Shift+", "", {Key::Name::escape, 0}});
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

// The line above the keys: what is typed, why something was refused, or what to do.
void draw_entry(const Canvas& canvas, const RoomView& view, Scene& scene) {
  if (view.typing.is_active()) {
    const int x = canvas.write(
        1, 0,
        view.typing.entry() == Entry::chat ? std::string_view("Say: ") : prompts::move_or_command,
        Style::strong);
    const Canvas field = canvas.cut({x, 0, canvas.width() - x - 1, 1});
    const int at = draw_line(field, view.typing.line(), Style::field);
    if (field.width() > 0) scene.cursor = Point{field.area().x + at, field.area().y};
    return;
  }
  if (!view.notice.empty()) return write_wrapped(canvas, view.notice, Style::alarm);
  if (const std::string offer = client::offers_text(view.room, Controls::keys); !offer.empty()) {
    canvas.write(1, 0, fitted(offer, canvas.width() - 2), Style::hint);
    return;
  }
  if (const auto* hint = view.talk.hint()) {
    const std::string text = client::hint_text(hint->cell, hint->mark, hint->cannot_lose);
    canvas.write(1, 0, fitted(text, canvas.width() - 2), Style::hint);
    return;
  }
  if (const std::string next = client::next_game_text(view.room, Controls::keys); !next.empty()) {
    canvas.write(1, 0, fitted(next, canvas.width() - 2), Style::strong);
    return;
  }
  if (letters_are_moves(view.room)) {
    const bool fits = columns_of(prompts::how_to_move) <= canvas.width() - 2;
    canvas.write(1, 0, fits ? prompts::how_to_move : prompts::how_to_move_in_short, Style::faint);
  }
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
  if (!view.invitation.empty() && log.height > min_log_rows + 2) {
    // With the key of the server it is too long: a key shows all of it.
    const std::vector<std::string> lines = wrapped(view.invitation, log.width);
    const int count = std::min(static_cast<int>(lines.size()), log.height - min_log_rows - 1);
    log.height -= count + 1;
    const Canvas rows = body.cut({log.x, log.y + log.height, log.width, count + 1});
    rows.write(0, 0, prompts::others_join_in_short, Style::faint);
    for (int row = 0; row < count; ++row) {
      rows.write(0, row + 1, fitted(lines[static_cast<std::size_t>(row)], rows.width()),
                 Style::faint);
    }
  }
  draw_log(body.cut(log), view.log);
}

}  // namespace

void Log::add(client::Message event) {
  if (events.size() == most) events.pop_front();
  events.push_back(std::move(event));
}

bool letters_are_moves(const Room& room) {
  return room.phase == Phase::playing && room.my_seat != Mark::none;
}

std::string link_text(const client::Session& talk) {
  if (talk.is_local()) return {};
  const bool connected =
      talk.link() == Link::up || talk.link() == Link::catching_up || talk.is_moving();
  return connected ? "● connected" : "○ not connected";
}

void draw_log(const Canvas& canvas, const Log& log) {
  struct Row {
    std::string text;
    Style style;
    char32_t begin;
  };
  const auto wanted = static_cast<std::size_t>(std::max(canvas.height(), 0)) + log.back;
  std::vector<Row> rows;  // the last one first
  for (const client::Message& event : std::views::reverse(log.events)) {
    if (rows.size() >= wanted) break;
    const bool chat = event.kind == client::Message::Kind::chat;
    const bool refused = event.kind == client::Message::Kind::refused;
    const Style style = chat ? Style::chat : refused ? Style::alarm : Style::plain;
    const std::vector<std::string> lines = wrapped(event.text, std::max(canvas.width() - 2, 1));
    for (std::size_t i = lines.size(); i > 0; --i) {
      rows.push_back({lines[i - 1], style, i > 1 ? U' ' : chat ? U'"' : U'·'});
    }
  }
  const std::size_t seen = std::min(rows.size(), static_cast<std::size_t>(canvas.height()));
  const std::size_t back = std::min(log.back, rows.size() - seen);
  for (std::size_t i = 0; i < seen; ++i) {
    const Row& row = rows[back + seen - 1 - i];
    canvas.put(0, static_cast<int>(i), row.begin, row.style);
    canvas.write(2, static_cast<int>(i), row.text, row.style);
  }
}

void draw_room(const Canvas& canvas, const RoomView& view, Scene& scene) {
  const Room& room = view.room;
  const Size size{canvas.width(), canvas.height()};
  const std::vector<KeyHint> keys = keys_of(view);
  const int title = size.height >= 4 ? 1 : 0;
  const int key_rows = size.height >= 18 ? 2 : size.height >= 8 ? 1 : 0;
  const int entry = size.height >= 6 ? 1 : 0;
  const int words = size.height >= 3 ? 1 : 0;
  const std::string lost = client::lost_text(view.talk, view.now);
  const int body_rows = size.height - title - key_rows - entry - words;

  if (title > 0) {
    const Board& board = room.board;
    std::string left =
        room.name + " · " + client::rules_text(board.rows(), board.cols(), room.k, room.exact);
    if (const std::string time = client::time_control_text(room.options.time()); !time.empty()) {
      left.append(" · " + time);
    }
    draw_title(canvas, left, view.server + "  " + link_text(view.talk));
  }
  const Canvas body = canvas.cut({0, title, size.width, body_rows});
  const Areas areas = areas_for(view, {size.width, body_rows});
  const auto* hint = view.talk.hint();
  const std::optional<Cell> sent = view.talk.sent_move();
  view.pane.draw(body.cut(areas.board), room,
                 {hint ? std::optional(hint->cell) : std::nullopt, sent}, true);
  if (size.width >= narrow) {
    for (int y = 0; y < body_rows; ++y) body.put(areas.players.x - 2, y, U'│', Style::faint);
  }
  draw_side(body, view, areas);

  const Canvas foot = canvas.cut({0, title + body_rows, size.width, words + entry + key_rows});
  if (words > 0) {
    client::Standing standing = client::standing_of(room, Controls::keys);
    if (sent) standing = {client::sent_move_text(*sent), Tone::neutral};
    if (!lost.empty()) standing = {lost, Tone::bad};
    foot.fill({0, 0, size.width, 1}, U' ', style_of(standing.tone));
    foot.write(1, 0, fitted(standing.text, size.width - 2), style_of(standing.tone));
  }
  scene.cursor = view.pane.cursor_place();
  // A notice that is too long for its row takes one of the keys.
  const bool long_notice = view.typing.entry() == Entry::none && key_rows == 2 &&
                           wrapped(view.notice, size.width - 2).size() > 1;
  const int said = entry + (long_notice ? 1 : 0);
  if (entry > 0) draw_entry(foot.cut({0, words, size.width, said}), view, scene);
  const Canvas below = foot.cut({0, words + said, size.width, foot.height() - words - said});
  if (view.typing.entry() != Entry::none && !view.notice.empty()) {
    below.write(1, 0, fitted(view.notice, size.width - 2), Style::strong);
  } else {
    draw_keys(below, keys, scene);
  }
}

}  // namespace tictactoe::screen
