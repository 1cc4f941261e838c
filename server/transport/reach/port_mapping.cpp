#include "server/transport/reach/port_mapping.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace tictactoe::transport {

namespace {

namespace ip = boost::asio::ip;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Pauses after each datagram of a request. The RFCs begin with 3 s (PCP) and 250 ms (NAT-PMP) and
// go on for minutes, but people wait for the link, and the router is one hop away.
constexpr std::array first_pauses{milliseconds(250), milliseconds(500), milliseconds(500)};
constexpr std::array known_pauses{milliseconds(250), milliseconds(500), milliseconds(1000),
                                  milliseconds(2000), milliseconds(2000)};
constexpr std::array removal_pauses{milliseconds(150), milliseconds(200), milliseconds(250)};
// A router must not make this host ask all the time, or give up for days.
constexpr seconds min_renewal{15};
constexpr seconds min_refusal{30};
constexpr seconds max_refusal{1800};

std::span<const milliseconds> pauses_of(bool removes, bool is_known) {
  if (removes) return removal_pauses;
  if (is_known) return known_pauses;
  return first_pauses;
}

std::string endpoint_text(const ip::address& address, std::uint16_t port) {
  const std::string text = address.to_string();
  return (address.is_v6() ? "[" + text + "]" : text) + ":" + std::to_string(port);
}

std::string reason_of(PortResult result) {
  switch (result) {
    case PortResult::not_authorized:
      return "refused: the router does not allow this (check its settings)";
    case PortResult::network_failure:
      return "refused: the router has no public address";
    case PortResult::no_resources:
    case PortResult::user_exceeded_quota:
      return "refused: the router has no more ports for this machine";
    case PortResult::cannot_provide_external:
      return "refused: the router can't give this port";
    case PortResult::address_mismatch:
      return "refused: another router is between this machine and that one";
    default:
      return "refused";
  }
}

bool is_usable(const ip::address& external, const ip::address& client) {
  return external.is_v4() == client.is_v4() && !external.is_unspecified() &&
         !external.is_loopback() && !external.is_multicast();
}

}  // namespace

PortMapping::PortMapping(Wanted wanted, Time now) : wanted_(std::move(wanted)) {
  begin(Task::map, now);
}

bool PortMapping::is_slow() const {
  return has_concluded_ || protocol_ == PortProtocol::nat_pmp || sent_ == first_pauses.size();
}

std::string PortMapping::next_datagram() {
  if (output_.empty()) return {};
  std::string first = std::move(output_.front());
  output_.erase(output_.begin());
  return first;
}

void PortMapping::begin(Task task, Time now) {
  task_ = task;
  began_ = now;
  sent_ = 0;
  if (task == Task::map) {
    mapped_.reset();
    external_.reset();
  }
  send(now);
}

void PortMapping::send(Time now) {
  MapRequest request{
      wanted_.client, wanted_.nonce, wanted_.internal_port, wanted_.external_port, {},
      max_lifetime};
  if (!suggests_) request.external_port = 0;
  if (mapping_) {
    request.external = mapping_->external;
    request.external_port = mapping_->external_port;
  }
  if (task_ == Task::remove) {
    // Without suggestions (RFC 6887, 15; RFC 6886, 3.4).
    request.lifetime = seconds(0);
    request.external_port = 0;
    request.external = ip::address();
  }
  output_.clear();
  const bool is_check = task_ == Task::check;
  if (protocol_ == PortProtocol::pcp) {
    output_.push_back(is_check ? encode_pcp_announce(wanted_.client) : encode_pcp_map(request));
  } else {
    const bool is_removal = task_ == Task::remove;
    if (!is_removal && !external_) output_.push_back(encode_nat_pmp_address());
    if (is_removal || (!is_check && !mapped_)) output_.push_back(encode_nat_pmp_map(request));
  }
  deadline_ = now + pauses_of(task_ == Task::remove, is_known_)[sent_++];
}

