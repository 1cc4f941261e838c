#include "client/lines/shell.hpp"

#include <unistd.h>

#include <iostream>
#include <utility>

#include "client/terminal/raw_mode.hpp"
#include "client/words/command.hpp"
#include "client/words/typed.hpp"
#include "common/program/password.hpp"

namespace tictactoe::client {
namespace {

Conversation::Options conversation_options(const PlayOptions& options, bool script,
                                           Runner& runner) {
  Conversation::Options talk;
  talk.session = runner.begin(options);
  talk.find_invitation = runner.invitation_finder();
  talk.session.patience =
      options.patience.value_or(script ? default_script_patience : default_patience);
  talk.server = options.server.text;
  talk.script = script;
  talk.session.follow_lobby = !script;
  talk.fail = options.fail;
  talk.exit_result = options.exit_result;
  talk.hosting = options.hosting;
  talk.asks_account = options.asks_account && !script && program::can_ask_password();
  return talk;
}

}  // namespace

Shell::Shell(PlayOptions options)
    : options_(std::move(options)),
      script_(isatty(STDIN_FILENO) == 0),
      runner_([this] { flush(); }, [this](const std::string& line) { conversation_->tell(line); }) {
  conversation_.emplace(conversation_options(options_, script_, runner_));
  runner_.drive(session());
}

int Shell::run() {
  signals_.emplace(runner_.context(), false, [this](SignalEvent event) {
    on_signal(event);
    flush();
  });
  runner_.update();
  runner_.context().run();

  if (session().ending()->keeps_seat) {
    output_.show(seat_kept_text(session(), options_.hosting) + "\n");
  }
  input_.reset();
  runner_.release();
  if (!output_.fault().empty()) {
    std::cerr << "tictactoe: can't write to standard output: " << output_.fault() << "\n";
    return 1;
  }
  const Ending ending = *session().ending();
  const std::string reason = conversation_->ending_reason();
  const bool asked_again = ending.asks != Asks::nothing && program::can_ask_password();
  if (!reason.empty() && !asked_again) std::cerr << "tictactoe: " << reason << "\n";
  return conversation_->exit_status();
}

void Shell::on_input(const std::string& bytes) {
  if (bytes.empty()) {
    input_ended();
  } else {
    for (const std::string& line : splitter_.feed(bytes)) take_line(line);
  }
  flush();
}

// A person can't answer any more what becomes of the seat: it is kept.
void Shell::input_ended() {
  if (!script_ && (plays() || terminal_is_gone())) return drop();
  if (!script_) return conversation_->leave(Clock::now());
  if (const std::string rest = splitter_.take_rest(); !rest.empty()) take_line(rest);
  conversation_->input_ended(Clock::now());
}

void Shell::on_signal(SignalEvent event) {
  if (event == SignalEvent::hang_up) drop();
  if (event != SignalEvent::interrupt) return;
  // Ctrl-C once more ends the program without an answer.
  asks_quit_ ? drop() : quit();
}

void Shell::take_line(const std::string& line) {
  if (asks_quit_) return answer_quit(line);
  if (!script_ && std::holds_alternative<Quit>(parse_command(line))) return quit();
  conversation_->typed(line, Clock::now());
}

bool Shell::plays() const {
  const Room* const room = session().room();
  return room && room->phase == Phase::playing && room->my_seat != Mark::none;
}

// Asks the person what becomes of the seat, of a game without a server, or of the server that ends
// with the program.
void Shell::quit() {
  const bool matters = plays() || options_.hosting;
  const bool asks = !script_ && matters && session().link() == Session::Link::up;
  if (!asks) return conversation_->leave(Clock::now());
  asks_quit_ = true;
  conversation_->ask_quit(Clock::now());
}

void Shell::answer_quit(const std::string& line) {
  const std::string answer = keyword(line);
  if (answer == "leave" || answer == "l") return conversation_->leave(Clock::now());
  if (!session().is_guest() && (answer == "keep" || answer == "k")) return drop();
  if (answer == "go on" || answer == "g" || answer.empty()) {
    asks_quit_ = false;
  } else {
    conversation_->ask_quit(Clock::now());
  }
}

void Shell::drop() {
  session().drop(Clock::now());
}

// Once there is somebody to talk to, input is read.
void Shell::begin_input() {
  input_ = std::make_unique<InputThread>(runner_.context(),
                                         [this](const std::string& bytes) { on_input(bytes); });
  conversation_->begin_with(options_.commands, Clock::now());
}

void Shell::flush() {
  conversation_->resized(output_.look());
  if (!input_ && session().link() != Session::Link::connecting) begin_input();
  conversation_->update(Clock::now());
  runner_.update();
  output_.show(conversation_->take_text());
  if ((output_.closed() || !output_.fault().empty()) && !std::exchange(left_unseen_, true)) {
    drop();
    runner_.update();
  }
  if (conversation_->wants_lines() && input_) input_->read();
  if (session().ending()) runner_.context().stop();
}

}  // namespace tictactoe::client
