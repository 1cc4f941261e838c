#include "client/session/pending.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "client/session/requests.hpp"

namespace tictactoe::client {
namespace {

// Whether this lost request was done or refused.
bool was_handled(const v1::ClientMessage& lost, const v1::Welcome& welcome) {
  return welcome.resumed() && lost.request_id() != 0 &&
         lost.request_id() <= welcome.last_request_done();
}

// Whether this lost request to leave the room was done. A watcher leaves with the connection.
bool has_left_by(const v1::ClientMessage& lost, const v1::Welcome& welcome, bool watches) {
  const bool with_connection = watches && welcome.room().empty();
  return lost.has_leave_room() && (with_connection || was_handled(lost, welcome));
}

// The number of the game that it names; 0 if it names none.
std::uint32_t game_of(const v1::ClientMessage& lost) {
  return std::max({lost.move().game(), lost.resign().game(), lost.offer_draw().game(),
                   lost.ask_takeback().game(), lost.decline().game()});
}

// Whether this lost request has no purpose in the room as it is now.
bool is_overtaken(const v1::ClientMessage& lost, const Room* room, bool same_wishes) {
  if (is_uncounted(lost) || enters_room(lost)) return false;
  if (only_asks(lost) && !lost.has_hint() && !lost.has_list_members()) return false;
  if (room == nullptr) return true;
  if (lost.has_rematch()) return room->phase != Phase::finished;
  const bool answers = lost.has_offer_draw() || lost.has_ask_takeback() || lost.has_decline();
  if (!answers && !lost.has_move() && !lost.has_resign() && !lost.has_hint()) return false;
  if (room->phase != Phase::playing) return true;
  if (const auto game = game_of(lost); game != 0 && game != room->game) return true;
  if (lost.has_move() &&
      (lost.move().ply() != room->board.count() || lost.move().takebacks() != room->takebacks)) {
    return true;
  }
  const bool nothing_asked =
      room->draw_offered_by == Mark::none && room->takeback_asked_by == Mark::none;
  return answers && (!same_wishes || (lost.has_decline() && nothing_asked));
}

// The request with that id. The end if there is none, and for id 0.
template <class Requests>
auto find(Requests& requests, std::uint64_t id) {
  return std::find_if(requests.begin(), requests.end(),
                      [id](const auto& request) { return id != 0 && request.request_id() == id; });
}

}  // namespace

std::optional<v1::ClientMessage> Pending::take(std::uint64_t id) {
  const auto asked = find(under_way_, id);
  if (asked == under_way_.end()) return std::nullopt;
  Request taken = std::move(*asked);
  under_way_.erase(asked);
  return taken;
}

void Pending::forget_pings() {
  std::erase_if(under_way_, [](const auto& asked) { return asked.has_ping(); });
}

bool Pending::is_busy() const {
  return !refused_.empty() || !lost_.empty() ||
         std::any_of(under_way_.begin(), under_way_.end(),
                     [](const auto& asked) { return !asked.has_ping(); });
}

void Pending::clear() {
  connection_lost(false);
  lost_.clear();
}

void Pending::repeat(Request request, Time at) {
  request.clear_request_id();
  refused_.push_back(std::move(request));
  repeat_at_ = at;
}

void Pending::forget_repeats() {
  refused_.clear();
  repeat_at_.reset();
}

std::vector<v1::ClientMessage> Pending::take_due(Time now) {
  if (!repeat_at_ || now < *repeat_at_) return {};
  repeat_at_.reset();
  return std::exchange(refused_, {});
}

void Pending::connection_lost(bool keeps) {
  if (keeps) {
    std::erase_if(under_way_, is_for_connection);
    std::move(under_way_.begin(), under_way_.end(), std::back_inserter(lost_));
    std::move(refused_.begin(), refused_.end(), std::back_inserter(lost_));
  }
  under_way_.clear();
  forget_repeats();
}

// Only requests that ask can be older and without an answer: they may come after it.
void Pending::redirect(Request request) {
  redirected_id_ = request.request_id();
  lost_.insert(lost_.begin(), std::move(request));
}

const v1::ClientMessage* Pending::redirected() const {
  const auto found = find(lost_, redirected_id_);
  return found == lost_.end() ? nullptr : &*found;
}

bool Pending::redirected_answered(std::uint64_t id) {
  return id != 0 && id == redirected_id_ && std::exchange(redirected_id_, 0) != 0;
}

bool Pending::has_left(const v1::Welcome& welcome, bool watches) const {
  return std::any_of(lost_.begin(), lost_.end(),
                     [&](const Request& asked) { return has_left_by(asked, welcome, watches); });
}

void Pending::welcomed(const v1::Welcome& welcome, bool watches) {
  // An earlier program of this player may have made more requests.
  last_id_ = std::max(last_id_, welcome.last_request_done());
  const bool has_seat = welcome.resumed() && !welcome.room().empty();
  // Rooms that were left again are not entered once more.
  const auto left = std::find_if(lost_.rbegin(), lost_.rend(), [&](const Request& asked) {
    return has_left_by(asked, welcome, watches);
  });
  lost_.erase(std::remove_if(lost_.begin(), left.base(), enters_room), left.base());
  std::erase_if(lost_, [&](const Request& asked) {
    if (is_uncounted(asked) || only_asks(asked)) return false;
    // Watchers, and players who have lost their seat again, enter once more.
    if (enters_room(asked) && !has_seat) return false;
    return was_handled(asked, welcome) || has_left_by(asked, welcome, watches);
  });
  for (Request& asked : lost_) {
    const bool may_be_done = is_uncounted(asked) || (asked.has_chat() && !welcome.resumed());
    if (!may_be_done && asked.request_id() != redirected_id_) asked.clear_request_id();
  }
}

void Pending::forget_overtaken(const Room* room, bool same_wishes) {
  // Requests that follow a request to enter a room are meant for that room.
  const auto entering = std::find_if(lost_.begin(), lost_.end(), enters_room);
  const auto overtaken = [&](const Request& asked) {
    return is_overtaken(asked, room, same_wishes);
  };
  lost_.erase(std::remove_if(lost_.begin(), entering, overtaken), entering);
}

std::vector<v1::ClientMessage> Pending::take_lost() {
  if (redirected() == nullptr) redirected_id_ = 0;
  return std::exchange(lost_, {});
}

}  // namespace tictactoe::client
