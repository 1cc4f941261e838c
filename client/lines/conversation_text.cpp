// What happens to the session, as text.
#include <algorithm>
#include <chrono>
#include <type_traits>
#include <utility>

#include "client/lines/conversation.hpp"
#include "client/model/replay.hpp"
#include "client/model/sanitized.hpp"
#include "client/words/lists.hpp"
#include "client/words/narration.hpp"
#include "client/words/prompts.hpp"
#include "client/words/replay_text.hpp"
#include "client/words/time.hpp"
#include "common/qr/qr_code.hpp"

namespace tictactoe::client {
void Conversation::on_event(const SessionEvent& event) {
  if (session_.is_leaving()) return;
  std::visit(
      [&](const auto& alternative) {
        using Event = std::decay_t<decltype(alternative)>;
        if constexpr (requires { this->tell(std::declval<const Event&>()); }) {
          tell(alternative);
        } else {
          say_all(messages_of(event, session_, options_.server, Controls::lines));
        }
      },
      event);
}

void Conversation::find_invitation() {
  if (session_.is_local()) return say(prompts::nobody_joins);
  search_ = options_.find_invitation([this](const Invitation& invitation) {
    search_.reset();
    tell(invitation);
  });
}

void Conversation::tell(const Invitation& invitation) {
  if (invitation.ways.empty()) say(prompts::no_way_for_others);
  const Room* const room = session_.room();
  // An address that the person typed may be on any network.
  const bool has_both = std::ranges::any_of(invitation.ways, &Invitation::Way::is_from_anywhere);
  const std::string here =
      has_both ? std::string(prompts::on_this_network) : std::string(prompts::others_join) + ":";
  for (const Invitation::Way& way : invitation.ways) {
    const std::string link = room ? room_link(way.link, room->wire_name) : way.link;
    say(way.is_from_anywhere ? prompts::works_anywhere : here);
    say("  " + way.command);
    say("  " + link);
    const bool coloured = options_.look.colours != Colours::none;
    const auto code = coloured ? qr::QrCode::of(without_key(link)) : std::nullopt;
    if (code) text_.append(qr::to_terminal(*code));
  }
  if (!invitation.ways.empty()) say(prompts::from_a_clone);
}

void Conversation::say_all(const std::vector<Message>& messages, std::string_view before) {
  for (const Message& message : messages) {
    if (message.kind == Message::Kind::refused) {
      refuse(message.text);
      continue;
    }
    say(std::string(message.kind == Message::Kind::chat ? before : "") + message.text);
  }
}

// How the game that is over has ended for the own side, or for X.
void Conversation::note_result() {
  const Room& room = *session_.room();
  if (room.phase != Phase::finished || !room.outcome) return;
  const Mark own = room.played.mine == Mark::none ? Mark::x : room.played.mine;
  const Mark winner = room.outcome->winner;
  result_ = winner == Mark::none ? exit_draw : winner == own ? 0 : exit_lost;
}

void Conversation::show_board(std::optional<Cell> around) {
  text_.append("\n").append(draw_board(*session_.room(), options_.look, around)).append("\n");
}

// How things stand, with the clocks if there are some.
std::string Conversation::standing() const {
  const Room& room = *session_.room();
  std::string status = status_text(room);
  if (room.phase != Phase::playing || !room.clocks) return status;
  const auto since = std::chrono::duration_cast<milliseconds>(std::max(now_, session_.now()) -
                                                              session_.clocks_from());
  return status + " Clocks: " + clocks_text(room, since) + ".";
}

void Conversation::tell(const Welcomed& event) {
  if (options_.asks_account && session_.needs_account_password(event.welcome)) {
    wants_account_password_ = true;
    return say(account_password_wanted_text(sanitized(session_.wanted_name())));
  }
  say_all(messages_of(event, session_, options_.server, Controls::lines));
  const bool seated = event.welcome.resumed() && !event.welcome.room().empty();
  if (!options_.script && !seated) say("Type `play` to start, or `help`.");
}

void Conversation::tell(const CaughtUp& event) {
  if (!event.changed) return say(std::string(missed_nothing) + " " + standing());
  say(standing());
  show_board();
}

void Conversation::tell(const RoomShown& event) {
  const Room& room = *session_.room();
  // The game went on while the connection was lost.
  if (event.known) note_result();
  if (event.repeated_move) say(move_was_played);
  if (event.known) {
    say(room_now);
    say(seats_text(room));
  } else {
    text_.append(arrival_text(room, session_.me()));
  }
  say_all(chat_messages(room, event), "  ");
  say(standing());
  if (const std::string offers = offers_text(room, Controls::lines); !offers.empty()) say(offers);
  show_board();
}

void Conversation::tell(const RoomChanged& event) {
  const Room& room = *session_.room();
  if (event.phase_before != Phase::finished) note_result();
  const std::string text = update_text(room, event.update, event.seat_before, Controls::lines);
  const bool changed = changes_standing(room, event.update, event.phase_before);
  // How things stand, and the board, are shown once all that was missed has come.
  if (event.catching_up || !changed) {
    if (!text.empty()) say(text);
    if (event.catching_up) return;
  }
  const bool over = room.phase == Phase::finished;
  if (changed) {
    const std::string_view between = text.empty() ? "" : over ? "\n" : " ";
    say(text + std::string(between) + standing());
  }
  if (event.update.has_score() && over) {
    if (const std::string score = score_text(room.score); !score.empty()) say(score + ".");
  }
  if (changes_board(room, event.update)) show_board();
}

void Conversation::tell(const RoomsListed& event) {
  text_.append(draw_room_table(*session_.rooms(), event.complete));
}

void Conversation::tell(const PlayersListed& event) {
  text_.append(draw_player_table(*session_.players(), session_, event.complete));
}

void Conversation::tell(const MembersListed& /*event*/) {
  text_.append(members_text(*session_.members()));
}

void Conversation::tell(const GamesListed& /*event*/) {
  std::vector<ListedGame> games = *session_.games();
  if (games.size() > max_table_rows) games.resize(max_table_rows);
  text_.append(draw_game_table(games));
  if (session_.has_more_games()) say("There are more: `tictactoe history` lists them all.");
}

void Conversation::tell(const GameFound& event) {
  Replay replay(event.game);
  if (!replay.fault().empty()) return refuse(unreadable_game_text(replay.fault()));
  text_.append(summary_text(replay));
  const int left_out = event.game.moves_size() - max_told_moves;
  for (int i = 0; !replay.at_end(); ++i) {
    replay.step();
    if (left_out > 0 && i == left_out) {
      say("(`tictactoe replay` also shows the earlier moves.)");
    }
    if (i >= left_out) say(move_text(replay));
  }
  say(outcome_text(replay));
  text_.append("\n").append(draw_board(replay.room(), options_.look)).append("\n");
}

void Conversation::tell(const RetryScheduled& event) {
  say(retry_text(event, session_, options_.server));
}

}  // namespace tictactoe::client
