#include "server/cluster/cluster.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

namespace tictactoe::cluster {

namespace {

using std::chrono::steady_clock;

// A long takeover must not delay the next renewal.
constexpr int steps_at_once = 20;

// Others need not see each move at once.
std::string without_what_changes_often(v1::RoomInfo room) {
  room.clear_ply();
  room.clear_watchers();
  return room.SerializeAsString();
}

core::Directory::Server server_of(const store::Member& member) {
  return {member.stream, member.address, member.key};
}

bool are_equal(const std::vector<core::Directory::Server>& a,
               const std::vector<core::Directory::Server>& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.stream == y.stream && x.address == y.address && x.key == y.key;
  });
}

}  // namespace

Cluster::Cluster(boost::asio::io_context& io, store::Member self, core::Config config,
                 std::unique_ptr<store::Membership> membership,
                 std::unique_ptr<store::SharedNames> names, Settings settings)
    : io_(io),
      self_(std::move(self)),
      config_(std::move(config)),
      membership_(std::move(membership)),
      names_(std::move(names)),
      settings_(settings),
      renewed_(steady_clock::now()),
      look_timer_(io),
      sweep_timer_(io) {}

Cluster::~Cluster() {
  looking_.join();
  asking_.join();
}

std::unique_ptr<core::Directory> Cluster::directory(std::unique_ptr<core::Directory> local) {
  auto directory = std::make_unique<ClusterDirectory>(
      std::move(local), config_, settings_.seed,
      [this](ClusterDirectory::Question question) { return ask(std::move(question)); });
  directory_ = directory.get();
  directory_->set_servers({server_of(self_)});
  return directory;
}

void Cluster::start(Events events) {
  events_ = std::move(events);
  look();
  sweep();
}

void Cluster::stop() {
  stopped_ = true;
  look_timer_.cancel();
  sweep_timer_.cancel();
}

void Cluster::drain(Draining draining) {
  draining_ = std::move(draining);
  self_.is_draining = true;
  // The others are told at once.
  if (!is_looking_ && !stopped_) next_look({});
}

void Cluster::leave() {
  looking_.join();
  // If that fails, the others find out when the lease is over.
  if (!lost_ && !std::exchange(left_, true)) membership_->leave(self_.stream);
}

void Cluster::lose(const std::string& why) {
  if (std::exchange(lost_, true)) return;
  stop();
  events_.lost(why);
}

// Questions of the directory ----------------------------------------------------------------------

bool Cluster::ask(ClusterDirectory::Question question) {
  if (waiting_questions_ >= settings_.questions) return false;
  ++waiting_questions_;
  boost::asio::post(asking_, [this, question = std::move(question)] {
    auto go_on = question(*names_);
    boost::asio::post(io_, [this, go_on = std::move(go_on)] {
      --waiting_questions_;
      if (lost_ || stopped_) return;
      go_on(steady_clock::now());
      events_.answered();
    });
  });
  return true;
}

// Looking at the others ---------------------------------------------------------------------------

void Cluster::look() {
  is_looking_ = true;
  self_.rooms = events_.count_rooms();
  std::vector<store::PublishedRoom> changed;
  changed.reserve(changed_.size());
  for (auto& [name, room] : changed_) changed.push_back(std::move(room));
  changed_.clear();
  boost::asio::post(looking_, [this, self = self_, changed = std::move(changed)]() mutable {
    Look found = look_at(self, std::move(changed));
    boost::asio::post(io_,
                      [this, found = std::move(found)]() mutable { looked(std::move(found)); });
  });
}

Cluster::Look Cluster::look_at(const store::Member& self,
                               std::vector<store::PublishedRoom> changed) {
  store::Membership& membership = *membership_;
  Look found;
  found.began = steady_clock::now();
  const auto renewed = membership.renew(self, settings_.lease);
  if (!renewed) {
    found.fault = renewed.error().reason;
    return found;
  }
  found.is_member = *renewed;
  if (!found.is_member) return found;
  found.is_renewed = true;
  found.is_draining = self.is_draining;
  const auto note = [&](const auto& result) {
    if (!result) found.fault = result.error().reason;
    return static_cast<bool>(result);
  };
  if (!changed.empty()) {
    if (const auto fault = membership.publish(self.stream, changed)) found.fault = fault->reason;
  }
  for (int step = 0; step < steps_at_once; ++step) {
    const auto taken = membership.take_over();
    if (!note(taken) || !*taken) break;
    found.wants_more = step + 1 == steps_at_once;
  }
  if (!found.wants_more && !self.is_draining) {
    auto adopted = membership.adopt(self.stream, settings_.adopted_at_once);
    if (note(adopted)) {
      found.adopted = *std::move(adopted);
      found.wants_more =
          found.adopted.saved.rooms_size() > 0 || found.adopted.saved.players_size() > 0;
    }
  }
  if (auto members = membership.members(); note(members)) found.members = *std::move(members);
  if (auto bans = membership.bans(bans_version_); note(bans) && *bans) {
    bans_version_ = std::move((*bans)->version);
    found.news.bans = std::move((*bans)->saved);
  }
  if (auto rooms = membership.rooms_of_others(self.stream); note(rooms)) {
    found.news.rooms = compare(*std::move(rooms));
  }
  return found;
}

