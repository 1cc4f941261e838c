#include "client/lines/shell.hpp"

#include <unistd.h>

#include <csignal>
#include <iostream>
#include <random>
#include <utility>

#include "client/storage/passwords.hpp"
#include "common/program/password.hpp"

namespace tictactoe::client {
namespace {

Conversation::Options conversation_options(const Shell::Options& options, bool script, bool prompt,
                                           const std::string& token) {
  Conversation::Options talk;
  talk.name = options.name;
  talk.software = options.software;
  talk.server = options.server.text;
  talk.script = script;
  talk.prompt = prompt;
  talk.guest = options.guest;
  talk.passwords = Shell::passwords_for(options, options.server);
  talk.token = token;
  talk.patience = options.patience.value_or(script ? default_script_patience : default_patience);
  talk.seed = std::random_device{}();
  return talk;
}

}  // namespace

Passwords Shell::passwords_for(const Options& options, const Address& server) {
  Passwords passwords;
  const std::string file = identity_name(server.host, server.port, options.name);
  if (!options.guest) passwords = load_passwords(state_folder(), file);
  if (!options.passwords.server.empty()) passwords.server = options.passwords.server;
  if (!options.passwords.account.empty()) passwords.account = options.passwords.account;
  if (options.remember_passwords && !options.guest) {
    const std::string fault = save_passwords(state_folder(), file, passwords);
    if (!fault.empty()) std::cerr << "tictactoe: can't keep the passwords: " << fault << "\n";
  }
  return passwords;
}

Shell::Shell(Options options)
    : options_(std::move(options)),
      script_(isatty(STDIN_FILENO) == 0),
      screen_({.colour = !options_.plain && colour_wanted(),
               .prompt = !options_.plain && editing_possible()}) {
  IdentityOpened identity;
  if (!options_.guest) {
    identity =
        open_identity(state_folder(), options_.server.host, options_.server.port, options_.name);
  }
  const std::string token = identity.identity ? identity.identity->token() : std::string();
  const bool prompt = !options_.plain && editing_possible();
  conversation_.emplace(conversation_options(options_, script_, prompt, token));
  driver_.emplace(context_, *conversation_, options_.server, std::move(identity),
                  [this] { flush(); });
  if (prompt) {
    editor_.emplace(max_line_bytes);
    key_mode_.emplace();
  }
}

int Shell::run() {
  // A reader that goes away is told by the write.
  std::signal(SIGPIPE, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCONT, SIGWINCH}) signals_.add(signal);
  wait_for_signal();
  driver_->update();
  context_.run();

  screen_.finish();
  key_mode_.reset();
  input_.reset();
  const Ending ending = *conversation_->ending();
  const bool asked_again = ending.asks != Asks::nothing && program::can_ask_password();
  if (!ending.reason.empty() && !asked_again) std::cerr << "tictactoe: " << ending.reason << "\n";
  // The thread that resolves names can't be interrupted, and io_context would wait for it.
  const bool resolving = driver_->resolving();
  driver_.reset();
  if (resolving) std::_Exit(ending.status);
  return ending.status;
}

void Shell::on_input(const std::string& bytes) {
  if (editor_) {
    take_lines(editor_->feed(bytes));
  } else {
    take_lines(splitter_.feed(bytes));
  }
  if (bytes.empty()) {
    if (const std::string rest = splitter_.take_rest(); !rest.empty())
      conversation_->typed(rest, Clock::now());
  }
  if (bytes.empty() || (editor_ && editor_->ended())) conversation_->input_ended(Clock::now());
  flush();
}

void Shell::take_lines(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    if (conversation_->ending()) return;
    screen_.keep_line(conversation_->prompt(Clock::now()), line);
    conversation_->typed(line, Clock::now());
    screen_.show(conversation_->take_text(), {}, {});
  }
}

void Shell::wait_for_signal() {
  signals_.async_wait([this](const boost::system::error_code& error, int signal) {
    if (error) return;
    if (signal == SIGCONT) {
      if (key_mode_) key_mode_->enter();
      screen_.forget();
    }
    if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP)
      conversation_->leave(Clock::now());
    wait_for_signal();
    flush();
  });
}

// Once there is somebody to talk to, input is read.
void Shell::begin_input() {
  input_ = std::make_unique<InputThread>(context_,
                                         [this](const std::string& bytes) { on_input(bytes); });
  for (const std::string& command : options_.commands) {
    conversation_->typed(command, Clock::now());
  }
}

void Shell::flush() {
  conversation_->resized(screen_.look());
  if (!input_ && conversation_->link() != Conversation::Link::connecting) begin_input();
  driver_->update();
  screen_.show(conversation_->take_text(), conversation_->prompt(Clock::now()),
               editor_ ? editor_->content() : std::string());
  if (screen_.closed() && !std::exchange(left_unseen_, true)) {
    conversation_->leave(Clock::now());
    driver_->update();
  }
  if (conversation_->wants_lines() && input_) input_->read();
  if (conversation_->ending()) context_.stop();
}

}  // namespace tictactoe::client
