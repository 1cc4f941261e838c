#include "server/host/owner.hpp"

#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/limits/errors.hpp"
#include "server/limits/name_rules.hpp"
#include "server/room/room_journal.hpp"
#include "tictactoe/admin/v1/admin.pb.h"

namespace tictactoe::server {

namespace {

constexpr int players_in_page = 500;
constexpr int rooms_in_page = 250;
constexpr int bans_in_page = 200;
constexpr int watchers_listed = 1'000;
constexpr std::uint64_t max_ban_s = 100ULL * 366 * 86'400;

journal::v1::BanSubject with_normalized_name(journal::v1::BanSubject subject) {
  if (subject.has_player()) subject.set_player(normalized_name(subject.player()));
  return subject;
}

}  // namespace

void Owner::asks(const admin::v1::Request& request) {
  switch (request.command_case()) {
    case admin::v1::Request::kStatus:
      return status();
    case admin::v1::Request::kPlayers:
      return players(request.players());
    case admin::v1::Request::kRooms:
      return rooms(request.rooms());
    case admin::v1::Request::kRoom:
      return room(request.room().name());
    case admin::v1::Request::kKick:
      return kick(request.kick());
    case admin::v1::Request::kSay:
      return say(request.say().text());
    case admin::v1::Request::kCloseRoom:
      return close_room(request.close_room().name());
    case admin::v1::Request::kBan:
      return ban(request.ban());
    case admin::v1::Request::kUnban:
      return unban(request.unban().subject());
    case admin::v1::Request::kBans:
      return bans(request.bans());
    default:
      return fail("This server does not know that command.");
  }
}

void Owner::status() {
  using Status = admin::v1::Status;
  const Population all = tables_.population();
  const Counts& counts = tables_.effects.counts;
  Status& status = *response_.mutable_status();
  status.set_software(tables_.config.software);
  status.set_server_name(tables_.config.server_name);
  status.set_connections(static_cast<std::uint32_t>(all.connections));
  status.set_players(static_cast<std::uint32_t>(all.players));
  status.set_known_players(static_cast<std::uint32_t>(all.known_players));
  status.set_rooms(static_cast<std::uint32_t>(tables_.rooms.size()));
  status.set_running_games(static_cast<std::uint32_t>(all.rooms[v1::PHASE_PLAYING]));
  status.set_moves(counts.moves);
  status.set_finished_games(
      std::accumulate(counts.games.begin(), counts.games.end(), std::uint64_t{0}));
  status.set_draining(tables_.availability.draining);
  if (!tables_.config.keeps_records) {
    status.set_recording(Status::RECORDING_OFF);
  } else if (tables_.availability.journal_health == JournalHealth::good) {
    status.set_recording(Status::RECORDING_GOOD);
  } else {
    status.set_recording(tables_.availability.journal_health == JournalHealth::low_space
                             ? Status::RECORDING_LOW_SPACE
                             : Status::RECORDING_STALLED);
  }
}

void Owner::players(const admin::v1::ListPlayers& request) {
  admin::v1::PlayerPage& page = *response_.mutable_players();
  tables_.players.visit_connected(request.after(), [&](const Player& player) {
    page.set_more(page.players_size() == players_in_page);
    if (page.more()) return false;
    const Peer& peer = *tables_.connections.find(*player.connection);
    admin::v1::PlayerInfo& info = *page.add_players();
    info.set_name(player.name);
    info.set_address(to_text(peer.origin.address));
    if (player.room != nullptr) info.set_room(player.room->name());
    info.set_has_account(!player.account_id.empty());
    info.set_connected_s(
        static_cast<std::uint64_t>((now_ - peer.opened) / std::chrono::seconds(1)));
    return true;
  });
}

void Owner::rooms(const admin::v1::ListRooms& request) {
  admin::v1::RoomPage& page = *response_.mutable_rooms();
  tables_.rooms.visit_after(request.after(), [&](const Room& room) {
    page.set_more(page.rooms_size() == rooms_in_page);
    if (page.more()) return false;
    describe(room, *page.add_rooms());
    return true;
  });
}

void Owner::room(const std::string& name) {
  const Room* room = find_room(name);
  if (room == nullptr) return;
  admin::v1::RoomDetails& details = *response_.mutable_room();
  describe(*room, *details.mutable_summary());
  for (const Player* watcher : room->state().seats.watchers()) {
    if (details.watchers_size() == watchers_listed) break;
    details.add_watchers(watcher->name);
  }
}

void Owner::describe(const Room& room, admin::v1::RoomSummary& summary) const {
  summary.set_serial(room.serial());
  room.output().describe_to(*summary.mutable_info(), now_);
}

const Room* Owner::find_room(const std::string& name) {
  const std::string wanted = normalized_name(name);
  const Room* found = nullptr;
  tables_.rooms.visit_after(0, [&](const Room& room) {
    if (room.name() == wanted) found = &room;
    return found == nullptr;
  });
  if (found == nullptr) fail("There is no room with that name.");
  return found;
}

bool Owner::fail_if_stalled() {
  if (!tables_.availability.cannot_record()) return false;
  fail("The server can't record changes at the moment. Try again later.");
  return true;
}

void Owner::kick(const admin::v1::Kick& request) {
  const Player* player = tables_.players.find_connected(normalized_name(request.name()));
  if (player == nullptr) return fail("No player with that name is connected.");
  std::string reason = "You were kicked";
  if (request.reason().empty()) {
    reason += ".";
  } else {
    const auto given = parse_chat(request.reason(), tables_.config.limits);
    if (!given) return fail("The reason: " + given.error().message);
    reason += ": " + *given;
  }
  if (fail_if_stalled()) return;
  people_.leave_room(*player, {now_, tables_.effects});
  done("Disconnected " + player->name + ".");
  replies_.expel(*player->connection, closing_error(v1::Error::CODE_KICKED, std::move(reason)),
                 now_);
}

void Owner::say(const std::string& said) {
  const auto text = parse_chat(said, tables_.config.limits);
  if (!text) return fail(text.error().message);
  if (tables_.notices.is_full()) return fail("Earlier notices are still being sent. Try again.");
  tables_.notices.send(v1::Notice::KIND_FROM_OWNER, *text, 0, now_, tables_.effects);
  const std::size_t count = tables_.players.connected();
  done("Sent to " + std::to_string(count) + (count == 1 ? " player." : " players."));
}

void Owner::close_room(const std::string& name) {
  const Room* room = find_room(name);
  if (room == nullptr || fail_if_stalled()) return;
  const std::string closed = room->name();
  std::vector<const Player*> members;
  const RequestContext context{now_, tables_.effects};
  tables_.rooms.change(*room, context, [&](Room& changed) {
    members = changed.seating().dismiss(context);
    for (const Player* member : members) people_.note_left(*member);
  });
  Effects& effects = tables_.effects;
  auto& notice = effects.draft<v1::ServerMessage>();
  notice.mutable_notice()->set_kind(v1::Notice::KIND_FROM_OWNER);
  notice.mutable_notice()->set_message("The server's owner has closed the room \"" + closed +
                                       "\".");
  const Body why = effects.encode(notice);
  auto& message = effects.draft<v1::ServerMessage>();
  message.mutable_left();
  const Body left = effects.encode(message);
  for (const Player* member : members) {
    if (!member->connection) continue;
    effects.send(*member->connection, why);
    effects.send(*member->connection, left);
  }
  done("Closed the room " + closed + ".");
}

void Owner::ban(const admin::v1::SetBan& request) {
  journal::v1::Ban ban;
  *ban.mutable_subject() = with_normalized_name(request.subject());
  if (!Bans::is_valid(ban.subject())) return fail("That is neither an address nor a name.");
  if (ban.subject().has_player()) {
    const auto name = parse_name(ban.subject().player(), "name", tables_.config.limits);
    if (!name) return fail("The player: " + name.error().message);
  }
  if (request.for_s() > max_ban_s) return fail("The time is limited to 100 years.");
  if (!request.reason().empty()) {
    auto reason = parse_chat(request.reason(), tables_.config.limits);
    if (!reason) return fail("The reason: " + reason.error().message);
    ban.set_reason(*std::move(reason));
  }
  if (fail_if_stalled()) return;
  ban.set_since_unix_ms(unix_ms(now_, tables_.config));
  if (request.for_s() > 0) ban.set_until_unix_ms(ban.since_unix_ms() + request.for_s() * 1000);
  const auto expelled = banning_.add(ban, now_);
  if (!expelled) {
    return fail("The limit of " + std::to_string(Bans::max) +
                " bans has been reached. Lift one first.");
  }
  std::string sentence = ban.subject().has_player() ? "Banned the player " : "Banned ";
  sentence += to_text(ban.subject());
  sentence += ban.until_unix_ms() != 0 ? " until " + utc(ban.until_unix_ms()) : " permanently";
  sentence += ". Players disconnected: " + std::to_string(*expelled);
  done(sentence + ".");
}

void Owner::unban(journal::v1::BanSubject subject) {
  subject = with_normalized_name(std::move(subject));
  if (fail_if_stalled()) return;
  // A ban covers all names that look alike, so any of them lifts it.
  if (subject.has_player()) {
    const auto* ban = banning_.bans().find(subject.player(), unix_ms(now_, tables_.config));
    if (ban != nullptr) subject = journal::v1::BanSubject(ban->subject());
  }
  if (!banning_.lift(subject, now_)) {
    return fail(to_text(subject) + " is not banned. `ctl bans` lists the bans.");
  }
  done(to_text(subject) + " is no longer banned.");
}

void Owner::bans(const admin::v1::ListBans& request) {
  admin::v1::BanPage& page = *response_.mutable_bans();
  banning_.bans().visit_after(request.after(), unix_ms(now_, tables_.config),
                              [&](const journal::v1::Ban& ban) {
                                page.set_more(page.bans_size() == bans_in_page);
                                if (page.more()) return false;
                                admin::v1::BanInfo& info = *page.add_bans();
                                info.set_who(to_text(ban.subject()));
                                *info.mutable_ban() = ban;
                                return true;
                              });
}

}  // namespace tictactoe::server
