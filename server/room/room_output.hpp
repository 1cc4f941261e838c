// What leaves a room: updates and snapshots for clients, records for the journal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/room/audience.hpp"
#include "server/room/room_state.hpp"

namespace tictactoe::server {

/// Describes a room to clients and the journal. A description costs O(1), a snapshot O(moves), an
/// announcement O(people in the room). Keeps the latest lines of chat for snapshots.
class RoomOutput {
 public:
  /// Whether the room is recorded together with an update.
  enum class Keep : std::uint8_t { nothing, room };

  /// `room` must outlive it.
  explicit RoomOutput(const RoomState& room)
      : room_(room), audience_(room.config.limits.kept_updates, room.settings.revision) {}

  RoomOutput(const RoomOutput&) = delete;
  RoomOutput& operator=(const RoomOutput&) = delete;

  /// The revision of the latest update.
  std::uint64_t revision() const { return audience_.revision(); }
  /// The connected people in the room.
  Audience& audience() { return audience_; }
  const Audience& audience() const { return audience_; }

  /// Sends an update to the audience with the next revision, and adds what every update has. The
  /// copy for the client who asked has the request id.
  void announce(v1::ServerMessage& message, const RequestContext& context, Keep keep);
  /// Records and announces a line of chat.
  void say(const std::string& text, const RequestContext& context);
  /// Answers with a snapshot.
  void send_snapshot(const RequestContext& context) const;
  /// Answers with an error that contains a snapshot.
  void send_snapshot(const Problem& problem, const RequestContext& context) const;
  /// Sends the updates after revision `seen` (0: saw none), or a snapshot if that is shorter or not
  /// all those updates are kept.
  void send_missed(std::uint64_t seen, const RequestContext& context) const;

  /// As shown in lists.
  void describe_to(v1::RoomInfo& info, Time now) const;
  /// Adds RoomInfo.marks if the room shows its board. O(moves), of which there are at most 225.
  void describe_board(v1::RoomInfo& info) const;
  /// For the journal: everything except moves and chat.
  void describe_to(journal::v1::Room& out, Time now) const;

  /// Records what `write(journal::v1::Record&)` writes, if records are kept.
  template <class Write>
  void record(const RequestContext& context, Write write) const {
    if (!room_.config.keeps_records) return;
    auto& record = context.draft_record();
    write(record);
    context.effects.record(record);
  }
  /// Records everything except moves and chat.
  void record_room(const RequestContext& context);
  /// Records the clocks if one runs. Called before the server stops.
  void record_clocks(const RequestContext& context);
  /// Records the moves with which the room began.
  void record_first_moves(const RequestContext& context) const;

  /// Loads the chat of a saved room.
  void load(const journal::v1::SavedRoom& saved);

 private:
  void describe_to(v1::RoomSnapshot& snapshot, const Player* viewer, Time now) const;
  void describe_clocks(Time now, v1::Clocks& out) const;

  const RoomState& room_;
  Audience audience_;
  std::uint64_t recorded_revision_ = room_.settings.revision;
  std::vector<v1::ChatSaid> chat_;  // the latest lines
};

}  // namespace tictactoe::server
