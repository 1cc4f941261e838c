#include "client/screen/program.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cstdlib>
#include <iostream>
#include <utility>

#include "client/model/sanitized.hpp"
#include "client/storage/identity.hpp"
#include "client/terminal/raw_mode.hpp"
#include "client/words/messages.hpp"
#include "client/words/prompts.hpp"
#include "common/program/wording.hpp"

namespace tictactoe::screen {
namespace {

using client::Clock;

App::Options app_options(const Program::Options& options) {
  App::Options app;
  app.name = options.play.name;
  app.alert = options.alert;
  app.commands = options.play.commands;
  app.choose = options.choose;
  app.hosting = options.play.hosting;
  return app;
}

// Empty if nothing is stored.
std::string recent_file(bool is_guest) {
  const std::string folder = is_guest ? std::string() : client::state_folder();
  return folder.empty() ? folder : folder + "/servers";
}

std::string about(const v1::ServerInfo& info) {
  return program::counted(info.players(), "player", "players") + ", " +
         program::counted(info.open_rooms(), "open room", "open rooms");
}

}  // namespace

Program::Program(Options options)
    : options_(std::move(options)),
      runner_([this] { flush(); }, [this](const std::string& line) { app_.note(line); }),
      app_(app_options(options_)),
      recent_(recent_file(options_.play.guest), max_recent_servers) {}

Program::~Program() {
  if (finder_) finder_->stop();
}

int Program::run() {
  signals_.emplace(runner_.context(), true, [this](client::SignalEvent event) {
    on_signal(event);
    flush();
  });
  terminal_.emplace();
  keys_.emplace(
      runner_.context(), [this](const std::vector<Input>& inputs) { take(inputs); },
      terminal_->abilities().first_mouse_column);
  app_.set_ascii(!terminal_->unicode());
  input_ = std::make_unique<client::InputThread>(
      runner_.context(), [this](const std::string& bytes) { on_input(bytes); });
  if (options_.play.local) {
    sit_down();
  } else if (options_.choose) {
    look_for_servers();
  } else {
    connect(options_.play.server);
  }
  flush();
  runner_.context().run();

  input_.reset();
  terminal_.reset();
  const client::Ending ending = *app_.ending();
  if (ending.keeps_seat) {
    std::cout << client::seat_kept_text(*app_.talk(), options_.play.hosting) << "\n";
  }
  if (!app_.ending_reason().empty() && ending.asks == client::Asks::nothing) {
    std::cerr << "tictactoe: " << app_.ending_reason() << "\n";
  }
  runner_.release();
  return ending.status;
}

void Program::on_input(const std::string& bytes) {
  if (bytes.empty()) {  // the terminal is gone
    app_.hang_up(Clock::now());
    return flush();
  }
  keys_->feed(bytes);
}

void Program::take(const std::vector<Input>& inputs) {
  for (const Input& input : inputs) {
    if (input == Input(Key{Key::Name::control, U'l'})) terminal_->refresh();
    // What was clicked is what is drawn.
    app_.take(input, Clock::now());
  }
  flush();
}

void Program::on_signal(client::SignalEvent event) {
  using client::SignalEvent;
  switch (event) {
    case SignalEvent::interrupt:
      return app_.quit(Clock::now());
    case SignalEvent::hang_up:
      return app_.hang_up(Clock::now());
    case SignalEvent::stop:
      terminal_->suspend();
      client::stop_program();
      terminal_->resume();
      break;
    case SignalEvent::go_on:
      terminal_->suspend();
      terminal_->resume();
      break;
    case SignalEvent::resize:
      terminal_->refresh();
      break;
  }
}

void Program::look_for_servers() {
  finder_ = client::Finder::start(runner_.context(), options_.discovery_port, [this] {
    offer_servers();
    flush();
  });
  offer_servers();
  call_after(choosing_, choosing_time, [this] { app_.start().choose_the_only_one(); });
  call_after(advice_, advice_time, [this] {
    if (finder_ && finder_->servers().empty()) app_.start().advise();
  });
}

void Program::call_after(boost::asio::steady_timer& timer, std::chrono::milliseconds time,
                         std::function<void()> call) {
  timer.expires_after(time);
  timer.async_wait([this, call = std::move(call)](const boost::system::error_code& error) {
    if (error) return;
    call();
    flush();
  });
}

void Program::offer_servers() {
  std::vector<ServerEntry> servers;
  for (const client::FoundServer& found : finder_->servers()) {
    const std::string what =
        found.compatible ? about(found.info) : std::string(client::prompts::other_version);
    servers.push_back({found.address.text, found.info.name(), what, true});
  }
  for (const auto& [address, name] : recent_.entries()) {
    if (!client::parse_address(address).fault.empty()) continue;
    const bool found = std::ranges::count(servers, address, &ServerEntry::address) > 0;
    if (!found) servers.push_back({address, client::sanitized(name), {}, false});
  }
  if (servers.empty()) {
    servers.push_back(
        {"localhost:" + std::to_string(client::default_port), "this machine", {}, false});
  }
  app_.start().offer(std::move(servers), true);
}

void Program::connect(const client::Address& server, const std::optional<tls::Fingerprint>& key,
                      const std::string& room) {
  server_ = server;
  server_key_ = key;
  remembered_ = false;
  client::PlayOptions play = options_.play;
  play.local = nullptr;
  play.server = server;
  if (key) play.required_key = key;
  begin(play, {server.text, room});
}

// Begins the game in this process.
void Program::sit_down() {
  client::PlayOptions play = options_.play;
  play.guest = true;
  play.server = {};
  play.server.text = "this terminal";
  begin(play, {play.server.text});
}

void Program::begin(const client::PlayOptions& play, Visit::Destination to) {
  client::Session::Options session = runner_.begin(play);
  session.follow_lobby = !play.local;
  app_.begin(std::move(session), std::move(to), runner_.invitation_finder());
  runner_.drive(*app_.talk());
}

// An address, or a whole invitation that was pasted.
void Program::choose(const std::string& text) {
  const client::Invited invited = client::read_invitation(text);
  if (!invited.fault.empty()) return app_.tell("\"" + text + "\": " + invited.fault);
  connect(invited.address, invited.key, invited.room);
}

// The driver calls from within itself, so that it can't be taken away at once.
void Program::change_server() {
  if (std::exchange(changing_, true)) return;
  boost::asio::post(runner_.context(), [this] {
    changing_ = false;
    runner_.release();
    app_.forget_talk();
    if (std::exchange(returns_, false)) {
      connect(server_, server_key_);
    } else if (options_.choose) {
      finder_ ? offer_servers() : look_for_servers();
    }
    flush();
  });
}

void Program::remember_server() {
  if (!options_.choose || !app_.talk() || !app_.talk()->is_welcomed()) return;
  if (std::exchange(remembered_, true)) return;
  recent_.put_first({server_.text, app_.server_name()});
  if (finder_) std::exchange(finder_, nullptr)->stop();
}

void Program::flush() {
  app_.happened(Clock::now());
  App::Wishes wishes = app_.take_wishes();
  if (wishes.bell) terminal_->ring();
  if (app_.talk_is_over()) change_server();
  if (const auto choice = app_.start().take_choice()) choose(*choice);
  if (wishes.account_password) {
    options_.play.passwords.account = *std::move(wishes.account_password);
    returns_ = true;  // to this server, as that player
    app_.end_session(Clock::now());
    if (app_.talk_is_over()) change_server();
  }
  runner_.update();
  remember_server();
  if (app_.ending()) return runner_.context().stop();
  show();
  runner_.wake_at(app_.next_deadline());
  input_->read();
}

void Program::show() {
  app_.resized(terminal_->size());
  terminal_->paint(app_.draw(Clock::now()));
  terminal_->set_title(app_.title());
}

}  // namespace tictactoe::screen
