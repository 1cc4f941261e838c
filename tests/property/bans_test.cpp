// Bans against a list that is searched from its beginning.

// Before rapidcheck/gtest.h, which needs it.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "server/people/bans.hpp"
#include "tests/support/records.hpp"

namespace tictactoe::server::bans_tests {
namespace {

using journal::v1::Ban;
using journal::v1::BanSubject;

/// The bits of an address as text, so that a network is a prefix of it.
std::string binary(std::uint64_t address, bool is_ipv6) {
  std::string text = is_ipv6 ? "6" : "4";
  for (int bit = is_ipv6 ? 63 : 31; bit >= 0; --bit) text += address >> bit & 1 ? '1' : '0';
  return text;
}

struct Model {
  std::vector<Ban> bans;

  bool finds(const Ban& ban, std::uint64_t address, std::uint64_t now) const {
    if (ban.until_unix_ms() != 0 && ban.until_unix_ms() <= now) return false;
    if (!ban.subject().has_range()) return false;
    const auto& range = ban.subject().range();
    const std::string network = binary(range.bits(), range.is_ipv6()).substr(0, 1 + range.prefix());
    return binary(address, address == 0 || address >> 32 != 0).starts_with(network);
  }
  bool is_banned(std::uint64_t address, std::uint64_t now) const {
    return std::ranges::any_of(bans, [&](const Ban& ban) { return finds(ban, address, now); });
  }
  bool is_banned(const std::string& name, std::uint64_t now) const {
    return std::ranges::any_of(bans, [&](const Ban& ban) {
      const bool over = ban.until_unix_ms() != 0 && ban.until_unix_ms() <= now;
      return !over && ban.subject().has_player() && ban.subject().player() == name;
    });
  }
  bool remove(const BanSubject& subject) {
    return std::erase_if(bans, [&](const Ban& ban) {
             return ban.subject().SerializeAsString() == subject.SerializeAsString();
           }) > 0;
  }
};

/// Few, that differ at all places of the prefixes below.
std::uint64_t some_address() {
  const auto bit = [](int place) { return *rc::gen::inRange<std::uint64_t>(0, 2) << place; };
  const std::uint64_t low = bit(0) | bit(1) | bit(8) | bit(31);
  return *rc::gen::arbitrary<bool>() ? low | bit(32) | bit(47) | bit(63) : low;
}

std::string some_name() {
  return *rc::gen::element<std::string>("ann", "ben", "cid", "dora");
}

BanSubject some_subject() {
  if (*rc::gen::arbitrary<bool>()) return test::person(some_name());
  const std::uint64_t address = some_address();
  const bool is_ipv6 = address >> 32 != 0;
  const std::uint32_t bits = is_ipv6 ? 64 : 32;
  const auto prefix =
      *rc::gen::element<std::uint32_t>(0, 1, 2, 16, 17, 23, 24, 31, 32) * (is_ipv6 ? 2U : 1U);
  BanSubject subject;
  subject.mutable_range()->set_is_ipv6(is_ipv6);
  subject.mutable_range()->set_prefix(prefix);
  const std::uint32_t others = bits - prefix;
  subject.mutable_range()->set_bits(prefix == 0 ? 0 : address >> others << others);
  return subject;
}

RC_GTEST_PROP(Bans, finds_what_a_list_finds, ()) {
  Bans bans;
  Model model;
  std::uint64_t now = 1;
  for (int steps = *rc::gen::inRange(0, 60); steps > 0; --steps) {
    switch (*rc::gen::inRange(0, 4)) {
      case 0: {
        Ban ban;
        *ban.mutable_subject() = some_subject();
        ban.set_until_unix_ms(
            *rc::gen::arbitrary<bool>() ? 0 : now + *rc::gen::inRange<std::uint64_t>(1, 20));
        RC_ASSERT(bans.add(ban));
        model.remove(ban.subject());
        model.bans.push_back(ban);
        break;
      }
      case 1: {
        const BanSubject subject = some_subject();
        RC_ASSERT(bans.remove(subject) == model.remove(subject));
        break;
      }
      case 2:
        for (const BanSubject& over : bans.remove_over(now)) RC_ASSERT(model.remove(over));
        RC_ASSERT(std::ranges::none_of(model.bans, [&](const Ban& ban) {
          return ban.until_unix_ms() != 0 && ban.until_unix_ms() <= now;
        }));
        break;
      default:
        now += *rc::gen::inRange<std::uint64_t>(0, 5);
    }
    const std::uint64_t address = some_address();
    RC_ASSERT((bans.find(Origin{address, 0}, now) != nullptr) == model.is_banned(address, now));
    const std::string name = some_name();
    RC_ASSERT((bans.find(name, now) != nullptr) == model.is_banned(name, now));
  }
}

TEST(Bans, a_name_that_looks_alike_is_banned_too) {
  Bans bans;
  ASSERT_TRUE(bans.add(test::ban_record(test::person("Ill"), "").banned()));
  ASSERT_TRUE(bans.add(test::ban_record(test::person("lIl"), "").banned()));
  EXPECT_NE(bans.find("lll", 1), nullptr);
  EXPECT_EQ(bans.find("ann", 1), nullptr);
  ASSERT_TRUE(bans.remove(test::person("lIl")));
  EXPECT_NE(bans.find("lll", 1), nullptr);
}

TEST(Bans, takes_only_valid_subjects_and_not_too_many) {
  Bans bans;
  const auto add = [&](const BanSubject& subject) {
    return bans.add(test::ban_record(subject, "").banned());
  };
  EXPECT_FALSE(add({}));
  EXPECT_FALSE(add(test::person("")));
  BanSubject bad = test::addresses(1, 31);
  EXPECT_FALSE(add(bad));
  bad = test::addresses(0, 33);
  bad.mutable_range()->set_is_ipv6(false);
  EXPECT_FALSE(add(bad));
  EXPECT_FALSE(add(test::addresses(0, 65)));
  for (std::uint64_t address = 1; address <= Bans::max; ++address) {
    ASSERT_TRUE(add(test::addresses(address)));
  }
  EXPECT_FALSE(add(test::addresses(Bans::max + 1)));
  EXPECT_TRUE(add(test::addresses(1)));
}

TEST(Bans, are_shown_as_people_write_them) {
  const auto text = [](std::uint64_t bits, std::uint32_t prefix, bool is_ipv6) {
    BanSubject subject = test::addresses(bits, prefix);
    subject.mutable_range()->set_is_ipv6(is_ipv6);
    return to_text(subject);
  };
  EXPECT_EQ(text(0xcb007107, 32, false), "203.0.113.7");
  EXPECT_EQ(text(0xcb007100, 24, false), "203.0.113.0/24");
  EXPECT_EQ(text(0, 0, false), "0.0.0.0/0");
  EXPECT_EQ(text(0, 0, true), "::/0");
  EXPECT_EQ(text(0x20010db800000000, 32, true), "2001:db8::/32");
  EXPECT_EQ(text(0x20010db800000001, 64, true), "2001:db8:0:1::/64");
  EXPECT_EQ(to_text(test::person("ann")), "ann");
}

}  // namespace
}  // namespace tictactoe::server::bans_tests
