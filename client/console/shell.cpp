#include "client/console/shell.hpp"

#include <unistd.h>

#include <csignal>
#include <iostream>
#include <random>
#include <utility>

namespace tictactoe::console {
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
  talk.token = token;
  talk.patience = options.patience.value_or(script ? default_script_patience : default_patience);
  talk.seed = std::random_device{}();
  return talk;
}

}  // namespace

Shell::Shell(Options options)
    : options_(std::move(options)),
      script_(isatty(STDIN_FILENO) == 0),
      screen_({.colour = !options_.plain && colour_wanted(),
               .prompt = !options_.plain && editing_possible()}) {
  if (!options_.guest) {
    identity_ =
        open_identity(state_folder(), options_.server.host, options_.server.port, options_.name);
  }
  const std::string token = identity_.identity ? identity_.identity->token() : std::string();
  const bool prompt = !options_.plain && editing_possible();
  conversation_.emplace(conversation_options(options_, script_, prompt, token));
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
  tend_connection();
  context_.run();

  screen_.finish();
  key_mode_.reset();
  input_.reset();
  const Ending& ending = *conversation_->ending();
  if (!ending.reason.empty()) std::cerr << "tictactoe: " << ending.reason << "\n";
  // The thread that resolves names can't be interrupted, and io_context would wait for it.
  if (connection_ && connection_->resolving()) {
    identity_.identity.reset();
    std::_Exit(ending.status);
  }
  return ending.status;
}

// Opens a connection where one is wanted, and closes the one that is wanted no longer.
void Shell::tend_connection() {
  if (conversation_->wants_connection() && !connection_) {
    connection_ = Connection::create(context_);
    connection_->open(options_.server, [this](const std::string& fault) { on_opened(fault); });
  } else if (!conversation_->wants_connection() && connection_ && !conversation_->ending()) {
    std::exchange(connection_, nullptr)->close();
  }
}

void Shell::on_opened(const std::string& fault) {
  if (!fault.empty()) {
    conversation_->cannot_connect(fault, Clock::now());
    return flush();
  }
  conversation_->resized(screen_.look());
  conversation_->connected(Clock::now());
  if (!input_) {
    if (!identity_.note.empty()) conversation_->tell(identity_.note);
    input_ = std::make_unique<InputThread>(context_,
                                           [this](const std::string& bytes) { on_input(bytes); });
    for (const std::string& command : options_.commands) {
      conversation_->typed(command, Clock::now());
    }
  }
  read_server();
  flush();
}

void Shell::read_server() {
  connection_->read(conversation_->prepare(), [this](std::size_t count, const std::string& fault) {
    const Time now = Clock::now();
    conversation_->received(count, now);
    if (conversation_->wants_connection()) {
      if (fault.empty()) {
        read_server();
      } else {
        conversation_->connection_lost(fault, now);
      }
    }
    flush();
  });
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

void Shell::flush() {
  keep_token();
  conversation_->resized(screen_.look());
  screen_.show(conversation_->take_text(), conversation_->prompt(Clock::now()),
               editor_ ? editor_->content() : std::string());
  if (screen_.closed() && !std::exchange(left_unseen_, true)) conversation_->leave(Clock::now());
  tend_connection();
  if (const std::string bytes = conversation_->take_bytes(); !bytes.empty() && connection_) {
    connection_->write(bytes);
  }
  set_alarm();
  if (conversation_->wants_lines() && input_) input_->read();
  if (conversation_->ending()) context_.stop();
}

void Shell::keep_token() {
  const auto token = conversation_->take_token();
  if (!token || !identity_.identity) return;
  const std::string fault = identity_.identity->save(*token);
  if (!fault.empty()) {
    conversation_->tell("Your identity can't be kept in " + identity_.identity->path() + " (" +
                        fault + "): once this program has ended you can't come back to your seat.");
  }
}

void Shell::set_alarm() {
  const auto at = conversation_->next_deadline();
  if (!at) {
    alarm_.cancel();
    return;
  }
  alarm_.expires_at(*at);
  alarm_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    conversation_->deadline_reached(Clock::now());
    flush();
  });
}

}  // namespace tictactoe::console
