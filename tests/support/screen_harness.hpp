// The full screen without a terminal: makes up keys and messages of the server, and reads the
// picture.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "client/screen/app.hpp"
#include "tests/support/console_harness.hpp"

namespace tictactoe::screen::testing {

using client::milliseconds;
using client::testing::from_text;
using client::testing::said;
using client::testing::snapshot;

/// Of alice; `choose` as in App::Options.
inline App::Options alice(bool choose = false, bool ascii = false) {
  App::Options options;
  options.name = "alice";
  options.choose = choose;
  options.ascii = ascii;
  return options;
}

class Screen {
 public:
  explicit Screen(Size size = {80, 24}, App::Options options = alice()) : app(std::move(options)) {
    app.resized(size);
  }

  /// Connects to a server at "testhost", and maybe watches its lobby.
  void connect(bool follow_lobby = false) {
    Session::Options talk;
    talk.follow_lobby = follow_lobby;
    connect(std::move(talk));
  }
  void connect(Session::Options talk, const std::string& room = {}) {
    talk.name = "alice";
    talk.software = "test";
    talk.patience = std::chrono::seconds(600);
    app.begin(std::move(talk), {"testhost", room}, searches.finder());
    app.talk()->connected(now);
    app.happened(now);
  }
  /// The same, and answers the hello.
  void welcome(Session::Options talk = {}) {
    connect(std::move(talk));
    answer(sent().back(),
           "welcome { protocol_version: 1 player_name: 'alice' server_name: 'the den' limits { "
           "client_frame_bytes: 65536 ai_levels: 'suggester' ai_levels: 'strong' } }");
  }
  void enter(const v1::RoomSnapshot& room) { answer({}, room); }
  /// The ways to join are known.
  void find(const client::Invitation& invitation) {
    searches.find(invitation);
    app.happened(now);
  }
  void lose() {
    app.talk()->connection_lost("it closed the connection", now);
    app.happened(now);
  }

  void server(const v1::ServerMessage& message) {
    client::testing::deliver_to(*app.talk(), client::testing::frame_of(message), now, [] {});
    app.happened(now);
  }
  void server(const std::string& text) { server(said(text)); }
  void answer(const v1::ClientMessage& request, const std::string& event) {
    server("request_id: " + std::to_string(request.request_id()) + " " + event);
  }
  void answer(const v1::ClientMessage& request, const v1::RoomSnapshot& room) {
    v1::ServerMessage message;
    message.set_request_id(request.request_id());
    *message.mutable_snapshot() = room;
    server(message);
  }

  /// Requests since the last call.
  std::vector<v1::ClientMessage> sent() {
    return client::testing::requests_in(app.talk()->take_bytes());
  }
  /// The last request since the last call; empty if there is none.
  v1::ClientMessage last_request() {
    const auto messages = sent();
    return messages.empty() ? v1::ClientMessage() : messages.back();
  }

  /// The bytes that a terminal sends for these keys, pressed by a person who reads what opens.
  void keys(std::string_view bytes) {
    client::KeyReader reader;
    std::vector<Input> inputs = reader.feed(bytes);
    for (const Input& input : reader.end_of_sequence()) inputs.push_back(input);
    for (const Input& input : inputs) {
      const bool had_dialog = app.has_dialog();
      app.take(input, now);
      if (app.has_dialog() && !had_dialog) now += word_pace + milliseconds(1);
    }
  }
  /// A click on the first letter of this text.
  void click(std::string_view text) {
    const Scene scene = app.draw(now);
    std::string shown = scene.picture.text();
    std::string_view rest = shown;
    for (int y = 0; !rest.empty(); ++y) {
      const std::size_t end = rest.find('\n');
      const std::string_view line = rest.substr(0, end);
      if (const std::size_t at = line.find(text); at != std::string_view::npos) {
        const int x = columns_of(line.substr(0, at));
        return app.point({Mouse::Action::press, {x, y}}, now);
      }
      rest.remove_prefix(end + 1);
    }
    ADD_FAILURE() << text << " is not to be seen:\n" << shown;
  }
  void pass(milliseconds time) {
    now += time;
    app.talk()->deadline_reached(now);
    app.happened(now);
  }

  std::string text() { return app.draw(now).picture.text(); }

  client::testing::Searches searches;
  App app;
  Time now{std::chrono::hours(1)};
};

/// Alice's screen in an empty lobby. What the client has sent is taken already.
inline Screen welcomed() {
  Screen screen;
  screen.welcome();
  screen.sent();
  return screen;
}

/// Alice's screen in the room of snapshot(). What the client has sent is taken already.
inline Screen in_room(const std::string& more = {}) {
  Screen screen = welcomed();
  screen.enter(snapshot(more));
  screen.sent();
  return screen;
}

/// Alice's screen in a room where nobody has taken O.
inline Screen waiting_in_room() {
  Screen screen = welcomed();
  auto room = snapshot("phase: PHASE_WAITING");
  room.clear_o();
  screen.enter(room);
  screen.sent();
  return screen;
}

/// Alice's screen in a lobby with three rooms.
inline Screen in_lobby() {
  Screen screen;
  screen.welcome();
  screen.server(R"(lobby_update { reset: true complete: true
    rooms { name: 'the den' phase: PHASE_WAITING rules { rows: 3 cols: 3 k: 3 } }
    rooms { name: 'duel' phase: PHASE_WAITING rules { rows: 3 cols: 3 k: 3 } }
    rooms { name: 'vault' needs_password: true phase: PHASE_WAITING } })");
  return screen;
}

/// An answer to a request for the list of games.
inline constexpr const char* two_games =
    "game_list { games { id: 7 rules { rows: 3 cols: 3 k: 3 } x { kind: KIND_PERSON name: 'ann' } "
    "o { kind: KIND_PERSON name: 'ben' } } "
    "games { id: 5 rules { rows: 3 cols: 3 k: 3 } x { kind: KIND_PERSON name: 'ann' } o { kind: "
    "KIND_PERSON name: 'cleo' } } }";

inline constexpr const char* up = "\033[A";
inline constexpr const char* down = "\033[B";
inline constexpr const char* right = "\033[C";
inline constexpr const char* left = "\033[D";

}  // namespace tictactoe::screen::testing
