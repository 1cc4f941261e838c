#include "client/lines/shell.hpp"

#include <unistd.h>

#include <iostream>
#include <utility>

#include "client/words/command.hpp"
#include "client/words/completion.hpp"
#include "client/words/typed.hpp"
#include "common/program/password.hpp"

namespace tictactoe::client {
namespace {

Conversation::Options conversation_options(const PlayOptions& options, bool script, bool prompt,
                                           Runner& runner) {
  Conversation::Options talk;
  talk.session = runner.begin(options);
  talk.services = runner.services();
  talk.session.patience =
      options.patience.value_or(script ? default_script_patience : default_patience);
  talk.server = options.server.text;
  talk.script = script;
  talk.session.follow_lobby = !script;
  talk.fail = options.fail;
  talk.exit_result = options.exit_result;
  talk.prompt = prompt;
  talk.hosting = options.hosting;
  talk.asks_account = options.asks_account && !script && program::can_ask_password();
  return talk;
}

}  // namespace

Shell::Shell(PlayOptions options)
    : options_(std::move(options)),
      script_(isatty(STDIN_FILENO) == 0),
      runner_([this] { flush(); }, [this](const std::string& line) { conversation_->tell(line); }),
      terminal_({.colour = !options_.plain && colour_wanted(),
                 .prompt = !options_.plain && editing_possible()}) {
  const bool prompt = !options_.plain && editing_possible();
  conversation_.emplace(conversation_options(options_, script_, prompt, runner_));
  runner_.drive(session());
  if (!prompt) return;
  const std::string off = bracketed_paste_off;
  raw_mode_.emplace().set_bytes({bracketed_paste_on, off, off + "\r\n"});
  editor_.complete_with(
      [this](std::string_view before) { return complete(before, known_words(session())); });
}

int Shell::run() {
  signals_.emplace(runner_.context(), raw_mode_.has_value(), [this](SignalEvent event) {
    on_signal(event);
    flush();
  });
  if (raw_mode_) raw_mode_->enter();
  runner_.update();
  runner_.context().run();

  terminal_.finish();
  if (session().ending()->keeps_seat) {
    terminal_.show(seat_kept_text(session(), options_.hosting) + "\n");
  }
  raw_mode_.reset();
  input_.reset();
  runner_.release();
  if (!terminal_.fault().empty()) {
    std::cerr << "tictactoe: can't write to standard output: " << terminal_.fault() << "\n";
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
  } else if (raw_mode_) {
    return keys_.feed(bytes);
  } else {
    for (const std::string& line : splitter_.feed(bytes)) take_line(line);
  }
  flush();
}

void Shell::take(const std::vector<Input>& inputs) {
  for (const Input& input : inputs) {
    if (const auto* const key = std::get_if<Key>(&input)) press(*key);
    if (const auto* const paste = std::get_if<Paste>(&input)) editor_.paste(paste->text);
  }
  flush();
}

void Shell::press(const Key& key) {
  if (key.name == Key::Name::enter) {
    const std::string prompt_text = prompt();
    const std::string line = editor_.take();
    terminal_.keep_line(prompt_text, line);
    take_line(line);
    return terminal_.show(conversation_->take_text());
  }
  if (key == Key{Key::Name::control, U'd'} && editor_.empty()) return quit();
  editor_.press(key);
  if (editor_.choices().empty()) return;
  std::string choices;
  for (const std::string& choice : editor_.choices()) choices.append(choice).append(" ");
  terminal_.show(choices + "\n");
}

// A person can't answer any more what becomes of the seat: it is kept.
void Shell::input_ended() {
  if (raw_mode_ || (!script_ && (plays() || terminal_is_gone()))) return drop();
  if (!script_) return conversation_->leave(Clock::now());
  if (const std::string rest = splitter_.take_rest(); !rest.empty()) take_line(rest);
  conversation_->input_ended(Clock::now());
}

void Shell::on_signal(SignalEvent event) {
  switch (event) {
    case SignalEvent::interrupt:
      // Ctrl-C once more ends the program without an answer.
      return asks_quit_ ? drop() : quit();
    case SignalEvent::hang_up:
      return drop();
    case SignalEvent::stop:
      terminal_.show("\n");
      raw_mode_->leave();
      stop_program();
      [[fallthrough]];
    case SignalEvent::go_on:
      if (raw_mode_ && in_foreground()) raw_mode_->enter();
      return terminal_.forget();
    case SignalEvent::resize:
      return;
  }
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
  const std::string answer = lower(trimmed(line));
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

std::string Shell::prompt() const {
  if (!asks_quit_) return conversation_->prompt(Clock::now());
  return plays() && !session().is_guest() ? "leave, keep or go on> " : "leave or go on> ";
}

// Once there is somebody to talk to, input is read.
void Shell::begin_input() {
  input_ = std::make_unique<InputThread>(runner_.context(),
                                         [this](const std::string& bytes) { on_input(bytes); });
  conversation_->begin_with(options_.commands, Clock::now());
}

void Shell::flush() {
  conversation_->resized(terminal_.look());
  if (!input_ && session().link() != Session::Link::connecting) begin_input();
  conversation_->update(Clock::now());
  runner_.update();
  show();
  if ((terminal_.closed() || !terminal_.fault().empty()) && !std::exchange(left_unseen_, true)) {
    drop();
    runner_.update();
  }
  if (conversation_->wants_lines() && input_) input_->read();
  if (session().ending()) return runner_.context().stop();
  runner_.wake_at(conversation_->next_tick(Clock::now()));  // the prompt counts down
}

void Shell::show() {
  const std::string text = conversation_->take_text();
  if (raw_mode_) {
    terminal_.show(text, prompt(), editor_);
  } else {
    terminal_.show(text);
  }
}

}  // namespace tictactoe::client
