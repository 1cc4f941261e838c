#include "client/console/shell.hpp"

#include <unistd.h>

#include <csignal>
#include <iostream>
#include <utility>

namespace tictactoe::console {
namespace {

Conversation::Options conversation_options(const std::string& name, const std::string& software,
                                           const std::string& server, bool script) {
  Conversation::Options options;
  options.name = name;
  options.software = software;
  options.server = server;
  options.script = script;
  return options;
}

}  // namespace

Shell::Shell(Options options)
    : options_(std::move(options)),
      script_(isatty(STDIN_FILENO) == 0),
      conversation_(
          conversation_options(options_.name, options_.software, options_.server.text, script_)),
      screen_({.colour = !options_.plain && colour_wanted(),
               .prompt = !options_.plain && editing_possible()}) {
  if (!options_.plain && editing_possible()) {
    editor_.emplace(max_line_bytes);
    key_mode_.emplace();
  }
}

int Shell::run() {
  // A reader that goes away is told by the write.
  std::signal(SIGPIPE, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCONT, SIGWINCH}) signals_.add(signal);
  wait_for_signal();
  connection_.open(options_.server, [this](const std::string& fault) { on_opened(fault); });
  context_.run();

  screen_.finish();
  key_mode_.reset();
  input_.reset();
  if (!conversation_.ending()->reason.empty()) {
    std::cerr << "tictactoe: " << conversation_.ending()->reason << "\n";
  }
  // The thread that resolves names can't be interrupted, and io_context would wait for it.
  if (connection_.resolving()) std::_Exit(conversation_.ending()->status);
  return conversation_.ending()->status;
}

void Shell::on_opened(const std::string& fault) {
  if (!fault.empty()) {
    conversation_.cannot_connect(fault);
    return flush();
  }
  input_ = std::make_unique<InputThread>(context_,
                                         [this](const std::string& bytes) { on_input(bytes); });
  conversation_.resized(screen_.look());
  conversation_.connected();
  for (const std::string& command : options_.commands) conversation_.typed(command);
  read_server();
  flush();
}

void Shell::read_server() {
  connection_.read(conversation_.prepare(), [this](std::size_t count, const std::string& fault) {
    conversation_.received(count);
    if (fault.empty()) {
      if (!conversation_.ending()) read_server();
    } else if (!conversation_.ending()) {
      conversation_.connection_lost(fault);
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
    if (const std::string rest = splitter_.take_rest(); !rest.empty()) conversation_.typed(rest);
  }
  if (bytes.empty() || (editor_ && editor_->ended())) conversation_.input_ended();
  flush();
}

void Shell::take_lines(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    if (conversation_.ending()) return;
    screen_.keep_line(conversation_.prompt(), line);
    conversation_.typed(line);
    screen_.show(conversation_.take_text(), {}, {});
  }
}

void Shell::wait_for_signal() {
  signals_.async_wait([this](const boost::system::error_code& error, int signal) {
    if (error) return;
    if (signal == SIGCONT) {
      if (key_mode_) key_mode_->enter();
      screen_.forget();
    }
    if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP) conversation_.leave();
    wait_for_signal();
    flush();
  });
}

void Shell::flush() {
  conversation_.resized(screen_.look());
  screen_.show(conversation_.take_text(), conversation_.prompt(),
               editor_ ? editor_->content() : std::string());
  if (screen_.closed() && !std::exchange(left_unseen_, true)) conversation_.leave();
  if (const std::string bytes = conversation_.take_bytes(); !bytes.empty()) {
    connection_.write(bytes);
  }
  if (const auto after = conversation_.take_alarm()) set_alarm(*after);
  if (conversation_.wants_lines() && input_) input_->read();
  if (conversation_.ending()) context_.stop();
}

void Shell::set_alarm(std::chrono::milliseconds after) {
  alarm_.expires_after(after);
  alarm_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    conversation_.alarm_rang();
    flush();
  });
}

}  // namespace tictactoe::console
