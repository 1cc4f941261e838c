// A simulated server's connections to the store that it shares: the interfaces of server/records/.
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
  auto reach(Work work) -> records::Result<decltype(work())> {
    if (is_cut) return fault();
    auto result = work();
    if (lose_answer_in > 0 && --lose_answer_in == 0) return fault();
    return result;
  }
  template <class Work>
  std::optional<records::Fault> does(Work work) {
    const auto done = reach([&] {
      work();
      return true;
    });
    return done ? std::nullopt : std::optional(done.error());
  }
  static records::Fault fault() {
    return {records::Fault::Kind::unusable, "the connection to the store was lost"};
  }
};

/// How a commit ends for the server that sends it.
enum class CommitEnd : std::uint8_t {
  known,           ///< it gets the answer
  lost_before,     ///< the commit never reaches the store
  answer_is_lost,  ///< the commit is done, and the server does not know
};

/// Never fails.
class SharedReader final : public records::RecordReader {
 public:
  explicit SharedReader(const SharedStore& shared) : shared_(shared) {}
  records::Result<v1::GameList> list_games(std::uint64_t before, const std::string& player,
                                           std::size_t limit,
                                           records::ReaderNumber reader) override {
    return shared_.list_games(before, player, limit, reader);
  }
  records::Result<std::optional<v1::GameRecord>> game(std::uint64_t id,
                                                      records::ReaderNumber reader) override {
    return shared_.game(id, reader);
  }

 private:
  const SharedStore& shared_;
};

class SharedRecords final : public records::RecordStore {
 public:
  /// Both must outlive it.
  SharedRecords(SharedStore& shared, StoreLine& line) : shared_(shared), line_(line) {}

  /// Of the next append.
  void next_ends(CommitEnd end) { end_ = end; }

  std::uint64_t server_id() const override { return 1; }
  records::Result<records::StreamPosition> own(records::StreamId stream) override {
    return line_.reach([&] { return shared_.own(stream); });
  }
  records::Result<journal::v1::Saved> load(records::StreamId stream) override {
    return line_.reach([&] { return shared_.load(stream); });
  }
  records::Result<records::AppendOutcome> append(records::StreamId stream,
                                                 records::StreamPosition expected,
                                                 std::uint64_t last_sequence,
                                                 const records::Batch& batch) override;
  records::Result<bool> delete_games_before(std::uint64_t /*unix_ms*/) override { return false; }
  std::optional<records::Fault> finish() override { return std::nullopt; }
  records::Result<std::unique_ptr<records::RecordReader>> open_reader() override {
    return std::unique_ptr<records::RecordReader>(std::make_unique<SharedReader>(shared_));
  }
  std::optional<records::Fault> add_games(std::span<const v1::GameRecord> /*games*/) override {
    return StoreLine::fault();
  }

 private:
  struct Unknown {
    records::StreamId stream = 0;
    std::uint64_t epoch = 0;
    std::uint64_t last_sequence = 0;
    friend bool operator==(const Unknown&, const Unknown&) = default;
  };

  SharedStore& shared_;
  StoreLine& line_;
  CommitEnd end_ = CommitEnd::known;
  std::optional<Unknown> unknown_;  // a commit whose outcome this does not know
};

class SharedMembership final : public records::Membership {
 public:
  SharedMembership(SharedStore& shared, StoreLine& line) : shared_(shared), line_(line) {}

