#include "tests/simulation/edge_watch.hpp"

#include <algorithm>

namespace tictactoe::simulation {

void EdgeWatch::request(Link link, const v1::ClientMessage& message) {
  if (message.request_id() != 0) {
    taps_[link].requests[message.request_id()] = message.request_case();
  }
  resumes_ = message.has_hello();
  const Tap& tap = taps_[link];
  using RequestKind = History::RequestKind;
  if (message.has_resign()) {
    history_.requested(tap.room, tap.player, message.resign().game(), RequestKind::resign);
  }
  if (message.has_offer_draw()) {
    history_.requested(tap.room, tap.player, message.offer_draw().game(), RequestKind::draw);
  }
  if (message.has_ask_takeback()) {
    history_.requested(tap.room, tap.player, message.ask_takeback().game(), RequestKind::takeback);
  }
  trace_.note(tap.room, [&] { return std::to_string(link) + " > " + message.ShortDebugString(); });
}

void EdgeWatch::recorded(std::string_view record) {
  ++recorded_;
  require(record_.ParseFromArray(record.data(), static_cast<int>(record.size())), Checker::protocol,
          "a record that can't be read");
  trace_.note(0, [&] { return "record " + record_.ShortDebugString(); });
  using journal::v1::Record;
  switch (record_.record_case()) {
    case Record::kRoom:
      facts_.room = true;
      facts_.serial = record_.room().serial();
      facts_.ply = record_.room().ply();
      seats_.recorded(record_.room());
      break;
    case Record::kRoomClosed:
      seats_.closed(record_.room_closed());
      break;
    case Record::kMove:
      facts_.moves.emplace_back(record_.move().ply(), record_.move().cell());
      break;
    case Record::kMovesUndone:
      facts_.undone = true;
      break;
    case Record::kChat:
      facts_.chat = true;
      break;
    case Record::kGameFinished:
      facts_.game_finished = true;
      break;
    default:
      break;
  }
}

// Output ----------------------------------------------------------------------------------

void EdgeWatch::pushed(Link link, std::size_t bytes, const v1::ServerMessage& message,
                       std::uint64_t request_id, bool waits) {
  Tap& tap = taps_[link];
  tap.on_the_way.push_back(room_of(tap, message, request_id));
  trace_.note(tap.on_the_way.back(), [&] {
    return std::to_string(link) + " < " + std::to_string(request_id) + " " +
           message.ShortDebugString();
  });
  if (message.has_welcome()) tap.rates.set_limits(message.welcome().limits());
  const auto asked = tap.requests.find(request_id);
  if (asked != tap.requests.end() && !message.has_welcome() &&
      message.error().code() != v1::Error::CODE_RATE_LIMITED &&
      message.error().code() != v1::Error::CODE_FLOODING) {
    tap.rates.granted(asked->second, agenda_.now());
  }
  // A frame that does not wait must contain nothing about rooms, players or games.
  require(
      waits || message.has_pong() ||
          (message.has_error() && !message.error().has_state() &&
           (message.error().retry_after_ms() > 0 ||
            message.error().code() == v1::Error::CODE_SERVER_STOPPING)),
      Checker::durability, [&] { return "not held back: " + message.ShortDebugString(); },
      tap.room);
  tap.queue.push_back({bytes, waits ? recorded_ : 0});
  tap.bytes += bytes;
}

void EdgeWatch::check_queue(Link link) {
  const Tap& tap = taps_[link];
  require(
      tap.bytes <= outbox_limit_, Checker::queues,
      [&] {
        return std::to_string(tap.bytes) + " bytes are queued for one peer; the limit is " +
               std::to_string(outbox_limit_);
      },
      tap.room);
}

void EdgeWatch::released(Link link, std::size_t bytes) {
  Tap& tap = taps_[link];
  tap.bytes -= std::min(bytes, tap.bytes);
  while (bytes > 0) {
    require(!tap.queue.empty(), Checker::protocol, "bytes leave that were not queued");
    Frame& frame = tap.queue.front();
    require(
        frame.mark <= durable_, Checker::durability,
        [&] {
          return "a frame leaves that was made after record " + std::to_string(frame.mark) +
                 ", and only " + std::to_string(durable_) + " are durable";
        },
        tap.room);
    const std::size_t part = std::min(bytes, frame.unreleased);
    frame.unreleased -= part;
    bytes -= part;
    if (frame.unreleased == 0) tap.queue.pop_front();
  }
}

void EdgeWatch::closed(Link link) {
  const auto found = taps_.find(link);
  if (found == taps_.end()) return;
  found->second.queue.clear();
  found->second.bytes = 0;
}

void EdgeWatch::died() {
  recorded_ = durable_;
  seats_.died();
  // Rooms that were not recorded are gone, and earlier rooms of the same names are back.
  for (auto& [name, opened] : rooms_) {
    while (!opened.empty() && opened.back().mark > durable_) opened.pop_back();
  }
}

Incarnation EdgeWatch::next_frame(Link link) {
  Tap& tap = taps_[link];
  require(!tap.on_the_way.empty(), Checker::protocol, "a frame arrives that was not sent");
  const Incarnation room = tap.on_the_way.front();
  tap.on_the_way.pop_front();
  return room;
}

// Rooms -------------------------------------------------------------------------------------------

Incarnation EdgeWatch::latest(const std::string& name) const {
  const auto found = rooms_.find(name);
  return found == rooms_.end() || found->second.empty() ? 0 : found->second.back().room;
}

Incarnation EdgeWatch::room_of(Tap& tap, const v1::ServerMessage& message,
                               std::uint64_t request_id) {
  if (message.has_welcome()) {
    const std::string& name = message.welcome().room();
    tap.player = message.welcome().player_name();
    tap.room = latest(name);
  } else if (message.has_snapshot()) {
    tap.room = snapshot_of(tap, message.snapshot(), request_id);
  } else if (message.has_error() && message.error().has_state()) {
    return snapshot_of(tap, message.error().state(), 0);
  } else if (message.has_left()) {
    tap.room = 0;
  } else if (message.has_update()) {
    require(tap.room != 0, Checker::history, "an update for a client that is in no room");
    const std::uint64_t revision = message.update().revision();
    std::uint64_t& announced = announced_[tap.room];
    if (revision > announced) {
      announced = revision;
      check_recorded(message.update(), tap.room);
      // A returning player may get old updates.
      if (resumes_) {
        clocks_.lose_track(tap.room);
      } else if (message.update().has_clocks()) {
        clocks_.observe(tap.room, message.update(), agenda_.now());
      }
    }
  }
  return tap.room;
}

Incarnation EdgeWatch::snapshot_of(Tap& tap, const v1::RoomSnapshot& snapshot,
                                   std::uint64_t request_id) {
  const auto asked = tap.requests.find(request_id);
  const auto request =
      asked == tap.requests.end() ? v1::ClientMessage::REQUEST_NOT_SET : asked->second;
  // A room that `play` creates is empty; a room that it finds is not.
  const bool alone = snapshot.watchers() == 0 && snapshot.your_seat() != v1::MARK_NONE &&
                     (snapshot.x().kind() == v1::Occupant::KIND_OPEN ||
                      snapshot.o().kind() == v1::Occupant::KIND_OPEN);
  const bool created =
      request == v1::ClientMessage::kCreateRoom || (request == v1::ClientMessage::kPlay && alone);
  if (created) {
    rooms_[snapshot.name()].push_back({static_cast<Incarnation>(announced_.size()), recorded_});
    announced_.push_back(0);
    serials_.push_back(facts_.serial);
  }
  const Incarnation room = latest(snapshot.name());
  if (created) clocks_.opened(room);
  require(room != 0, Checker::history,
          [&] { return "a room that was not created: " + snapshot.name(); });
  require(!created || facts_.room, Checker::durability, "a room was created and not recorded",
          room);
  announced_[room] = std::max(announced_[room], snapshot.revision());
  clocks_.observe(room, snapshot, agenda_.now());
  return room;
}

// The record must come before the announcement in the effects of the same call: a later record
// could be lost alone.
void EdgeWatch::check_recorded(const v1::RoomUpdate& update, Incarnation room) const {
  if (resumes_) return;
  const auto demand = [&](bool recorded) {
    require(
        recorded, Checker::durability,
        [&] { return "announced, and not recorded before: " + update.ShortDebugString(); }, room);
  };
  if (update.has_move_played()) {
    demand(std::ranges::any_of(
        facts_.moves, [&](const auto& move) { return move.first == update.move_played().ply(); }));
    if (update.move_played().has_outcome()) demand(facts_.game_finished);
  }
  // A game without a move may have no record.
  if (update.has_game_ended()) {
    demand(facts_.room && (facts_.game_finished || facts_.ply == 0));
  }
  if (update.has_seat_changed() || update.has_game_started() || update.has_rematch_wanted() ||
      update.has_draw_offered() || update.has_takeback_asked() || update.has_declined()) {
    demand(facts_.room);
  }
  if (update.has_taken_back()) demand(facts_.undone);
  if (update.has_chat_said()) demand(facts_.chat);
}

}  // namespace tictactoe::simulation
