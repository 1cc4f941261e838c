#include "client/screen/app.hpp"

#include <utility>

#include "client/model/sanitized.hpp"
#include "client/words/messages.hpp"
#include "client/words/prompts.hpp"
#include "common/unicode/letters.hpp"

namespace tictactoe::screen {

using Name = Key::Name;
namespace prompts = client::prompts;

namespace {

constexpr int wheel_rows = 3;

}  // namespace

// Sessions ----------------------------------------------------------------------------------------

void App::begin(Session::Options options, Visit::Destination to, client::FindInvitation find) {
  front_.notice.clear();
  start_.touch();
  visit_ = std::make_unique<Visit>(front_, std::move(options), std::move(to), std::move(find));
  if (start_.take_was_only_one()) visit_->note(std::string(prompts::only_server));
}

void App::forget_talk() {
  start_.select_again(visit_->server());
  front_.dialog.close();
  visit_.reset();
}

void App::end_session(Time now) {
  visit_->leave_for_another(now);
  happened(now);
}

void App::quit(Time now) {
  if (end_) return;
  if (!visit_ || visit_->session().ending()) {
    end_.emplace();
    return;
  }
  visit_->quit(now);
  happened(now);
}

void App::hang_up(Time now) {
  if (end_) return;
  if (!visit_ || visit_->session().ending()) {
    end_.emplace();
    return;
  }
  visit_->hang_up(now);
  happened(now);
}

void App::happened(Time now) {
  if (!visit_ || end_) return;
  if (const auto& ending = visit_->session().ending()) return session_ended(*ending);
  visit_->happened(now);
  if (const auto& ending = visit_->session().ending()) session_ended(*ending);
}

void App::session_ended(const client::Ending& ending) {
  const std::string reason = client::ending_text(ending, visit_->session(), visit_->server());
  if (visit_->is_followed() ||
      (front_.options.choose && !reason.empty() && ending.asks == client::Asks::nothing)) {
    front_.notice = reason;
  } else {
    end_ = End{ending, reason};
  }
}

// Input -------------------------------------------------------------------------------------------

void App::take(const Input& input, Time now) {
  if (const auto* const key = std::get_if<Key>(&input)) press(*key, now);
  if (const auto* const mouse = std::get_if<Mouse>(&input)) point(*mouse, now);
  if (const auto* const text = std::get_if<Paste>(&input)) paste(*text, now);
}

bool App::is_text_typed() const {
  if (front_.dialog) return front_.dialog->takes_text();
  return is_visiting() ? visit_->is_typing() : !visit_;
}

void App::press(const Key& pressed, Time now) {
  if (end_) return;
  Key key = pressed;
  // Keys of other alphabets mean what they look like.
  if (key.name == Name::letter && !is_text_typed()) key.letter = unicode::ascii_of(key.letter);
  if (key == Key{Name::control, U'c'}) return quit(now);
  if (visit_ && visit_->continue_capital(key, now)) return happened(now);
  if (front_.dialog.ignores(key, now) || (visit_ && visit_->ignores(key, now))) return;
  front_.notice.clear();
  start_.touch();
  if (front_.dialog) {
    front_.dialog.press(key, now);
  } else if (is_visiting()) {
    visit_->press(key, now);
  } else {
    press_start(key, now);
  }
  happened(now);
}

void App::press_start(const Key& key, Time now) {
  if (!visit_ && key.name == Name::escape) return quit(now);
  if (!visit_) return start_.press(key);
  if (key.name != Name::escape) return;
  if (front_.options.choose) return visit_->leave_for_another(now);
  visit_->session().leave(now);
}

// Pasted text goes into the line in which text is typed; in a session, into the line for commands.
// It has no effect before Enter.
void App::paste(const Paste& paste, Time now) {
  if (end_ || (visit_ && visit_->ignores_input(now))) return;
  front_.notice.clear();
  start_.touch();
  if (front_.dialog) {
    front_.dialog->paste(paste.text);
  } else if (is_visiting()) {
    visit_->paste(paste.text);
  } else if (!visit_) {
    start_.paste(paste.text);
  }
  happened(now);
}

void App::point(const Mouse& mouse, Time now) {
  if (end_) return;
  const bool over_dialog = has_dialog();
  if (front_.dialog.ignores_input(now)) return;
  if (mouse.action != Mouse::Action::press) {
    const bool up = mouse.action == Mouse::Action::wheel_up;
    if (!over_dialog && visit_ && visit_->scroll(up ? -wheel_rows : wheel_rows)) return;
    return press({up ? Name::up : Name::down, 0}, now);
  }
  for (const Spot& spot : spots_) {
    if (spot.area.contains(mouse.at)) return press_spot(spot.key, now);
  }
  for (const ListSpot& spot : list_) {
    if (spot.area.contains(mouse.at)) return choose_in_list(spot.index, now);
  }
  if (!over_dialog && visit_ && visit_->point_at(mouse.at)) press({Name::enter, 0}, now);
}

// A click begins no cell, so its command need not wait for a number.
void App::press_spot(const Key& key, Time now) {
  press(key, now);
  if (visit_ && visit_->capital_waits()) press({Name::enter, 0}, now);
}

void App::choose_in_list(std::size_t index, Time now) {
  front_.notice.clear();
  if (front_.dialog) {
    front_.dialog.choose(index, now);
    return happened(now);
  }
  const bool again = is_visiting() ? visit_->select(index) : start_.select(index);
  // Enter would end a line that is being typed.
  if (again && !(visit_ && visit_->is_typing())) press({Name::enter, 0}, now);
}

// Painting ----------------------------------------------------------------------------------------

std::string App::title() const {
  const std::string program(prompts::program_name);
  const std::string place = visit_ ? visit_->title() : std::string();
  return place.empty() ? program : place + " - " + program;
}

std::optional<Time> App::next_deadline() const {
  if (end_ || !visit_) return std::nullopt;
  return visit_->next_deadline();
}

Scene App::draw(Time now) {
  Scene scene(front_.size);
  const Canvas canvas(scene.picture);
  if (is_visiting()) {
    visit_->draw(canvas, scene, now);
  } else {
    std::string connecting;
    if (visit_) {
      const std::string server = client::sanitized(visit_->server());
      connecting = visit_->session().is_being_let_in()
                       ? server + " " + std::string(prompts::admission_delayed)
                       : "Connecting to " + server + " ...";
    }
    draw_start(canvas, {start_, client::sanitized(front_.options.name), front_.notice, connecting},
               scene);
  }
  if (front_.dialog) {
    // Nothing behind the dialog can be clicked.
    scene.spots.clear();
    scene.list.clear();
    front_.dialog->draw(canvas, scene);
  }
  const bool seen =
      scene.cursor && Rect{0, 0, front_.size.width, front_.size.height}.contains(*scene.cursor);
  if (!seen) scene.cursor.reset();
  if (front_.options.ascii) scene.picture.make_ascii();
  spots_ = scene.spots;
  list_ = scene.list;
  return scene;
}

}  // namespace tictactoe::screen
