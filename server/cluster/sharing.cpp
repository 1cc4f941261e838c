#include "server/cluster/sharing.hpp"

#include <algorithm>
#include <utility>

namespace tictactoe::cluster {

namespace {

// A long takeover must not delay the next renewal.
constexpr int steps_at_once = 20;

// Others need not see every move at once.
std::string without_what_changes_often(v1::RoomInfo room) {
  room.clear_ply();
  room.clear_watchers();
  return room.SerializeAsString();
}

server::Directory::LobbyServer server_of(const records::Member& member) {
  return {member.stream, member.address, member.key};
}

std::size_t count_players(const std::vector<records::Member>& members, records::StreamId but_of) {
  std::size_t players = 0;
  for (const records::Member& member : members) {
    if (member.stream != but_of) players += member.players;
  }
  return players;
}

bool are_equal(const std::vector<server::Directory::LobbyServer>& a,
               const std::vector<server::Directory::LobbyServer>& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.stream == y.stream && x.address == y.address && x.key == y.key;
  });
}

bool is_empty(const journal::v1::Saved& adopted) {
  return adopted.rooms_size() == 0 && adopted.players_size() == 0;
}

}  // namespace

template <class Value>
std::optional<Value> LobbySync::noted(records::Result<Value> result, SyncResult& found) {
  if (result) return *std::move(result);
  found.fault = result.error().reason;
  return std::nullopt;
}

SyncResult LobbySync::run(const Request& request, server::Time began) {
  SyncResult found;
  found.began = began;
  for (const records::PublishedRoom& room : request.changed) {
    unpublished_.insert_or_assign(room.name, room);
  }
  if (request.players) unpublished_players_ = request.players;
  renew(request, found);
  if (found.is_member && found.fault.empty()) run_as_member(request.self, found);
  if (!found.fault.empty()) {
    unpublished_.merge(unconfirmed_);  // keeps later changes
    unconfirmed_.clear();
  }
  return found;
}

void LobbySync::run_as_member(const records::Member& self, SyncResult& found) {
  found.is_draining = renewed_as_.is_draining;
  found.is_leaving = renewed_as_.is_leaving;
  publish(self, found);
  publish_players(self, found);
  adopt(self, found);
  if (auto members = noted(membership_.members(), found)) {
    found.members = *std::move(members);
    found.news.players = count_players(found.members, self.stream);
    found.news.servers = found.members.size();
    hear(self, found);
  }
  if (self.is_draining) {
    const auto in_transit = noted(membership_.count_arriving(settings_.max_in_transit), found);
    found.in_transit = in_transit.value_or(settings_.max_in_transit);
  }
  if (!read_ || found.began - *read_ >= settings_.interval) {
    read_others(self, found);
    read_ = found.began;
  }
  read_players(self, found);
}

// Each renewal is a commit, so this is not done more often than needed.
void LobbySync::renew(const Request& request, SyncResult& found) {
  const records::Member& self = request.self;
  const bool is_told = renewed_as_.is_draining == self.is_draining &&
                       renewed_as_.is_leaving == self.is_leaving && renewed_as_.key == self.key;
  if (is_told && renewed_ && found.began - *renewed_ < settings_.interval / 2) return;
  const auto renewed = noted(membership_.renew(self, settings_.lease), found);
  found.is_member = renewed.value_or(true);
  found.is_renewed = renewed.value_or(false);
  if (!found.is_renewed) return;
  renewed_ = found.began;
  renewed_as_ = self;
  unconfirmed_.clear();  // a later commit is durable, so it is as well
}

void LobbySync::publish(const records::Member& self, SyncResult& found) {
  if (unpublished_.empty()) return;
  std::vector<records::PublishedRoom> rooms;
  rooms.reserve(unpublished_.size());
  for (const auto& [name, room] : unpublished_) rooms.push_back(room);
  if (const auto fault = membership_.publish(self.stream, rooms)) {
    found.fault = fault->reason;
    return;
  }
  for (records::PublishedRoom& room : rooms) {
    std::string name = room.name;
    unconfirmed_.insert_or_assign(std::move(name), std::move(room));
  }
  unpublished_.clear();
}

void LobbySync::publish_players(const records::Member& self, SyncResult& found) {
  if (!unpublished_players_) return;
  if (const auto fault = membership_.publish_players(self.stream, *unpublished_players_)) {
    found.fault = fault->reason;
  } else {
    unpublished_players_.reset();
  }
}

void LobbySync::read_players(const records::Member& self, SyncResult& found) {
  if (players_read_ && found.began - *players_read_ < settings_.players_interval) return;
  const auto lists = noted(membership_.players_of_others(self.stream), found);
  if (!lists) return;
  players_read_ = found.began;
  auto players = std::make_shared<server::PlayersElsewhere>();
  for (const std::string& list : *lists) {
    v1::PlayerList read;
    if (!read.ParseFromString(list)) continue;
    for (v1::PlayerInfo& info : *read.mutable_players()) {
      std::string name = info.name();
      players->insert_or_assign(std::move(name), std::move(info));
    }
  }
  found.players = std::move(players);
}

