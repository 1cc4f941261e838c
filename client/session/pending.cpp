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
  return std::any_of(lost_.begin(), lost_.end(), [&](const Request& asked) {
    return asked.has_leave_room() && (watches || was_handled(asked, welcome));
  });
}

void Pending::welcomed(const v1::Welcome& welcome, bool watches, bool lost_seat) {
  // An earlier program of this player may have made more requests.
  last_id_ = std::max(last_id_, welcome.last_request_done());
  const bool has_seat = welcome.resumed() && !welcome.room().empty();
  std::erase_if(lost_, [&](const Request& asked) {
    if (is_uncounted(asked)) return false;
    if (only_asks(asked)) return lost_seat && (asked.has_hint() || asked.has_list_members());
    // A watcher, and a player whose seat is gone again, is to enter once more.
    if (enters_room(asked)) return has_seat && was_handled(asked, welcome);
    return lost_seat || was_handled(asked, welcome) || (watches && asked.has_leave_room());
  });
}

void Pending::forget_answers() {
  std::erase_if(lost_, [](const Request& asked) {
    return asked.has_decline() || asked.has_offer_draw() || asked.has_ask_takeback();
  });
}

std::vector<v1::ClientMessage> Pending::take_lost() {
  if (redirected() == nullptr) redirected_id_ = 0;
  return std::exchange(lost_, {});
}

}  // namespace tictactoe::client
