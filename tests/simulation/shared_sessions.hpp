// A simulated server's connections to the store that it shares: the interfaces of server/store/.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/simulation/shared_store.hpp"

namespace tictactoe::simulation {

/// Whether one server reaches the store.
struct StoreLine {
  bool is_cut = false;
  /// The answer to the call that is this many calls away is lost; 0: none. The call is done.
  int lose_answer_in = 0;

  /// Runs `work()`, or fails.
  template <class Work>
  auto reach(Work work) -> store::Result<decltype(work())> {
    if (is_cut) return fault();
    auto result = work();
    if (lose_answer_in > 0 && --lose_answer_in == 0) return fault();
    return result;
  }
  template <class Work>
  std::optional<store::Fault> does(Work work) {
    const auto done = reach([&] {
      work();
      return true;
    });
    return done ? std::nullopt : std::optional(done.error());
  }
  static store::Fault fault() {
    return {store::Fault::Kind::unusable, "the connection to the store was lost"};
  }
};

/// How a commit ends for the server that sends it.
enum class CommitEnd : std::uint8_t {
  known,           ///< it gets the answer
  lost_before,     ///< the commit never reaches the store
  answer_is_lost,  ///< the commit is done, and the server does not know
};

/// Never fails.
class SharedReader final : public store::RecordReader {
 public:
  explicit SharedReader(const SharedStore& shared) : shared_(shared) {}
  store::Result<v1::GameList> list_games(std::uint64_t before, const std::string& player,
                                         std::size_t limit, store::ReaderNumber reader) override {
    return shared_.list_games(before, player, limit, reader);
  }
  store::Result<std::optional<v1::GameRecord>> game(std::uint64_t id,
                                                    store::ReaderNumber reader) override {
    return shared_.game(id, reader);
  }
  std::size_t damaged_games() const override { return 0; }
  bool wants_maintenance() const override { return false; }
  void maintain() override {}

 private:
  const SharedStore& shared_;
};

class SharedRecords final : public store::RecordStore {
 public:
  /// Both must outlive it.
  SharedRecords(SharedStore& shared, StoreLine& line) : shared_(shared), line_(line) {}

  /// Of the next append.
  void next_ends(CommitEnd end) { end_ = end; }

  std::uint64_t server_id() const override { return 1; }
  store::Result<store::StreamPosition> own(store::StreamId stream) override {
    return line_.reach([&] { return shared_.own(stream); });
  }
  store::Result<store::LoadedStream> load(store::StreamId stream) override {
    return line_.reach([&] { return shared_.load(stream); });
  }
  std::optional<store::Fault> set_aside(std::span<const store::RefusedRow> refused) override {
    return line_.does([&] {
      for (const store::RefusedRow& row : refused) shared_.set_aside(row);
    });
  }
  store::Result<store::AppendOutcome> append(store::StreamId stream, store::StreamPosition expected,
                                             std::uint64_t last_sequence,
                                             const store::Batch& batch) override;
  std::size_t uncompacted_bytes() const override { return uncompacted_bytes_; }
  store::Result<store::CompactionStep> compact() override;
  store::Result<bool> delete_games_before(std::uint64_t /*unix_ms*/) override { return false; }
  std::optional<store::Fault> finish() override;
  store::Result<std::unique_ptr<store::RecordReader>> open_reader() override {
    return std::unique_ptr<store::RecordReader>(std::make_unique<SharedReader>(shared_));
  }
  std::optional<store::Fault> add_games(std::span<const v1::GameRecord> /*games*/) override {
    return StoreLine::fault();
  }

 private:
  struct Unknown {
    store::StreamId stream = 0;
    std::uint64_t epoch = 0;
    std::uint64_t last_sequence = 0;
    friend bool operator==(const Unknown&, const Unknown&) = default;
  };

  SharedStore& shared_;
  StoreLine& line_;
  CommitEnd end_ = CommitEnd::known;
  std::optional<Unknown> unknown_;  // a commit whose outcome this does not know
  std::size_t uncompacted_bytes_ = 0;
};

class SharedMembership final : public store::Membership {
 public:
  SharedMembership(SharedStore& shared, StoreLine& line) : shared_(shared), line_(line) {}