// If a server has said more lines than its row has, the oldest are lost: that bounds the rate.
void LobbySync::hear(const records::Member& self, SyncResult& found) {
  std::map<records::StreamId, std::uint64_t> heard;
  for (const records::Member& member : found.members) {
    if (member.stream == self.stream) continue;
    heard[member.stream] = member.lines_said;
    const std::uint64_t before = heard_[member.stream];
    v1::LobbyUpdate said;
    if (member.lines_said <= before || !said.ParseFromString(member.said)) continue;
    const auto lines = static_cast<std::uint64_t>(said.chat_size());
    for (std::uint64_t line = lines - std::min(lines, member.lines_said - before); line < lines;
         ++line) {
      found.news.said.push_back(said.chat(static_cast<int>(line)));
    }
  }
  heard_ = std::move(heard);
}

// Rooms handed over to this server are its own, whatever becomes of it. There is no hurry while
// they arrive one after another.
void LobbySync::adopt(const records::Member& self, SyncResult& found) {
  for (int step = 0; step < steps_at_once; ++step) {
    const auto taken = noted(membership_.take_over(), found);
    if (!taken || !*taken) break;
    found.wants_more = step + 1 == steps_at_once;
  }
  const bool can_adopt = !found.wants_more && !self.is_draining;
  const std::size_t max = settings_.adopted_at_once;
  auto arrived = noted(membership_.take_arrived(self.stream, max), found);
  if (!arrived) return;
  found.adopted = *std::move(arrived);
  if (std::cmp_equal(found.adopted.rooms_size(), max)) found.wants_more = true;
  if (can_adopt) {
    if (const auto adopted = noted(membership_.adopt(self.stream, max), found)) {
      add(*adopted, found);
    }
  }
  forget_adopted(found);
}

void LobbySync::add(const journal::v1::Saved& adopted, SyncResult& found) {
  if (is_empty(adopted)) return;
  found.wants_more = true;
  found.adopted.MergeFrom(adopted);
}

// From now on these rooms are in the list of this server.
void LobbySync::forget_adopted(SyncResult& found) {
  for (const journal::v1::SavedRoom& room : found.adopted.rooms()) {
    const auto seen = seen_.find(room.room().name());
    if (seen == seen_.end()) continue;
    found.news.rooms.push_back({seen->first, seen->second.stream, nullptr});
    seen_.erase(seen);
  }
}

void LobbySync::read_others(const records::Member& self, SyncResult& found) {
  // Reads all bans now and then, changed or not: see BanTracker.
  if (!bans_read_ || found.began - *bans_read_ >= server::BanTracker::max_change_time) {
    bans_version_.clear();
    bans_read_ = found.began;
  }
  if (auto bans = noted(membership_.bans(bans_version_), found); bans && *bans) {
    bans_version_ = std::move((*bans)->version);
    found.news.bans = std::move((*bans)->saved);
  }
  if (auto rooms = noted(membership_.rooms_of_others(self.stream), found)) {
    for (server::RoomElsewhere& room : compare(*std::move(rooms))) {
      found.news.rooms.push_back(std::move(room));
    }
  }
}

