// Lines in, requests out. The text for people is in conversation_text.cpp.
#include "client/lines/conversation.hpp"

#include <utility>

#include "client/lines/pacing.hpp"
#include "client/model/sanitized.hpp"
#include "client/words/lists.hpp"
#include "client/words/narration.hpp"
#include "client/words/prompts.hpp"

namespace tictactoe::client {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

Session::Options session_options(const Conversation::Options& options) {
  Session::Options session = options.session;
  session.retry_refused = options.script;
  return session;
}

}  // namespace

Conversation::Conversation(Options options)
    : options_(std::move(options)), session_(session_options(options_)) {
  session_.subscribe(this);
}

void Conversation::typed(std::string_view line, Time now) {
  // One byte over the limit is enough for the line to be refused for its length.
  lines_.emplace_back(line.substr(0, max_line_bytes + 1));
  update(now);
}

void Conversation::begin_with(const std::vector<std::string>& lines, Time now) {
  begins_ = lines.size();
  lines_.assign(lines.begin(), lines.end());
  update(now);
}

void Conversation::input_ended(Time now) {
  input_ended_ = true;
  update(now);
}

void Conversation::leave(Time now) {
  now_ = now;
  lines_.clear();
  session_.leave(now);
}

void Conversation::ask_quit(Time now) {
  now_ = now;
  if (options_.hosting) {
    for (const std::string& text : hosting_texts(session_)) say(text);
  }
  say(quit_question(session_));
}

void Conversation::update(Time now) {
  now_ = now;
  pump();
  if (gives_up() && !session_.ending() && !session_.is_leaving()) leave(now);
}

void Conversation::refuse(std::string_view line) {
  say(line);
  if (!options_.fail) return;
  failed_ = true;
  lines_.clear();
}

int Conversation::exit_status() const {
  const int status = session_.ending()->status;
  if (status != 0) return status;
  if (failed_) return 1;
  return options_.exit_result ? result_ : 0;
}

std::string Conversation::take_text() {
  return std::exchange(text_, {});
}

bool Conversation::wants_lines() const {
  if (session_.ending() || session_.is_leaving() || input_ended_) return false;
  return options_.script ? lines_.empty()
                         : lines_.size() < max_pending && session_.pending() < max_pending;
}

void Conversation::pump() {
  const auto over = [&] { return session_.ending() || session_.is_leaving() || gives_up(); };
  while (!over() && session_.is_welcomed() && !lines_.empty()) {
    const Command command = parse_command(lines_.front());
    const Due due = when_due(command);
    if (due == Due::later) return;
    wait_announced_ = false;
    if (lines_.empty()) return;
    lines_.pop_front();
    const bool begins = begins_ > 0 && begins_-- > 0;
    if (begins && !options_.script && session_.room() && sets_up(command)) continue;
    if (due == Due::now) carry_out(command);
  }
  const bool done = lines_.empty() && !search_ && session_.is_welcomed() &&
                    session_.link() != Session::Link::catching_up;
  if (input_ended_ && done && (!options_.script || !session_.is_busy()) && !over()) leave(now_);
}

Conversation::Due Conversation::when_due(const Command& command) {
  if (options_.script && (session_.is_busy() || search_)) return Due::later;
  if (session_.link() != Session::Link::up) {
    if (std::holds_alternative<Quit>(command)) return Due::now;
    // A person learns at once that there is no connection.
    const bool wait =
        options_.script || session_.is_moving() || session_.link() == Session::Link::catching_up;
    return wait ? Due::later : Due::now;
  }
  if (!options_.script) return Due::now;
  const Readiness ready = readiness(command, session_.room());
  if (ready.state == Readiness::State::go) return Due::now;
  const std::string line = "\"" + sanitized(lines_.front()) + "\": ";
  if (ready.state == Readiness::State::refuse) {
    refuse("Skipped " + line + ready.reason + ".");
    return Due::never;
  }
  // Nobody may ever come, so the script does not wait silently.
  if (!ready.reason.empty() && !std::exchange(wait_announced_, true)) {
    say("Waiting to run " + line + ready.reason + ".");
  }
  return Due::later;
}

void Conversation::carry_out(const Command& command) {
  std::visit(Overloaded{
                 [](const NoCommand&) {},
                 [this](const Mistake& mistake) { refuse(mistake.text); },
                 [this](const PlaceMark& place) { session_.place(place.cell, now_); },
                 [this](const ShowBoard& show) {
                   if (!session_.room()) {
                     return on_event(NotSent{NotSent::Reason::no_room});
                   }
                   say(seats_text(*session_.room()));
                   say(standing());
                   show_board(show.around);
                 },
                 [this](const ShowHelp&) { text_.append(help_text()); },
                 [this](const Quit&) { leave(now_); },
                 [this](const WaitForEnd&) {
                   if (!options_.script) say("`wait` is only for scripts.");
                 },
                 [this](const ShowInvitation&) { find_invitation(); },
                 [this](const Mute& mute) { say(carry_out_mute(session_, mute)); },
                 [this](const v1::ClientMessage& message) { session_.request(message, now_); },
             },
             command);
}

}  // namespace tictactoe::client