// Here, because there can be many thousands of them.
std::vector<core::RoomElsewhere> Cluster::compare(std::vector<store::PublishedRoom> rooms) {
  std::vector<core::RoomElsewhere> changes;
  std::map<std::string, store::PublishedRoom> now;
  for (store::PublishedRoom& room : rooms) {
    const auto before = seen_.find(room.name);
    if (before == seen_.end() || before->second.info != room.info ||
        before->second.stream != room.stream) {
      auto info = std::make_shared<v1::RoomInfo>();
      if (!info->ParseFromString(room.info)) continue;
      changes.push_back({room.name, room.stream, std::move(info)});
    }
    std::string name = room.name;
    now.insert_or_assign(std::move(name), std::move(room));
  }
  for (const auto& [name, room] : seen_) {
    if (!now.contains(name)) changes.push_back({name, room.stream, nullptr});
  }
  seen_ = std::move(now);
  return changes;
}

// A server that is leaving: nobody need be sent there any more, because others will have what it
// has. Without another server that stays, a draining one keeps it until its games have ended.
void Cluster::met(const std::vector<store::Member>& members) {
  const bool one_stays =
      std::ranges::any_of(members, [](const auto& member) { return !member.is_draining; });
  std::vector<core::Directory::Server> servers;
  std::vector<core::Directory::Server> staying;
  for (const store::Member& member : members) {
    servers.push_back(server_of(member));
    if (one_stays && member.is_draining) {
      handover_until_ = steady_clock::now() + settings_.handover_time;
    }
    if (!one_stays || !member.is_draining || member.stream == self_.stream) {
      staying.push_back(server_of(member));
    }
  }
  directory_->set_servers(staying);
  if (are_equal(servers, servers_)) return;
  servers_ = std::move(servers);
  events_.servers(servers_);
}

bool Cluster::has_handed_over(const std::vector<store::Member>& members) {
  if (!announced_) announced_ = steady_clock::now();
  std::vector<core::Directory::Server> others;
  for (const store::Member& member : members) {
    if (!member.is_draining && member.stream != self_.stream) others.push_back(server_of(member));
  }
  if (others.empty()) {
    if (const auto alone = std::exchange(draining_->alone, nullptr)) alone();
    return false;
  }
  if (steady_clock::now() - *announced_ < settings_.announced) return false;
  stop();
  draining_->hand_over(others);
  return true;
}

void Cluster::looked(Look found) {
  is_looking_ = false;
  if (stopped_) return;
  if (!found.is_member) return lose("another server has taken this one over");
  if (found.is_renewed) renewed_ = found.began;
  if (!found.fault.empty()) events_.problem(found.fault);
  if (is_overdue()) return;
  // What this server was given belongs to it, whatever else has failed.
  if (found.adopted.saved.rooms_size() > 0 || found.adopted.saved.players_size() > 0) {
    events_.adopted(found.adopted);
  }
  if (!found.members.empty()) {
    met(found.members);
    if (draining_ && found.is_draining && has_handed_over(found.members)) return;
  }
  directory_->answer_waiting(!found.wants_more, steady_clock::now());
  events_.answered();
  for (const core::RoomElsewhere& room : found.news.rooms) directory_->changed(room);
  if (found.news.bans || !found.news.rooms.empty()) events_.news(found.news);
  if (found.wants_more || (self_.is_draining && !found.is_draining)) {
    return next_look(settings_.short_interval);
  }
  const bool is_handover = steady_clock::now() < handover_until_;
  next_look(is_handover ? settings_.handover_interval : settings_.interval);
}

// What was announced until now was recorded, and nothing has been since others could take over.
bool Cluster::is_overdue() {
  if (steady_clock::now() - renewed_ < settings_.lease) return false;
  lose("the database could not be reached for as long as this server's lease lasts");
  return true;
}

void Cluster::next_look(std::chrono::milliseconds after) {
  look_timer_.expires_after(after);
  look_timer_.async_wait([this](const boost::system::error_code& cancelled) {
    if (!cancelled && !stopped_) look();
  });
}

// Showing the own rooms ---------------------------------------------------------------------------

// One page at a time. What differs from what the others see waits for the next look.
void Cluster::sweep() {
  if (events_.has_ended()) return stop();
  if (is_overdue()) return;
  const v1::RoomList page = directory_->own_rooms(swept_to_, steady_clock::now());
  for (const v1::RoomInfo& room : page.rooms()) {
    std::string shown = without_what_changes_often(room);
    const auto known = published_.find(room.name());
    if (known == published_.end() || known->second != shown) {
      changed_[room.name()] = {room.name(), room.SerializeAsString(), self_.stream};
    }
    in_sweep_.emplace(room.name(), std::move(shown));
    swept_to_ = room.name();
  }
  if (!page.more()) {
    for (const auto& [name, shown] : published_) {
      if (!in_sweep_.contains(name)) changed_[name] = {name, {}, self_.stream};
    }
    published_ = std::exchange(in_sweep_, {});
    swept_to_.clear();
  }
  sweep_timer_.expires_after(page.more() ? settings_.short_interval : settings_.interval);
  sweep_timer_.async_wait([this](const boost::system::error_code& cancelled) {
    if (!cancelled && !stopped_) sweep();
  });
}

}  // namespace tictactoe::cluster
