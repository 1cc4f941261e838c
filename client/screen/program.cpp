#include "client/screen/program.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cstdlib>
#include <iostream>
#include <random>
#include <utility>

#include "client/net/others_address.hpp"
#include "client/storage/identity_keeper.hpp"
#include "client/terminal/line_terminal.hpp"
#include "client/terminal/raw_mode.hpp"
#include "client/text/messages.hpp"
#include "client/text/prompts.hpp"

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

std::string about(const v1::ServerInfo& info) {
  const auto count = [](std::uint32_t number, std::string_view one) {
    return std::to_string(number) + " " + std::string(one) + (number == 1 ? "" : "s");
  };
  return count(info.players(), "player") + ", " + count(info.open_rooms(), "open room");
}

}  // namespace

Program::Program(Options options)
    : options_(std::move(options)),
      app_(app_options(options_)),
      recent_(options_.play.guest ? std::string() : client::state_folder()) {}

Program::~Program() {
  if (finder_) finder_->stop();
}

std::optional<int> Program::run() {
  // Before the terminal is taken, as curses would catch those signals that are not.
  signals_.emplace(context_, true, [this](client::SignalEvent event) {
    on_signal(event);
    flush();
  });
  terminal_ = Terminal::open(!options_.play.plain && client::colour_wanted());
  if (!terminal_) return std::nullopt;
  app_.set_ascii(!terminal_->unicode());
  input_ = std::make_unique<client::InputThread>(
      context_, [this](const std::string& bytes) { on_input(bytes); });
  if (options_.play.local) {
    play_here();
  } else if (options_.choose) {
    look_for_servers();
  } else {
    connect(options_.play.server);
  }
  flush();
  context_.run();

  input_.reset();
  terminal_.reset();
  const client::Ending ending = *app_.ending();
  if (app_.seat_is_kept()) {
    std::cout << client::seat_kept_text(*app_.talk(), options_.play.hosting) << "\n";
  }
  if (!app_.ending_reason().empty() && ending.asks == client::Asks::nothing) {
    std::cerr << "tictactoe: " << app_.ending_reason() << "\n";
  }
  driver_.reset();
  return ending.status;
}

void Program::on_input(const std::string& bytes) {
  if (bytes.empty()) {  // the terminal is gone
    app_.hang_up(Clock::now());
    return flush();
  }
  keys_.feed(bytes);
}

void Program::take(const std::vector<Input>& inputs) {
  for (const Input& input : inputs) {
    if (input == Input(Key{Key::Name::control, U'l'})) {
      terminal_->refresh();
      shown_.reset();
    }
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
  shown_.reset();
}

void Program::look_for_servers() {
  finder_ = client::Finder::start(context_, options_.discovery_port, [this] {
    offer_servers();
    flush();
  });
  offer_servers();
  choosing_.expires_after(choosing_time);
  choosing_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    app_.join_the_only_one();
    flush();
  });
  set_advice();
}