  records::Result<records::StreamId> new_stream() override {
    return line_.reach([&] { return shared_.new_stream(); });
  }
  std::optional<records::Fault> join(const records::Member& self,
                                     std::chrono::milliseconds lease) override {
    return line_.does([&] { shared_.join(self, lease); });
  }
  records::Result<bool> renew(const records::Member& self,
                              std::chrono::milliseconds lease) override {
    return line_.reach([&] { return shared_.renew(self, lease); });
  }
  std::optional<records::Fault> leave(records::StreamId stream) override {
    return line_.does([&] { shared_.leave(stream); });
  }
  records::Result<std::vector<records::Member>> members() override {
    return line_.reach([&] { return shared_.members(); });
  }
  records::Result<bool> take_over() override {
    return line_.reach([&] { return shared_.take_over(); });
  }
  records::Result<journal::v1::Saved> adopt(records::StreamId stream, std::size_t most) override;
  records::Result<journal::v1::Saved> take_arrived(records::StreamId stream,
                                                   std::size_t most) override;
  records::Result<std::size_t> count_arriving(std::size_t most) override {
    return line_.reach([&] { return shared_.count_arriving(most); });
  }
  records::Result<std::optional<records::SharedBans>> bans(const std::string& version) override {
    return line_.reach([&] { return shared_.bans(version); });
  }
  std::optional<records::Fault> publish(records::StreamId stream,
                                        std::span<const records::PublishedRoom> rooms) override {
    return line_.does([&] { shared_.publish(stream, rooms); });
  }
  records::Result<std::vector<records::PublishedRoom>> rooms_of_others(
      records::StreamId stream) override {
    return line_.reach([&] { return shared_.rooms_of_others(stream); });
  }

  std::optional<records::Fault> publish_players(records::StreamId stream,
                                                const std::string& players) override {
    return line_.does([&] { shared_.publish_players(stream, players); });
  }
  records::Result<std::vector<std::string>> players_of_others(records::StreamId stream) override {
    return line_.reach([&] { return shared_.players_of_others(stream); });
  }

 private:
  template <class Take>
  records::Result<journal::v1::Saved> take(Take take);

  SharedStore& shared_;
  StoreLine& line_;
  std::optional<journal::v1::Saved> unknown_adoption_;  // the answer was lost
};

class SharedNamesOfServer final : public records::SharedNames {
 public:
  SharedNamesOfServer(SharedStore& shared, StoreLine& line, records::StreamId stream,
                      std::uint64_t epoch)
      : shared_(shared), line_(line), stream_(stream), epoch_(epoch) {}

  records::Result<records::FoundPlayer> find_player(const std::string& token_hash) override;
  records::Result<std::optional<std::uint64_t>> claim_player(
      const records::KeyedName& name, const std::string& token_hash) override;
  std::optional<records::Fault> drop_player(std::uint64_t id) override {
    lost_players_.add(id);
    return drop_lost_claims();
  }
  // Nobody has an account in the simulation.
  records::Result<records::FoundPlayer> find_named(const records::KeyedName& /*name*/) override {
    return StoreLine::fault();
  }
  records::Result<std::optional<std::uint64_t>> claim_account(
      const records::KeyedName& /*name*/, const std::string& /*token_hash*/,
      std::uint64_t /*look_alike*/) override {
    return StoreLine::fault();
  }
  records::Result<records::Whereabouts> find_room(const std::string& name) override {
    return line_.reach([&] { return shared_.find_room(stream_, name); });
  }
  records::Result<records::ClaimedRoom> claim_room(const records::KeyedName& name,
                                                   std::uint64_t creator,
                                                   std::size_t most) override;
  records::Result<records::ClaimedRoom::Outcome> check_room(const records::KeyedName& name,
                                                            std::uint64_t creator, std::size_t most,
                                                            std::uint64_t without) override {
    if (const auto fault = drop_lost_claims()) return *fault;
    return line_.reach([&] { return shared_.check_room(name, creator, most, without); });
  }
  std::optional<records::Fault> drop_room(std::uint64_t serial) override {
    lost_rooms_.add(serial);
    return drop_lost_claims();
  }

 private:
  std::optional<records::Fault> drop_lost_claims();

  SharedStore& shared_;
  StoreLine& line_;
  const records::StreamId stream_;
  const std::uint64_t epoch_;
  std::map<std::uint64_t, journal::v1::Player> lost_arrivals_;  // the answers were lost
  records::LostClaims lost_players_;
  records::LostClaims lost_rooms_;
};

}  // namespace tictactoe::simulation
