// The server's half of the conversation: frames in, text for the person out.
#include <algorithm>
#include <utility>

#include "client/model/sanitized.hpp"
#include "client/session/conversation.hpp"
#include "client/session/resend.hpp"
#include "client/text/game_table.hpp"
#include "client/text/narration.hpp"
#include "client/text/replay.hpp"

namespace tictactoe::client {
namespace {

bool enters_room(const v1::ClientMessage& message) {
  return message.has_create_room() || message.has_join_room() || message.has_watch_room() ||
         message.has_play();
}

std::string password_of(const v1::ClientMessage& message) {
  if (message.has_create_room()) return message.create_room().password();
  if (message.has_join_room()) return message.join_room().password();
  return message.watch_room().password();
}

}  // namespace

void Conversation::received(std::size_t count, Time now) {
  now_ = now;
  if (count > 0) heartbeat_.received();
  // A large room may come over a slow line.
  if (link_ == Link::catching_up) answer_by_ = now_ + welcome_timeout;
  reader_.commit(count);
  // What comes behind the message that ended a connection is of no interest.
  while (wants_connection()) {
    const wire::NextFrame next = reader_.next();
    if (next.state == wire::NextFrame::State::need_more) break;
    if (next.state == wire::NextFrame::State::fault) {
      return end_with_nonsense("bytes that are no frame");
    }
    on_frame(next.body);
    settle_if_caught_up();
  }
  pump();
}

void Conversation::end_with_nonsense(std::string_view what) {
  end(1, "The server " + options_.server + " sent " + std::string(what) + "." +
             (limits_ ? "" : " Is it a tic-tac-toe server?"));
}

void Conversation::on_frame(std::string_view body) {
  v1::ServerMessage message;
  if (!message.ParseFromArray(body.data(), static_cast<int>(body.size()))) {
    return end_with_nonsense("a message that can't be read");
  }
  if (link_ == Link::greeting) {
    on_hello_answer(message);
  } else {
    on_message(message);
  }
}

void Conversation::on_message(const v1::ServerMessage& message) {
  const std::optional<v1::ClientMessage> asked = take_pending(message.request_id());
  switch (message.event_case()) {
    case v1::ServerMessage::kError:
      return on_error(message.error(), asked);
    case v1::ServerMessage::kRoomList:
      return on_room_list(message.room_list());
    case v1::ServerMessage::kSnapshot:
      return on_snapshot(message.snapshot(), asked);
    case v1::ServerMessage::kUpdate:
      return on_update(message.update());
    case v1::ServerMessage::kLeft:
      return on_left();
    case v1::ServerMessage::kHinted:
      return on_hinted(message.hinted());
    case v1::ServerMessage::kNotice:
      return on_notice(message.notice());
    case v1::ServerMessage::kGameList:
      return on_game_list(message.game_list());
    case v1::ServerMessage::kGameFound:
      return on_game_found(message.game_found().game());
    case v1::ServerMessage::kWelcome:
    case v1::ServerMessage::kPong:
    case v1::ServerMessage::kLobbyUpdate:  // this program doesn't ask for these three
    case v1::ServerMessage::kPlayerList:
    case v1::ServerMessage::kMemberList:
    case v1::ServerMessage::EVENT_NOT_SET:  // an event that came after this program
      break;
  }
}

void Conversation::on_error(const v1::Error& error, const std::optional<v1::ClientMessage>& asked) {
  if (leaving_) return end(0, {});
  if (error.closing() || error.code() == v1::Error::CODE_SERVER_STOPPING) {
    return on_closing_error(error);
  }
  const bool later =
      error.code() == v1::Error::CODE_RATE_LIMITED || error.code() == v1::Error::CODE_CANNOT_RECORD;
  if (asked && later && must_retry(*asked)) {
    retries_.push_back(*asked);
    retries_at_ = now_ + retry_delay(error);
    return;
  }
  // A sign of life was all that it was to be, and it was one.
  if (asked && asked->has_ping()) return;
  if (asked && asked->has_list_rooms()) listing_.reset();
  // Only a room can be asked for its snapshot: the server says there is none.
  if (asked && asked->has_get_snapshot()) forget_room();
  if (asked && asked->has_watch_room() && link_ == Link::catching_up && room_) {
    say("You no longer watch the room \"" + room_->name + "\": " + error_text(error));
    return forget_room();
  }
  say("Refused: " + error_text(error), Event::Kind::refused);
  if (error.code() == v1::Error::CODE_STALE_MOVE && error.has_state()) {
    on_snapshot(error.state(), std::nullopt);
  }
}

void Conversation::on_closing_error(const v1::Error& error) {
  switch (error.code()) {
    case v1::Error::CODE_SERVER_STOPPING:
    case v1::Error::CODE_SILENT:
      return lose(closing_text(options_.server, error));
    case v1::Error::CODE_REPLACED:
      return end(1, "Another program has come back as " + me_ + " and plays on there.");
    default:
      return end(1, closing_text(options_.server, error));
  }
}

void Conversation::on_room_list(const v1::RoomList& list) {
  if (!listing_) return;
  for (const v1::RoomInfo& info : list.rooms()) {
    if (listing_->size() < max_listed_rooms) listing_->push_back(read_room_info(info));
  }
  const std::string after = list.rooms().empty() ? "" : list.rooms().rbegin()->name();
  // A name that no server would take is no name to go on from.
  const bool ask_on = list.more() && !after.empty() && after.size() <= max_line_bytes &&
                      listing_->size() < max_listed_rooms && ++list_pages_ < max_list_pages;
  if (ask_on) {
    v1::ClientMessage message;
    message.mutable_list_rooms()->set_after(after);
    return request(std::move(message));
  }
  if (options_.screen) {
    rooms_ = std::move(*listing_);
  } else {
    text_.append(draw_room_table(std::move(*listing_), !list.more()));
  }
  listing_.reset();
}

void Conversation::on_snapshot(const v1::RoomSnapshot& snapshot,
                               const std::optional<v1::ClientMessage>& asked) {
  RoomRead read = read_snapshot(snapshot);
  if (!read.room) {
    return end_with_nonsense("a room that can't be shown: " + read.fault);
  }
  const bool entered = asked && enters_room(*asked);
  if (entered) password_ = password_of(*asked);
  const bool known =
      room_ && room_->wire_name == read.room->wire_name && (!entered || link_ == Link::catching_up);
  const std::deque<ChatLine> chat_before = known ? std::move(room_->chat) : std::deque<ChatLine>();
  room_ = std::move(read.room);
  clocks_told_ = now_;
  resyncing_ = false;
  by_snapshot_ = true;
  missed_nothing_ = missed_board_ = false;
  if (leaving_) return;
  if (asked && asked->has_move()) say("That move was played already.");
  if (known) {
    say("The room as it is now:");
    if (!options_.screen) say(seats_text(*room_));
  } else if (options_.screen) {
    say(room_->my_seat == Mark::none
            ? "You watch the room \"" + room_->name + "\"."
            : "You play " + mark_name(room_->my_seat) + " in the room \"" + room_->name + "\".");
  } else {
    text_.append(arrival_text(*room_, me_));
  }
  show_new_chat(chat_before, known ? "Said meanwhile:" : "Said here before:");
  if (!options_.screen) say(standing());
  if (const std::string offers = offers_text(*room_); !offers.empty()) say(offers);
  show_board();
}

// Tells what was said that is not in `known`: before one came, or while one was away.
void Conversation::show_new_chat(const std::deque<ChatLine>& known, std::string_view heading) {
  const auto begin = static_cast<std::ptrdiff_t>(lines_known(known, room_->chat));
  if (begin == std::ssize(room_->chat)) return;
  say(heading);
  for (auto line = room_->chat.begin() + begin; line != room_->chat.end(); ++line) {
    say((options_.screen ? "" : "  ") + chat_text(*line), Event::Kind::chat);
    const auto asked = std::find_if(lost_.begin(), lost_.end(), [&](const LostRequest& lost) {
      return said_by(*line, lost.request, me_);
    });
    if (asked != lost_.end()) lost_.erase(asked);
  }
}

void Conversation::on_update(const v1::RoomUpdate& update) {
  // What comes before the snapshot that was asked for is in it.
  if (!room_ || resyncing_ || leaving_) return;
  const Mark seat_before = room_->my_seat;
  const Phase phase_before = room_->phase;
  switch (apply_update(*room_, update, me_)) {
    case Applied::old:
      return;
    case Applied::gap:
    case Applied::nonsense:
      return resync();
    case Applied::yes:
      break;
  }
  resyncs_ = 0;
  if (update.has_clocks()) clocks_told_ = now_;
  const auto asked = std::find_if(lost_.begin(), lost_.end(), [&](const LostRequest& lost) {
    return brought_about(update, lost.request, *room_, me_);
  });
  if (asked != lost_.end()) lost_.erase(asked);
  tell_update(update, seat_before, phase_before);
}

void Conversation::tell_update(const v1::RoomUpdate& update, Mark seat_before, Phase phase_before) {
  const std::string text = update_text(*room_, update, seat_before);
  const bool board = changes_board(*room_, update);
  const Event::Kind kind = update.has_chat_said() ? Event::Kind::chat : Event::Kind::happened;
  const bool over = room_->phase == Phase::finished;
  // Who won is said once, not again with everyone who leaves.
  const bool standing_changed =
      board || room_->phase != phase_before || (update.has_seat_changed() && !over);
  if (link_ == Link::catching_up) {
    // How things stand, and the board, are shown once all that was missed is here.
    missed_nothing_ = false;
    missed_board_ = missed_board_ || standing_changed;
    if (!text.empty()) say(text, kind);
    return;
  }
  if (options_.screen) {
    say(text, kind);
    // Who won is worth keeping; whose turn it is can be seen.
    if (over && phase_before != Phase::finished && room_->outcome) {
      say(outcome_text(room_->board, *room_->outcome, name_of(room_->x), name_of(room_->o)));
    }
    return;
  }
  if (standing_changed) {
    const std::string_view between = text.empty() ? "" : over ? "\n" : " ";
    say(text + std::string(between) + standing());
  } else if (!text.empty()) {
    say(text, kind);
  }
  if (update.has_score() && over) {
    if (const std::string score = score_text(room_->score); !score.empty()) say(score + ".");
  }
  if (board) show_board();
}

// How things stand, with the clocks where there are some.
std::string Conversation::standing() const {
  std::string status = status_text(*room_);
  if (room_->phase != Phase::playing || !room_->clocks) return status;
  const auto since = std::chrono::duration_cast<milliseconds>(now_ - clocks_told_);
  return status + " Clocks: " + clocks_text(*room_, since) + ".";
}

void Conversation::resync() {
  if (++resyncs_ > max_resyncs) {
    return end_with_nonsense("updates that make no sense");
  }
  resyncing_ = true;
  v1::ClientMessage message;
  message.mutable_get_snapshot();
  request(std::move(message));
}

void Conversation::on_left() {
  if (leaving_) return end(0, {});
  if (!room_) return;
  say("You are no longer in the room \"" + room_->name + "\".");
  forget_room();
}

void Conversation::forget_room() {
  room_.reset();
  hint_.reset();
  resyncing_ = false;
  password_.clear();
}

void Conversation::on_notice(const v1::Notice& notice) {
  std::string text = "The server says: " + sanitized(notice.message(), max_shown_sentence);
  if (notice.kind() == v1::Notice::KIND_DRAINING) {
    text = "The server is about to end: no new games begin";
    if (notice.within_ms() > 0) {
      text.append(", and running ones have " + duration_text(milliseconds(notice.within_ms())));
    }
    text.append(".");
  }
  say(text);
}

void Conversation::on_game_list(const v1::GameList& list) {
  if (options_.screen) {
    if (!games_) games_.emplace();
    for (const v1::GameRecord& game : list.games()) {
      if (games_->size() < max_listed_games) games_->push_back(read_game(game));
    }
    games_go_on_ = list.more() && !list.games().empty() && games_->size() < max_listed_games;
    return;
  }
  std::vector<ListedGame> games;
  for (const v1::GameRecord& game : list.games()) {
    if (games.size() < max_table_rows) games.push_back(read_game(game));
  }
  text_.append(draw_game_table(games));
  if (list.more()) say("There are more: `tictactoe history` lists them all.");
}

void Conversation::on_game_found(const v1::GameRecord& game) {
  Replay replay(game);
  if (!replay.fault().empty()) {
    return say("That game can't be shown: " + replay.fault() + ".", Event::Kind::refused);
  }
  if (options_.screen) {
    found_game_ = game;
    return;
  }
  text_.append(replay.summary());
  const int left_out = game.moves_size() - max_told_moves;
  for (int i = 0; !replay.at_end(); ++i) {
    const std::string move = replay.step();
    if (left_out > 0 && i == left_out)
      say("(`tictactoe replay` shows the moves before these as well.)");
    if (i >= left_out) say(move);
  }
  say(replay.outcome());
  text_.append("\n").append(replay.board_text(options_.look)).append("\n");
}

void Conversation::on_hinted(const v1::Hinted& hinted) {
  if (room_) {
    hint_ = HintedCell{{hinted.cell().row(), hinted.cell().col()},
                       read_mark(hinted.mark()),
                       room_->game,
                       room_->board.count()};
  }
  say("Hint: " + cell_name({hinted.cell().row(), hinted.cell().col()}) +
      " would be a good move for " + mark_name(read_mark(hinted.mark())) + ".");
}

}  // namespace tictactoe::client
