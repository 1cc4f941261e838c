#include "server/admin/ctl.hpp"

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <iostream>
#include <string_view>
#include <thread>
#include <utility>

#include "common/posix/retried.hpp"
#include "common/program/help.hpp"
#include "common/program/wording.hpp"
#include "common/wire/frame.hpp"
#include "server/accounts/account_place.hpp"
#include "server/admin/control_socket.hpp"
#include "server/admin/ctl_output.hpp"
#include "server/admin/ctl_requests.hpp"
#include "server/journal/backup.hpp"
#include "server/logging/logging.hpp"
#include "server/transport/tls/identity.hpp"

namespace tictactoe::app {

namespace {

namespace asio = boost::asio;
using admin::v1::Request;
using admin::v1::Response;
using boost::system::error_code;
using local = asio::local::stream_protocol;

constexpr const char* no_answer =
    "The server does not answer. It may be stuck, have just stopped, or be busy with eight other "
    "ctl commands.";

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
    const local::endpoint endpoint(path);
    socket_.open(endpoint.protocol(), error);
    // A server whose event loop hangs must not hang this program as well.
    const timeval patience{10, 0};
    for (const int direction : {SO_SNDTIMEO, SO_RCVTIMEO}) {
      ::setsockopt(socket_.native_handle(), SOL_SOCKET, direction, &patience, sizeof patience);
    }
    // Asio's connect would wait on. Several commands may wait for a place in the queue.
    if (!error && posix::retried([&] {
                    return ::connect(socket_.native_handle(), endpoint.data(),
                                     static_cast<socklen_t>(endpoint.size()));
                  }) != 0) {
      error.assign(errno, boost::system::system_category());
    }
    if (error == asio::error::would_block) return no_answer;
    if (error == asio::error::access_denied) {
      return "Only root and the user that runs the server can control it: " + path + ".";
    }
    if (error) {
      return "No server answers at " + path + ": " + error.message() +
             ". Give its directory with --data-dir.";
    }
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
      // Not Asio's connect, which waits for ever when the socket's timeout expires.
      const ssize_t count = posix::retried(
          [&] { return ::recv(socket_.native_handle(), space.data(), space.size(), 0); });
      if (count <= 0) break;
      reader_.commit(static_cast<std::size_t>(count));
    }
    return std::nullopt;
  }

 private:
  asio::io_context io_;
  local::socket socket_{io_};
  wire::FrameReader reader_{admin::max_response_bytes};
};

// Turns the request into one for the next page. Returns false if this was the last.
bool turn_page(const Response& page, Request& request) {
  if (page.has_players() && page.players().more()) {
    request.mutable_players()->set_after(page.players().players().rbegin()->name());
    return true;
  }
  if (page.has_bans() && page.bans().more()) {
    const auto& last = page.bans().bans().rbegin()->ban().subject();
    request.mutable_bans()->set_after(last.SerializeAsString());
    return true;
  }
  if (page.has_rooms() && page.rooms().more()) {
    request.mutable_rooms()->set_after(page.rooms().rooms().rbegin()->serial());
    return true;
  }
  return false;
}

// Returns the exit status.
int show(const Response& response, bool json, bool is_first_page = true) {
  if (json) {
    print_json(std::cout, response);
  } else {
    print(std::cout, response, is_first_page);
  }
  std::cout << std::flush;
  if (!response.has_failure()) return 0;
  if (!json) complain(response.failure().sentence());
  return 1;
}

// The files that a server needs beside its journal.
constexpr std::array<std::string_view, 2> companions{app::accounts_file_name,
                                                     transport::tls_file_name};

// Works without a server, and without work for a running one: SQLite lets a second process read.
int back_up(const std::filesystem::path& folder, const std::string& file, bool json) {
  const auto copied = records::back_up(folder, file, companions);
  Response response;
  if (copied) {
    response.mutable_done()->set_sentence("Backed up to " + file + " (" +
                                          program::counted(*copied, "byte", "bytes") +
                                          ", verified).");
  } else {
    response.mutable_failure()->set_sentence(copied.error().reason);
  }
  return show(response, json);
}

