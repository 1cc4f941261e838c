#include "server/core/keyed_hash.hpp"

#include <gtest/gtest.h>

#include <string>

#include "server/core/taken_names.hpp"

namespace tictactoe::core::keyed_hash_tests {
namespace {

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

}  // namespace
}  // namespace tictactoe::core::keyed_hash_tests