// Done here, on the slower thread, because there can be many thousands of them.
std::vector<server::RoomElsewhere> LobbySync::compare(std::vector<records::PublishedRoom> rooms) {
  std::vector<server::RoomElsewhere> changes;
  std::map<std::string, records::PublishedRoom> now;
  for (records::PublishedRoom& room : rooms) {
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

// What a server makes of it ----------------------------------------------------------------------

void Sharing::set_directory(ClusterDirectory& directory) {
  directory_ = &directory;
  directory.set_servers({server_of(self_)});
}

void Sharing::lose(const std::string& why) {
  if (std::exchange(lost_, true)) return;
  stop();
  handlers_.lost(why);
}

bool Sharing::drain(Draining draining) {
  draining_ = std::move(draining);
  self_.is_draining = true;
  return !is_syncing_ && !stopped_;
}

void Sharing::answer(const ClusterDirectory::Continuation& go_on, server::Time now) {
  if (stopped_) return;
  go_on(now);
  handlers_.answered();
}

LobbySync::Request Sharing::begin_sync() {
  is_syncing_ = true;
  self_.rooms = handlers_.count_rooms();
  self_.players = handlers_.count_players();
  if (handlers_.said) {
    const server::SaidInLobby& said = handlers_.said();
    if (said.lines != self_.lines_said) self_.said = said.last.SerializeAsString();
    self_.lines_said = said.lines;
  }
  LobbySync::Request request{self_, {}, std::exchange(changed_players_, std::nullopt)};
  request.changed.reserve(changed_.size());
  for (auto& [name, room] : changed_) request.changed.push_back(std::move(room));
  changed_.clear();
  return request;
}

// Clients are not redirected to a server that is about to leave, because others will have its
// rooms. If no other server stays, a draining one keeps them until its games have ended.
void Sharing::update_members(const std::vector<records::Member>& members, server::Time now) {
  const bool one_stays =
      std::ranges::any_of(members, [](const auto& member) { return !member.is_draining; });
  std::vector<server::Directory::LobbyServer> servers;
  std::vector<server::Directory::LobbyServer> staying;
  for (const records::Member& member : members) {
    servers.push_back(server_of(member));
    if (one_stays && member.is_draining) {
      handover_until_ = now + settings_.handover_time;
    }
    if (!one_stays || !member.is_leaving || member.stream == self_.stream) {
      staying.push_back(server_of(member));
    }
  }
  directory_->set_servers(staying);
  if (are_equal(servers, servers_)) return;
  servers_ = std::move(servers);
  handlers_.servers(servers_);
}

bool Sharing::advance_handover(const SyncResult& found, server::Time now) {
  if (!announced_) announced_ = now;
  std::vector<server::Directory::LobbyServer> others;
  for (const records::Member& member : found.members) {
    if (!member.is_draining && member.stream != self_.stream) others.push_back(server_of(member));
  }
  if (others.empty()) {
    if (const auto alone = std::exchange(draining_->alone, nullptr)) alone();
    return false;
  }
  if (now - *announced_ < settings_.announced) return false;
  const bool some_are_left = give_some_rooms(found);
  if (some_are_left && now - *announced_ < settings_.giving && !self_.is_leaving) return false;
  self_.is_leaving = true;
  if (!found.is_leaving) return false;
  if (!leaving_since_) leaving_since_ = now;
  if (now - *leaving_since_ < settings_.leaving) return false;
  stop();
  draining_->hand_over(others);
  return true;
}

bool Sharing::give_some_rooms(const SyncResult& found) {
  const records::Member* to = nullptr;
  for (const records::Member& member : found.members) {
    if (member.is_draining || member.stream == self_.stream) continue;
    expected_.try_emplace(member.stream, member.rooms);
    if (to == nullptr || expected_[member.stream] < expected_[to->stream]) to = &member;
  }
  if (found.in_transit < settings_.max_in_transit) {
    expected_[to->stream] += draining_->give(server_of(*to), settings_.given_at_once);
  }
  return handlers_.count_rooms() > 0;
}

Sharing::Again Sharing::end_sync(const SyncResult& found, server::Time now) {
  is_syncing_ = false;
  if (stopped_) return std::nullopt;
  if (!found.is_member) {
    lose("another server has taken this one over");
    return std::nullopt;
  }
  if (found.is_renewed) renewed_ = found.began;
  if (!found.fault.empty()) handlers_.problem(found.fault);
  if (lose_if_overdue(now)) return std::nullopt;
  // Adopted rooms belong to this server even if everything else has failed.
  if (!is_empty(found.adopted)) {
    handlers_.adopted(found.adopted);
  }
  if (!found.members.empty()) {
    update_members(found.members, now);
    if (draining_ && found.is_draining && advance_handover(found, now)) {
      return std::nullopt;
    }
  }
  directory_->answer_waiting(!found.wants_more, now);
  handlers_.answered();
  for (const server::RoomElsewhere& room : found.news.rooms) directory_->changed(room);
  if (found.players) directory_->set_players_elsewhere(found.players);
  if (found.news.bans || found.news.players || !found.news.rooms.empty() ||
      !found.news.said.empty()) {
    handlers_.news(found.news);
  }
  const bool is_told =
      self_.is_draining == found.is_draining && self_.is_leaving == found.is_leaving;
  if (found.wants_more || (found.fault.empty() && !is_told)) {
    return settings_.short_interval;
  }
  const bool is_handover = now < handover_until_;
  return is_handover ? settings_.handover_interval : settings_.interval;
}

// Everything announced so far was recorded; nothing has been since others could take over.
bool Sharing::lose_if_overdue(server::Time now) {
  if (now - renewed_ < settings_.lease) return false;
  lose("the database could not be reached for as long as this server's lease lasts");
  return true;
}

Sharing::Again Sharing::sweep(server::Time now) {
  if (stopped_) return std::nullopt;
  if (handlers_.has_ended()) {
    stop();
    return std::nullopt;
  }
  if (lose_if_overdue(now)) return std::nullopt;
  const auto [page, serials] = directory_->own_rooms(swept_to_, now);
  auto serial = serials.begin();
  for (const v1::RoomInfo& room : page.rooms()) {
    Shown shown{*serial++, without_what_changes_often(room)};
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
  const bool is_more = sweep_players(now) || page.more();
  // After the lease, nothing may be answered.
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(renewed_ + settings_.lease - now);
  return std::min(is_more ? settings_.short_interval : settings_.interval, left);
}

bool Sharing::sweep_players(server::Time now) {
  if (swept_to_player_.empty() && now < next_players_) return false;
  const v1::PlayerList page = directory_->own_players(swept_to_player_, now);
  players_in_sweep_.mutable_players()->MergeFrom(page.players());
  if (page.more()) {
    swept_to_player_ = page.players(page.players_size() - 1).name();
    return true;
  }
  swept_to_player_.clear();
  next_players_ = now + settings_.players_interval;
  std::string list = std::exchange(players_in_sweep_, {}).SerializeAsString();
  if (list != published_players_) changed_players_ = published_players_ = std::move(list);
  return false;
}

}  // namespace tictactoe::cluster
