// The servers that share a PostgreSQL database.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "server/records/membership.hpp"
#include "server/records/postgres/store.hpp"

namespace tictactoe::records {

/// Two connections of its own: one for leases, and that of a store, which adopts.
class PostgresMembership final : public Membership {
 public:
  /// `store` must not be the one that the server's journal uses.
  PostgresMembership(const std::string& url, std::unique_ptr<PostgresStore> store)
      : database_(url), store_(std::move(store)) {}

  Result<StreamId> new_stream() override;
  std::optional<Fault> join(const Member& self, std::chrono::milliseconds lease) override;
  Result<bool> renew(const Member& self, std::chrono::milliseconds lease) override;
  std::optional<Fault> leave(StreamId stream) override;
  Result<std::vector<Member>> members() override;
  Result<bool> take_over() override;
  Result<journal::v1::Saved> adopt(StreamId stream, std::size_t most) override {
    return store_->adopt(stream, most);
  }
  Result<journal::v1::Saved> take_arrived(StreamId stream, std::size_t most) override {
    return store_->take_arrived(stream, most);
  }
  Result<std::size_t> count_arriving(std::size_t most) override;
  Result<std::optional<SharedBans>> bans(const std::string& known_version) override {
    return store_->bans(known_version);
  }
  std::optional<Fault> publish(StreamId stream, std::span<const PublishedRoom> rooms) override;
  Result<std::vector<PublishedRoom>> rooms_of_others(StreamId stream) override;
  std::optional<Fault> publish_players(StreamId stream, const std::string& players) override;
  Result<std::vector<std::string>> players_of_others(StreamId stream) override;

 private:
  PostgresDatabase database_;
  std::unique_ptr<PostgresStore> store_;
};

}  // namespace tictactoe::records