int restore(const std::filesystem::path& folder, const std::string& file, bool json) {
  const auto restored = records::restore(file, folder, companions);
  Response response;
  if (restored) {
    std::string sentence =
        "Restored into " + folder.string() + ": " +
        program::counted(static_cast<std::uint64_t>(restored->players), "player", "players") +
        ", " + program::counted(static_cast<std::uint64_t>(restored->rooms), "room", "rooms");
    for (const std::string& name : restored->companions) sentence += ", " + name;
    sentence += ".";
    if (std::ranges::find(restored->companions, transport::tls_file_name) ==
        restored->companions.end()) {
      sentence += " The server's key, " + std::string(transport::tls_file_name) +
                  ", is not in the backup. Unless the server uses --tls-cert, it will create a new "
                  "key, and clients that know the old one will refuse it.";
    }
    response.mutable_done()->set_sentence(sentence);
  } else {
    response.mutable_failure()->set_sentence(restored.error().reason);
  }
  return show(response, json);
}

// Sends a request, and further ones for its next pages. Returns the exit status.
int carry_out(ControlConnection& server, Request request, bool json) {
  bool is_first_page = true;
  for (bool more = true; more; is_first_page = false) {
    constexpr std::size_t prefix = 3;  // of a frame of that size
    if (request.ByteSizeLong() > admin::max_request_bytes - prefix) {
      complain("This command is too long.");
      return 1;
    }
    const auto response = server.ask(request);
    if (!response) {
      complain(no_answer);
      return 1;
    }
    if (const int status = show(*response, json, is_first_page); status != 0) return status;
    more = turn_page(*response, request);
  }
  return 0;
}

}  // namespace

void declare_ctl(CLI::App& app, CtlOptions& options, std::string& data_dir) {
  options.command = app.add_subcommand("ctl", "Control the running server of a data directory");
  options.command
      ->add_option(
          "action", options.action,
          "What to do. `reach` shows how guests on the internet reach the server. `room` and "
          "`close-room` take the name of a room; `kick` a player's name and "
          "optionally a reason; `ban` an address, a network or a player's name, optionally a "
          "duration (30m, 2h, 7d; permanent by default) and a reason; `unban` the same address or "
          "name; `say` a message to all players. `drain` stops the server and optionally takes the "
          "time running games may continue (300, 5m). `reload` reloads the files of --config, "
          "--password-file and --tls-cert. `backup` copies the journal, the accounts and the "
          "server's key to a new file while games continue; `restore` puts them into a directory "
          "without a journal")
      ->type_name(CLI::detail::join(ctl_actions(), "|"))
      ->check(CLI::IsMember(ctl_actions()))
      ->required();
  options.command->add_option("arguments", options.arguments, "Arguments of the action")
      ->type_name("WORD ...");
  options.command->add_flag(
      "--json", options.json,
      "Print the answer as JSON, one object per line; a long list spans several lines");
  options.command->add_flag("--watch", options.watch, "Repeat every two seconds until interrupted");
  options.command->add_option("--data-dir", data_dir, "Directory of the journal")
      ->type_name("DIR")
      ->default_str("$XDG_DATA_HOME/tictactoe or ~/.local/share/tictactoe");
}

int control(const CtlOptions& options, const std::optional<std::filesystem::path>& data_folder) {
  const auto read = ctl_request(options.action, options.arguments);
  if (const auto* fault = std::get_if<std::string>(&read)) {
    complain(*fault);
    return program::bad_options;
  }
  const auto* request = std::get_if<Request>(&read);
  const bool is_question = request->has_status() || request->has_reach() ||
                           request->has_players() || request->has_rooms() || request->has_room() ||
                           request->has_bans();
  if (options.watch && !is_question) {
    complain("ctl --watch works only with status, reach, players, rooms, room and bans.");
    return program::bad_options;
  }
  if (!data_folder) {
    complain("No data directory: HOME is not set. Use --data-dir.");
    return 1;
  }
  if (options.action == "backup") return back_up(*data_folder, options.arguments[0], options.json);
  if (options.action == "restore") return restore(*data_folder, options.arguments[0], options.json);
  ControlConnection server;
  if (const auto fault = server.open(*data_folder)) {
    complain(*fault);
    return 1;
  }
  if (!options.watch) return carry_out(server, *request, options.json);
  const bool is_screen = !options.json && ::isatty(STDOUT_FILENO) == 1;
  constexpr std::string_view clear_screen = "\033[H\033[2J";
  if (is_screen) std::cout << clear_screen;
  int status = carry_out(server, *request, options.json);
  while (status == 0 && std::cout) {
    std::this_thread::sleep_for(std::chrono::seconds(2));
    if (!options.json) std::cout << (is_screen ? clear_screen : "\n");
    status = carry_out(server, *request, options.json);
  }
  return status;
}

}  // namespace tictactoe::app