void PortMapping::handle_timeout(Time now) {
  if (now < deadline_ || task_ == Task::end) return;
  if (mapping_ && now >= mapping_->until && task_ != Task::remove) mapping_.reset();
  if (task_ == Task::rest) {
    const bool only_checks = mapping_ && now < renew_at_ && shows_restarts();
    if (only_checks) external_.reset();
    return begin(only_checks ? Task::check : Task::map, now);
  }
  if (sent_ < pauses_of(task_ == Task::remove, is_known_).size()) return send(now);
  give_up(now);
}

// Nobody answered.
void PortMapping::give_up(Time now) {
  output_.clear();
  if (task_ == Task::remove) {
    note("closed; the router has not confirmed it", false, now);
    task_ = Task::end;
    return;
  }
  note("no answer", false, now);
  const bool can_change = !is_known_ && wanted_.client.is_v4();
  if (can_change && protocol_ == PortProtocol::pcp) {
    protocol_ = PortProtocol::nat_pmp;
    return begin(Task::map, now);
  }
  epoch_.reset();
  if (!mapping_ && wanted_.client.is_v4()) {
    // A router that has restarted may speak the other one.
    protocol_ = PortProtocol::pcp;
    is_known_ = false;
  }
  has_concluded_ = true;
  check_at_ = now + (mapping_ ? check_period : retry_period);
  rest_until_due(now);
}

void PortMapping::rest_until_due(Time now) {
  output_.clear();
  task_ = Task::rest;
  deadline_ = check_at_;
  if (mapping_) deadline_ = std::min({deadline_, std::max(renew_at_, now), mapping_->until});
}

void PortMapping::handle_datagram(std::string_view datagram, const ip::udp::endpoint& source,
                                  Time now) {
  if (source != wanted_.gateway || task_ == Task::rest || task_ == Task::end) return;
  const auto answer = parse_port_answer(datagram);
  if (!answer) return;
  if (answer->kind == PortAnswer::Kind::other_version) return handle_other_version(now);
  if (answer->protocol != protocol_ || !belongs_to_request(*answer)) return;
  is_known_ = true;
  if (task_ == Task::remove) {
    // With a lifetime it is the late answer to an earlier request.
    if (answer->kind != PortAnswer::Kind::map || answer->lifetime.count() != 0) return;
    output_.clear();
    mapping_.reset();
    note("closed", true, now);
    task_ = Task::end;
    return;
  }
  const bool has_lost = has_lost_state(answer->epoch, now);
  if (answer->result != PortResult::success && task_ == Task::map) return refused(*answer, now);
  if (task_ == Task::check) {
    // Even a refusal has the epoch.
    const bool has_moved = answer->kind == PortAnswer::Kind::address && mapping_ &&
                           answer->result == PortResult::success &&
                           answer->external != mapping_->external;
    if (has_lost || has_moved) return begin(Task::map, now);
    check_at_ = now + check_period;
    return rest_until_due(now);
  }
  if (answer->kind == PortAnswer::Kind::address) return handle_address(*answer, now);
  handle_map(*answer, now);
}

// Anybody on the way can forge it, for it has no nonce. So it counts only until the router has
// shown that it speaks the protocol.
void PortMapping::handle_other_version(Time now) {
  if (is_known_ || task_ != Task::map) return;
  note(protocol_ == PortProtocol::pcp ? "the router does not speak PCP"
                                      : "the router does not speak NAT-PMP",
       false, now);
  if (protocol_ == PortProtocol::pcp && wanted_.client.is_v4()) {
    protocol_ = PortProtocol::nat_pmp;
    return begin(Task::map, now);
  }
  protocol_ = PortProtocol::pcp;
  has_concluded_ = true;
  check_at_ = now + retry_period;
  rest_until_due(now);
}

