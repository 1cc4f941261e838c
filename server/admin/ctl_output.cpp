#include "server/admin/ctl_output.hpp"

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "common/program/wording.hpp"
#include "server/people/bans.hpp"

namespace tictactoe::app {

namespace {

using admin::v1::Response;

std::string padded(std::string text, std::size_t columns) {
  text.resize(std::max(text.size(), columns), ' ');
  return text + "  ";
}

std::string duration(std::uint64_t seconds) {
  if (seconds < 120) return std::to_string(seconds) + " s";
  if (seconds < 7200) return std::to_string(seconds / 60) + " min";
  return std::to_string(seconds / 3600) + " h";
}

void print(std::ostream& out, const admin::v1::Reach& reach) {
  for (const std::string& link : reach.links()) out << "internet:     " << link << '\n';
  for (const auto& opening : reach.openings()) {
    out << "open:         " << opening.address() << " by " << opening.by() << " for "
        << duration(opening.seconds_left()) << ", renewed while the server runs"
        << (opening.is_public() ? "" : "; not reachable from outside") << '\n';
  }
  for (const auto& step : reach.steps()) {
    out << "tried:        " << step.what() << ": " << step.answer() << " (" << step.took_ms()
        << " ms)\n";
  }
  if (!reach.problem().empty()) out << "problem:      " << reach.problem() << '\n';
  for (const std::string& line : reach.help()) out << "to fix it:    " << line << '\n';
  const bool is_empty = reach.links().empty() && reach.steps().empty() && reach.problem().empty();
  if (is_empty) {
    out << "internet:     "
        << (reach.asked() ? "asking the router" : "not open (see --internet and --public-address)")
        << '\n';
  }
}

void print(std::ostream& out, const admin::v1::Status& status) {
  using Status = admin::v1::Status;
  const char* recording = "unknown";
  if (status.recording() == Status::RECORDING_OFF) recording = "off";
  if (status.recording() == Status::RECORDING_GOOD) recording = "good";
  if (status.recording() == Status::RECORDING_LOW_SPACE) {
    recording = "the disk is nearly full: no new games can start";
  }
  if (status.recording() == Status::RECORDING_STALLED) {
    recording = "the journal can't be written: games are paused";
  }
  out << status.server_name() << " (" << status.software() << "), up for "
      << duration(status.uptime_s()) << (status.draining() ? ", stopping" : "") << '\n'
      << "players:      " << status.players() << " here, " << status.known_players() << " known, "
      << status.connections() << " connections\n"
      << "rooms:        " << status.rooms() << ", " << status.running_games()
      << " with a running game\n"
      << "since start:  " << status.moves() << " moves, " << status.finished_games()
      << " finished games\n"
      << "records:      " << recording << '\n';
  if (status.has_reach()) print(out, status.reach());
}

std::string seat(const v1::Occupant& occupant) {
  return occupant.kind() == v1::Occupant::KIND_OPEN ? "(open)" : occupant.name();
}

// As in `create`: "3x3", "15x15x5".
std::string board(const v1::Rules& rules) {
  std::string text = std::to_string(rules.rows()) + "x" + std::to_string(rules.cols());
  const bool is_usual = rules.rows() == rules.cols() && rules.k() == rules.rows();
  if (!is_usual) text += "x" + std::to_string(rules.k());
  return text + (rules.exact() ? " exact" : "");
}

std::string progress(const v1::RoomInfo& info) {
  const char* const phase = info.phase() == v1::PHASE_PLAYING    ? "playing"
                            : info.phase() == v1::PHASE_FINISHED ? "over"
                                                                 : "waiting";
  return std::string(phase) + ", " + program::counted(info.ply(), "move", "moves");
}

/// A line of a table: all but its last cell have a width.
template <std::size_t count>
void print_row(std::ostream& out, const std::array<std::size_t, count>& widths,
               const std::array<std::string, count + 1>& cells) {
  for (std::size_t i = 0; i < count; ++i) out << padded(cells[i], widths[i]);
  out << cells[count] << '\n';
}

constexpr std::array<std::size_t, 4> room_widths{24, 9, 32, 17};
constexpr std::array<std::size_t, 3> player_widths{24, 22, 9};
constexpr std::array<std::size_t, 2> ban_widths{24, 26};

void print(std::ostream& out, const admin::v1::RoomSummary& room) {
  const v1::RoomInfo& info = room.info();
  print_row(out, room_widths,
            {info.name(), board(info.rules()), seat(info.x()) + " - " + seat(info.o()),
             progress(info), program::counted(info.watchers(), "watcher", "watchers")});
}

void print(std::ostream& out, const admin::v1::RoomPage& rooms, bool is_first_page) {
  if (is_first_page && rooms.rooms().empty()) {
    out << "There are no rooms.\n";
  } else if (is_first_page) {
    print_row(out, room_widths, {"ROOM", "BOARD", "X - O", "STATE", "WATCHERS"});
  }
  for (const auto& room : rooms.rooms()) print(out, room);
}

void print(std::ostream& out, const admin::v1::PlayerPage& players, bool is_first_page) {
  if (is_first_page && players.players().empty()) {
    out << "Nobody is connected.\n";
  } else if (is_first_page) {
    print_row(out, player_widths, {"PLAYER", "ADDRESS", "CONNECTED", "ROOM"});
  }
  for (const auto& player : players.players()) {
    print_row(out, player_widths,
              {player.name(), player.address(), duration(player.connected_s()), player.room()});
  }
}

void print(std::ostream& out, const admin::v1::BanPage& bans, bool is_first_page) {
  if (is_first_page && bans.bans().empty()) {
    out << "Nobody is banned.\n";
  } else if (is_first_page) {
    print_row(out, ban_widths, {"BANNED", "UNTIL", "REASON"});
  }
  for (const admin::v1::BanInfo& info : bans.bans()) {
    const journal::v1::Ban& ban = info.ban();
    print_row(out, ban_widths,
              {info.who(),
               ban.until_unix_ms() == 0 ? "permanent" : "until " + server::utc(ban.until_unix_ms()),
               ban.reason()});
  }
}

}  // namespace

void print(std::ostream& out, const Response& response, bool is_first_page) {
  if (response.has_status()) return print(out, response.status());
  if (response.has_reach()) return print(out, response.reach());
  if (response.has_done()) out << response.done().sentence() << '\n';
  if (response.has_players()) return print(out, response.players(), is_first_page);
  if (response.has_bans()) return print(out, response.bans(), is_first_page);
  if (response.has_rooms()) return print(out, response.rooms(), is_first_page);
  if (!response.has_room()) return;
  print(out, response.room().summary());
  for (const std::string& watcher : response.room().watchers()) {
    out << "  watching: " << watcher << '\n';
  }
  const auto listed = static_cast<std::uint32_t>(response.room().watchers_size());
  const std::uint32_t all = response.room().summary().info().watchers();
  if (all > listed) {
    out << "  and " << program::counted(all - listed, "more watcher", "more watchers") << '\n';
  }
}

void print_json(std::ostream& out, const Response& response) {
  google::protobuf::util::JsonPrintOptions format;
  format.always_print_primitive_fields = true;
  format.preserve_proto_field_names = true;
  std::string text;
  static_cast<void>(google::protobuf::util::MessageToJsonString(response, &text, format));
  out << text << '\n';
}

}  // namespace tictactoe::app
