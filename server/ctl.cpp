#include "server/ctl.hpp"

#include <google/protobuf/util/json_util.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <charconv>
#include <chrono>
#include <iostream>
#include <string_view>
#include <thread>
#include <utility>

#include "common/program/help.hpp"
#include "common/wire/frame.hpp"
#include "server/admin/control_socket.hpp"
#include "server/logging.hpp"
#include "server/store/backup.hpp"

namespace tictactoe {

namespace {

namespace asio = boost::asio;
using admin::v1::Request;
using admin::v1::Response;
using boost::system::error_code;
using local = asio::local::stream_protocol;

constexpr std::size_t any_number = 1000;
constexpr std::uint32_t longest_drain_s = 86'400;

struct Action {
  const char* name;
  std::size_t fewest;  // arguments
  std::size_t most;
};

constexpr std::array actions{Action{"status", 0, 0},        Action{"players", 0, 0},
                             Action{"rooms", 0, 0},         Action{"room", 1, 1},
                             Action{"kick", 1, any_number}, Action{"say", 1, any_number},
                             Action{"close-room", 1, 1},    Action{"drain", 0, 1},
                             Action{"backup", 1, 1},        Action{"restore", 1, 1}};

// The words of a sentence that was not quoted.
std::string joined(std::vector<std::string>::const_iterator begin,
                   std::vector<std::string>::const_iterator end) {
  std::string text;
  for (; begin != end; ++begin) text += (text.empty() ? "" : " ") + *begin;
  return text;
}

// Nothing, after a message, if the arguments do not fit the action.
std::optional<Request> request_of(const CtlOptions& options) {
  const auto& words = options.arguments;
  const auto& action = *std::ranges::find(
      actions, options.action, [](const Action& known) { return std::string_view(known.name); });
  if (words.size() < action.fewest || words.size() > action.most) {
    complain(words.size() < action.fewest
                 ? "ctl " + options.action + ": say which one, or what."
                 : "ctl " + options.action + ": too many arguments. Quote a name with blanks.");
    return std::nullopt;
  }
  Request request;
  if (options.action == "status") request.mutable_status();
  if (options.action == "players") request.mutable_players();
  if (options.action == "rooms") request.mutable_rooms();
  if (options.action == "room") request.mutable_room()->set_name(words[0]);
  if (options.action == "close-room") request.mutable_close_room()->set_name(words[0]);
  if (options.action == "say") request.mutable_say()->set_text(joined(words.begin(), words.end()));
  if (options.action == "kick") {
    request.mutable_kick()->set_name(words[0]);
    request.mutable_kick()->set_reason(joined(words.begin() + 1, words.end()));
  }
  if (options.action == "drain") {
    request.mutable_drain();
    if (words.empty()) return request;
    std::uint32_t seconds = 0;
    const char* const end = words[0].data() + words[0].size();
    const auto read = std::from_chars(words[0].data(), end, seconds);
    if (read.ec != std::errc() || read.ptr != end || seconds > longest_drain_s) {
      complain("ctl drain: \"" + words[0] + "\" is not a number of seconds from 0 to 86400.");
      return std::nullopt;
    }
    request.mutable_drain()->set_within_s(seconds);
  }
  return request;
}

class ControlConnection {
 public:
  /// A sentence with the reason if there is no server.
  std::optional<std::string> open(const std::filesystem::path& folder) {
    const std::string path = admin::control_path(folder).string();
    error_code error;
    // Throws if the path is too long.
    if (path.size() >= local::endpoint().capacity() - sizeof(sa_family_t)) {
      return path + " is too long for a socket.";
    }
    socket_.connect(local::endpoint(path), error);
    if (error == asio::error::access_denied) {
      return "Only root and the user that runs the server may command it: " + path + ".";
    }
    if (error) {
      return "No server answers at " + path + ": " + error.message() +
             ". Name its directory with --data-dir.";
    }
    // A server whose event loop hangs must not hang this, too.
    const timeval patience{10, 0};
    ::setsockopt(socket_.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return std::nullopt;
  }

  std::optional<Response> ask(const Request& request) {
    std::string output;
    wire::append_frame(output, request.SerializeAsString());
    error_code error;
    asio::write(socket_, asio::buffer(output), error);
    while (!error) {
      const wire::NextFrame next = reader_.next();
      if (next.state == wire::NextFrame::State::fault) break;
      if (next.state == wire::NextFrame::State::frame) {
        Response response;
        if (!response.ParseFromArray(next.body.data(), static_cast<int>(next.body.size()))) break;
        return response;
      }
      const auto space = reader_.prepare();
      // Not Asio's: that waits for ever when the time of the socket is over.
      const ssize_t count = ::recv(socket_.native_handle(), space.data(), space.size(), 0);
      if (count <= 0) break;
      reader_.commit(static_cast<std::size_t>(count));
    }
    return std::nullopt;
  }

 private:
  asio::io_context io_;
  local::socket socket_{io_};
  wire::FrameReader reader_{admin::longest_response};
};

// Makes the request one for the next page. False if this was the last.
bool turn_page(const Response& page, Request& request) {
  if (page.has_players() && page.players().more()) {
    request.mutable_players()->set_after(page.players().players().rbegin()->name());
    return true;
  }
  if (page.has_rooms() && page.rooms().more()) {
    request.mutable_rooms()->set_after(page.rooms().rooms().rbegin()->serial());
    return true;
  }
  return false;
}

// Text -------------------------------------------------------------------------------------------

std::string padded(std::string text, std::size_t columns) {
  text.resize(std::max(text.size(), columns), ' ');
  return text + "  ";
}

std::string duration(std::uint64_t seconds) {
  if (seconds < 120) return std::to_string(seconds) + " s";
  if (seconds < 7200) return std::to_string(seconds / 60) + " min";
  return std::to_string(seconds / 3600) + " h";
}

void print(const admin::v1::Status& status) {
  using Status = admin::v1::Status;
  const char* recording = "unknown";
  if (status.recording() == Status::RECORDING_OFF) recording = "off";
  if (status.recording() == Status::RECORDING_GOOD) recording = "good";
  if (status.recording() == Status::RECORDING_LOW_SPACE) {
    recording = "the disk is nearly full: no new games begin";
  }
  if (status.recording() == Status::RECORDING_STALLED) {
    recording = "the journal can't be written: games are paused";
  }
  std::cout << status.server_name() << " (" << status.software() << "), up for "
            << duration(status.uptime_s()) << (status.draining() ? ", ending" : "") << '\n'
            << "players:      " << status.players() << " here, " << status.known_players()
            << " known, " << status.connections() << " connections\n"
            << "rooms:        " << status.rooms() << ", " << status.running_games()
            << " with a running game\n"
            << "since start:  " << status.moves() << " moves, " << status.finished_games()
            << " finished games\n"
            << "records:      " << recording << '\n';
}

std::string seat(const v1::Occupant& occupant) {
  return occupant.kind() == v1::Occupant::KIND_OPEN ? "(open)" : occupant.name();
}

void print(const admin::v1::RoomSummary& room) {
  const v1::RoomInfo& info = room.info();
  std::cout << padded(info.name(), 24) << padded(seat(info.x()) + " - " + seat(info.o()), 32)
            << info.watchers() << (info.watchers() == 1 ? " watcher\n" : " watchers\n");
}

void print(const Response& response) {
  if (response.has_status()) return print(response.status());
  if (response.has_done()) std::cout << response.done().sentence() << '\n';
  for (const auto& player : response.players().players()) {
    std::cout << padded(player.name(), 24) << padded(player.address(), 22)
              << padded(duration(player.connected_s()), 7) << player.room() << '\n';
  }
  for (const auto& room : response.rooms().rooms()) print(room);
  if (!response.has_room()) return;
  print(response.room().summary());
  for (const std::string& watcher : response.room().watchers()) {
    std::cout << "  watches: " << watcher << '\n';
  }
}

// On one line, so that programs can read the objects of several pages, or of --watch, line by line.
void print_json(const Response& response) {
  google::protobuf::util::JsonPrintOptions format;
  format.always_print_primitive_fields = true;
  format.preserve_proto_field_names = true;
  std::string text;
  static_cast<void>(google::protobuf::util::MessageToJsonString(response, &text, format));
  std::cout << text << '\n';
}

// Returns the exit status.
int show(const Response& response, bool json) {
  if (json) {
    print_json(response);
  } else {
    print(response);
  }
  std::cout << std::flush;
  if (!response.has_failure()) return 0;
  if (!json) complain(response.failure().sentence());
  return 1;
}

// Needs no server: SQLite lets a second process read beside it. So the server has no work with it.
int back_up(const std::filesystem::path& folder, const std::string& file, bool json) {
  const auto copied = store::back_up(folder, file);
  Response response;
  if (copied) {
    response.mutable_done()->set_sentence("Copied to " + file + ": " + std::to_string(*copied) +
                                          " bytes, which were read again and are whole.");
  } else {
    response.mutable_failure()->set_sentence(copied.error().reason);
  }
  return show(response, json);
}

int restore(const std::filesystem::path& folder, const std::string& file, bool json) {
  const auto restored = store::restore(file, folder);
  Response response;
  if (restored) {
    response.mutable_done()->set_sentence(
        "Restored to " + folder.string() + ": " + std::to_string(restored->players) +
        " players and " + std::to_string(restored->rooms) + " rooms, which were read.");
  } else {
    response.mutable_failure()->set_sentence(restored.error().reason);
  }
  return show(response, json);
}

// One request, and those for its further pages. Returns the exit status.
int carry_out(ControlConnection& server, Request request, bool json) {
  for (bool more = true; more;) {
    const auto response = server.ask(request);
    if (!response) {
      complain("The server does not answer.");
      return 1;
    }
    if (const int status = show(*response, json); status != 0) return status;
    more = turn_page(*response, request);
  }
  return 0;
}

}  // namespace

void declare_ctl(CLI::App& app, CtlOptions& options, std::string& data_dir) {
  options.command =
      app.add_subcommand("ctl", "Ask or command the server that runs with a data directory");
  std::vector<std::string> names;
  names.reserve(std::size(actions));
  for (const Action& action : actions) names.emplace_back(action.name);
  options.command
      ->add_option("action", options.action,
                   "What to do. `room` and `close-room` need the name of a room, `kick` that of a "
                   "player and a reason if you like, `say` a sentence for all players; `drain` "
                   "ends the server and takes the seconds that running games have; `backup` "
                   "copies the journal to a new file while games continue, `restore` makes "
                   "such a file the journal while no server runs")
      ->type_name("status|players|rooms|room|kick|say|close-room|drain|backup|restore")
      ->check(CLI::IsMember(names))
      ->required();
  options.command->add_option("arguments", options.arguments, "See above")->type_name("WORD ...");
  options.command->add_flag("--json", options.json,
                            "Print the answer as JSON, a line for each page of a list");
  options.command->add_flag("--watch", options.watch, "Ask again every two seconds");
  options.command->add_option("--data-dir", data_dir, "Directory of the journal")
      ->type_name("DIR")
      ->default_str("$XDG_DATA_HOME/tictactoe or ~/.local/share/tictactoe");
}

int control(const CtlOptions& options, const std::optional<std::filesystem::path>& data_folder) {
  const auto request = request_of(options);
  if (!request) return program::bad_options;
  const bool is_question = request->has_status() || request->has_players() ||
                           request->has_rooms() || request->has_room();
  if (options.watch && !is_question) {
    complain("ctl --watch is for status, players, rooms and room.");
    return program::bad_options;
  }
  if (!data_folder) {
    complain("There is no home directory for the data. Use --data-dir.");
    return 1;
  }
  if (options.action == "backup") return back_up(*data_folder, options.arguments[0], options.json);
  if (options.action == "restore") return restore(*data_folder, options.arguments[0], options.json);
  ControlConnection server;
  if (const auto fault = server.open(*data_folder)) {
    complain(*fault);
    return 1;
  }
  int status = carry_out(server, *request, options.json);
  while (options.watch && status == 0 && std::cout) {
    std::this_thread::sleep_for(std::chrono::seconds(2));
    status = carry_out(server, *request, options.json);
  }
  return status;
}

}  // namespace tictactoe
