// The servers of a simulated store: leases, and who takes over what.
#include <algorithm>

#include "tests/simulation/shared_store.hpp"

namespace tictactoe::simulation {

using records::StreamId;

namespace {

// Of the planted mistake: between reading and raising the epoch.
constexpr std::uint64_t late_ms = 2'000;

}  // namespace

// Members -----------------------------------------------------------------------------------------

void SharedStore::join(const records::Member& self, std::chrono::milliseconds lease) {
  servers_[self.stream] = {self,
                           settings_.unix_ms() + static_cast<std::uint64_t>(std::max<std::int64_t>(
                                                     0, static_cast<std::int64_t>(lease.count())))};
}

bool SharedStore::renew(const records::Member& self, std::chrono::milliseconds lease) {
  const auto found = servers_.find(self.stream);
  if (found == servers_.end()) return false;
  found->second.member.rooms = self.rooms;
  found->second.member.players = self.players;
  found->second.member.is_draining = self.is_draining;
  found->second.member.is_leaving = self.is_leaving;
  found->second.member.key = self.key;
  found->second.member.said = self.said;
  found->second.member.lines_said = self.lines_said;
  found->second.lease_until = settings_.unix_ms() + static_cast<std::uint64_t>(lease.count());
  return true;
}

void SharedStore::leave(StreamId stream) {
  ++streams_[stream].epoch;
  servers_.erase(stream);
}

std::vector<records::Member> SharedStore::members() const {
  std::vector<records::Member> members;
  members.reserve(servers_.size());
  for (const auto& [stream, server] : servers_) members.push_back(server.member);
  return members;
}

void SharedStore::publish_players(StreamId stream, const std::string& players) {
  if (const auto found = servers_.find(stream); found != servers_.end()) {
    found->second.players = players;
  }
}

std::vector<std::string> SharedStore::players_of_others(StreamId stream) const {
  std::vector<std::string> lists;
  for (const auto& [other, server] : servers_) {
    if (other != stream) lists.push_back(server.players);
  }
  return lists;
}

bool SharedStore::take_over() {
  std::erase_if(raise_later_, [&](const auto& late) {
    if (late.first > settings_.unix_ms()) return false;
    ++streams_[late.second].epoch;
    return true;
  });
  return fence_one();
}

bool SharedStore::fence_one() {
  const std::uint64_t now = settings_.unix_ms();
  const auto lost = std::ranges::find_if(
      servers_, [&](const auto& each) { return each.second.lease_until < now; });
  if (lost == servers_.end()) return false;
  if (settings_.mistake == Mistake::read_before_epoch) {
    raise_later_.emplace_back(now + late_ms, lost->first);
  } else {
    ++streams_[lost->first].epoch;
  }
  servers_.erase(lost);
  ++takeovers_;
  return true;
}

void SharedStore::delete_claims() {
  std::vector<std::uint64_t> rooms;
  std::vector<std::uint64_t> players;
  for (const auto& [serial, room] : rooms_) {
    if (!room.state && !has_server(room.stream)) rooms.push_back(serial);
  }
  for (const auto& [id, player] : players_) {
    if (!player.state && !has_server(player.stream)) players.push_back(id);
  }
  for (const std::uint64_t serial : rooms) delete_room(serial);
  for (const std::uint64_t id : players) delete_player(id);
}

journal::v1::Saved SharedStore::adopt(StreamId stream, std::size_t most) {
  delete_claims();
  const StreamId taken = new_stream();
  std::size_t count = 0;
  const auto take_player = [&](Player& player) {
    player.stream = taken;
    player.has_arrived = false;
  };
  for (auto& [serial, room] : rooms_) {
    if (count == most) break;
    if (room.stream == taken || has_server(room.stream)) continue;
    ++count;
    room.stream = taken;
    room.has_arrived = false;
    room.info.clear();
    for (const journal::v1::Seat* seat : {&room.state->room().x(), &room.state->room().o()}) {
      const auto player = players_.find(seat->player());
      if (player != players_.end() && !has_server(player->second.stream)) {
        take_player(player->second);
      }
    }
  }
  if (count == 0) {
    for (auto& [id, player] : players_) {
      if (count == most) break;
      if (has_server(player.stream)) continue;
      ++count;
      take_player(player);
    }
  }
  return give(taken, stream);
}

journal::v1::Saved SharedStore::give(StreamId taken, StreamId to) {
  journal::v1::Saved given = read(taken);
  for (auto& [serial, room] : rooms_) {
    if (room.stream == taken) room.stream = to;
  }
  for (auto& [id, player] : players_) {
    if (player.stream == taken) player.stream = to;
  }
  return given;
}

journal::v1::Saved SharedStore::take_arrived(StreamId stream, std::size_t most) {
  const StreamId taken = new_stream();
  for (auto& [serial, room] : rooms_) {
    if (most == 0) break;
    if (room.stream != stream || !room.has_arrived) continue;
    --most;
    room.stream = taken;
    room.has_arrived = false;
    for (const journal::v1::Seat* seat : {&room.state->room().x(), &room.state->room().o()}) {
      const auto player = players_.find(seat->player());
      if (player != players_.end() && player->second.stream == stream) {
        player->second.stream = taken;
      }
    }
  }
  return give(taken, stream);
}

std::size_t SharedStore::count_arriving(std::size_t most) const {
  const auto count =
      std::ranges::count_if(rooms_, [](const auto& row) { return row.second.has_arrived; });
  return std::min(most, static_cast<std::size_t>(count));
}

void SharedStore::publish(StreamId stream, std::span<const records::PublishedRoom> rooms) {
  for (const records::PublishedRoom& room : rooms) {
    const auto found = room_by_name_.find(room.name);
    if (found == room_by_name_.end()) continue;
    Room& row = rooms_.at(found->second);
    if (row.stream == stream) row.info = room.info;
  }
}

std::vector<records::PublishedRoom> SharedStore::rooms_of_others(StreamId stream) const {
  std::vector<records::PublishedRoom> found;
  for (const auto& [serial, room] : rooms_) {
    if (room.stream == stream || room.info.empty() || !has_server(room.stream)) continue;
    found.push_back({room.name, room.info, room.stream});
  }
  return found;
}

}  // namespace tictactoe::simulation
