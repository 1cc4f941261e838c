// Whose password is next.
#include "server/core/key_queue.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace tictactoe::core::key_queue_tests {
namespace {

class KeyQueueTest : public testing::Test {
 protected:
  void ask(std::uint64_t address, const std::string& name) {
    ASSERT_TRUE(queue.has_place({address, address}));
    queue.ask(
        Origin{address, address}, std::make_shared<KeyRequest>(name, PasswordKey{}),
        [this, name](const std::string* key, Time) {
          if (key == nullptr) {
            refused.push_back(name);
          } else {
            EXPECT_EQ(*key, "key of " + name);
          }
        },
        now, effects);
  }
  /// Derives the one key that is asked for. Returns the password.
  std::string derive() {
    EXPECT_EQ(effects.list().size(), 1u);
    const auto asked = std::get<DeriveKey>(effects.list().front());
    effects.clear();
    queue.derived(asked.id, "key of " + asked.request->password, now, effects);
    return asked.request->password;
  }
  std::vector<std::string> derive_all() {
    std::vector<std::string> order;
    while (!effects.list().empty()) order.push_back(derive());
    return order;
  }

  static Limits few_places() {
    Limits limits;
    limits.derivations = 6;
    limits.derivations_per_network = 4;
    return limits;
  }

  Limits limits = few_places();
  Time now{std::chrono::hours(1)};
  Effects effects;
  KeyQueue queue{limits};
  std::vector<std::string> refused;
};

TEST_F(KeyQueueTest, networks_take_turns) {
  for (const char* name : {"a1", "a2", "a3"}) ask(1, name);
  for (const char* name : {"b1", "b2"}) ask(2, name);
  ask(3, "c1");
  EXPECT_EQ(derive_all(), (std::vector<std::string>{"a1", "b1", "c1", "a2", "b2", "a3"}));
  EXPECT_TRUE(refused.empty());
  EXPECT_EQ(queue.size(), 0u);
}

TEST_F(KeyQueueTest, one_network_has_a_bounded_number_of_places) {
  for (const char* name : {"a1", "a2", "a3", "a4", "a5"}) ask(1, name);  // a1 is under way
  EXPECT_FALSE(queue.has_place({1, 1}));
  EXPECT_TRUE(queue.has_place({2, 2}));
  derive();
  EXPECT_TRUE(queue.has_place({1, 1}));
}

TEST_F(KeyQueueTest, the_last_of_the_longest_queue_makes_way) {
  for (const char* name : {"a1", "a2", "a3", "a4", "a5"}) ask(1, name);
  for (const char* name : {"b1", "b2"}) ask(2, name);
  EXPECT_EQ(queue.size(), 6u);
  EXPECT_FALSE(queue.has_place({1, 1}));
  ask(3, "c1");
  EXPECT_EQ(refused, std::vector<std::string>{"a5"});
  ask(3, "c2");
  EXPECT_EQ(refused, (std::vector<std::string>{"a5", "a4"}));
  EXPECT_FALSE(queue.has_place({2, 2})) << "all three have two places now";
  EXPECT_EQ(queue.size(), 6u);
  EXPECT_EQ(derive_all(), (std::vector<std::string>{"a1", "b1", "c1", "a2", "b2", "c2", "a3"}));
}

TEST_F(KeyQueueTest, an_answer_that_nobody_awaits_is_ignored) {
  queue.derived(0, "key", now, effects);
  ask(1, "a1");
  queue.derived(7, "key", now, effects);
  EXPECT_EQ(derive(), "a1");
  queue.derived(1, "key", now, effects);
}

TEST_F(KeyQueueTest, a_key_for_which_there_is_no_memory_is_refused) {
  ask(1, "a1");
  queue.derived(std::get<DeriveKey>(effects.list().front()).id, {}, now, effects);
  EXPECT_EQ(refused, std::vector<std::string>{"a1"});
}

}  // namespace
}  // namespace tictactoe::core::key_queue_tests
