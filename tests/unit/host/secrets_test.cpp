// Secrets: tokens, keyed hashes, and keys that wait for their derivation.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "common/text/hex.hpp"
#include "server/base/keyed_hash.hpp"
#include "server/base/secrets.hpp"
#include "server/lobby/taken_names.hpp"
#include "server/people/key_queue.hpp"

namespace tictactoe::server::secrets_tests {
namespace {

TEST(DeriveKey, gives_the_keys_of_rfc_7914) {
  EXPECT_EQ(text::to_hex(derive_key({"", {{4, 1, 1}, "", ""}})),
            "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442");
  EXPECT_EQ(text::to_hex(derive_key({"password", {{10, 8, 16}, "NaCl", ""}})),
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162");
  EXPECT_EQ(text::to_hex(derive_key({"pleaseletmein", {{14, 8, 1}, "SodiumChloride", ""}})),
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2");
}

TEST(PasswordKey, opens_with_its_key_alone) {
  const PasswordKey key{{}, "salt", std::string(key_bytes, 'k')};
  EXPECT_TRUE(key.opens_with(key.key));
  EXPECT_FALSE(key.opens_with(std::string(key_bytes - 1, 'k') + "l"));
  EXPECT_FALSE(key.opens_with(key.key + "k"));
  EXPECT_FALSE(PasswordKey().opens_with(key.key));
}

TEST(PasswordKey, of_a_journal_takes_no_more_memory_than_it_should) {
  PasswordKey key{{}, "salt", std::string(key_bytes, 'k')};
  EXPECT_TRUE(is_acceptable(key));
  key.cost = {20, 8, 1};
  EXPECT_FALSE(is_acceptable(key));
  key.cost = {16, 8, 1};
  EXPECT_TRUE(is_acceptable(key));
  key.cost = {64, 8, 1};
  EXPECT_FALSE(is_acceptable(key));
  key.cost = {0, 8, 1};
  EXPECT_FALSE(is_acceptable(key));
  key.cost = {10, 0, 1};
  EXPECT_FALSE(is_acceptable(key));
  EXPECT_FALSE(is_acceptable({{}, "salt", "short"}));
}

// The key and the texts of the paper's appendix: bytes that count up from 0.
constexpr HashKey counting_key{0x0706050403020100U, 0x0f0e0d0c0b0a0908U};

std::string counting_bytes(std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(i));
  return bytes;
}

TEST(KeyedHash, is_siphash_2_4) {
  EXPECT_EQ(keyed_hash(counting_key, ""), 0x726fdb47dd0e0e31U);
  EXPECT_EQ(keyed_hash(counting_key, counting_bytes(8)), 0x93f5f5799a932462U);
  EXPECT_EQ(keyed_hash(counting_key, counting_bytes(15)), 0xa129ca6149be45e5U);
}

TEST(KeyedHash, depends_on_the_key) {
  EXPECT_NE(keyed_hash({1, 2}, "alice"), keyed_hash({1, 3}, "alice"));
  EXPECT_NE(keyed_hash({1, 2}, "alice"), keyed_hash({2, 2}, "alice"));
}

TEST(KeyedHash, of_a_text_without_its_last_zero_byte_is_another) {
  EXPECT_NE(keyed_hash(counting_key, std::string("a\0", 2)), keyed_hash(counting_key, "a"));
}

TEST(TakenNamesKey, any_key_serves) {
  for (const HashKey& key : {HashKey{0, 0}, HashKey{1, 2}}) {
    TakenNames names(key);
    names.add("alice");
    EXPECT_TRUE(names.contains("AIice"));
    EXPECT_FALSE(names.contains("bob"));
  }
}

// Whose password is next --------------------------------------------------------------------------

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
}  // namespace tictactoe::server::secrets_tests
