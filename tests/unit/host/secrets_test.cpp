// The keys of passwords.
#include "server/core/secrets.hpp"

#include <gtest/gtest.h>

#include "common/text/hex.hpp"

namespace tictactoe::core::secrets_tests {
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

}  // namespace
}  // namespace tictactoe::core::secrets_tests