bool PortMapping::belongs_to_request(const PortAnswer& answer) const {
  switch (answer.kind) {
    case PortAnswer::Kind::announce:
      return task_ == Task::check;
    case PortAnswer::Kind::address:
      return task_ == Task::check || task_ == Task::map;
    case PortAnswer::Kind::map:
      return task_ != Task::check && answer.internal_port == wanted_.internal_port &&
             (protocol_ == PortProtocol::nat_pmp || answer.nonce == wanted_.nonce);
    case PortAnswer::Kind::other_version:
      break;
  }
  return false;
}

// RFC 6887, 8.5: whether the router's clock went back, or not at the pace of ours.
bool PortMapping::has_lost_state(std::uint32_t epoch, Time now) {
  const auto before = std::exchange(epoch_, epoch);
  const Time before_at = std::exchange(epoch_at_, now);
  if (!before) return false;
  if (std::uint64_t{epoch} + 1 < *before) return true;
  const std::int64_t router = std::int64_t{epoch} - *before;
  const std::int64_t own = std::chrono::floor<seconds>(now - before_at).count();
  return own + 2 < router - router / 16 || router + 2 < own - own / 16;
}

// A restart sets the clock back by the router's age then, and has_lost_state() allows for a few
// seconds. So the clock of a router that was older than that at its last answer shows it.
bool PortMapping::shows_restarts() const {
  return epoch_ && seconds(*epoch_) >= check_period;
}

void PortMapping::handle_map(const PortAnswer& answer, Time now) {
  if (answer.external_port == 0 || answer.lifetime.count() == 0) return;
  mapped_ = answer;
  if (protocol_ == PortProtocol::pcp) external_ = answer.external;
  open_if_complete(now);
}

void PortMapping::handle_address(const PortAnswer& answer, Time now) {
  external_ = answer.external;
  open_if_complete(now);
}

void PortMapping::open_if_complete(Time now) {
  if (!mapped_ || !external_) return;
  if (!is_usable(*external_, wanted_.client)) {
    note(std::string(no_public_address), false, now).has_no_address = true;
    mapping_.reset();
    has_concluded_ = true;
    check_at_ = now + retry_period;
    return rest_until_due(now);
  }
  const seconds lifetime = std::clamp(mapped_->lifetime, 2 * min_renewal, max_lifetime);
  mapping_ = Mapping{*external_, mapped_->external_port, now + lifetime};
  renew_at_ = now + lifetime / 2;
  check_at_ = now + check_period;
  has_concluded_ = true;
  note(endpoint_text(*external_, mapped_->external_port), true, now);
  rest_until_due(now);
}

void PortMapping::refused(const PortAnswer& answer, Time now) {
  // Some routers refuse a taken port instead of giving another.
  if (answer.result == PortResult::cannot_provide_external && std::exchange(suggests_, false)) {
    mapping_.reset();
    return begin(Task::map, now);
  }
  note(reason_of(answer.result), false, now).has_no_address =
      answer.result == PortResult::network_failure;
  mapping_.reset();
  has_concluded_ = true;
  check_at_ = now + std::clamp(answer.lifetime, min_refusal, max_refusal);
  suggests_ = true;
  rest_until_due(now);
}

void PortMapping::remove(Time now) {
  if (task_ == Task::remove || task_ == Task::end) return;
  // A request without an answer may have been granted.
  const bool may_exist = mapping_ || task_ == Task::map;
  if (may_exist) return begin(Task::remove, now);
  output_.clear();
  task_ = Task::end;
}

Step& PortMapping::note(std::string answer, bool worked, Time now) {
  std::string what = protocol_name() + " to " + wanted_.gateway.address().to_string();
  const auto known = std::ranges::find(steps_, what, &Step::what);
  Step& step = known != steps_.end() ? *known : steps_.emplace_back();
  step = {std::move(what), std::move(answer), worked, false,
          std::chrono::floor<milliseconds>(now - began_)};
  return step;
}

}  // namespace tictactoe::transport
