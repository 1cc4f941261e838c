// What is kept of a room's updates, against a list of all of them.
#include "server/room/kept_updates.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>

namespace tictactoe::server::kept_updates_tests {
namespace {

constexpr std::size_t no_limit = std::size_t{1} << 30;

/// The updates that a client would get; nothing if some are missing.
std::optional<std::vector<std::string>> after(const KeptUpdates& kept, std::uint64_t seen,
                                              std::size_t max_bytes = no_limit) {
  std::vector<std::string> updates;
  const bool all = kept.visit_after(seen, max_bytes,
                                    [&](std::string_view update) { updates.emplace_back(update); });
  if (!all) {
    EXPECT_TRUE(updates.empty());
    return std::nullopt;
  }
  return updates;
}

TEST(KeptUpdates, nothing_is_handed_out_where_one_is_missing_or_they_are_too_long) {
  KeptUpdates kept(4);
  EXPECT_EQ(after(kept, 3), std::nullopt);
  for (std::uint64_t revision = 7; revision < 10; ++revision) kept.add(revision, "12345");
  EXPECT_EQ(after(kept, 5), std::nullopt);
  EXPECT_EQ(after(kept, 10), std::nullopt);
  EXPECT_EQ(after(kept, 6, 14), std::nullopt);
  EXPECT_NE(after(kept, 6, 15), std::nullopt);
  EXPECT_NE(after(kept, 7, 10), std::nullopt);
}

TEST(KeptUpdates, a_leap_of_the_revision_leaves_nothing_of_what_was_before) {
  KeptUpdates kept(8);
  for (std::uint64_t revision = 1; revision < 20; ++revision) kept.add(revision, "old");
  kept.add(100, "new");
  EXPECT_EQ(after(kept, 99), std::vector<std::string>{"new"});
  for (const std::uint64_t seen : {0u, 5u, 17u, 18u, 19u, 20u, 98u})
    EXPECT_EQ(after(kept, seen), std::nullopt);
}

TEST(KeptUpdates, none_at_all_can_be_kept) {
  KeptUpdates kept(0);
  kept.add(1, "a");
  kept.add(2, "b");
  EXPECT_EQ(after(kept, 2), std::vector<std::string>{});
  EXPECT_EQ(after(kept, 1), std::nullopt);
}

TEST(KeptUpdates, so_many_are_there_as_were_promised_and_no_more_are_handed_out) {
  std::mt19937_64 random(1);
  for (const std::size_t max : {1u, 2u, 7u, 64u}) {
    KeptUpdates kept(max);
    std::map<std::uint64_t, std::string> all;
    for (std::uint64_t revision = 1; revision < 500; ++revision) {
      all[revision] = std::string(random() % 30, static_cast<char>('a' + revision % 26));
      kept.add(revision, all[revision]);
      for (std::uint64_t missed = 0; missed <= revision && missed < 80; ++missed) {
        const auto told = after(kept, revision - missed);
        ASSERT_EQ(told.has_value(), missed <= max) << revision << " " << missed;
        if (!told) continue;
        std::vector<std::string> expected;
        for (std::uint64_t i = revision - missed + 1; i <= revision; ++i)
          expected.push_back(all[i]);
        ASSERT_EQ(*told, expected);
      }
    }
  }
}

TEST(KeptUpdates, long_ones_are_kept_as_far_as_there_is_room) {
  KeptUpdates kept(64);
  const std::string huge(10'000, 'x');
  for (std::uint64_t revision = 1; revision < 100; ++revision) kept.add(revision, huge);
  EXPECT_EQ(after(kept, 98), std::vector<std::string>{huge});
  EXPECT_EQ(after(kept, 80), std::nullopt);
}

}  // namespace
}  // namespace tictactoe::server::kept_updates_tests
