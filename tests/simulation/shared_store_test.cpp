// The simulated store has to do what PostgreSQL does.
#include "tests/simulation/shared_store.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "tests/simulation/shared_sessions.hpp"
#include "tests/support/given_room_cases.hpp"

namespace tictactoe::records {
namespace {

using simulation::SharedStore;
using simulation::StoreLine;

constexpr std::uint64_t unix_ms = 1'700'000'000'000;

// Of the test that runs.
SharedStore* the_store = nullptr;

class SimulatedSessions {
 public:
  simulation::SharedRecords& store() { return records_; }
  simulation::SharedMembership& membership() { return membership_; }
  std::unique_ptr<SharedNames> make_names(StreamId stream, std::uint64_t epoch) {
    return std::make_unique<simulation::SharedNamesOfServer>(*the_store, line_, stream, epoch);
  }
  StoreLine& line() { return line_; }

 private:
  StoreLine line_;
  simulation::SharedRecords records_{*the_store, line_};
  simulation::SharedMembership membership_{*the_store, line_};
};

class EmptyStore {
 public:
  using Sessions = SimulatedSessions;
  EmptyStore() { the_store = &store_; }

 private:
  SharedStore store_{{20, [] { return unix_ms; }, SharedStore::Mistake::none}};
};

INSTANTIATE_TYPED_TEST_SUITE_P(Simulated, StoresOfLobbies, EmptyStore);
INSTANTIATE_TYPED_TEST_SUITE_P(Simulated, StoresWithGivenRooms, EmptyStore);

// Commits whose outcome the server does not know ------------------------------------------------

class UnknownCommits : public testing::Test {
 protected:
  AppendOutcome append(std::uint64_t sequence) {
    return value(sessions_.store().append(1, {position_.epoch, sequence - 1}, sequence,
                                          batch_of({chat_record(1, "hi")})));
  }
  bool fails(std::uint64_t sequence, simulation::CommitEnd end) {
    sessions_.store().next_ends(end);
    return sessions_.store()
        .append(1, {position_.epoch, sequence - 1}, sequence, batch_of({chat_record(1, "hi")}))
        .has_error();
  }

  EmptyStore store_;
  SimulatedSessions sessions_;
  StreamPosition position_ = value(sessions_.store().own(1));
};

TEST_F(UnknownCommits, are_found_to_be_done) {
  EXPECT_TRUE(fails(1, simulation::CommitEnd::answer_is_lost));
  EXPECT_EQ(append(1), AppendOutcome::durable);
  EXPECT_EQ(the_store->commits(), 1u);
}

TEST_F(UnknownCommits, are_done_if_they_were_not) {
  EXPECT_TRUE(fails(1, simulation::CommitEnd::lost_before));
  EXPECT_EQ(the_store->commits(), 0u);
  EXPECT_EQ(append(1), AppendOutcome::durable);
  EXPECT_EQ(the_store->commits(), 1u);
}

TEST_F(UnknownCommits, are_fenced_after_a_takeover_even_if_they_were_done) {
  EXPECT_TRUE(fails(1, simulation::CommitEnd::answer_is_lost));
  value(sessions_.store().own(1));
  EXPECT_EQ(append(1), AppendOutcome::fenced);
}

TEST_F(UnknownCommits, are_fenced_if_another_one_has_the_sequence) {
  EXPECT_EQ(append(1), AppendOutcome::durable);
  EXPECT_EQ(append(1), AppendOutcome::fenced);
}

// As in PostgreSQL: see
// SharedNamesInPostgres.have_a_name_again_of_which_a_claim_or_the_end_of_one_has_failed.
TEST_F(UnknownCommits, of_claims_are_undone_by_the_next_one) {
  const auto names = sessions_.make_names(1, position_.epoch);
  sessions_.line().lose_answer_in = 1;
  EXPECT_FALSE(names->claim_room(keyed("den"), 1, 1));
  const ClaimedRoom den = value(names->claim_room(keyed("den"), 1, 1));
  EXPECT_EQ(den.outcome, ClaimedRoom::Outcome::claimed);
  sessions_.line().lose_answer_in = 1;
  EXPECT_FALSE(names->claim_player(keyed("ann"), hash_of('a')));
  const auto ann = value(names->claim_player(keyed("ann"), hash_of('a')));
  ASSERT_TRUE(ann);
  sessions_.line().is_cut = true;
  EXPECT_TRUE(names->drop_room(den.serial));
  EXPECT_TRUE(names->drop_player(*ann));
  EXPECT_FALSE(names->claim_room(keyed("den"), 1, 1));
  sessions_.line().is_cut = false;
  EXPECT_EQ(value(names->claim_room(keyed("den"), 1, 1)).outcome, ClaimedRoom::Outcome::claimed);
  EXPECT_TRUE(value(names->claim_player(keyed("ann"), hash_of('b'))));
}

}  // namespace
}  // namespace tictactoe::records