void Program::set_advice() {
  advice_.expires_after(advice_time);
  advice_.async_wait([this](const boost::system::error_code& error) {
    if (error || !finder_ || !finder_->servers().empty()) return;
    app_.advise();
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
  for (const client::RecentServer& recent : recent_.entries()) {
    if (!client::parse_address(recent.address).fault.empty()) continue;
    const bool found = std::any_of(servers.begin(), servers.end(), [&](const ServerEntry& entry) {
      return entry.address == recent.address;
    });
    if (!found) servers.push_back({recent.address, recent.name, {}, false});
  }
  if (servers.empty()) {
    servers.push_back(
        {"localhost:" + std::to_string(client::default_port), "this machine", {}, false});
  }
  app_.offer(std::move(servers), true);
}

void Program::connect(const client::Address& server, const std::optional<tls::Fingerprint>& key) {
  server_ = server;
  server_key_ = key;
  remembered_ = false;
  client::IdentityKeeper identity = client::identity_for(options_.play, server);
  const std::string token = identity.token();
  addresses_for_others_.clear();
  others_ = client::find_addresses_for_others(context_, server,
                                              [this](const std::vector<std::string>& addresses) {
                                                addresses_for_others_ = addresses;
                                                flush();
                                              });
  client::Session::Options session = client::session_options(options_.play, server, token);
  session.follow_lobby = true;
  app_.begin(std::move(session), server.text);
  client::Protection protection = client::protection_for(options_.play);
  if (key) protection.required_key = key;
  driver_.emplace(
      context_, *app_.talk(), client::connect_to(context_, server, std::move(protection)),
      std::move(identity), [this] { flush(); },
      [this](const std::string& line) { app_.note(line); });
}

// An address, or a whole invitation that was pasted.
void Program::choose(const std::string& text) {
  client::Invited invited = client::read_invitation(text);
  if (!invited.fault.empty()) return app_.tell("\"" + text + "\": " + invited.fault);
  if (finder_) invited.address.announced_key = finder_->announced_key(text);
  connect(invited.address, invited.key);
  app_.join_at_welcome(invited.room);
}

void Program::play_here() {
  sit_down(options_.play.local, false);
}

// Ends the session for a game that is played on.
void Program::play_on(const App::PlayOn& wanted) {
  if (!options_.continue_game) return;
  if (ended_.size() >= max_continued_games) {
    return app_.tell(std::string(client::prompts::too_many_played_on));
  }
  client::Continuation next = options_.continue_game(wanted.game, wanted.moves);
  if (!next.fault.empty()) return app_.tell(next.fault);
  next_ = std::move(next.start);
  returns_ = returns_ || !local_;
  app_.end_session(Clock::now());
}

void Program::sit_down(const client::StartLocalGame& start, bool returns) {
  local_ = start(context_, [this] { flush(); });
  client::Session::Options session;
  session.name = options_.play.name;
  session.software = options_.play.software;
  session.guest = session.local = true;
  session.token = local_->token();
  session.patience = client::default_patience;
  session.seed = std::random_device{}();
  others_.reset();
  addresses_for_others_.clear();
  app_.begin(std::move(session), "this terminal", returns);
  local_->play_with(*app_.talk());
  driver_.emplace(
      context_, *app_.talk(), local_->connect(), client::IdentityKeeper(), [this] { flush(); },
      [this](const std::string& line) { app_.note(line); });
}

// Works out where the game was decided, while it is stepped through.
void Program::analyse_replay() {
  const v1::GameRecord* const game = app_.replayed();
  if (game == nullptr) return analysis_.reset();
  if (!options_.play.analyse || std::exchange(analysed_, app_.replays()) == app_.replays()) return;
  analysis_ = options_.play.analyse(
      *game, [this, number = analysed_](const std::optional<client::Decision>& decision) {
        if (!decision) return;
        boost::asio::post(context_, [this, number, decision = *decision] {
          if (number != app_.replays()) return;
          app_.decided(decision);
          flush();
        });
      });
}

// The driver calls from within itself, so that it can't be taken away at once.
void Program::change_server() {
  if (std::exchange(changing_, true)) return;
  boost::asio::post(context_, [this] {
    changing_ = false;
    driver_.reset();
    app_.forget_talk();
    if (local_) ended_.push_back(std::move(local_));
    if (next_) {
      sit_down(std::exchange(next_, nullptr), returns_);
    } else if (std::exchange(returns_, false)) {
      connect(server_, server_key_);
    } else {
      if (options_.choose) finder_ ? offer_servers() : look_for_servers();
    }
    flush();
  });
}

void Program::remember_server() {
  if (!options_.choose || !app_.talk() || !app_.talk()->is_welcomed()) return;
  if (std::exchange(remembered_, true)) return;
  recent_.add(server_.text, app_.server_name());
  if (finder_) std::exchange(finder_, nullptr)->stop();
}

void Program::flush() {
  if (driver_) {
    const auto& change = driver_->key_change();
    const bool refused = change && change->server == server_.text;
    if (refused && app_.talk() && app_.talk()->ending()) app_.ask_about_key(*change);
    app_.invite_with(client::invitation_to(addresses_for_others_, driver_->server_key()));
  }
  app_.happened(Clock::now());
  if (const auto wanted = app_.take_play_on()) play_on(*wanted);
  if (app_.talk_is_over()) change_server();
  if (const auto choice = app_.take_choice()) choose(*choice);
  if (const auto key = app_.take_trusted_key()) connect(server_, key);
  if (auto password = app_.take_account_password()) {
    options_.play.passwords.account = *std::move(password);
    returns_ = true;  // to this server, as that player
    app_.end_session(Clock::now());
    if (app_.talk_is_over()) change_server();
  }
  if (local_) local_->update();
  if (driver_) driver_->update();
  remember_server();
  analyse_replay();
  if (app_.ending()) return context_.stop();
  show();
  set_alarm();
  input_->read();
}

void Program::show() {
  app_.resized(terminal_->size());
  Scene scene = app_.draw(Clock::now());
  const bool same = shown_ && shown_->picture == scene.picture && shown_->cursor == scene.cursor;
  if (!same) {
    terminal_->paint(scene);
    shown_ = std::move(scene);
  }
  terminal_->set_title(app_.title());
  if (app_.take_bell()) terminal_->ring();
}

void Program::set_alarm() {
  const auto at = app_.next_deadline();
  if (!at) {
    alarm_.cancel();
    return;
  }
  alarm_.expires_at(*at);
  alarm_.async_wait([this](const boost::system::error_code& error) {
    if (!error) flush();
  });
}

}  // namespace tictactoe::screen
