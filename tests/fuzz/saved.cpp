// Any bytes as what a journal holds: a host goes on with all of it, or with nothing.
#include <string>
#include <vector>

#include "server/host/host.hpp"
#include "tests/fuzz/input.hpp"

namespace tictactoe::fuzz {
namespace {

const server::Time start{std::chrono::hours(1)};

server::Host new_host() {
  server::Config config;
  config.keeps_records = true;
  return {config, 1, [] { return server::Token{7}; }};
}

std::vector<std::string> take(server::Host& host) {
  std::vector<std::string> all;
  for (const server::Effect& effect : host.effects().list()) {
    if (const auto* send = std::get_if<server::Send>(&effect)) {
      all.emplace_back(host.effects().bytes(send->body));
    }
    if (const auto* record = std::get_if<server::Record>(&effect)) {
      all.emplace_back(host.effects().bytes(record->body));
    }
  }
  host.effects().clear();
  return all;
}

// Somebody comes, looks round and takes a seat, and time goes by.
std::vector<std::string> live(server::Host& host) {
  std::vector<std::string> seen = take(host);
  const server::ConnectionId id = host.connected({1, 1}, start);
  v1::ClientMessage hello;
  hello.set_request_id(1);
  hello.mutable_hello()->add_protocol_versions(1);
  hello.mutable_hello()->set_name("visitor");
  v1::ClientMessage list;
  list.set_request_id(2);
  list.mutable_list_rooms();
  v1::ClientMessage play;
  play.set_request_id(3);
  play.mutable_play();
  for (const v1::ClientMessage& message : {hello, list, play}) {
    host.received(id, &message, start);
    const auto answers = take(host);
    require(!answers.empty(), "no answer");
    seen.insert(seen.end(), answers.begin(), answers.end());
  }
  server::Time now = start;
  for (int i = 0; i < 40; ++i) {
    const auto due = host.next_deadline();
    if (!due) break;
    now = std::max(now, *due);
    host.deadline_reached(now);
    const auto told = take(host);
    seen.insert(seen.end(), told.begin(), told.end());
  }
  host.stop(now);
  const auto last = take(host);
  seen.insert(seen.end(), last.begin(), last.end());
  return seen;
}

}  // namespace
}  // namespace tictactoe::fuzz

FUZZ_TARGET(saved, data, size) {
  using namespace tictactoe;
  journal::v1::Saved saved;
  if (!saved.ParseFromArray(data, static_cast<int>(size))) return;
  server::Host host = fuzz::new_host();
  std::size_t refused_players = 0;
  std::size_t refused_rooms = 0;
  for (const auto& refused : host.restore(saved, fuzz::start).refused) {
    fuzz::require(!refused.why.empty(), "refused without a reason");
    ++(refused.kind == server::RestoreReport::Kind::player ? refused_players : refused_rooms);
  }
  fuzz::require(host.players() + refused_players == static_cast<std::size_t>(saved.players_size()),
                "a player is neither restored nor refused");
  fuzz::require(host.rooms() + refused_rooms <= static_cast<std::size_t>(saved.rooms_size()),
                "a room that was not saved");
  const auto seen = fuzz::live(host);
  server::Host other = fuzz::new_host();
  fuzz::require(other.restore(saved, fuzz::start).refused.size() == refused_players + refused_rooms,
                "not the same is refused the second time");
  fuzz::require(fuzz::live(other) == seen, "a host that is not as it should be");
}
