#include "tests/simulation/shared_sessions.hpp"

namespace tictactoe::simulation {

using records::AppendOutcome;

// As records::PostgresStore::append does it.
records::Result<AppendOutcome> SharedRecords::append(records::StreamId stream,
                                                     records::StreamPosition expected,
                                                     std::uint64_t last_sequence,
                                                     const records::Batch& batch) {
  const CommitEnd end = std::exchange(end_, CommitEnd::known);
  const Unknown commit{stream, expected.epoch, last_sequence};
  const bool is_retry = unknown_ == commit;
  if (line_.is_cut || end == CommitEnd::lost_before) {
    unknown_ = commit;
    return StoreLine::fault();
  }
  const bool appended =
      is_retry ? shared_.append_again(stream, expected, last_sequence, batch)
               : shared_.append(stream, expected, last_sequence, batch) == AppendOutcome::durable;
  if (end == CommitEnd::answer_is_lost) {
    unknown_ = commit;
    return StoreLine::fault();
  }
  unknown_.reset();
  return appended ? AppendOutcome::durable : AppendOutcome::fenced;
}

// As records::PostgresStore::take does it.
template <class Take>
records::Result<journal::v1::Saved> SharedMembership::take(Take take) {
  journal::v1::Saved taken;
  const auto fault = line_.does([&] {
    taken = unknown_adoption_ ? *std::exchange(unknown_adoption_, std::nullopt) : take();
  });
  if (!fault) return taken;
  if (taken.rooms_size() + taken.players_size() > 0) unknown_adoption_ = taken;
  return *fault;
}

records::Result<journal::v1::Saved> SharedMembership::adopt(records::StreamId stream,
                                                            std::size_t most) {
  return take([&] { return shared_.adopt(stream, most); });
}

records::Result<journal::v1::Saved> SharedMembership::take_arrived(records::StreamId stream,
                                                                   std::size_t most) {
  return take([&] { return shared_.take_arrived(stream, most); });
}

// As records::PostgresNames::find_player does it.
records::Result<records::FoundPlayer> SharedNamesOfServer::find_player(
    const std::string& token_hash) {
  records::FoundPlayer found;
  const auto fault = line_.does([&] { found = shared_.find_player(stream_, token_hash); });
  if (fault) {
    if (found.arrived) lost_arrivals_[found.id] = *found.arrived;
    return *fault;
  }
  if (found.arrived) {
    lost_arrivals_.erase(found.id);
  } else if (found.where.place == records::Whereabouts::Place::here) {
    if (auto lost = lost_arrivals_.extract(found.id)) found.arrived = std::move(lost.mapped());
  }
  return found;
}

// As records::PostgresNames::drop_lost_claims does it.
std::optional<records::Fault> SharedNamesOfServer::drop_lost_claims() {
  if (lost_players_.empty() && lost_rooms_.empty()) return std::nullopt;
  auto fault = line_.does([&] {
    shared_.drop_players(stream_, lost_players_);
    shared_.drop_rooms(stream_, lost_rooms_);
  });
  if (fault) return fault;
  lost_players_ = {};
  lost_rooms_ = {};
  return std::nullopt;
}

records::Result<std::optional<std::uint64_t>> SharedNamesOfServer::claim_player(
    const records::KeyedName& name, const std::string& token_hash) {
  if (const auto fault = drop_lost_claims()) return *fault;
  const auto id =
      line_.reach([&] { return shared_.claim_player(stream_, epoch_, name, token_hash); });
  if (!id) lost_players_.add(token_hash);
  if (!id) return id.error();
  if (!*id) return StoreLine::fault();
  return **id == 0 ? std::nullopt : *id;
}

records::Result<records::ClaimedRoom> SharedNamesOfServer::claim_room(
    const records::KeyedName& name, std::uint64_t creator, std::size_t most) {
  if (const auto fault = drop_lost_claims()) return *fault;
  auto claimed =
      line_.reach([&] { return shared_.claim_room(stream_, epoch_, name, creator, most); });
  if (!claimed) lost_rooms_.add(name.name);
  if (!claimed) return claimed.error();
  if (!*claimed) return StoreLine::fault();
  return **std::move(claimed);
}

}  // namespace tictactoe::simulation
