// The names that servers share in a PostgreSQL database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "server/records/postgres/database.hpp"
#include "server/records/shared_names.hpp"

namespace tictactoe::records {

/// A connection of its own to the database of a PostgresStore, made when it is first used.
class PostgresNames final : public SharedNames {
 public:
  /// For the owner of that stream in that epoch.
  PostgresNames(const std::string& url, StreamId stream, std::uint64_t epoch)
      : database_(url), stream_(stream), epoch_(epoch) {}

  Result<FoundPlayer> find_player(const std::string& token_hash) override;
  Result<std::optional<std::uint64_t>> claim_player(const KeyedName& name,
                                                    const std::string& token_hash) override;
  std::optional<Fault> drop_player(std::uint64_t id) override;
  Result<FoundPlayer> find_named(const KeyedName& name) override;
  Result<std::optional<std::uint64_t>> claim_account(const KeyedName& name,
                                                     const std::string& token_hash,
                                                     std::uint64_t look_alike) override;
  Result<Whereabouts> find_room(const std::string& name) override;
  Result<ClaimedRoom> claim_room(const KeyedName& name, std::uint64_t creator,
                                 std::size_t most) override;
  Result<ClaimedRoom::Outcome> check_room(const KeyedName& name, std::uint64_t creator,
                                          std::size_t most, std::uint64_t without) override;
  std::optional<Fault> drop_room(std::uint64_t serial) override;

 private:
  Whereabouts whereabouts(const SqlRow& row, int column) const;
  template <class... Keys>
  FoundPlayer find(const std::string& condition, const Keys&... keys);  // throws
  std::optional<std::uint64_t> claim_row(const KeyedName& name, const std::string& token_hash);
  bool has_created(std::uint64_t creator, std::size_t most, std::uint64_t without);  // throws
  std::uint64_t last_revision();
  /// Before each claim. Throws.
  void drop_lost_claims();

  PostgresDatabase database_;
  const StreamId stream_;
  const std::uint64_t epoch_;
  /// Players who have arrived, by id, if the database may not tell of them again.
  static constexpr std::size_t max_lost_arrivals = 1'000;
  std::map<std::uint64_t, journal::v1::Player> lost_arrivals_;
  LostClaims lost_players_;
  LostClaims lost_rooms_;
};

}  // namespace tictactoe::records
