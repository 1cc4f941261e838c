#include "client/screen/visit.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "client/model/replay.hpp"
#include "client/model/sanitized.hpp"
#include "client/screen/room_form.hpp"
#include "client/session/requests.hpp"
#include "client/words/completion.hpp"
#include "client/words/lists.hpp"
#include "client/words/narration.hpp"
#include "client/words/prompts.hpp"
#include "client/words/typed.hpp"
#include "common/unicode/letters.hpp"

namespace tictactoe::screen {

using Name = Key::Name;
namespace prompts = client::prompts;

namespace {

using client::Phase;

// Levels of AI that are offered, whatever a server says it has.
constexpr int max_levels = 24;

// Keys of a room.
constexpr std::u32string_view commands_of_room = U"ACDHIJLNQRTU";
// Those that only open something in which a digit chooses nothing, and that can be closed again.
constexpr std::u32string_view opening_commands = U"CILR";

bool is_among(std::u32string_view letters, char32_t letter) {
  return letters.find(letter) != std::u32string_view::npos;
}

bool is_lower(char32_t letter) {
  return letter >= U'a' && letter <= U'z';
}

// Letters of other alphabets, too: the line shows them, and its parser says what is wrong.
bool begins_move(const Key& key) {
  return key.name == Name::letter &&
         (is_lower(key.letter) || key.letter > 0x7F || (key.letter >= U'0' && key.letter <= U'9'));
}

char32_t upper(char32_t letter) {
  return is_lower(letter) ? letter - U'a' + U'A' : letter;
}

bool is_key(const Key& key, char32_t capital) {
  return key.name == Name::letter && upper(key.letter) == capital;
}

std::vector<std::string> levels_of(const Session& session) {
  std::vector<std::string> levels;
  for (const std::string& level : session.limits().ai_levels()) {
    if (static_cast<int>(levels.size()) == max_levels) break;
    levels.push_back(client::sanitized(level));
  }
  client::sort_levels(levels);
  return levels;
}

}  // namespace

// The session -------------------------------------------------------------------------------------

Visit::Visit(Front& front, Session::Options options, Destination to, client::FindInvitation find)
    : front_(front),
      session_(std::move(options)),
      find_(std::move(find)),
      to_(std::move(to)),
      typing_(front.typing) {
  session_.subscribe(this);
  typing_.begin_session([this](std::string_view before) {
    return client::complete(before, client::known_names(session_));
  });
}

Visit::Stage Visit::stage() const {
  if (replay_) return Stage::replay;
  if (games_.is_open) return Stage::games;
  return session_.room() && !table_.is_covered ? Stage::room : Stage::lobby;
}

bool Visit::has_seat_in(Phase phase) const {
  const Room* const room = session_.room();
  return room && room->phase == phase && room->my_seat != client::Mark::none;
}

std::string Visit::server_name() const {
  return session_.server_name().empty() ? client::sanitized(to_.server) : session_.server_name();
}

void Visit::quit(Time now) {
  if (front_.dialog.as<QuitMenu>() && !session_.is_leaving()) return hang_up(now);
  const bool asks = has_something_to_lose() || front_.options.hosting;
  if (asks && session_.link() == Session::Link::up && !session_.is_leaving()) {
    return open_quit_menu(now);
  }
  session_.leave(now);  // the second time without the server's confirmation
}

void Visit::hang_up(Time now) {
  is_followed_ = false;
  session_.drop(now);
}

void Visit::leave_for_another(Time now) {
  is_followed_ = true;
  session_.leave(now);
}

// Events ------------------------------------------------------------------------------------------

void Visit::happened(Time now) {
  now_ = now;
  if (replay_) replay_->step_due(now);
  if (!session_.is_welcomed()) return;
  // While catching up, requests can't be sent yet.
  const bool up = session_.link() == Session::Link::up;
  if (up) type_commands(now);
  const Room* const room = session_.room();
  if (ended_game_.update(room && letters_are_moves(*room), room != nullptr, now)) capital_.clear();
  enter_or_leave_room();
  if (!session_.room()) is_for_next_room_ = false;
  if (up && session_.room() && !is_for_next_room_ && !opponent_.empty()) {
    session_.request(client::add_ai(client::Mark::none, std::exchange(opponent_, {})), now);
  }
  if (const auto letter = capital_.take_due(now)) {
    front_.notice.clear();
    press_command(*letter, now);
  }
  if (invitation_.is_awaited && invitation_.known) open_invitation(now);
  watch_turn();
}

// Runs the lines of --command, once, and joins the room of a link. Those that set up a game are
// skipped if the player returned to a seat.
void Visit::type_commands(Time now) {
  if (front_.dialog.as<PasswordBox>()) return;
  for (const std::string& line : std::exchange(front_.options.commands, {})) {
    const client::Command command = client::parse_command(line);
    if (!session_.room() || !client::sets_up(command)) carry_out(command, now);
  }
  if (to_.room.empty()) return;
  const std::string room = std::exchange(to_.room, {});
  if (!session_.room()) session_.request(client::join_room(room), now);
}

void Visit::on_event(const client::SessionEvent& event) {
  if (session_.is_leaving()) return;
  const auto* const refused = std::get_if<client::Refused>(&event);
  if (refused && refused->request && refused->request->has_create_room()) opponent_.clear();
  if (const auto* const welcomed = std::get_if<client::Welcomed>(&event)) {
    find_invitation();
    ask_for_account(*welcomed);
  }
  if (session_.rooms() && (std::holds_alternative<client::RoomsListed>(event) ||
                           std::holds_alternative<client::LobbyChanged>(event))) {
    lobby_.set_rooms(*session_.rooms());
  }
  if (std::holds_alternative<client::PlayersListed>(event)) show_players();
  if (std::holds_alternative<client::MembersListed>(event)) show_members();
  if (const auto* const came = std::get_if<client::InvitationCame>(&event)) ask_about(*came);
  const auto* const hint = std::get_if<client::HintGiven>(&event);
  if (hint && hint->current && session_.room()) {
    table_.pane.show(hint->cell, session_.room()->board);
  }
  if (dialog_tells(event)) return;
  for (client::Message& message :
       client::messages_of(event, session_, to_.server, client::Controls::keys)) {
    add(std::move(message));
  }
  if (const auto* const found = std::get_if<client::GameFound>(&event)) show_replay(found->game);
}

// A form whose request has failed stays open and says what is to be changed.
bool Visit::dialog_tells(const client::SessionEvent& event) {
  if (!front_.dialog) return false;
  if (std::holds_alternative<client::NotSent>(event)) {
    const auto messages = client::messages_of(event, session_, to_.server, client::Controls::keys);
    if (!front_.dialog->fail(messages.front().text)) return false;
    opponent_.clear();
    return true;
  }
  const auto* const refused = std::get_if<client::Refused>(&event);
  return refused && refused->request && front_.dialog->refuse(*refused->request, refused->error);
}

void Visit::add(client::Message message) {
  front_.notice.clear();
  if (message.kind == client::Message::Kind::refused) front_.notice = message.text;
  log_.add(std::move(message));
}

void Visit::enter_or_leave_room() {
  const Room* const room = session_.room();
  if (table_.is_entered == (room != nullptr)) return;
  table_ = {};
  table_.is_entered = room != nullptr;
  lobby_.selected() = 0;
  // A line that is being typed stays; chat needs the room.
  typing_.change_room();
  log_.scroll_to_end();
  front_.dialog.close();
  games_ = {};
  if (!room) return;
  replay_.reset();
  table_.pane.start(room->board);
}

void Visit::ring() {
  const Alert alert = front_.options.alert;
  if (alert == Alert::bell || alert == Alert::bell_and_title) front_.wishes.bell = true;
}

// Rings if an event of the server has made it the player's turn.
void Visit::watch_turn() {
  const Room* const room = session_.room();
  const bool mine = plays() && room->is_me(room->turn);
  if (std::exchange(table_.is_my_turn, mine) || !mine) return;
  ring();
  if (const auto last = room->board.last()) table_.pane.show(*last, room->board);
}

std::optional<Time> Visit::next_deadline() const {
  std::optional<Time> next = replay_ ? replay_->next_step() : std::nullopt;
  const auto include = [&](const std::optional<Time>& at) {
    if (at) next = next ? std::min(*next, *at) : *at;
  };
  include(capital_.due());
  include(client::next_second(session_, now_));
  return next;
}

// The list of players is new.
void Visit::show_players() {
  if (front_.dialog) return;
  const auto mute_player = [this](const client::Mute& wanted) { mute(wanted); };
  front_.dialog.open<Menu>(
      session_.now(),
      player_menu(session_, [=, this](const client::ListedPlayer& player, Time now) {
        front_.dialog.open<Menu>(now, person_menu(session_, player, mute_player));
      }));
}

void Visit::show_members() {
  std::istringstream lines(client::members_text(*session_.members()));
  for (std::string line; std::getline(lines, line);) note(line);
}

void Visit::show_replay(const v1::GameRecord& game) {
  if (const std::string fault = client::Replay(game).fault(); !fault.empty()) {
    return add({client::Message::Kind::refused, client::unreadable_game_text(fault)});
  }
  replay_.emplace(game);
}

void Visit::ask_about(const client::InvitationCame& invitation) {
  ring();
  // A game is not interrupted, and neither is a line that is being typed.
  if (session_.room() || front_.dialog || typing_.entry() != Entry::none) return;
  const auto mute_player = [this](const client::Mute& wanted) { mute(wanted); };
  front_.dialog.open<Menu>(session_.now(), invitation_menu(session_, invitation, mute_player));
}

void Visit::ask_for_account(const client::Welcomed& event) {
  if (!session_.needs_account_password(event.welcome)) return;
  const std::string name = client::sanitized(session_.wanted_name());
  front_.dialog.open<PasswordBox>(
      session_.now(),
      PasswordBox::Words{client::account_password_wanted_text(name), "Log in", "Not mine"}, false,
      [this](const std::string& password, Time) { front_.wishes.account_password = password; });
}

void Visit::mute(const client::Mute& mute) {
  note(client::carry_out_mute(session_, mute));
}

// How others join ---------------------------------------------------------------------------------

// At the first welcome, and whenever the person wants to see it: the server's router may have
// opened a port since.
void Visit::find_invitation() {
  if (session_.is_local() || !find_) return;
  invitation_.search = find_([this](const client::Invitation& found) {
    invitation_.known = found;
    JoinBox* const box = front_.dialog.as<JoinBox>();
    if (box && !found.ways.empty()) box->update(invitation_here());
  });
}

void Visit::show_invitation(Time now) {
  find_invitation();
  if (session_.is_local()) {
    front_.notice = prompts::nobody_joins;
  } else if (invitation_.known) {
    open_invitation(now);
  } else {
    invitation_.is_awaited = true;
    front_.notice = client::asking_the_server;
  }
}

void Visit::open_invitation(Time now) {
  invitation_.is_awaited = false;
  front_.notice.clear();
  if (invitation_.known->ways.empty()) {
    front_.notice = prompts::no_way_for_others;
  } else {
    front_.dialog.open<JoinBox>(now, invitation_here(), front_.options.ascii);
  }
}

// The invitation, with links into the player's room if there is one.
client::Invitation Visit::invitation_here() const {
  client::Invitation here = *invitation_.known;
  const Room* const room = session_.room();
  if (!room) return here;
  for (auto& way : here.ways) way.link = client::room_link(way.link, room->wire_name);
  return here;
}

// Input -------------------------------------------------------------------------------------------

bool Visit::ignores_input(Time now) {
  return !front_.dialog && typing_.entry() == Entry::none && ended_game_.ignores(now);
}

bool Visit::ignores(const Key& key, Time now) {
  const bool harmless = key.name != Name::letter && key.name != Name::enter;
  if (harmless || key == letter_key(U'?') || key == letter_key(U':')) return false;
  return ignores_input(now);
}

bool Visit::continue_capital(const Key& key, Time now) {
  if (!session_.room() || !letters_are_moves(*session_.room())) return capital_.clear(), false;
  const CapitalKey::Next next = capital_.next(key, front_.dialog.as<Question>() != nullptr, now);
  using Kind = CapitalKey::Next::Kind;
  if (next.kind == Kind::nothing) return false;
  front_.notice.clear();
  if (next.kind == Kind::cancelled) return true;
  if (next.kind == Kind::command) {
    press_command(next.letter, now);
    return key.name == Name::enter;
  }
  front_.dialog.close();
  typing_.begin(Entry::move);
  typing_.line().press(letter_key(next.letter));
  typing_.line().press(key);
  return true;
}

void Visit::paste(std::string_view text) {
  if (typing_.entry() == Entry::none) typing_.begin(Entry::move);
  typing_.line().paste(text);
}

bool Visit::point_at(Point place) {
  if (stage() != Stage::room || typing_.entry() == Entry::chat) return false;
  const auto cell = table_.pane.cell_at(place, session_.room()->board);
  if (!cell) return false;
  typing_.drop();
  table_.pane.go_to(*cell, session_.room()->board);
  return true;
}

bool Visit::scroll(int rows) {
  if (stage() == Stage::room) return table_.pane.scroll(rows, session_.room()->board), true;
  if (stage() == Stage::replay) return replay_->scroll(rows), true;
  return false;
}

bool Visit::select(std::size_t index) {
  std::size_t& selected = stage() == Stage::games ? games_.selected : lobby_.selected();
  return std::exchange(selected, index) == index;
}

void Visit::press(const Key& key, Time now) {
  invitation_.is_awaited = false;
  if (typing_.entry() != Entry::none) return press_entry(key, now);
  const bool begins = stage() == Stage::room && letters_are_moves(*session_.room());
  if (key.name == Name::letter && key.letter > 0x7F && !begins) {
    std::string letter;
    unicode::append_utf8(letter, key.letter);
    front_.notice = client::foreign_letter_text(letter);
    if (!front_.notice.empty()) front_.notice.append(".");
    return;
  }
  switch (stage()) {
    case Stage::lobby:
      return press_lobby(key, now);
    case Stage::games:
      return press_games(key, now);
    case Stage::room:
      return press_room(key, now);
    case Stage::replay:
      return press_replay(key, now);
  }
}

bool Visit::scroll_log(const Key& key) {
  if (key.name != Name::page_up && key.name != Name::page_down) return false;
  log_.scroll(key.name == Name::page_up);
  return true;
}

// Keys that mean the same in a room and in the lobby; false for others.
bool Visit::press_anywhere(char32_t letter, Time now) {
  switch (letter) {
    case U'U': {
      v1::ClientMessage request;
      request.mutable_list_players();
      return carry_out(request, now), true;
    }
    case U'C':
      return typing_.begin(Entry::chat), true;
    case U'I':
      return show_invitation(now), true;
    case U'Q':
      return quit(now), true;
    case U':':
      return typing_.begin(Entry::move), true;
    case U'?':
      return front_.dialog.open<HelpBox>(now), true;
    default:
      return false;
  }
}

void Visit::press_lobby(const Key& key, Time now) {
  if (!lobby_.cut() && scroll_log(key)) return;
  if (move_selection(lobby_.selected(), key, lobby_.rooms().size())) return;
  if (key.name == Name::enter) return join_selected(false, now);
  if (key.name == Name::escape) table_.is_covered = false;
  if (key.name == Name::tab) return typing_.begin(Entry::chat);
  if (key.name != Name::letter || press_anywhere(upper(key.letter), now)) return;
  switch (upper(key.letter)) {
    case U'P':
      return session_.play(now);
    case U'N':
      return open_room_form(now);
    case U'W':
      return join_selected(true, now);
    case U'G':
      return show_games({}, now);
    case U'S':
      return front_.options.choose ? leave_for_another(now) : void();
    default:
      return;
  }
}

// Keys that mean the same in the list of games and in a replay; false for others.
bool Visit::press_viewer(const Key& key, Time now) {
  const bool known = key == letter_key(U'?') || key == letter_key(U':') || is_key(key, U'Q');
  return known && press_anywhere(upper(key.letter), now);
}

void Visit::press_games(const Key& key, Time now) {
  const std::size_t count = session_.games() ? session_.games()->size() : 0;
  if (move_selection(games_.selected, key, count)) {
    if (games_.selected + 1 >= count) session_.more_games(now);
    return;
  }
  if (key.name == Name::enter && games_.selected < count) {
    return session_.get_game((*session_.games())[games_.selected].id, now);
  }
  if (!press_viewer(key, now) && key.name == Name::escape) games_ = {};
}

void Visit::press_replay(const Key& key, Time now) {
  if (press_viewer(key, now)) return;
  if (is_key(key, U'R')) return begin_room();
  if (!replay_->press(key, now) && key.name == Name::escape) replay_.reset();
}

void Visit::press_room(const Key& key, Time now) {
  const Room& room = *session_.room();
  BoardPane& pane = table_.pane;
  const bool typing = letters_are_moves(room);
  if (!pane.cut() && scroll_log(key)) return;
  if (pane.press(key, room.board)) return;
  if (key.name == Name::enter || key == letter_key(U' ')) return session_.place(pane.cursor(), now);
  if (key.name == Name::tab || key == letter_key(U'\'')) return typing_.begin(Entry::chat);
  if (key == letter_key(U'.')) return show_last_move();
  if (key.name != Name::letter) return;
  if (typing && begins_move(key)) {
    typing_.begin(Entry::move);
    typing_.line().press(key);
    return;
  }
  if (typing && key.letter >= U'A' && key.letter <= U'Z') return press_capital(key.letter, now);
  press_command(upper(key.letter), now);
}

void Visit::press_capital(char32_t letter, Time now) {
  const Board& board = session_.room()->board;
  if (letter - U'A' >= board.cols()) return press_command(letter, now);
  const bool waits = !is_among(opening_commands, letter);
  capital_.press(letter, waits, now);
  if (!waits) return press_command(letter, now);
  front_.notice = prompts::capital_text(static_cast<char>(letter), board.rows());
}

void Visit::press_command(char32_t letter, Time now) {
  if (press_anywhere(letter, now)) return;
  const Room& room = *session_.room();
  switch (letter) {
    case U'H':
      return session_.ask<&v1::ClientMessage::mutable_hint>(now);
    case U'T':
      return session_.ask<&v1::ClientMessage::mutable_ask_takeback>(now);
    case U'D':
      return session_.ask<&v1::ClientMessage::mutable_offer_draw>(now);
    case U'N':
      return session_.ask<&v1::ClientMessage::mutable_decline>(now);
    case U'R':
      return room.phase == Phase::playing ? resign(now)
                                          : session_.ask<&v1::ClientMessage::mutable_rematch>(now);
    case U'A':
      return front_.dialog.open<Menu>(
          now, ai_menu(session_, levels_of(session_), [this](Menu::Content menu, Time then) {
            front_.dialog.open<Menu>(then, std::move(menu));
          }));
    case U'J':
      return session_.request(client::join_room(room.wire_name), now);
    case U'L':
      return leave_room(now);
    default:
      return;
  }
}

void Visit::press_entry(const Key& key, Time now) {
  if (key.name == Name::enter) return finish_entry(now);
  if (scroll_log(key)) return;
  LineEditor& line = typing_.line();
  const bool rubbed_out = key.name == Name::backspace && line.empty();
  if (key.name == Name::escape || rubbed_out) {
    typing_.drop();
  } else {
    line.press(key);
    for (const std::string& choice : line.choices()) front_.notice.append(choice);
  }
}

void Visit::finish_entry(Time now) {
  const Entry entry = typing_.entry();
  const std::string text = typing_.take();
  if (text.empty()) return;
  if (entry == Entry::chat) return session_.chat(text, now);
  // A letter alone is no cell, so it means its key.
  const char32_t letter = text.size() == 1 ? upper(static_cast<unsigned char>(text[0])) : 0;
  if (stage() == Stage::room && is_among(commands_of_room, letter)) {
    return press_command(letter, now);
  }
  const client::Command command = client::parse_command(text);
  if (std::holds_alternative<client::ShowHelp>(command)) return front_.dialog.open<HelpBox>(now);
  if (std::holds_alternative<client::Quit>(command)) return quit(now);
  if (const auto* const board = std::get_if<client::ShowBoard>(&command)) {
    return show_board(board->around);
  }
  if (const auto* const place = std::get_if<client::PlaceMark>(&command)) {
    if (session_.room()) show_board(place->cell);  // the cursor goes to the move
  }
  if (const auto* const request = std::get_if<v1::ClientMessage>(&command)) {
    if (request->has_resign()) return resign(now);
    if (request->has_leave_room()) return leave_room(now);
    if (request->has_list_games()) return show_games(request->list_games().player(), now);
    if (request->has_list_rooms()) show_rooms();
  }
  carry_out(command, now);
}

// Actions -----------------------------------------------------------------------------------------

void Visit::carry_out(const client::Command& command, Time now) {
  if (session_.ending()) return;
  if (const auto* const mistake = std::get_if<client::Mistake>(&command)) {
    add({client::Message::Kind::refused, mistake->text});
  } else if (const auto* const place = std::get_if<client::PlaceMark>(&command)) {
    session_.place(place->cell, now);
  } else if (std::holds_alternative<client::Quit>(command)) {
    session_.leave(now);
  } else if (const auto* const muted = std::get_if<client::Mute>(&command)) {
    mute(*muted);
  } else if (std::holds_alternative<client::ShowInvitation>(command)) {
    show_invitation(now);
  } else if (const auto* const request = std::get_if<v1::ClientMessage>(&command)) {
    session_.request(*request, now);
  }
}

// Whether leaving gives up a seat, or the promise of one.
bool Visit::has_something_to_lose() const {
  const Room* const room = session_.room();
  return room && (room->my_seat != client::Mark::none || room->waits_for_seat);
}

void Visit::ask_before(std::string_view what, v1::ClientMessage request, Time now) {
  front_.dialog.open<Question>(now, what, [this, request](Time then) {
    if (request.has_leave_room()) ended_game_.expect_leaving();
    session_.request(request, then);
  });
}

void Visit::resign(Time now) {
  v1::ClientMessage request;
  request.mutable_resign();
  if (!plays()) return session_.request(std::move(request), now);
  ask_before(prompts::resign, std::move(request), now);
}

void Visit::leave_room(Time now) {
  v1::ClientMessage request;
  request.mutable_leave_room();
  if (!has_something_to_lose()) return session_.request(std::move(request), now);
  const bool seated = session_.room()->my_seat != client::Mark::none;
  std::string_view what = seated ? prompts::leave_without_game : prompts::leave_the_queue;
  if (plays()) what = session_.is_local() ? prompts::end_local_game : prompts::leave_room;
  ask_before(what, std::move(request), now);
}

void Visit::join_selected(bool watch, Time now) {
  const client::ListedRoom* const room = lobby_.selected_room();
  if (room == nullptr) return lobby_.rooms().empty() ? session_.play(now) : void();
  const bool watches = watch || !room->has_open_seat();
  v1::ClientMessage request =
      watches ? client::watch_room(room->wire_name) : client::join_room(room->wire_name);
  if (!room->needs_password) return session_.request(std::move(request), now);
  front_.dialog.open<PasswordBox>(
      now, PasswordBox::Words{client::password_wanted_text(room->name), "Enter", "Back"}, true,
      [this, request](const std::string& password, Time then) {
        v1::ClientMessage with = request;
        if (with.has_join_room()) {
          with.mutable_join_room()->set_password(password);
        } else {
          with.mutable_watch_room()->set_password(password);
        }
        session_.request(std::move(with), then);
      });
}

void Visit::open_room_form(Time now) {
  front_.dialog.open<RoomForm>(now, session_.me(), session_.limits(), levels_of(session_),
                               [this](const auto& request, const std::string& opponent, Time then) {
                                 opponent_ = opponent;
                                 is_for_next_room_ = session_.room() != nullptr;
                                 session_.request(request, then);
                               });
}

void Visit::open_quit_menu(Time now) {
  front_.dialog.open<QuitMenu>(
      now, session_, front_.options.hosting, [this](Time then) { hang_up(then); },
      [this](Time then) { session_.leave(then); });
}

void Visit::show_games(const std::string& player, Time now) {
  if (session_.link() == Session::Link::up) {
    games_ = {true, client::sanitized(player), 0};
    replay_.reset();
  }
  session_.list_games(player, now);  // says so if there is no connection
}

void Visit::show_rooms() {
  table_.is_covered = session_.room() != nullptr;
  games_ = {};
  replay_.reset();
  lobby_.selected() = 0;
}

void Visit::show_board(const std::optional<Cell>& around) {
  if (!session_.room()) {
    front_.notice = client::no_room_text(client::Controls::keys);
    return;
  }
  games_ = {};
  table_.is_covered = false;
  replay_.reset();
  if (around) table_.pane.go_to(*around, session_.room()->board);
}

// And back to the hint, if there is one.
void Visit::show_last_move() {
  const Room& room = *session_.room();
  const std::optional<Cell> last = room.board.last();
  const auto* const hint = session_.hint();
  const bool there = last && table_.pane.cursor() == *last;
  if (hint && (there || !last)) return table_.pane.go_to(hint->cell, room.board);
  if (last) table_.pane.go_to(*last, room.board);
}

// The command shows what it does, and its name can be changed before Enter.
void Visit::begin_room() {
  const std::string name = default_room_name(session_.me(), session_.limits());
  typing_.begin(Entry::move, "create " + client::quoted_word(name) + " from " +
                                 std::to_string(replay_->game().id()) + " after " +
                                 std::to_string(replay_->played()));
}

// Painting ----------------------------------------------------------------------------------------

std::string Visit::title() const {
  const Alert alert = front_.options.alert;
  const bool in_title = alert == Alert::title || alert == Alert::bell_and_title;
  const Room* const room = session_.room();
  if (!room) return {};
  return (in_title && table_.is_my_turn ? "(!) your turn: " : "") + room->name;
}

void Visit::draw(const Canvas& canvas, Scene& scene, Time now) {
  const std::string server = server_name();
  const std::string invitation = invitation_.known ? invitation_.known->in_short : std::string();
  switch (stage()) {
    case Stage::lobby:
      draw_lobby(
          canvas,
          {session_, server, lobby_, log_, front_.notice, invitation, typing_.is_active(), now},
          scene);
      break;
    case Stage::room:
      draw_room(canvas,
                {session_, server, *session_.room(), table_.pane, log_, typing_, front_.notice,
                 invitation, now},
                scene);
      break;
    case Stage::games:
      draw_games(canvas, {session_, server, games_.player, games_.selected, front_.notice, now},
                 scene);
      break;
    case Stage::replay:
      replay_->draw(canvas, scene);
      if (!front_.notice.empty()) draw_notice(canvas, front_.notice);
      break;
  }
  if (!typing_.is_active() || stage() == Stage::room) return;
  const bool chats = typing_.entry() == Entry::chat;
  draw_command_line(canvas, chats ? prompts::say_in_lobby : std::string_view("Command: "),
                    typing_.line(), front_.notice, scene);
}

}  // namespace tictactoe::screen