  store::Result<store::StreamId> new_stream() override {
    return line_.reach([&] { return shared_.new_stream(); });
  }
  std::optional<store::Fault> join(const store::Member& self,
                                   std::chrono::milliseconds lease) override {
    return line_.does([&] { shared_.join(self, lease); });
  }
  store::Result<bool> renew(const store::Member& self, std::chrono::milliseconds lease) override {
    return line_.reach([&] { return shared_.renew(self, lease); });
  }
  std::optional<store::Fault> leave(store::StreamId stream) override {
    return line_.does([&] { shared_.leave(stream); });
  }
  store::Result<std::vector<store::Member>> members() override {
    return line_.reach([&] { return shared_.members(); });
  }
  store::Result<bool> take_over() override {
    return line_.reach([&] { return shared_.take_over(); });
  }
  store::Result<store::LoadedStream> adopt(store::StreamId stream, std::size_t most) override;
  store::Result<store::LoadedStream> take_arrived(store::StreamId stream,
                                                  std::size_t most) override;
  store::Result<std::size_t> count_arriving(std::size_t most) override {
    return line_.reach([&] { return shared_.count_arriving(most); });
  }
  store::Result<std::optional<store::SharedBans>> bans(const std::string& version) override {
    return line_.reach([&] { return shared_.bans(version); });
  }
  std::optional<store::Fault> publish(store::StreamId stream,
                                      std::span<const store::PublishedRoom> rooms) override {
    return line_.does([&] { shared_.publish(stream, rooms); });
  }
  store::Result<std::vector<store::PublishedRoom>> rooms_of_others(
      store::StreamId stream) override {
    return line_.reach([&] { return shared_.rooms_of_others(stream); });
  }

 private:
  template <class Take>
  store::Result<store::LoadedStream> take(Take take);

  SharedStore& shared_;
  StoreLine& line_;
  std::optional<store::LoadedStream> unknown_adoption_;  // the answer was lost
};

class SharedNamesOfServer final : public store::SharedNames {
 public:
  SharedNamesOfServer(SharedStore& shared, StoreLine& line, store::StreamId stream,
                      std::uint64_t epoch)
      : shared_(shared), line_(line), stream_(stream), epoch_(epoch) {}

  store::Result<store::FoundPlayer> find_player(const std::string& token_hash) override;
  store::Result<std::optional<std::uint64_t>> claim_player(const store::KeyedName& name,
                                                           const std::string& token_hash) override;
  std::optional<store::Fault> drop_player(std::uint64_t id) override {
    lost_players_.add(id);
    return drop_lost_claims();
  }
  // Nobody has an account in the simulation.
  store::Result<store::FoundPlayer> find_named(const store::KeyedName& /*name*/) override {
    return StoreLine::fault();
  }
  store::Result<std::optional<std::uint64_t>> claim_account(const store::KeyedName& /*name*/,
                                                            const std::string& /*token_hash*/,
                                                            std::uint64_t /*look_alike*/) override {
    return StoreLine::fault();
  }
  store::Result<store::Whereabouts> find_room(const std::string& name) override {
    return line_.reach([&] { return shared_.find_room(stream_, name); });
  }
  store::Result<store::ClaimedRoom> claim_room(const store::KeyedName& name, std::uint64_t creator,
                                               std::size_t most) override;
  std::optional<store::Fault> drop_room(std::uint64_t serial) override {
    lost_rooms_.add(serial);
    return drop_lost_claims();
  }

 private:
  std::optional<store::Fault> drop_lost_claims();

  SharedStore& shared_;
  StoreLine& line_;
  const store::StreamId stream_;
  const std::uint64_t epoch_;
  std::map<std::uint64_t, journal::v1::Player> lost_arrivals_;  // the answers were lost
  store::LostClaims lost_players_;
  store::LostClaims lost_rooms_;
};

}  // namespace tictactoe::simulation
